/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads that an endpoint's program starts, also those of OpenMP, belong to that endpoint. Exported to the
 * program. */
#include <errno.h>
#include <stdlib.h>
#include <threads.h>

#include "eprun/crash.h"
#include "eprun/eprun.h"
#include "eprun/life.h"
#include "eprun/next.h"

struct beginning {
    struct eprun_rank *endpoint;
    union {
        void *(*posix)(void *);
        int (*c11)(void *);
    } function;
    void *arg;
};

EP_PUBLIC int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attributes,
                             void *(*function)(void *), void *restrict arg);
EP_PUBLIC int thrd_create(thrd_t *thread, thrd_start_t function, void *arg);

static struct beginning *beginning_new(void *arg)
{
    struct beginning *b = malloc(sizeof *b);
    if (b) {
        *b = (struct beginning){.endpoint = self, .arg = arg};
        life_thread_begins(self);
    }
    return b;
}

static void beginning_failed(struct beginning *b)
{
    free(b);
    life_thread_ended(self);
}

static struct beginning threads_begin(void *arg)
{
    struct beginning b = *(struct beginning *)arg;
    free(arg);
    self = b.endpoint;
    ep_rank_bind(self->mpi);
    crash_thread();
    return b;
}

static void threads_ended(void *endpoint)
{
    ep_rank_thread_ends();
    crash_thread_ends();
    life_thread_ended(endpoint);
}

static void *run_posix(void *arg)
{
    struct beginning b = threads_begin(arg);
    void *result;
    pthread_cleanup_push(threads_ended, b.endpoint); /* also by pthread_exit and pthread_cancel */
    result = b.function.posix(b.arg);
    pthread_cleanup_pop(1);
    return result;
}

static int run_c11(void *arg)
{
    struct beginning b = threads_begin(arg);
    int result;
    pthread_cleanup_push(threads_ended, b.endpoint);
    result = b.function.c11(b.arg);
    pthread_cleanup_pop(1);
    return result;
}

int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attributes,
                   void *(*function)(void *), void *restrict arg)
{
    __typeof__(pthread_create) *real = NEXT(pthread_create);
    if (!life_is_here())
        return real(thread, attributes, function, arg);
    struct beginning *b = beginning_new(arg);
    if (!b)
        return EAGAIN;
    b->function.posix = function;
    int rc = real(thread, attributes, run_posix, b);
    if (rc != 0)
        beginning_failed(b);
    return rc;
}

int thrd_create(thrd_t *thread, thrd_start_t function, void *arg)
{
    __typeof__(thrd_create) *real = NEXT(thrd_create);
    if (!life_is_here())
        return real(thread, function, arg);
    struct beginning *b = beginning_new(arg);
    if (!b)
        return thrd_nomem;
    b->function.c11 = function;
    int rc = real(thread, run_c11, b);
    if (rc != thrd_success)
        beginning_failed(b);
    return rc;
}
