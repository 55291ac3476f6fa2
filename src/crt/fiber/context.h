/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The saved registers of a flow of control that is not running: what a function must preserve, and the
 * floating point control words. One of context_x86_64.c, context_aarch64.c and, for other machines and with
 * -Dcontext=ucontext, context_ucontext.c is built.
 */
#ifndef EP_CRT_CONTEXT_H
#define EP_CRT_CONTEXT_H

#include <stddef.h>

struct context {
    void *sp; /* the registers lie on the flow's stack from here on; ucontext: its ucontext_t */
};

/* Make c a flow that begins with entry(arg), on the stack [low, low + size). entry must not return. */
void context_make(struct context *c, void *low, size_t size, void (*entry)(void *), void *arg);

/* c, which is not running, takes over the caller's floating point control words. */
void context_renew(struct context *c);

/* Save the caller in *from and go on with *to. Returns when somebody switches to *from. */
void context_switch(struct context *from, const struct context *to);

#endif
