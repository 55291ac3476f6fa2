/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The private copies of one array of a task reduction (reduction.h): who takes part has one for itself from its beginning to
 * its end, also while it is suspended.
 *
 * The compiler's code wants them side by side from d[RED_MEMORY] on, where they must stay, and merges as many as it is
 * told there are. So they lie in address space that has room for more than are ever used, and the next that is needed is the next
 * one there. A copy that its task has left goes to the next task of the same thread, with what it holds: nothing but
 * the thread's own lists is touched, tasks being tied.
 */
#ifndef EP_CRT_COPIES_H
#define EP_CRT_COPIES_H

#include "crt/team.h"

struct copies;

/* Provide d with copies for this many threads. kept: the first ones belong to the implicit tasks, one each, else they are handed out
 * like all others. */
void copies_make(uintptr_t *d, unsigned threads, bool kept);
/* Give the memory back; d has what it had before copies_make. */
void copies_free(uintptr_t *d);

/* The copy of the running task of w: its address. more: if none of the thread's is left there may be a further one, else the
 * thread's first is shared, as libgomp does. */
char *copies_get(struct worker *w, uintptr_t *d, bool more);
/* t, which ran on w, has ended: its copies are for others. */
void copies_release(struct worker *w, struct task *t);

/* The arrays that begin with d, a region's, are merged by the calling thread next, which then asks whether they were ours. */
void copies_take(uintptr_t *d);
bool copies_are_taken(const uintptr_t *d);

/* How many there are to merge, and is this address in one of them? */
unsigned copies_count(const uintptr_t *d);
bool copies_contain(const uintptr_t *d, uintptr_t p);

#endif
