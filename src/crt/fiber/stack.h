/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stacks of fibers: slabs of many, address space without memory until touched, pages that must not be
 * touched below each. Never given back to the system; their pages are, when a fiber is put away.
 */
#ifndef EP_CRT_STACK_H
#define EP_CRT_STACK_H

#include <stddef.h>

#include "crt/thread.h"

/* Bytes of a stack, with its guard: CRT_STACK, or what OMP_STACKSIZE promises to be usable, or the default. */
size_t stack_size(void);
/* Of these the lowest ones that must not be touched. */
size_t stack_guard(void);
/* The lowest address of a new stack. Does not fail: without address space the program is ended with a message. */
char *stack_new(void);
/* Give the pages back, except the topmost one, where the struct fiber is. */
void stack_trim(char *low);

/*
 * A task that goes beyond the end of its stack touches the guard below it. That ends the program like any other wrong access;
 * who reads "Segmentation fault" is told what it was. Where the program has a handler for that signal which runs
 * on a stack of its own (eprun, sanitizers), it is the one to tell.
 */
/* Tasks will run on stacks of t, the calling thread. */
void overflow_watch(struct thread *t);
/* It ends: its stack for handlers goes. */
void overflow_unwatch(struct thread *t);

#endif
