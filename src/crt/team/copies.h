/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The private copies of one array of a task reduction (reduction.h): who takes part has one for itself from its beginning to
 * its end, also while it is suspended.
 *
 * The compiler's code wants them side by side from d[RED_MEMORY] on, where they must stay, and merges as many as it is
 * told there are. So they lie in address space that has room for more than are ever used, and the next that is needed is the next
 * one there. A copy that its task has left goes to the next task of the same thread, with what it holds: nothing but
 * the thread's own lists is touched, tasks being tied.
 *
 * Where that code merges as many as there are threads (not kept) a task has any that is free, of whatever thread.
 * If none is, it has that of an ancestor which waits for it, in a taskwait, at the end of a taskgroup or because it is
 * undeferred, or for one that depends on it, and cannot go on before; one task at a time. Else it waits, as for a lock. All others have theirs and
 * go on, so that ends, unless they are blocked until the one that waits has done something: such a program
 * needs more threads. To share a copy would let it go on, and lose what one adds between another's reading and writing.
 */
#ifndef EP_CRT_COPIES_H
#define EP_CRT_COPIES_H

#include "crt/team/team.h"

struct copies;

/* Provide d with copies for this many threads. kept: these belong to the implicit tasks, one each, and there may be more; else they
 * are all there will be, and for explicit tasks. */
void copies_make(uintptr_t *d, unsigned threads, bool kept);
/* Give the memory back; d has what it had before copies_make. */
void copies_free(uintptr_t *d);

/* The copy of the running task of w: its address. It may have to wait for one. */
char *copies_get(struct worker *w, uintptr_t *d);
/* A task begins to wait for others, some of which may wait for copies. The team's lock is held. */
void copies_lend(struct team *team, struct wakes *wakes);
/* t, which ran on w, has ended: its copies are for others. */
void copies_release(struct worker *w, struct task *t);

/* The arrays that begin with d, a region's, are merged by the calling thread next, which then asks whether they were ours. */
void copies_take(uintptr_t *d);
bool copies_are_taken(const uintptr_t *d);

/* How many there are to merge, and is this address in one of them? */
unsigned copies_count(const uintptr_t *d);
bool copies_contain(const uintptr_t *d, uintptr_t p);

#endif
