/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads that an endpoint's program starts, also those of OpenMP, belong to that endpoint. exit() destroys
 * the calling thread's thread_local objects, but libc gives nobody the function for that. So they are kept
 * here, and libc gets one destructor per thread, which calls them where the thread ends in another way.
 * Exported to the program.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <threads.h>

#include "eprun/life.h"

/* A thread that begins: with one of two kinds of functions. */
struct beginning {
    struct eprun_rank *endpoint;
    void *(*posix)(void *);
    int (*c11)(void *); /* if that is NULL */
    void *arg;
};

EP_PUBLIC int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attributes,
                             void *(*function)(void *), void *restrict arg);
EP_PUBLIC int thrd_create(thrd_t *thread, thrd_start_t function, void *arg);

static void threads_ended(void *endpoint)
{
    ep_rank_thread_ends();
    crash_thread_ends();
    life_thread_ended(endpoint);
}

static void *threads_run(void *arg)
{
    struct beginning b = *(struct beginning *)arg;
    void *result;
    free(arg);
    self = b.endpoint;
    ep_rank_bind(self->mpi);
    crash_thread();
    pthread_cleanup_push(threads_ended, b.endpoint); /* also by pthread_exit and pthread_cancel */
    result = b.posix ? b.posix(b.arg) : (void *)(intptr_t)b.c11(b.arg); /* as libc keeps it for thrd_join */
    pthread_cleanup_pop(1);
    return result;
}

static int threads_create(pthread_t *thread, const pthread_attr_t *attributes, struct beginning beginning)
{
    struct beginning *b = malloc(sizeof *b);
    if (!b)
        return ENOMEM;
    *b = beginning;
    life_thread_begins(self);
    int rc = NEXT(pthread_create)(thread, attributes, threads_run, b);
    if (rc == 0)
        return 0;
    free(b);
    life_thread_ended(self);
    return rc;
}

int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attributes,
                   void *(*function)(void *), void *restrict arg)
{
    if (!life_is_here())
        return NEXT(pthread_create)(thread, attributes, function, arg);
    int rc = threads_create(thread, attributes, (struct beginning){self, .posix = function, .arg = arg});
    return rc == ENOMEM ? EAGAIN : rc;
}

int thrd_create(thrd_t *thread, thrd_start_t function, void *arg)
{
    if (!life_is_here())
        return NEXT(thrd_create)(thread, function, arg);
    int rc = threads_create(thread, NULL, (struct beginning){self, .c11 = function, .arg = arg});
    return rc == 0 ? thrd_success : rc == ENOMEM ? thrd_nomem : thrd_error;
}

/* ---- thread_local objects ---- */

typedef void destructor(void *object);
typedef int registrar(destructor *d, void *object, void *dso);

struct tls_exit_object {
    struct tls_exit_object *next;
    destructor *destroy;
    void *it;
};

static _Thread_local struct tls_exit_object *objects; /* the last one first */
static _Thread_local bool known_to_libc;

EP_PUBLIC registrar __cxa_thread_atexit_impl;

void tls_exit_run(void)
{
    while (objects) {
        struct tls_exit_object *o = objects;
        objects = o->next;
        o->destroy(o->it);
        free(o);
    }
}

static void at_thread_end(void *unused)
{
    (void)unused;
    known_to_libc = false; /* destructors may make further objects */
    tls_exit_run();
}

int __cxa_thread_atexit_impl(destructor *destroy, void *it, void *dso)
{
    registrar *real = NEXT(__cxa_thread_atexit_impl);
    if (!self)
        return real(destroy, it, dso);
    struct tls_exit_object *o = malloc(sizeof *o);
    if (!o)
        return -1;
    *o = (struct tls_exit_object){objects, destroy, it};
    objects = o;
    if (!known_to_libc)
        known_to_libc = real(at_thread_end, NULL, dso) == 0;
    return 0;
}
