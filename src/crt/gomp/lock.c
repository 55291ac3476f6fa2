/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Locks of task mode, as C and Fortran declare them. omp_lock_t has 4 bytes in C and Fortran: a struct mutex. omp_nest_lock_t has 16 bytes in C, 8 in Fortran
 * and in clang's omp.h: a pointer to a struct nest. A lock may have been initialised by libgomp, before ep_init_thread
 * chose task mode. Then its memory is zero, as ours is, but for Fortran's nestable ones: there it is a pointer to
 * zeros of libgomp's, and struct nest is laid out as what it takes them for.
 */
#include <stdlib.h>

#include "crt/gomp/gomp.h"

struct nest {
    struct mutex mutex;
    unsigned count; /* of the owner */
    _Atomic(void *)
        owner; /* read by who does not hold the mutex: it finds itself, or whatever else; relaxed */
};

struct mutex critical_unnamed;

_Static_assert(sizeof(struct nest) == 16, "libgomp's has 16 bytes");

static struct nest *nest_new(void)
{
    struct nest *nest = calloc(1, sizeof *nest);
    if (!nest)
        log_no_memory("a nestable lock");
    return nest;
}

static struct nest *nest_of(void *lock)
{
    _Atomic(struct nest *) *at = lock;
    struct nest *nest = load_acquire(at), *other = NULL;
    if (likely(nest))
        return nest;
    nest = nest_new();
    if (cas_acq_rel(at, &other, nest))
        return nest;
    free(nest);
    return other;
}

/* Who a nestable lock belongs to: a task, or a thread that has none. */
static void *gomp_lock_self(void)
{
    struct worker *w = worker_get();
    return w ? (void *)w->task : (void *)thread_self();
}

static int nest_take(struct nest *nest, bool wait)
{
    void *me = gomp_lock_self();
    if (load_relaxed(&nest->owner) == me)
        return (int)++nest->count;
    if (wait)
        mutex_lock(&nest->mutex);
    else if (!mutex_try(&nest->mutex))
        return 0;
    store_relaxed(&nest->owner, me);
    nest->count = 1;
    return 1;
}

void nest_init(void *lock)
{
    *(struct nest **)lock = nest_new();
}

void nest_destroy(void *lock)
{
    free(*(struct nest **)lock);
    *(struct nest **)lock = NULL;
}

void nest_set(void *lock)
{
    nest_take(nest_of(lock), true);
}

int nest_test(void *lock)
{
    return nest_take(nest_of(lock), false);
}

void nest_unset(void *lock)
{
    struct nest *nest = nest_of(lock);
    if (--nest->count > 0)
        return;
    store_relaxed(&nest->owner, NULL);
    mutex_unlock(&nest->mutex);
}
