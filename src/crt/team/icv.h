/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The control variables that belong to a task: what omp_set_num_threads and the like set. For libgomp all explicit tasks
 * are the implicit task of their thread, whose variables they read. A task, of either kind, that sets one gets a set of
 * its own, which its children inherit, on whatever thread they run; it is put into libgomp while the task runs. NULL
 * stands for what all implicit tasks of the team began with. So a switch costs a comparison of two pointers, mostly of
 * NULL with NULL.
 */
#ifndef EP_CRT_ICV_H
#define EP_CRT_ICV_H

#include "crt/team/team.h"

/* Out of line part of icv_use. */
void icv_install(struct worker *w, struct icv *set);

/* t is about to run on w. */
static inline void icv_use(struct worker *w, const struct task *t)
{
    if (unlikely(w->icv != t->icv))
        icv_install(w, t->icv);
}

/* Out of line part of icv_inherit. */
struct icv *icv_copy(const struct icv *from);

/* The set of a new child of parent. */
static inline struct icv *icv_inherit(const struct task *parent)
{
    return unlikely(parent->icv != NULL) ? icv_copy(parent->icv) : NULL;
}

/* t, which ran on w, has ended: its set goes. */
void icv_drop(struct worker *w, struct task *t);

/* The running task is about to change a variable in libgomp, and has done so. */
void icv_before(void);
void icv_after(void);

#endif
