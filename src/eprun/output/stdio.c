/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libc's functions that would change the process's stdout or stderr, for an endpoint's. Other streams, and
 * threads without an endpoint, get libc's own.
 */
#undef _FILE_OFFSET_BITS /* it would give freopen the name of freopen64 */
#include "eprun/output/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "eprun/life.h"

/* Libc's list of all streams: names that it exports and declares nowhere. */
extern void _IO_list_lock(void), _IO_list_unlock(void);
extern FILE *_IO_iter_begin(void), *_IO_iter_end(void), *_IO_iter_next(FILE *at), *_IO_iter_file(FILE *at);

EP_PUBLIC void flockfile(FILE *f)
{
    NEXT(flockfile)(output_own(f));
}

EP_PUBLIC int ftrylockfile(FILE *f)
{
    return NEXT(ftrylockfile)(output_own(f));
}

EP_PUBLIC void funlockfile(FILE *f)
{
    NEXT(funlockfile)(output_own(f));
}

EP_PUBLIC int ferror(FILE *f)
{
    return NEXT(ferror)(output_own(f));
}

EP_PUBLIC void clearerr(FILE *f)
{
    NEXT(clearerr)(output_own(f));
}

/* Buffers are output.c's matter, whatever the program wants. */
EP_PUBLIC int setvbuf(FILE *f, char *buffer, int mode, size_t size)
{
    if (output_line(f))
        return 0;
    return NEXT(setvbuf)(f, buffer, mode, size);
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

/* What could not be written is an error of the stream, too. */
static bool flush_own(struct output_line *l)
{
    bool good = output_flush_line(l);
    int error = errno;
    if (!good) {
        NEXT(flockfile)(l->file);
        l->file->_flags |= _IO_ERR_SEEN;
        NEXT(funlockfile)(l->file);
    }
    errno = error;
    return good;
}

bool output_flush_streams(bool *busy)
{
    int cancel;
    bool good = true;
    *busy = false;
    /* write() would end the thread with the list locked */
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    _IO_list_lock();
    for (FILE *at = _IO_iter_begin(); at != _IO_iter_end(); at = _IO_iter_next(at)) {
        FILE *f = _IO_iter_file(at);
        if (__fpending(f) == 0)
            continue;
        if (NEXT(ftrylockfile)(f) != 0) {
            *busy = true;
            continue;
        }
        good &= NEXT(fflush_unlocked)(f) == 0;
        NEXT(funlockfile)(f);
    }
    _IO_list_unlock();
    pthread_setcancelstate(cancel, NULL);
    return good;
}

/*
 * Libc's fflush(NULL) takes the lock of each stream, with the list of all locked. Here another rank may hold
 * one for as long as it waits for input. Such a stream has no output; one in use that has some concerns this
 * rank only if that has other threads.
 */
static bool flush_look(void *good)
{
    bool busy;
    *(bool *)good = output_flush_streams(&busy);
    return !*(bool *)good || !busy || life_is_single_thread();
}

static bool flush_of_rank(void)
{
    bool good;
    wait_for(flush_look, &good, POLICY_END);
    return good;
}

/* What base/wait.c asks: the defaults. The library has its own. */
struct settings settings;

EP_PUBLIC int fflush(FILE *f)
{
    struct output_line *l = output_line(f);
    if (l)
        return flush_own(l) ? 0 : EOF;
    if (f || !self)
        return NEXT(fflush)(f);
    bool good = flush_own(&self->out);
    good &= flush_own(&self->err);
    return flush_of_rank() && good ? 0 : EOF;
}

EP_PUBLIC int fflush_unlocked(FILE *f)
{
    return fflush(f);
}

static int output_stdio_number(struct output_line *l)
{
    if (l->fd < 0)
        errno = EBADF;
    return l->fd;
}

EP_PUBLIC int fileno(FILE *f)
{
    struct output_line *l = output_line(f);
    if (l)
        return output_stdio_number(l);
    for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
        if (f && f == output_stream[fd])
            return fd;
    return NEXT(fileno)(f);
}

EP_PUBLIC int fileno_unlocked(FILE *f)
{
    return fileno(f);
}

EP_PUBLIC int fclose(FILE *f)
{
    struct output_line *l = output_line(f);
    if (l)
        return output_change(l, -1) ? 0 : EOF;
    return NEXT(fclose)(f);
}

/* open()'s flags for a mode of fopen(); -1: none. */
static int flags_of(const char *mode)
{
    int flags = mode[0] == 'r' ? O_RDONLY : O_WRONLY;
    if (strchr(mode, '+'))
        flags = O_RDWR;
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
static FILE *output_stdio_reopen(const char *path, const char *mode, FILE *f, struct output_line *l)
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
    clearerr(l->file);
    return fd >= 0 ? f : NULL;
}

EP_PUBLIC FILE *freopen(const char *path, const char *mode, FILE *f)
{
    struct output_line *l = output_line(f);
    if (l)
        return output_stdio_reopen(path, mode, f, l);
    return NEXT(freopen)(path, mode, f);
}

EP_PUBLIC FILE *freopen64(const char *path, const char *mode, FILE *f)
{
    struct output_line *l = output_line(f);
    if (l)
        return output_stdio_reopen(path, mode, f, l);
    return NEXT(freopen64)(path, mode, f);
}
