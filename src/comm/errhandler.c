/* SPDX-License-Identifier: BSD-3-Clause */
/* The objects are type-stable, so that a freed handle is recognised. */
#include "comm/errhandler.h"

#include "comm/handle.h"

static struct pool pool;
/* guards pool, all counts, and the change of every place that keeps an error handler */
static struct lock lock = LOCK_FREE(ERRHANDLERS);

ep_errhandler errhandler_new(enum errhandler_kind kind, struct errhandler_function function)
{
    lock_acquire(&lock);
    if (!pool.item_size)
        pool_init(&pool, sizeof(struct ep_errhandler_s));
    ep_errhandler e = pool_get(&pool);
    if (e) {
        e->magic = ERRHANDLER_EVER;
        e->kind = kind;
        e->function = function;
        e->handles = e->refs = 1;
        e->fortran = 0;
    }
    lock_release(&lock);
    return e;
}

static bool is_valid(ep_errhandler e)
{
    lock_assert_held(&lock);
    if (e == EP_ERRORS_ARE_FATAL || e == EP_ERRORS_RETURN)
        return true;
    return pool_may_hold(e) && e->magic == ERRHANDLER_EVER && e->handles > 0;
}

bool errhandler_is_valid(ep_errhandler e)
{
    lock_acquire(&lock);
    bool valid = is_valid(e);
    lock_release(&lock);
    return valid;
}

static void errhandler_unref(ep_errhandler e)
{
    lock_assert_held(&lock);
    if (errhandler_is_object(e) && --e->refs == 0)
        pool_put(&pool, e);
}

ep_errhandler errhandler_hold(ep_errhandler e)
{
    if (errhandler_is_object(e)) {
        lock_acquire(&lock);
        e->refs++;
        lock_release(&lock);
    }
    return e;
}

void errhandler_drop(ep_errhandler e)
{
    if (!errhandler_is_object(e))
        return;
    lock_acquire(&lock);
    errhandler_unref(e);
    lock_release(&lock);
}

ep_errhandler errhandler_take(_Atomic(ep_errhandler) *from)
{
    ep_errhandler e = load_acquire(from);
    if (!errhandler_is_object(e))
        return e;
    lock_acquire(&lock);
    e = load_relaxed(from);
    if (errhandler_is_object(e))
        e->refs++;
    lock_release(&lock);
    return e;
}

ep_errhandler errhandler_get(_Atomic(ep_errhandler) *from)
{
    lock_acquire(&lock);
    ep_errhandler e = load_relaxed(from);
    if (errhandler_is_object(e)) {
        e->refs++;
        e->handles++;
    }
    lock_release(&lock);
    return e;
}

bool errhandler_put(_Atomic(ep_errhandler) *to, ep_errhandler e, enum errhandler_kind kind)
{
    lock_acquire(&lock);
    bool valid = is_valid(e) && (!errhandler_is_object(e) || e->kind == kind);
    if (valid) {
        if (errhandler_is_object(e))
            e->refs++;
        errhandler_unref(load_relaxed(to));
        store_release(to, e);
    }
    lock_release(&lock);
    return valid;
}

void errhandler_inherit(_Atomic(ep_errhandler) *to, _Atomic(ep_errhandler) *from)
{
    lock_acquire(&lock);
    ep_errhandler e = load_relaxed(from);
    if (errhandler_is_object(e))
        e->refs++;
    errhandler_unref(load_relaxed(to));
    store_release(to, e);
    lock_release(&lock);
}

bool errhandler_free(ep_errhandler e)
{
    lock_acquire(&lock);
    bool valid = is_valid(e);
    if (valid && errhandler_is_object(e)) {
        if (--e->handles == 0) {
            handle_drop(e->fortran);
            e->fortran = 0;
        }
        errhandler_unref(e);
    }
    lock_release(&lock);
    return valid;
}
