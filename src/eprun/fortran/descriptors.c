/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fortran's units 5, 6 and 0 are descriptors 0, 1 and 2. What goes to 1 and 2 goes through the endpoint's lines, so both look like pipes,
 * whatever the process has there: then a record is written when it is complete, and nobody seeks. 0 is the process's for rank 0 alone.
 * /dev/stdout and its like are the same under other numbers. Exported to copies of the run-time system.
 */
#undef _FILE_OFFSET_BITS /* it would give functions the names of others here */
#include "eprun/output/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

/* A descriptor that a unit has for one of the process's first three. */
struct fortran_alias {
    struct fortran_alias *next;
    int fd; /* or one of those below; released by open_alias with of, acquired by find_alias */
    int of;
};
enum { ALIAS_FREE = -1, ALIAS_TAKEN = -2 }; /* closed; closed, and another is being made of it */

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int empty = -1; /* what is at its end */

static void open_empty(void)
{
    empty = open("/dev/null", O_RDONLY | O_CLOEXEC);
}

static bool has_stdin(void)
{
    return !self || self->rank == 0;
}

/* What the calling endpoint reads there. */
static int read_from(int fd)
{
    if (fd != STDIN_FILENO || has_stdin())
        return fd;
    pthread_once(&once, open_empty);
    return empty;
}

static struct fortran_alias *find_alias(int fd)
{
    struct fortran_alias *a = __atomic_load_n(&self->fortran.aliases, __ATOMIC_ACQUIRE);
    while (a && __atomic_load_n(&a->fd, __ATOMIC_ACQUIRE) != fd)
        a = a->next;
    return a;
}

/* The calling endpoint's line behind it; NULL: it is another file, or the thread has no endpoint. */
static struct output_line *line_at(int fd)
{
    const struct fortran_alias *a = self && fd > STDERR_FILENO ? find_alias(fd) : NULL;
    if (a)
        fd = a->of;
    if (!self || (fd != STDOUT_FILENO && fd != STDERR_FILENO))
        return NULL;
    return fd == STDOUT_FILENO ? &self->out : &self->err;
}

/* ---- reading and writing ---- */

/* A user who is to answer sees the question. */
EP_PUBLIC ssize_t ep_fortran_read(int fd, void *bytes, size_t n);
ssize_t ep_fortran_read(int fd, void *bytes, size_t n)
{
    if (fd == STDIN_FILENO && self && has_stdin())
        output_flush_line(&self->out);
    return read(read_from(fd), bytes, n);
}

EP_PUBLIC ssize_t ep_fortran_write(int fd, const void *bytes, size_t n);
ssize_t ep_fortran_write(int fd, const void *bytes, size_t n)
{
    struct output_line *l = line_at(fd);
    if (!l)
        return write(fd, bytes, n);
    return n == 0 || output_put(l, bytes, n) ? (ssize_t)n : -1;
}

/* A message in pieces; no other thread of the endpoint in between. */
EP_PUBLIC ssize_t ep_fortran_writev(int fd, const struct iovec *pieces, int n);
ssize_t ep_fortran_writev(int fd, const struct iovec *pieces, int n)
{
    struct output_line *l = line_at(fd);
    ssize_t sum = 0;
    if (!l)
        return writev(fd, pieces, n);
    pthread_mutex_lock(&l->lock);
    for (int i = 0; i < n && sum >= 0; i++) {
        ssize_t done = ep_fortran_write(fd, pieces[i].iov_base, pieces[i].iov_len);
        sum = done < 0 ? -1 : sum + done;
    }
    pthread_mutex_unlock(&l->lock);
    return sum;
}

/* PAUSE waits for a word. */
EP_PUBLIC char *ep_fortran_fgets(char *line, int size, FILE *f);
char *ep_fortran_fgets(char *line, int size, FILE *f)
{
    return f == stdin && !has_stdin() ? NULL : fgets(line, size, f);
}

/* ---- what kind of file is it? ---- */

EP_PUBLIC off_t ep_fortran_lseek(int fd, off_t offset, int whence);
off_t ep_fortran_lseek(int fd, off_t offset, int whence)
{
    if (!line_at(fd))
        return lseek(read_from(fd), offset, whence);
    errno = ESPIPE;
    return -1;
}

EP_PUBLIC int ep_fortran_ftruncate(int fd, off_t length);
int ep_fortran_ftruncate(int fd, off_t length)
{
    if (!line_at(fd))
        return ftruncate(fd, length);
    errno = EINVAL;
    return -1;
}

