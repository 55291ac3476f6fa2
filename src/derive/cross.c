/* SPDX-License-Identifier: BSD-3-Clause */
#include "derive/cross.h"

#include <stdlib.h>

static int find(const struct passport list[], int n, uint64_t id)
{
    for (int i = 0; i < n; i++)
        if (list[i].process == id)
            return i;
    return -1;
}

int cross_prepare(struct cross *x, struct draft *d, const struct passport a[], int na,
                  const struct passport b[], int nb)
{
    if (a[0].universe == b[0].universe)
        return MPI_SUCCESS;
    x->rest = malloc(((size_t)na + (size_t)nb) * sizeof *x->rest);
    if (!x->rest)
        return MPI_ERR_NO_MEM;
    x->a = x->rest + nb;
    x->na = na;
    for (int i = 0; i < na; i++)
        x->a[i] = a[i].inner;
    x->leader_a = a[0].proc; /* the leader's process is the root of its party */
    for (int i = 0; i < nb; i++) {
        int at = find(a, na, b[i].process);
        if (at < 0) {
            x->rest[x->nrest++] = b[i].inner;
        } else if (!x->common) {
            x->common = true;
            x->leader_a = a[at].proc;
            x->from_a = b[i].inner;
        }
    }
    x->from_b = x->nrest > 0 ? x->rest[0] : 0;
    d->cross = x;
    d->checks = a[0].checks || b[0].checks; /* each the same in its universe */
    d->id = (a[0].process ^ b[0].process << 1 ^ a[0].time << 40 ^ b[0].time << 8) | 1;
    return MPI_SUCCESS;
}

void cross_clean(struct cross *x)
{
    free(x->rest);
}
