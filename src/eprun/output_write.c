/* SPDX-License-Identifier: BSD-3-Clause */
#include "eprun/output.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t writing;
static int shared = -1; /* the file that processes lock */
static int depth;       /* how often this process has it, under the mutex */

/* Where this process has left each descriptor: within a line of whom? */
static const struct line *last_within[3];

/* Recursive: a program may print in a signal handler that interrupted its own printing. */
bool output_init_lock(pthread_mutex_t *lock)
{
    pthread_mutexattr_t recursive;
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    return pthread_mutex_init(lock, &recursive) == 0;
}

/* For signal handlers: the lock's owner may never come back, so wait for a moment only. */
bool output_try_lock(pthread_mutex_t *lock)
{
    for (int i = 0; i < 100; i++) {
        if (pthread_mutex_trylock(lock) == 0)
            return true;
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    return false;
}

static bool lock_file(int kind, bool wait)
{
    struct flock whole = {.l_type = (short)kind, .l_whence = SEEK_SET};
    int rc;
    do
        rc = shared < 0 ? 0 : fcntl(shared, wait ? F_SETLKW : F_SETLK, &whole);
    while (rc != 0 && errno == EINTR);
    return rc == 0;
}

static void begin(void)
{
    pthread_mutex_lock(&writing);
    if (depth++ == 0)
        lock_file(F_WRLCK, true);
}

bool output_write_try(void)
{
    if (!output_try_lock(&writing))
        return false;
    for (int i = 0; depth == 0 && i < 100 && !lock_file(F_WRLCK, false); i++)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    depth++;
    return true;
}

void output_write_done(void)
{
    if (--depth == 0)
        lock_file(F_UNLCK, false);
    pthread_mutex_unlock(&writing);
}

/* A child made by fork has no other thread that would let go of the lock. */
static void before_fork(void)
{
    begin();
}

static void after_fork(void)
{
    output_write_done();
}

bool output_write_start(void)
{
    if (!output_init_lock(&writing))
        return false;
    shared = output_share();
    return pthread_atfork(before_fork, after_fork, after_fork) == 0;
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

/* Another endpoint may have ended within its last line: the next begins a new one. */
static bool write_apart(const struct line *l, size_t n)
{
    const struct line **within = &last_within[l->fd];
    if (*within && *within != l && !output_write_raw(l->fd, "\n", 1))
        return false;
    *within = l->text[n - 1] == '\n' ? NULL : l;
    return output_write_raw(l->fd, l->text, n);
}

bool output_write(const struct line *l, size_t n)
{
    if (l->fd > STDERR_FILENO)
        return output_write_raw(l->fd, l->text, n);
    begin();
    bool good = write_apart(l, n);
    int error = errno;
    output_write_done();
    errno = error;
    return good;
}
