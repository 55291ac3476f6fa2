/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A call on a thread of its own. The region of a target construct on the host is the code of an initial thread: no team, all
 * control variables as the program began with them, parallel regions within that have threads. libgomp keeps all
 * that in variables of the thread, which a suspended task cannot take along. So where tasks
 * may have to go on while the region is blocked it runs on a thread that was made for it.
 *
 * The thread that made it gives it its place: it sleeps until the region has ended, or for the first time has nothing to do but
 * wait, and only then suspends the task. So no more threads run than before, but for regions that go on after
 * they were blocked. It acts for its maker, and is what that is to crt and to ep: task-aware or not, bound to an endpoint, with its
 * attached buffer.
 */
#ifndef EP_CRT_APART_H
#define EP_CRT_APART_H

#include "crt/team/team.h"

/* fn(arg), on a thread of its own if the system has one, while the running task of w waits. */
void apart_call(struct worker *w, void (*fn)(void *), void *arg);

/* Out of line part of apart_blocks. */
void apart_let_go(struct thread *t);

/* t has nothing to do but wait. */
static inline void apart_blocks(struct thread *t)
{
    if (unlikely(t->apart != NULL))
        apart_let_go(t);
}

#endif
