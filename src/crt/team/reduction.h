/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Task reductions. The compiler describes the variables of one construct by a chain of arrays d of words:
 *
 *   d[0]  how many variables
 *   d[1]  bytes of private copies per thread
 *   d[2]  alignment; once registered the memory: d[1] bytes for each thread, zeros at first
 *   d[3]  an allocator; not used by compilers so far
 *   d[4]  the next array of the chain, 0 in the last; libgomp's lead on to the enclosing registration
 *   d[5]  once registered: not 0 in the first array of a registration
 *   d[6]  once registered: end of the memory; ours: the copies (copies.c)
 *   d[7 + 3 * i ...]  of variable i: address of the original, offset in the thread's bytes, a spare word
 *
 * taskgroup and taskloop register their arrays with us. Parallel, loop, sections and scope pass theirs to
 * libgomp when they start; we note them in a taskgroup of ours all the same, for
 * the tasks that take part (GOMP_task_reduction_remap) are ours. The memory is ours for parallel, too: it is exchanged
 * before the region begins, and back before libgomp frees it. Implicit tasks use the copies of their numbers, so
 * explicit tasks have others, as many as take part at once, and GOMP_parallel_reductions returns how many there are to merge. All other
 * constructs merge as many copies as there are threads, a number that the compiler asks for at most once in a function, for its static loops,
 * too. Those of a taskgroup or taskloop are for explicit tasks alone: one may have to wait for another's. In
 * a worksharing construct they are the implicit tasks' as well, and tasks have that of their thread.
 */
#ifndef EP_CRT_REDUCTION_H
#define EP_CRT_REDUCTION_H

#include "crt/team/team.h"

enum { RED_COUNT, RED_STRIDE, RED_MEMORY, RED_NEXT = 4, RED_FIRST, RED_END, RED_VARIABLES };

/* Provide memory and note the arrays in the innermost taskgroup of the running task. */
void reduction_register(struct worker *w, uintptr_t *arrays);

/* The same for those of a parallel region, which libgomp has registered. The team's lock is held. */
void reduction_take_over(struct group *g, uintptr_t *arrays, unsigned threads);

/* What the running task, a chunk of a taskloop, has to take for d: its own copy is where code looks for that of the thread. */
char *reduction_memory(struct worker *w, uintptr_t *d);

/* ---- Private copies (copies.c) ---- */

/*
 * The private copies of one array of a task reduction: who takes part has one for itself from its beginning to
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
