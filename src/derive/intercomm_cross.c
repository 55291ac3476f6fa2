/* SPDX-License-Identifier: BSD-3-Clause */
#include "derive/intercomm_cross.h"

#include <stdlib.h>

static int intercomm_cross_find(const struct process_info list[], int n, uint64_t id)
{
    for (int i = 0; i < n; i++)
        if (list[i].process == id)
            return i;
    return -1;
}

int intercomm_cross_prepare(struct intercomm_cross *x, struct comm_builder *d, const struct process_info a[],
                            int na, const struct process_info b[], int nb)
{
    if (a[0].domain == b[0].domain)
        return MPI_SUCCESS;
    x->rest = malloc(((size_t)na + (size_t)nb) * sizeof *x->rest);
    if (!x->rest)
        return MPI_ERR_NO_MEM;
    x->a = x->rest + nb;
    x->na = na;
    for (int i = 0; i < na; i++)
        x->a[i] = a[i].inner;
    x->leader_a = a[0].proc; /* the leader's process is the root of its group's leaders */
    for (int i = 0; i < nb; i++) {
        int at = intercomm_cross_find(a, na, b[i].process);
        if (at < 0) {
            x->rest[x->nrest++] = b[i].inner;
        } else if (!x->common) {
            x->common = true;
            x->leader_a = a[at].proc;
            x->from_a = b[i].inner;
        }
    }
    x->from_b = x->nrest > 0 ? x->rest[0] : 0;
    d->intercomm_cross = x;
    d->checks = a[0].checks || b[0].checks; /* each the same in its domain */
    d->id = (a[0].process ^ b[0].process << 1 ^ a[0].time << 40 ^ b[0].time << 8) | 1;
    return MPI_SUCCESS;
}

void intercomm_cross_clean(struct intercomm_cross *x)
{
    free(x->rest);
}
