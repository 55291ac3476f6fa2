/* SPDX-License-Identifier: BSD-3-Clause */
#include "crt/fiber.h"

#include "crt/sched.h"
#include "crt/stack.h"

/* Spare fibers of a thread that keep the pages they touched. */
enum { WARM = 1024 };

static _Atomic(struct fiber *) newest; /* of all, for debuggers */

static char *stack_of(struct fiber *f)
{
    return (char *)((uintptr_t)f - stack_size() + fiber_bytes());
}

static struct fiber *fiber_new(void)
{
    char *low = stack_new();
    struct fiber *f = (struct fiber *)(void *)(low + stack_size() - fiber_bytes());
    char *usable = low + stack_guard();
    strand_make(&f->strand, usable, (size_t)((char *)f - usable), sched_fiber, f);
    f->older = load_relaxed(&newest);
    while (!atomic_compare_exchange_weak_explicit(&newest, &f->older, f, memory_order_release,
                                                  memory_order_relaxed))
        continue;
    return f;
}

struct fiber *fiber_get(struct thread *t)
{
    struct fiber *f = t->spare;
    if (!f)
        return fiber_new();
    t->spare = f->next;
    t->spares--;
    return f;
}

void fiber_put(struct thread *t, struct fiber *f)
{
    f->worker = NULL;
    f->next = t->spare;
    t->spare = f;
    if (++t->spares > WARM)
        stack_trim(stack_of(f));
}
