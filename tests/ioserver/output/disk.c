/* SPDX-License-Identifier: BSD-3-Clause */
#undef _FILE_OFFSET_BITS /* else the names below would be those with 64 */
#include "disk.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
#include <stdio.h>

long long disk_room = -1;
int disk_errno = ENOSPC, disk_lies, disk_failed;

/* Only files that output writes. */
static int is_limited(int fd)
{
    char link[40], name[512];
    if (disk_room < 0)
        return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link, name, sizeof name - 1);
    return n > 3 && strncmp(name + n - 3, ".nc", 3) == 0;
}

/* How many of n bytes at offset there is room for, -1: none. */
static ssize_t limit(int fd, size_t n, long long offset)
{
    int is_broken = disk_errno == EIO && disk_failed;
    if (!n || !is_limited(fd) || (!is_broken && offset + (long long)n <= disk_room))
        return (ssize_t)n;
    if (offset < disk_room && disk_errno == ENOSPC)
        return (ssize_t)(disk_room - offset); /* less than asked for: the next write says why */
    disk_failed = 1;
    errno = disk_errno;
    return -1;
}

ssize_t pwrite(int fd, const void *data, size_t n, off_t offset)
{
    ssize_t room = limit(fd, n, offset);
    return room < 0 ? -1 : syscall(SYS_pwrite64, fd, data, (size_t)room, offset);
}

ssize_t pwritev(int fd, const struct iovec *pieces, int n, off_t offset)
{
    ssize_t done = 0;
    for (int i = 0; i < n; i++) {
        ssize_t now = pwrite(fd, pieces[i].iov_base, pieces[i].iov_len, offset + done);
        if (now < 0)
            return done ? done : -1;
        done += now;
        if ((size_t)now < pieces[i].iov_len)
            break;
    }
    return done;
}

int fallocate(int fd, int mode, off_t offset, off_t n)
{
    if (is_limited(fd) && (disk_lies || offset + n > disk_room)) {
        errno = disk_lies ? EOPNOTSUPP : disk_errno;
        return -1;
    }
    return (int)syscall(SYS_fallocate, fd, mode, offset, n);
}

int fstatvfs(int fd, struct statvfs *fs)
{
    memset(fs, 0, sizeof *fs);
    fs->f_frsize = 4096;
    fs->f_bavail = disk_lies || !is_limited(fd) ? 1 << 30 : 0;
    return 0;
}

/* What it says of a full disk, after a write that failed. */
int statvfs(const char *path, struct statvfs *fs)
{
    (void)path;
    memset(fs, 0, sizeof *fs);
    fs->f_frsize = 4096;
    fs->f_bavail = disk_room >= 0 && disk_errno == ENOSPC ? 0 : 1 << 30;
    return 0;
}

/* The same for who is built with _FILE_OFFSET_BITS=64. */
ssize_t pwrite64(int fd, const void *data, size_t n, off64_t offset)
{
    return pwrite(fd, data, n, offset);
}

int fallocate64(int fd, int mode, off64_t offset, off64_t n)
{
    return fallocate(fd, mode, offset, n);
}

int fstatvfs64(int fd, struct statvfs64 *fs)
{
    return fstatvfs(fd, (struct statvfs *)fs);
}

int statvfs64(const char *path, struct statvfs64 *fs)
{
    return statvfs(path, (struct statvfs *)fs);
}
