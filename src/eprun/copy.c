/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies are files in memory. Where a tool wants to read more of them than the dynamic linker, they are complete,
 * and valgrind gets true files, since it follows their names.
 */
#include "eprun/copy.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool valgrind;
static bool traced;
static char temporary[PATH_MAX]; /* made here, removed with all that is in it */

static void find_tools(void)
{
    const char *preload = getenv("LD_PRELOAD");
    valgrind = preload && strstr(preload, "vgpreload");
    FILE *f = fopen("/proc/self/status", "r");
    char line[256];
    while (f && fgets(line, sizeof line, f)) {
        int tracer;
        if (sscanf(line, "TracerPid: %d", &tracer) == 1)
            traced = tracer != 0;
    }
    if (f)
        fclose(f);
    if (!valgrind)
        return;
    const char *dir = getenv("TMPDIR");
    int n = snprintf(temporary, sizeof temporary, "%s/eprun-XXXXXX", dir ? dir : "/tmp");
    if (n >= (int)sizeof temporary || !mkdtemp(temporary))
        temporary[0] = 0;
}

void copy_clean(void)
{
    DIR *dir = temporary[0] ? opendir(temporary) : NULL;
    if (!dir)
        return;
    for (struct dirent *d = readdir(dir); d; d = readdir(dir))
        unlinkat(dirfd(dir), d->d_name, 0);
    closedir(dir);
    rmdir(temporary);
}

static int make_file(const char *dir, const struct endpoint *e, const char *name, char *path, size_t size)
{
    if (snprintf(path, size, "%s/%s.%d", dir, name, e->rank) >= (int)size) {
        errno = ENAMETOOLONG;
        return -1;
    }
    unlink(path); /* another job may still use that file */
    return open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0700);
}

/* Its name holds as long as the descriptor is open, and for other processes, too (debuggers). */
static int make_memory(const char *name, char *path, size_t size)
{
    int fd = memfd_create(name, MFD_CLOEXEC);
    if (fd >= 0)
        snprintf(path, size, "/proc/%ld/fd/%d", (long)getpid(), fd);
    return fd;
}

bool copy_make(const struct elf *elf, const struct endpoint *e, const char *name, char *path, size_t size)
{
    pthread_once(&once, find_tools);
    const char *dir = e->options->image_dir ? e->options->image_dir : temporary;
    int fd = dir[0] ? make_file(dir, e, name, path, size) : make_memory(name, path, size);
    bool whole = e->options->debug || traced || dir[0];
    bool ok = fd >= 0 && elf_write(elf, fd, whole);
    if (!ok)
        message("no copy of %s for this endpoint: %s", name, strerror(errno));
    if (fd >= 0 && (dir[0] || !ok))
        close(fd);
    return ok;
}
