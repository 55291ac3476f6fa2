/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rank map: rank <-> seat (process, local index) of a communicator. Three forms, chosen by what the ranks
 * look like:
 *   regular  rank = process * by_proc + index * by_index: block or cyclic, equally many everywhere; O(1)
 *   blocks   each process has consecutive ranks: first[]; O(processes)
 *   listed   anything: seat[] and rank_at[]; O(ranks)
 * Local indices ascend with rank in every process. Copies share the arrays, which never change.
 */
#ifndef EP_COMM_RANKMAP_H
#define EP_COMM_RANKMAP_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>

struct seat {
    int proc, index;
};

struct arrays {
    _Atomic int refs; /* acq_rel rankmap_free */
    int data[];
};

struct rankmap {
    int size, nproc;
    int widest;            /* most endpoints of one process */
    int each;              /* regular: endpoints of every process; else 0 */
    int by_proc, by_index; /* regular */
    struct arrays *arrays; /* what the following point into; NULL if regular */
    int *first;            /* [nproc + 1] if not regular: endpoints in processes before this one */
    struct seat *seat;     /* [size] if listed */
    int *rank_at;          /* [size] if listed: rank_at[first[proc] + index] */
};

/* Consecutive ranks for each process; counts: endpoints per process. False without memory. */
bool rankmap_blocks(struct rankmap *m, const int counts[], int nproc);
/* proc_of[rank]: its process. Chooses the smallest form. False without memory. */
bool rankmap_list(struct rankmap *m, const int proc_of[], int size, int nproc);
void rankmap_copy(struct rankmap *m, const struct rankmap *from);
void rankmap_free(struct rankmap *m);
/* Blocks: a binary search. */
int rankmap_search(const struct rankmap *m, int rank);

static inline int rankmap_rank(const struct rankmap *m, int proc, int index)
{
    assert((unsigned)proc < (unsigned)m->nproc && index >= 0);
    if (m->each)
        return proc * m->by_proc + index * m->by_index;
    int position = m->first[proc] + index;
    return m->rank_at ? m->rank_at[position] : position;
}

static inline int rankmap_proc(const struct rankmap *m, int rank, int *index)
{
    assert((unsigned)rank < (unsigned)m->size);
    if (m->each) {
        unsigned by = (unsigned)(m->by_index == 1 ? m->each : m->nproc);
        unsigned high = (unsigned)rank / by, low = (unsigned)rank % by;
        *index = (int)(m->by_index == 1 ? low : high);
        return (int)(m->by_index == 1 ? high : low);
    }
    if (m->seat) {
        *index = m->seat[rank].index;
        return m->seat[rank].proc;
    }
    int proc = rankmap_search(m, rank);
    *index = rank - m->first[proc];
    return proc;
}

/* Endpoints in a process. */
static inline int rankmap_count(const struct rankmap *m, int proc)
{
    assert((unsigned)proc < (unsigned)m->nproc);
    return m->each ? m->each : m->first[proc + 1] - m->first[proc];
}

#endif
