/* SPDX-License-Identifier: BSD-3-Clause */
#include "place.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void place_make(team_t *t, char name[PLACE])
{
    const char *top = getenv("TMPDIR");
    memset(name, 0, PLACE);
    snprintf(name, PLACE - 8, "%s/ep_io.XXXXXX", top ? top : "/tmp");
    if (t->rank == 0) {
        EXPECT(mkdtemp(name) != NULL);
        strcat(name, "/file");
    }
    EXPECT_OK(ep_bcast(name, PLACE, MPI_CHAR, 0, t->comm));
}

void place_free(team_t *t, const char name[PLACE])
{
    char folder[PLACE];
    EXPECT_OK(ep_barrier(t->comm));
    if (t->rank > 0)
        return;
    strcpy(folder, name);
    *strrchr(folder, '/') = '\0';
    unlink(name);
    EXPECT_EQ(rmdir(folder), 0);
}

static MPI_Info info_of_text(const char *hints)
{
    MPI_Info info = MPI_INFO_NULL;
    char text[256], *rest = text, *entry;
    if (!hints)
        return info;
    MPI_Info_create(&info);
    snprintf(text, sizeof text, "%s", hints);
    while ((entry = strtok_r(rest, " ", &rest))) {
        char *value = strchr(entry, '=');
        *value = '\0';
        MPI_Info_set(info, entry, value + 1);
    }
    return info;
}

ep_file place_open(team_t *t, const char *name, int amode, const char *hints)
{
    ep_file fh = EP_FILE_NULL;
    MPI_Info info = info_of_text(hints);
    EXPECT_OK(ep_file_open(t->comm, name, amode, info, &fh));
    if (info != MPI_INFO_NULL)
        MPI_Info_free(&info);
    return fh;
}

void place_read(const char *name, void *buf, size_t n, long long at)
{
    int fd = open(name, O_RDONLY);
    memset(buf, 0, n);
    if (EXPECT(fd >= 0))
        EXPECT(pread(fd, buf, n, at) >= 0);
    close(fd);
}

int refused(team_t *t, int rc, int want, const char *call, const char *part)
{
    char text[MPI_MAX_ERROR_STRING] = "", endpoint[32];
    int length;
    if (!EXPECT_RC(rc, want))
        return 0;
    EXPECT_OK(ep_error_string(rc, text, &length));
    snprintf(endpoint, sizeof endpoint, "endpoint %d of %d", t->rank, t->size);
    return EXPECT_CONTAINS(text, call) && EXPECT_CONTAINS(text, part) && EXPECT_CONTAINS(text, endpoint);
}
