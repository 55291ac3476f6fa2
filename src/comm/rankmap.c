/* SPDX-License-Identifier: BSD-3-Clause */
#include "comm/rankmap.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

static bool rankmap_regular(struct rankmap *m, int each, int by_proc, int by_index)
{
    m->each = m->widest = each;
    m->by_proc = by_proc;
    m->by_index = by_index;
    return true;
}

/* Room for first and, if listed, seat and rank_at; fills in first and widest. */
static bool count_up(struct rankmap *m, const int counts[], bool listed)
{
    size_t n = (size_t)m->nproc + 1, ranks = listed ? (size_t)m->size : 0;
    m->arrays = malloc(sizeof *m->arrays + n * sizeof(int) + ranks * (sizeof(struct seat) + sizeof(int)));
    if (!m->arrays)
        return false;
    store_relaxed(&m->arrays->refs, 1);
    m->first = m->arrays->data;
    if (listed) {
        m->rank_at = m->first + n;
        m->seat = (struct seat *)(void *)(m->rank_at + ranks);
    }
    m->first[0] = 0;
    for (int p = 0; p < m->nproc; p++) {
        m->first[p + 1] = m->first[p] + counts[p];
        if (counts[p] > m->widest)
            m->widest = counts[p];
    }
    return true;
}

static bool all_equal(const int counts[], int n)
{
    for (int p = 1; p < n; p++)
        if (counts[p] != counts[0])
            return false;
    return counts[0] > 0;
}

bool rankmap_blocks(struct rankmap *m, const int counts[], int nproc)
{
    assert(nproc > 0);
    memset(m, 0, sizeof *m);
    m->nproc = nproc;
    for (int p = 0; p < nproc; p++)
        m->size += counts[p];
    if (all_equal(counts, nproc))
        return rankmap_regular(m, counts[0], counts[0], 1);
    return count_up(m, counts, false);
}

static bool is_blocks(const int proc_of[], int size)
{
    for (int r = 1; r < size; r++)
        if (proc_of[r] < proc_of[r - 1])
            return false;
    return true;
}

static bool is_cyclic(const int proc_of[], int size, int nproc)
{
    for (int r = 0; r < size; r++)
        if (proc_of[r] != r % nproc)
            return false;
    return size % nproc == 0;
}

/* seat and rank_at, with counts as scratch space. */
static bool rankmap_make_list(struct rankmap *m, const int proc_of[], int counts[])
{
    if (!count_up(m, counts, true))
        return false;
    memset(counts, 0, (size_t)m->nproc * sizeof *counts);
    for (int r = 0; r < m->size; r++) {
        int p = proc_of[r];
        m->rank_at[m->first[p] + counts[p]] = r;
        m->seat[r] = (struct seat){p, counts[p]++};
    }
    return true;
}

bool rankmap_list(struct rankmap *m, const int proc_of[], int size, int nproc)
{
    assert(size > 0 && nproc > 0);
    int *counts = calloc((size_t)nproc, sizeof *counts);
    if (!counts)
        return false;
    for (int r = 0; r < size; r++)
        counts[proc_of[r]]++;
    bool ok;
    if (is_blocks(proc_of, size)) {
        ok = rankmap_blocks(m, counts, nproc);
    } else {
        memset(m, 0, sizeof *m);
        m->nproc = nproc;
        m->size = size;
        ok = is_cyclic(proc_of, size, nproc) ? rankmap_regular(m, size / nproc, 1, nproc)
                                             : rankmap_make_list(m, proc_of, counts);
    }
    free(counts);
    return ok;
}

void rankmap_copy(struct rankmap *m, const struct rankmap *from)
{
    assert(!from->arrays || load_relaxed(&from->arrays->refs) > 0);
    *m = *from;
    if (m->arrays)
        add_relaxed(&m->arrays->refs, 1);
}

void rankmap_free(struct rankmap *m)
{
    assert(!m->arrays || load_relaxed(&m->arrays->refs) > 0);
    if (m->arrays && sub_acq_rel(&m->arrays->refs, 1) == 1)
        free(m->arrays);
    m->arrays = NULL;
}

/* The process p with first[p] <= rank < first[p+1]; processes without endpoints are skipped by the strict
 * end. */
int rankmap_search(const struct rankmap *m, int rank)
{
    int low = 0, high = m->nproc; /* first[low] <= rank < first[high] */
    while (high - low > 1) {
        int mid = low + (high - low) / 2;
        if (m->first[mid] <= rank)
            low = mid;
        else
            high = mid;
    }
    return low;
}
