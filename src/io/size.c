/* SPDX-License-Identifier: BSD-3-Clause */
/* The size of a file, and what is done to the file as a whole (MPI 13.2.4, 13.2.5, 13.2.6, 13.6.1). */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/together.h"

static int size_set(struct file *x, int64_t size, bool first)
{
    int rc = 0;
    do
        rc = first ? ftruncate(x->fd, size) : 0;
    while (rc != 0 && errno == EINTR);
    return rc ? errno : 0;
}

int file_set_size(struct where w, ep_file file, int told, int64_t size)
{
    struct file_together t = {.file = file->file,
                              .same = {size},
                              .names = {"argument size", ""},
                              .act = size_set,
                              .done = "made that long"};
    return file_do_together(w, &t, told);
}

static int size_reserve(struct file *x, int64_t size, bool first)
{
    int error = 0;
    do
        error = first && size > 0 ? posix_fallocate(x->fd, 0, size) : 0;
    while (error == EINTR);
    return error;
}

int file_preallocate(struct where w, ep_file file, int told, int64_t size)
{
    struct file_together t = {.file = file->file,
                              .same = {size},
                              .names = {"argument size", ""},
                              .act = size_reserve,
                              .done = "given its space"};
    return file_do_together(w, &t, told);
}

int file_get_size(struct where w, ep_file file, MPI_Offset *size)
{
    struct stat s;
    if (fstat(file->file->fd, &s) != 0)
        return file_raise(w, errno, file->file->name, "asked for its size");
    *size = s.st_size;
    return MPI_SUCCESS;
}

int file_set_atomicity(struct where w, ep_file file, bool atomic)
{
    struct file_together t = {.file = file->file, .same = {atomic}, .names = {"argument flag", ""}};
    int rc = file_do_together(w, &t, MPI_SUCCESS);
    if (rc == MPI_SUCCESS)
        file->atomic = atomic;
    return rc;
}

/* What no device is behind has nothing to be synchronised. */
static int size_sync(struct file *x, int64_t unused, bool first)
{
    int rc;
    (void)unused, (void)first;
    do
        rc = fsync(x->fd);
    while (rc != 0 && errno == EINTR);
    return rc == 0 || errno == EINVAL || errno == EROFS ? 0 : errno;
}

int file_sync(struct where w, ep_file file)
{
    struct file_together t = {
        .file = file->file, .names = {"", ""}, .act = size_sync, .done = "synchronised"};
    return file_do_together(w, &t, MPI_SUCCESS);
}
