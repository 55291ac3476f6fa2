/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How many private copies the compiler's code merges at the end of a taskgroup or taskloop with reductions. It asks
 * omp_get_num_threads, after GOMP_taskgroup_end and before GOMP_taskgroup_reduction_unregister, and would get one copy for each
 * thread. So that call, and no other, is told how many copies there are.
 *
 * The compiler takes two of its calls of that function for equal if one comes after the other in one call of a function, and leaves
 * the second out: that of a loop with a static schedule, or of another merge. Then nobody can be told. So there may be
 * more copies than threads only if this place is known to ask, since it did before, or if it cannot have been left out,
 * since the function that it is in has not asked before. A place that does not ask shares copies
 * between the tasks of a thread, as libgomp does.
 */
#ifndef EP_CRT_MERGE_H
#define EP_CRT_MERGE_H

#include "crt/team.h"

/* In an entry point: the frame of who called it, and where. */
#define MERGE_FRAME() ((uintptr_t)__builtin_dwarf_cfa())
#define MERGE_PLACE() ((uintptr_t)__builtin_return_address(0))

/* The copies that the thread registers for a call at that place will be merged behind it: may there be more than threads? */
bool merge_may_grow(const struct worker *w, uintptr_t place);

/* They are merged next, by the function with that frame, `count` of them. */
void merge_begin(struct worker *w, uintptr_t frame, uintptr_t place, unsigned count);
/* They have been. */
void merge_end(struct worker *w);

/* The function with this frame asks there for the number of threads: what it is told, or 0: their number. */
unsigned merge_asked(struct worker *w, uintptr_t frame, uintptr_t place);

#endif
