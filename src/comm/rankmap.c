/* SPDX-License-Identifier: BSD-3-Clause */
#include "comm/rankmap.h"

#include <stdlib.h>
#include <string.h>

bool rankmap_init(struct rankmap *m, const int counts[], int nproc)
{
    memset(m, 0, sizeof *m);
    m->nproc = nproc;
    m->each = counts[0];
    for (int p = 0; p < nproc; p++) {
        if (counts[p] != counts[0])
            m->each = 0;
        if (counts[p] > m->widest)
            m->widest = counts[p];
        m->size += counts[p];
    }
    if (m->each)
        return true;
    m->first = malloc(((size_t)nproc + 1) * sizeof *m->first);
    if (!m->first)
        return false;
    m->first[0] = 0;
    for (int p = 0; p < nproc; p++)
        m->first[p + 1] = m->first[p] + counts[p];
    return true;
}

void rankmap_free(struct rankmap *m)
{
    free(m->first);
    m->first = NULL;
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
