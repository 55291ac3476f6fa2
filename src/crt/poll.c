/* SPDX-License-Identifier: BSD-3-Clause */
/* Function and argument are one object behind one pointer, so that a caller never sees the function of one
 * setting with the argument of another. Old settings are kept: a thread may still be inside. */
#include "crt/poll.h"

#include <crt.h>
#include <stdlib.h>

#include "base/base.h"

struct poll {
    int (*fn)(void *arg);
    void *arg;
    struct poll *older;
};

static _Atomic(struct poll *) current; /* release in crt_set_poll, acquire in poll_call */

void crt_set_poll(int (*fn)(void *arg), void *arg)
{
    struct poll *p = malloc(sizeof *p);
    if (!p)
        return;
    *p = (struct poll){fn, arg, load_relaxed(&current)};
    store_release(&current, p);
}

bool poll_is_set(void)
{
    struct poll *p = load_acquire(&current);
    return p && p->fn;
}

bool poll_call(void)
{
    struct poll *p = load_acquire(&current);
    return p && p->fn && p->fn(p->arg);
}
