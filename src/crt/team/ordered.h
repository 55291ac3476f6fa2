/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The order of iterations: ordered and doacross loops. libgomp hands out the iterations and would block the thread of who
 * waits for its turn; here the task waits, whose thread goes on with others.
 *
 * A struct order is that of one loop of a team, found by its number among the loops of this kind, which all threads come to in one
 * sequence. The first thread makes it, the last to leave frees it. A team of one needs none.
 *
 * ordered: chunks have their turns in the order of their iterations, and each begins where the one before ends. So `next` is where
 * the next one begins: it is moved on after libgomp has been told that a chunk is done, so who finds its turn here has it there, too,
 * and does not block in libgomp.
 *
 * doacross: posted[x] is one more than the last iteration of the inner loops that was posted for iteration x of the outermost
 * one; they are posted one after the other. libgomp's waits and posts are not called.
 */
#ifndef EP_CRT_ORDERED_H
#define EP_CRT_ORDERED_H

#include "crt/team/team.h"

typedef unsigned long long ull;

struct order {
    struct order *other; /* of the team */
    unsigned number, left;
    struct list waiting; /* under the team's lock, like all above */
    ull next;
    unsigned dimensions; /* of a doacross loop, else 0 */
    ull *counts;         /* of iterations */
    size_t bytes;        /* of the memory at posted */
    _Atomic ull *posted; /* release doacross_post, acquire ordered_is_posted */
};

/* Ordered loops; in any mode, and without effect where libgomp alone is to see to the order. */
/* Enter one that begins with iteration `start`; first, last: the chunk that the thread got, if any. */
void order_begin(ull start, bool any, ull first, ull last);
/* Wait for the turn of the thread's chunk. */
void order_await(void);
/* libgomp has been told that the chunk is done, and gave another one, if any. */
void order_pass(bool any, ull first, ull last);

/* Enter a doacross loop of so many dimensions and iterations in each. */
void doacross_enter(struct worker *w, unsigned dimensions, const ull *counts);
/* This iteration is done, and wait until it is: an index for each dimension. */
void doacross_post(struct worker *w, const ull *at);
void doacross_wait(struct worker *w, const ull *at);

/* Leave either. */
void order_leave_slow(struct worker *w);
static inline void order_leave(struct worker *w)
{
    if (unlikely(w->order != NULL))
        order_leave_slow(w);
}
/* The region has ended: those that were cancelled. */
void order_free(struct team *team);

#endif