EP_PUBLIC int ep_fortran_fstat(int fd, struct stat *s);
int ep_fortran_fstat(int fd, struct stat *s)
{
    const struct output_line *l = line_at(fd);
    int rc = fstat(l ? l->fd : read_from(fd), s);
    if (rc == 0 && l) {
        s->st_mode = (s->st_mode & ~(mode_t)S_IFMT) | S_IFIFO;
        s->st_size = 0;
    }
    return rc;
}

EP_PUBLIC int ep_fortran___fxstat(int version, int fd, struct stat *s);
int ep_fortran___fxstat(int version, int fd, struct stat *s)
{
    (void)version; /* there is one */
    return ep_fortran_fstat(fd, s);
}

/* The same where a long has 64 bits. */
_Static_assert(sizeof(off_t) == 8, "files have offsets of 64 bits");
EP_PUBLIC off_t ep_fortran_lseek64(int fd, off_t offset, int whence)
    __attribute__((alias("ep_fortran_lseek")));
EP_PUBLIC int ep_fortran_ftruncate64(int fd, off_t length) __attribute__((alias("ep_fortran_ftruncate")));
EP_PUBLIC int ep_fortran_fstat64(int fd, struct stat *s) __attribute__((alias("ep_fortran_fstat")));
EP_PUBLIC int ep_fortran___fxstat64(int version, int fd, struct stat *s)
    __attribute__((alias("ep_fortran___fxstat")));

/* The number that the program knows: that of an alias is another file's. */
static int fortran_terminal(int fd)
{
    const struct fortran_alias *a = self ? find_alias(fd) : NULL;
    return a ? a->of : read_from(fd);
}

EP_PUBLIC int ep_fortran_isatty(int fd);
int ep_fortran_isatty(int fd)
{
    return isatty(fortran_terminal(fd));
}

EP_PUBLIC int ep_fortran_ttyname_r(int fd, char *name, size_t size);
int ep_fortran_ttyname_r(int fd, char *name, size_t size)
{
    return ttyname_r(fortran_terminal(fd), name, size);
}

/* ---- /dev/stdout and its like ---- */

/* One of the process's first three descriptors, or -1. */
static int fortran_stream(const char *path)
{
    static const char *const words[] = {"/dev/stdin", "/dev/stdout", "/dev/stderr"};
    static const char *const numbers[] = {"/dev/fd/", "/proc/self/fd/"};
    for (int i = 0; i < 3; i++)
        if (strcmp(path, words[i]) == 0)
            return i;
    for (int i = 0; i < 2; i++) {
        size_t n = strlen(numbers[i]);
        if (strncmp(path, numbers[i], n) == 0 && path[n] >= '0' && path[n] <= '2' && path[n + 1] == 0)
            return path[n] - '0';
    }
    return -1;
}

/* One that is closed, or a new one; NULL: no memory. */
static struct fortran_alias *take_alias(void)
{
    struct fortran_alias *a = __atomic_load_n(&self->fortran.aliases, __ATOMIC_ACQUIRE);
    for (; a; a = a->next) {
        int closed = ALIAS_FREE;
        if (__atomic_compare_exchange_n(&a->fd, &closed, ALIAS_TAKEN, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            return a;
    }
    a = malloc(sizeof *a);
    if (!a)
        return NULL;
    a->fd = ALIAS_TAKEN;
    struct fortran_alias **first = &self->fortran.aliases;
    a->next = __atomic_load_n(first, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(first, &a->next, a, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
        continue;
    return a;
}

/* A number of its own, behind which there is nothing: who has it never gets there. -1: none; -2: no memory. */
static int open_alias(int of)
{
    struct fortran_alias *a = take_alias();
    if (!a)
        return -2;
    int fd = open("/dev/null", O_RDWR | O_CLOEXEC);
    a->of = of;
    __atomic_store_n(&a->fd, fd < 0 ? ALIAS_FREE : fd, __ATOMIC_RELEASE);
    return fd;
}

EP_PUBLIC int ep_fortran_open(const char *path, int flags, ...);
int ep_fortran_open(const char *path, int flags, ...)
{
    va_list args;
    va_start(args, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(args, mode_t) : 0;
    va_end(args);
    int of = self && !(flags & O_EXCL) ? fortran_stream(path) : -1, fd;
    if (of > STDIN_FILENO && (fd = open_alias(of)) != -2)
        return fd;
    return open(of == STDIN_FILENO && !has_stdin() ? "/dev/null" : path, flags, mode);
}

EP_PUBLIC int ep_fortran_open64(const char *path, int flags, ...) __attribute__((alias("ep_fortran_open")));

EP_PUBLIC int ep_fortran_close(int fd);
int ep_fortran_close(int fd)
{
    struct fortran_alias *a = self ? find_alias(fd) : NULL;
    if (a)
        __atomic_store_n(&a->fd, ALIAS_FREE, __ATOMIC_RELEASE);
    return close(fd);
}
