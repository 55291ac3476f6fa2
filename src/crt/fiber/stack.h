/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stacks of fibers: slabs of many, address space without memory until touched, pages that must not be
 * touched below each. Never given back to the system; their pages are, when a fiber is put away.
 */
#ifndef EP_CRT_STACK_H
#define EP_CRT_STACK_H

#include <stddef.h>

/* Bytes of a stack, with its guard: CRT_STACK, or what OMP_STACKSIZE promises to be usable, or the default. */
size_t stack_size(void);
/* Of these the lowest ones that must not be touched. */
size_t stack_guard(void);
/* The lowest address of a new stack. Does not fail: without address space the program is ended with a message. */
char *stack_new(void);
/* Give the pages back, except the topmost one, where the struct fiber is. */
void stack_trim(char *low);

#endif
