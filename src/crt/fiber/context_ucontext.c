/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The way for every machine: two system calls a switch, for the signal mask. A new flow's ucontext_t lies at the top of its
 * stack; that of a flow which was running already lies in the frame of context_switch.
 */
#include "crt/fiber/context.h"

#include <stdint.h>
#include <ucontext.h>

struct start {
    ucontext_t context;
    void (*entry)(void *);
    void *arg;
};

/* makecontext passes ints only. */
static void begin(unsigned high, unsigned low)
{
    struct start *s = (struct start *)(((uintptr_t)high << 16 << 16) | low);
    s->entry(s->arg);
}

void context_make(struct context *c, void *low, size_t size, void (*entry)(void *), void *arg)
{
    uintptr_t top = ((uintptr_t)low + size - sizeof(struct start)) & ~(uintptr_t)63;
    struct start *s = (struct start *)top;
    getcontext(&s->context);
    s->context.uc_link = NULL;
    s->context.uc_stack.ss_sp = low;
    s->context.uc_stack.ss_size = top - (uintptr_t)low;
    s->entry = entry;
    s->arg = arg;
    makecontext(&s->context, (void (*)(void))begin, 2, (unsigned)(top >> 16 >> 16), (unsigned)top);
    c->sp = s;
}

/* Where the control words lie in a ucontext_t is the machine's affair: a flow keeps those that it was made with or set. */
void context_renew(struct context *c)
{
    (void)c;
}

void context_switch(struct context *from, const struct context *to)
{
    ucontext_t here;
    from->sp = &here;
    swapcontext(&here, to->sp);
}
