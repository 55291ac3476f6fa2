/* SPDX-License-Identifier: BSD-3-Clause */
/* cross.h */
#include "derive/cross.h"

static MPI_Comm of_comm(const struct comm *c)
{
    return c->nproc > 1 ? c->lanes[0] : MPI_COMM_SELF;
}

/* B's processes that are not in A. */
static int make_rest(const struct cross *x, MPI_Comm *rest)
{
    const struct comm *b = x->comm[1];
    MPI_Group all, some;
    if (x->nrest == 1)
        return MPI_Comm_dup(MPI_COMM_SELF, rest);
    MPI_Comm_group(b->universe->inner, &all);
    MPI_Group_incl(all, x->nrest, x->rest, &some);
    int rc = MPI_Comm_create_group(b->universe->inner, some, 0, rest);
    MPI_Group_free(&some);
    MPI_Group_free(&all);
    return rc;
}

/* Rank of the other leader's process in the universe of the peer communicator. */
static int rank_beyond(const struct bridge *b)
{
    const struct comm *c = b->peer->comm;
    MPI_Group from, to;
    int index, rank, proc = rankmap_proc(&c->map, view_target(b->peer, b->rank, 0), &index);
    MPI_Comm_group(c->lanes[0], &from);
    MPI_Comm_group(c->universe->inner, &to);
    MPI_Group_translate_ranks(from, 1, &proc, to, &rank);
    MPI_Group_free(&from);
    MPI_Group_free(&to);
    return rank;
}

/* Over B's universe, or the peer communicator's, which only leaders know. in_a: this process is one of
 * A. */
static int intercomm(const struct cross *x, MPI_Comm mine, bool in_a, MPI_Comm *inter)
{
    MPI_Comm peer = MPI_COMM_NULL;
    int remote = 0;
    if (x->common) {
        peer = x->comm[1] ? x->comm[1]->universe->inner : MPI_COMM_NULL;
        remote = in_a ? x->from_b : x->from_a;
    } else if (x->bridge) {
        peer = x->bridge->peer->comm->universe->inner;
        remote = rank_beyond(x->bridge);
    }
    return MPI_Intercomm_create(mine, in_a ? x->leader_a : 0, peer, remote, 0, inter);
}

int cross_join(const struct cross *x, int key, MPI_Comm *all)
{
    bool in_a = x->comm[0] != NULL;
    MPI_Comm mine = MPI_COMM_NULL, inter, merged;
    if (x->nrest == 0)
        return MPI_Comm_split(of_comm(x->comm[0]), 0, key, all);
    int rc = in_a ? MPI_SUCCESS : make_rest(x, &mine);
    if (rc != MPI_SUCCESS)
        return rc;
    rc = intercomm(x, in_a ? of_comm(x->comm[0]) : mine, in_a, &inter);
    if (rc == MPI_SUCCESS && (rc = MPI_Intercomm_merge(inter, !in_a, &merged)) == MPI_SUCCESS) {
        rc = MPI_Comm_split(merged, 0, key, all);
        MPI_Comm_free(&merged);
        MPI_Comm_free(&inter);
    }
    if (!in_a)
        MPI_Comm_free(&mine);
    return rc;
}
