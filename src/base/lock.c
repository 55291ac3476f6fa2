/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/lock.h"

#include <stdlib.h>

#include "base/log.h"
#include "base/wait.h"

static bool lock_is_taken(void *lock)
{
    struct lock *l = lock;
    return load_relaxed(&l->word) == 0 && swap_acquire(&l->word, 1) == 0;
}

void lock_wait(struct lock *l)
{
    add_relaxed(&l->wanted, 1);
    wait_for(lock_is_taken, l, POLICY_LOCK);
    atomic_fetch_sub_explicit(&l->wanted, 1, memory_order_relaxed);
}

/* ---- what is checked in builds with assertions ---- */

#ifndef NDEBUG

enum { HELD_MAX = 16 };

static const char *const name_of[LOCK_CLASSES] = {
    "none",
#define LOCK_CLASS(name, where, guards, within) #name,
#define MUTEX(where, guards, within)
#include "base/lock_classes.def"
#undef LOCK_CLASS
#undef MUTEX
};

/* In the order in which the thread got them. A task keeps no lock when it is suspended, so threads are what counts. */
static _Thread_local struct {
    const struct lock *lock[HELD_MAX];
    int n;
} held;

static int find(const struct lock *l)
{
    int i = held.n - 1;
    while (i >= 0 && held.lock[i] != l)
        i--;
    return i;
}

/* Of one class several may be held where their addresses rise. */
static bool ranks_higher(const struct lock *l, const struct lock *than)
{
    return l->class > than->class || (l->class == LOCK_STRIPE && than->class == LOCK_STRIPE && l > than);
}

void lock_check_wait(const struct lock *l)
{
    if (l->class == LOCK_UNCLASSED || l->class >= LOCK_CLASSES) {
        log_error("a lock without a class (%d) is taken", l->class);
        abort();
    }
    for (int i = 0; i < held.n; i++) {
        if (ranks_higher(l, held.lock[i]))
            continue;
        log_error("a lock of class %s is waited for while one of class %s is held (lock_classes.def)",
                  name_of[l->class], name_of[held.lock[i]->class]);
        abort();
    }
}

void lock_check_got(const struct lock *l)
{
    if (held.n == HELD_MAX) {
        log_error("a thread holds more than %d locks", HELD_MAX);
        abort();
    }
    held.lock[held.n++] = l;
}

void lock_check_release(const struct lock *l)
{
    int i = find(l);
    if (i < 0) {
        log_error("a lock of class %s is released by a thread that does not hold it", name_of[l->class]);
        abort();
    }
    for (held.n--; i < held.n; i++)
        held.lock[i] = held.lock[i + 1];
}

bool lock_check_holds(const struct lock *l)
{
    return find(l) >= 0;
}

void lock_check_held(const struct lock *l, const char *where)
{
    if (find(l) >= 0)
        return;
    log_error("%s is called without the lock of class %s", where, name_of[l->class]);
    abort();
}

void lock_check_none(const char *where)
{
    for (int i = 0; i < held.n; i++) {
        if (held.lock[i]->class == LOCK_POLLING)
            continue;
        log_error("%s is called with a lock of class %s held", where, name_of[held.lock[i]->class]);
        abort();
    }
}

#endif
