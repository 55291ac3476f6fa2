/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * output_space.c: room on the disk, and why there is none. HDF5 does not survive a disk that is full in the middle
 * of a collective write: processes that saw no error wait for those that did, and a file whose metadata cannot be
 * written can be neither closed nor left. So before each record the disk keeps room for all that the record can
 * need, and a full disk shows here, where nothing has been begun and errno says what it is.
 */
#include "output_parts.h"

#include <errno.h>
#include <limits.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* Room for the bytes from..to of the file. Not all file systems can promise it; those say at least how much there is
 * now. */
static int keep_room(int fd, long long from, long long to)
{
    struct statvfs fs;
    int error;
    do
        error = fallocate(fd, FALLOC_FL_KEEP_SIZE, from, to - from) ? errno : 0;
    while (error == EINTR);
    if (error != EOPNOTSUPP && error != ENOSYS)
        return error;
    if (fstatvfs(fd, &fs))
        return errno;
    return (double)fs.f_bavail * (double)fs.f_frsize < (double)(to - from) ? ENOSPC : 0;
}

int space_write(int fd, long long from, long long n)
{
    static const char zeros[1 << 14];
    while (n > 0) {
        ssize_t done = pwrite(fd, zeros, n < (long long)sizeof zeros ? (size_t)n : sizeof zeros, from);
        if (done < 0)
            return errno;
        from += done;
        n -= done;
    }
    return 0;
}

/* The library begins with an empty file again. */
int space_try(struct output *output)
{
    struct stat st;
    int fd = open(output->path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (fd < 0)
        return errno;
    int error = fstat(fd, &st) ? errno : S_ISREG(st.st_mode) ? 0 : ENOTSUP; /* a pipe or a device, say */
    int is_file = !error;
    if (!error && output->size_limit >= 0 && output->record_bytes + output->spare_bytes > output->size_limit)
        error = EFBIG;
    if (!error)
        error = keep_room(fd, 0, output->record_bytes + output->spare_bytes);
    if (!error)
        error = space_write(fd, 0, output->spare_bytes);
    if (!error && (fsync(fd) || ftruncate(fd, 0)))
        error = errno;
    close(fd);
    if (error && is_file)
        unlink(output->path);
    return error;
}

long long space_spare(const struct output *output)
{
    long long chunks = 0, axes = 3 * 8 * (long long)(output->nx + output->ny + output->nz);
    for (int o = 0; o < output->file->num_outputs; o++)
        chunks += (long long)output_levels(output, o);
    return (128 << 10) + axes + 256 * chunks + 8192LL * output->file->num_outputs;
}

long long space_limit(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > LLONG_MAX)
        return -1;
    return (long long)limit.rlim_cur;
}

int space_reserve(struct output *output)
{
    struct stat st;
    int fd = open(output->path, O_WRONLY);
    if (fd < 0)
        return errno;
    int error = fstat(fd, &st) ? errno : 0;
    /* Below the file's end all was reserved before it became the end. */
    long long from = st.st_size < output->reserved ? st.st_size : output->reserved;
    long long to = st.st_size + output->record_bytes + output->spare_bytes;
    if (!error && output->size_limit >= 0 && to > output->size_limit)
        error = EFBIG;
    if (!error && to > from)
        error = keep_room(fd, from, to);
    if (!error)
        output->reserved = to;
    output->good_size = st.st_size;
    close(fd);
    return error;
}

void space_give_back(const struct output *output)
{
    struct stat st;
    if (stat(output->path, &st) == 0 && truncate(output->path, st.st_size))
        return; /* some blocks more than needed */
}

/* The size alone is no proof: nodes learn late what others have written. */
int space_is_short(const struct output *output)
{
    struct stat st;
    struct statvfs fs;
    if (stat(output->path, &st) || statvfs(output->path, &fs))
        return 0;
    return st.st_size < output->good_size + output->record_bytes &&
           (double)fs.f_bavail * (double)fs.f_frsize < (double)output->record_bytes;
}

/* Nothing but a disk says these, so after a call of a library that found all well they tell of a write that failed
 * all the same: Open MPI's ompio loses errors of collective writes. */
int space_is_lost(int number)
{
    return number == ENOSPC || number == EDQUOT || number == EFBIG || number == EIO;
}

const char *space_reason(const struct output *output, int number, int error)
{
    struct statvfs fs;
    if (space_is_lost(number) || number == EROFS || number == EACCES || number == EISDIR || number == ESTALE)
        return strerror(number);
    if (access(output->path, W_OK))
        return strerror(errno);
    if (statvfs(output->path, &fs) == 0 && fs.f_bavail == 0)
        return strerror(ENOSPC);
    return output->ops->error_text(error);
}
