/* SPDX-License-Identifier: BSD-3-Clause */
#include "eprun/output/output.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t own;
static pthread_mutex_t *writing; /* own, or one in memory that processes share */
static bool pieces;              /* mpirun joins what processes write */

/* Where this process has left each descriptor: within a line of whom? */
static const struct output_line *last_within[3];

bool output_init_lock(pthread_mutex_t *lock, bool shared)
{
    pthread_mutexattr_t a;
    pthread_mutexattr_init(&a);
    pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
    if (shared) {
        pthread_mutexattr_setpshared(&a, PTHREAD_PROCESS_SHARED);
        pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
    }
    return pthread_mutex_init(lock, &a) == 0;
}

bool output_try_lock(pthread_mutex_t *lock)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += 100 * 1000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    int rc = pthread_mutex_clocklock(lock, CLOCK_MONOTONIC, &until);
    return rc == 0 || (rc == EOWNERDEAD && pthread_mutex_consistent(lock) == 0);
}

static void output_write_begin(void)
{
    if (pthread_mutex_lock(writing) == EOWNERDEAD)
        pthread_mutex_consistent(writing); /* a process was killed: maybe half a line is out, nothing else */
}

bool output_write_try(void)
{
    return output_try_lock(writing);
}

void output_write_done(void)
{
    pthread_mutex_unlock(writing);
}

/* The locks may be with threads that a child has not; the shared one stays the parent's. The fork does not
 * wait for them: it takes locks of libc's next, and who holds those may wait for somebody that writes. */
static void in_child(void)
{
    if (writing == &own)
        output_init_lock(&own, false);
    if (!self)
        return;
    output_forked(&self->out);
    output_forked(&self->err);
}

bool output_write_start(void)
{
    if (!output_init_lock(&own, false))
        return false;
    writing = output_share();
    if (!writing)
        writing = &own;
    pieces = writing == &own && launch_is_under_mpirun();
    return pthread_atfork(NULL, NULL, in_child) == 0;
}

bool output_write_raw(int fd, const char *text, size_t n)
{
    while (n > 0) {
        ssize_t done = write(fd, text, n);
        if (done < 0 && errno == EAGAIN) {
            poll(&(struct pollfd){.fd = fd, .events = POLLOUT}, 1, -1);
            continue;
        }
        if (done < 0 && errno != EINTR)
            return false;
        text += done < 0 ? 0 : done;
        n -= done < 0 ? 0 : (size_t)done;
    }
    return true;
}

/* A pipe takes so much whole, so each process's lines are whole in what mpirun finds there. */
static bool write_pieces(int fd, const char *text, size_t n)
{
    while (pieces && text && n > PIPE_BUF) {
        const char *newline = memrchr(text, '\n', PIPE_BUF);
        if (!newline && !(newline = memchr(text, '\n', n)))
            break;
        size_t piece = (size_t)(newline - text) + 1;
        if (!output_write_raw(fd, text, piece))
            return false;
        text += piece;
        n -= piece;
    }
    return output_write_raw(fd, text, n);
}

/* Another endpoint may have ended within its last line: the next begins a new one. */
static bool write_apart(const struct output_line *l, size_t n)
{
    const struct output_line **within = &last_within[l->fd];
    if (*within && *within != l && !output_write_raw(l->fd, "\n", 1))
        return false;
    *within = l->text[n - 1] == '\n' ? NULL : l;
    return write_pieces(l->fd, l->text, n);
}

bool output_write(const struct output_line *l, size_t n)
{
    if (l->fd > STDERR_FILENO)
        return output_write_raw(l->fd, l->text, n);
    output_write_begin();
    bool good = write_apart(l, n);
    int error = errno;
    output_write_done();
    errno = error;
    return good;
}
