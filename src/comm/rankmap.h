/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank map: endpoint rank <-> (process, local index). O(1) memory when all processes have equally many. */
#ifndef EP_COMM_RANKMAP_H
#define EP_COMM_RANKMAP_H

#include <stdbool.h>

struct rankmap {
    int size, nproc;
    int each;   /* endpoints of every process, if they have equally many; else 0 */
    int widest; /* most endpoints of one process */
    int *first; /* [nproc + 1] first rank of each process; NULL if each > 0 */
};

/* counts: endpoints per process. False without memory. */
bool rankmap_init(struct rankmap *m, const int counts[], int nproc);
void rankmap_free(struct rankmap *m);
/* For irregular maps: a binary search. */
int rankmap_search(const struct rankmap *m, int rank);

static inline int rankmap_rank(const struct rankmap *m, int proc, int index)
{
    return (m->each ? proc * m->each : m->first[proc]) + index;
}

static inline int rankmap_proc(const struct rankmap *m, int rank, int *index)
{
    int proc = m->each ? (int)((unsigned)rank / (unsigned)m->each) : rankmap_search(m, rank);
    *index = rank - rankmap_rank(m, proc, 0);
    return proc;
}

#endif
