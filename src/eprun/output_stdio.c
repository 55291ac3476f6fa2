/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libc's functions that would change the process's stdout or stderr, for an endpoint's. Other streams, and threads
 * without an endpoint, get libc's own.
 */
#undef _FILE_OFFSET_BITS /* it would give freopen the name of freopen64 */
#include "eprun/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "eprun/next.h"

/* A program knows its own threads only, so the lock is that of the endpoint's line. */
EP_PUBLIC void flockfile(FILE *f)
{
    static void *next;
    void (*libc)(FILE *);
    struct line *l = output_line(f);
    if (l) {
        pthread_mutex_lock(&l->lock);
        return;
    }
    next_function(&libc, &next, "flockfile");
    libc(f);
}

EP_PUBLIC int ftrylockfile(FILE *f)
{
    static void *next;
    int (*libc)(FILE *);
    struct line *l = output_line(f);
    if (l)
        return pthread_mutex_trylock(&l->lock);
    next_function(&libc, &next, "ftrylockfile");
    return libc(f);
}

EP_PUBLIC void funlockfile(FILE *f)
{
    static void *next;
    void (*libc)(FILE *);
    struct line *l = output_line(f);
    if (l) {
        pthread_mutex_unlock(&l->lock);
        return;
    }
    next_function(&libc, &next, "funlockfile");
    libc(f);
}

/* Buffers are output.c's matter, whatever the program wants. */
EP_PUBLIC int setvbuf(FILE *f, char *buffer, int mode, size_t size)
{
    static void *next;
    int (*libc)(FILE *, char *, int, size_t);
    if (output_line(f))
        return 0;
    next_function(&libc, &next, "setvbuf");
    return libc(f, buffer, mode, size);
}

EP_PUBLIC void setbuf(FILE *f, char *buffer)
{
    setvbuf(f, buffer, buffer ? _IOFBF : _IONBF, BUFSIZ);
}

EP_PUBLIC void setbuffer(FILE *f, char *buffer, size_t size)
{
    setvbuf(f, buffer, buffer ? _IOFBF : _IONBF, size);
}

EP_PUBLIC void setlinebuf(FILE *f)
{
    setvbuf(f, NULL, _IOLBF, 0);
}

static void flush_own(void)
{
    if (!self)
        return;
    output_flush_line(&self->out);
    output_flush_line(&self->err);
}

EP_PUBLIC int fflush(FILE *f)
{
    static void *next;
    int (*libc)(FILE *);
    struct line *l = output_line(f);
    if (l)
        output_flush_line(l);
    if (l)
        return 0;
    if (!f)
        flush_own();
    next_function(&libc, &next, "fflush");
    return libc(f);
}

EP_PUBLIC int fflush_unlocked(FILE *f)
{
    return fflush(f);
}

static int number(struct line *l)
{
    if (l->fd < 0)
        errno = EBADF;
    return l->fd;
}

EP_PUBLIC int fileno(FILE *f)
{
    static void *next;
    int (*libc)(FILE *);
    struct line *l = output_line(f);
    if (l)
        return number(l);
    for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
        if (f && f == output_stream[fd])
            return fd;
    next_function(&libc, &next, "fileno");
    return libc(f);
}

EP_PUBLIC int fileno_unlocked(FILE *f)
{
    return fileno(f);
}

EP_PUBLIC int fclose(FILE *f)
{
    static void *next;
    int (*libc)(FILE *);
    struct line *l = output_line(f);
    if (l)
        return output_change(l, -1) ? 0 : EOF;
    next_function(&libc, &next, "fclose");
    return libc(f);
}

/* open()'s flags for a mode of fopen(); -1: none. */
static int flags_of(const char *mode)
{
    int flags = strchr(mode, '+') ? O_RDWR : mode[0] == 'r' ? O_RDONLY : O_WRONLY;
    if (strchr(mode, 'e'))
        flags |= O_CLOEXEC;
    if (strchr(mode, 'x'))
        flags |= O_EXCL;
    switch (mode[0]) {
    case 'r':
        return flags;
    case 'w':
        return flags | O_CREAT | O_TRUNC;
    case 'a':
        return flags | O_CREAT | O_APPEND;
    default:
        errno = EINVAL;
        return -1;
    }
}

/* Without a path only the mode would change: then there is nothing to do. */
static FILE *reopen(const char *path, const char *mode, FILE *f, struct line *l)
{
    int flags = flags_of(mode);
    if (!path)
        return flags < 0 ? NULL : f;
    int fd = flags < 0 ? -1 : open(path, flags, 0666);
    if (fd >= 0 && fd <= STDERR_FILENO) {
        /* The process was started without these: what is found there is not an endpoint's own. */
        int higher = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        close(fd);
        fd = higher;
    }
    output_change(l, fd);
    return fd >= 0 ? f : NULL;
}

EP_PUBLIC FILE *freopen(const char *path, const char *mode, FILE *f)
{
    static void *next;
    FILE *(*libc)(const char *, const char *, FILE *);
    struct line *l = output_line(f);
    if (l)
        return reopen(path, mode, f, l);
    next_function(&libc, &next, "freopen");
    return libc(path, mode, f);
}

EP_PUBLIC FILE *freopen64(const char *path, const char *mode, FILE *f)
{
    static void *next;
    FILE *(*libc)(const char *, const char *, FILE *);
    struct line *l = output_line(f);
    if (l)
        return reopen(path, mode, f, l);
    next_function(&libc, &next, "freopen64");
    return libc(path, mode, f);
}
