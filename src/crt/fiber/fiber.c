/* SPDX-License-Identifier: BSD-3-Clause */
#include "crt/fiber/fiber.h"

#include "crt/fiber/stack.h"
#include "crt/team/sched.h"

/* Spare fibers of a thread that keep the pages they touched. */
enum { WARM = 1024 };

static _Atomic(struct fiber *) newest; /* of all, for debuggers; release fiber_new */

static char *stack_of(struct fiber *f)
{
    return (char *)((uintptr_t)f - stack_size() + fiber_bytes());
}

static struct fiber *fiber_new(void)
{
    char *low = stack_new();
    struct fiber *f = (struct fiber *)(void *)(low + stack_size() - fiber_bytes());
    char *usable = low + stack_guard();
    exec_context_make(&f->exec_context, usable, (size_t)((char *)f - usable), sched_fiber, f);
    f->older = load_relaxed(&newest);
    while (!atomic_compare_exchange_weak_explicit(&newest, &f->older, f, memory_order_release,
                                                  memory_order_relaxed))
        continue;
    return f;
}

struct fiber *fiber_get(struct thread *t)
{
    struct fiber *f = t->spare;
    if (!f) {
        overflow_watch(t);
        return fiber_new();
    }
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

/* ---- Further stacks of a fiber ---- */

/* At the top of one. */
struct fiber_segment {
    struct fiber_segment *next;
};

static char *low_of(struct fiber_segment *s)
{
    return (char *)(s + 1) - stack_size();
}

static struct fiber_segment *segment_new(void)
{
    char *low = stack_new();
    struct fiber_segment *s = (struct fiber_segment *)(void *)(low + stack_size() - sizeof *s);
    exec_context_stack(low + stack_guard(), stack_size() - stack_guard() - sizeof *s);
    return s;
}

static void call_on(struct thread *t, struct fiber_segment *s, struct fiber *f, void (*fn)(void *), void *arg)
{
    char *usable = low_of(s) + stack_guard();
    exec_context_call(&f->exec_context, usable, (size_t)((char *)s - usable) & ~(size_t)15, fn, arg);
    s->next = t->segments;
    t->segments = s;
}

void fiber_call(struct thread *t, struct fiber *f, void (*fn)(void *), void *arg)
{
    struct fiber_segment *s = t->segments;
    if (likely((uintptr_t)__builtin_frame_address(0) - (uintptr_t)f->exec_context.low >
               f->exec_context.size / 2)) {
        fn(arg);
        return;
    }
    if (s)
        t->segments = s->next;
    call_on(t, s ? s : segment_new(), f, fn, arg);
}
