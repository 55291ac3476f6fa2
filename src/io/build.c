/* SPDX-License-Identifier: BSD-3-Clause */
#include "io/build.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/handle.h"
#include "io/together.h"

static struct file_joiner *file_joiner_of(const struct gather_slot *s)
{
    return (struct file_joiner *)(uintptr_t)s->extra;
}

/* ---- do all want the same? ---- */

/* Of all endpoints; *sieves: one of them wants it. The same everywhere. */
static int build_agree(const struct leaders *p, bool *sieves, char *text)
{
    const struct file_offer *first = leaders_item(p, 0, 0);
    for (int v = 0; v < p->n; v++)
        for (int i = 0; i < p->count[v]; i++) {
            const struct file_offer *o = leaders_item(p, v, i);
            *sieves |= o->sieves;
            if (o->amode == first->amode)
                continue;
            snprintf(text, FILE_TEXT, "argument amode is %d in one endpoint and %d in another", first->amode,
                     o->amode);
            return MPI_ERR_NOT_SAME;
        }
    return MPI_SUCCESS;
}

/* Names that differ may lead to one file. */
static int build_compare_names(const struct leaders *p, const struct stat *mine, const char *name, char *text)
{
    for (const struct gather_slot *s = p->gather->first; s; s = s->next) {
        const char *other = file_joiner_of(s)->ask->name;
        struct stat its;
        if (strcmp(other, name) == 0 ||
            (stat(other, &its) == 0 && its.st_ino == mine->st_ino && its.st_dev == mine->st_dev))
            continue;
        snprintf(text, FILE_TEXT, "the names that endpoints give lead to different files");
        return MPI_ERR_NOT_SAME;
    }
    return MPI_SUCCESS;
}

/* Between processes, whose machines may number their file systems otherwise. */
static int build_compare_files(struct leaders *p, const struct stat *mine, char *text)
{
    reserve_free(p->offset);
    reserve_free(p->data);
    p->offset = NULL;
    p->data = NULL;
    int rc = leaders_exchange(p, 0, mine->st_ino);
    if (rc == MPI_ERR_GROUP) {
        snprintf(text, FILE_TEXT, "the names that processes give lead to different files");
        rc = MPI_ERR_NOT_SAME;
    }
    return rc;
}

/* ---- opening ---- */

/* The first process makes it. */
static int build_flags(int amode, bool first)
{
    int flags = O_CLOEXEC | (amode & MPI_MODE_RDONLY   ? O_RDONLY
                             : amode & MPI_MODE_WRONLY ? O_WRONLY
                                                       : O_RDWR);
    if (first && (amode & MPI_MODE_CREATE))
        flags |= O_CREAT;
    if (first && (amode & MPI_MODE_EXCL))
        flags |= O_EXCL;
    return flags;
}

/* An errno. */
static int build_descriptor(struct file *x, bool first, unsigned permissions, struct stat *s)
{
    do
        x->fd = open(x->name, build_flags(x->amode, first), (mode_t)permissions);
    while (x->fd < 0 && errno == EINTR);
    if (x->fd < 0 || fstat(x->fd, s) != 0)
        return errno;
    return S_ISDIR(s->st_mode) ? EISDIR : 0;
}

/* One after the other: the first process makes the file that the others open. */
static int build_in_turn(struct leaders *p, struct file *x, const struct file_joiner *j, struct stat *s,
                         char *text)
{
    unsigned permissions = j->file->hints.permissions;
    int rc = MPI_SUCCESS;
    for (int others = 0; others < 2 && rc == MPI_SUCCESS; others++) {
        bool mine = others == (p->me > 0);
        int error = mine ? build_descriptor(x, !others, permissions, s) : 0;
        rc = file_vote(p, MPI_SUCCESS, error, j->ask->name, "opened", text);
    }
    return rc;
}

static int build_file(struct leaders *p, struct file *x, char *text)
{
    const struct file_joiner *j = file_joiner_of(p->gather->first);
    struct stat mine = {0};
    bool sieves = false;
    int rc = leaders_exchange(p, sizeof(struct file_offer), 0);
    if (rc == MPI_SUCCESS && !x)
        rc = MPI_ERR_NO_MEM;
    if ((rc = leaders_vote(p, rc, false)) || (rc = build_agree(p, &sieves, text)))
        return rc;
    x->sieves = sieves && (x->amode & MPI_MODE_RDWR);
    if ((rc = build_in_turn(p, x, j, &mine, text)))
        return rc;
    rc = build_compare_names(p, &mine, x->name, text);
    int differ = build_compare_files(p, &mine, text);
    return leaders_vote(p, rc ? rc : differ, false);
}

void file_build(struct leaders *p, void *unused)
{
    const struct file_joiner *j = file_joiner_of(p->gather->first);
    struct file *x = file_new(p->comm, j->ask->name, j->ask->amode);
    char text[FILE_TEXT] = "";
    (void)unused;
    int rc = build_file(p, x, text);
    if (rc == MPI_SUCCESS) {
        for (struct gather_slot *s = p->gather->first; s; s = s->next)
            file_joiner_of(s)->file->file = x;
        return;
    }
    if (x && x->fd >= 0)
        close(x->fd);
    file_free(x);
    file_fail(p, rc, text, j->ask->name, "opened");
}
