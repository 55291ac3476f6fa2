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
 *   d[6]  once registered: end of the memory; ours: the copies (copies.h)
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

#include "crt/team/task.h"

enum { RED_COUNT, RED_STRIDE, RED_MEMORY, RED_NEXT = 4, RED_FIRST, RED_END, RED_VARIABLES };

/* Provide memory and note the arrays in the innermost taskgroup of the running task. */
void reduction_register(struct worker *w, uintptr_t *arrays);

/* The same for those of a parallel region, which libgomp has registered. The team's lock is held. */
void reduction_take_over(struct group *g, uintptr_t *arrays, unsigned threads);

/* What the running task, a chunk of a taskloop, has to take for d: its own copy is where code looks for that of the thread. */
char *reduction_memory(struct worker *w, uintptr_t *d);

#endif
