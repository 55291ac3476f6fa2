/* SPDX-License-Identifier: BSD-3-Clause */
/* pairs.h: endpoints two by two, once with a near partner and once with a far one where there is one. */
#ifndef EP_TEST_PAIRS_H
#define EP_TEST_PAIRS_H

#include "harness.h"

enum { PAIR_NEXT, PAIR_HALF, PAIR_KINDS };

/* The rank that t works with, or -1: PAIR_NEXT pairs 0-1, 2-3, ...; PAIR_HALF pairs r with r + size/2. */
static inline int pair_of(const team_t *t, int kind)
{
    int half = t->size / 2, partner = kind == PAIR_NEXT ? t->rank ^ 1
                                      : t->rank < half  ? t->rank + half
                                                        : t->rank - half;
    return t->rank >= 2 * half ? -1 : partner;
}

/* A message without content, for "I am ready" and the like. */
static inline void say(const team_t *t, int to, int tag)
{
    EXPECT_OK(ep_send(NULL, 0, MPI_BYTE, to, tag, t->comm));
}

static inline void hear(const team_t *t, int from, int tag)
{
    EXPECT_OK(ep_recv(NULL, 0, MPI_BYTE, from, tag, t->comm, EP_STATUS_IGNORE));
}

/* Call body(t, partner, arg) for each kind of pair; the team is together again after each. */
static inline void for_pairs(team_t *t, void (*body)(team_t *t, int partner, void *arg), void *arg)
{
    for (int kind = 0; kind < PAIR_KINDS; kind++) {
        int partner = pair_of(t, kind);
        if (partner >= 0)
            body(t, partner, arg);
        team_barrier(t);
    }
}

#endif
