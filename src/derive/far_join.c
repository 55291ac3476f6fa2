/* SPDX-License-Identifier: BSD-3-Clause */
/* intercomm_cross.h */
#include "derive/intercomm_cross.h"

static MPI_Comm of_comm(const struct comm *c)
{
    return c->nproc > 1 ? c->lanes[0] : process.self; /* whose errors are returned */
}

enum { FAR_JOIN_TAG = 0, TAG_AGREE = 1 };

int intercomm_cross_agree(MPI_Comm inner, const int ranks[], int n, int me, int rc)
{
    for (int far = 1; far < n; far *= 2) {
        int theirs = rc;
        int failed = MPI_Sendrecv(&rc, 1, MPI_INT, ranks[(me + far) % n], TAG_AGREE, &theirs, 1, MPI_INT,
                                  ranks[(me + n - far) % n], TAG_AGREE, inner, MPI_STATUS_IGNORE);
        theirs = failed ? error_class_of_mpi(failed) : theirs;
        rc = theirs > rc ? theirs : rc;
    }
    return rc;
}

/* B's processes that are not in A. */
static int make_rest(const struct intercomm_cross *x, MPI_Comm *rest)
{
    const struct comm *b = x->comm[1];
    MPI_Group all, some;
    if (x->nrest == 1)
        return lanes_note(rest, MPI_Comm_dup(process.self, rest));
    MPI_Comm_group(b->domain->inner, &all);
    MPI_Group_incl(all, x->nrest, x->rest, &some);
    int rc = MPI_Comm_create_group(b->domain->inner, some, FAR_JOIN_TAG, rest);
    MPI_Group_free(&some);
    MPI_Group_free(&all);
    return lanes_note(rest, rc);
}

/* Rank of the other leader's process in the domain of the peer communicator. */
static int rank_beyond(const struct root_link *b)
{
    const struct comm *c = b->peer->comm;
    MPI_Group from, to;
    int index, rank, proc = rankmap_proc(&c->map, view_target(b->peer, b->rank, 0), &index);
    MPI_Comm_group(c->lanes[0], &from);
    MPI_Comm_group(c->domain->inner, &to);
    MPI_Group_translate_ranks(from, 1, &proc, to, &rank);
    MPI_Group_free(&from);
    MPI_Group_free(&to);
    return rank;
}

/* Where leaders meet: B's domain, or the peer communicator's, which only leaders know. */
struct rendezvous {
    MPI_Comm peer;
    int remote;
};

static struct rendezvous meet_at(const struct intercomm_cross *x, bool in_a)
{
    if (x->common)
        return (struct rendezvous){x->comm[1] ? x->comm[1]->domain->inner : MPI_COMM_NULL,
                                   in_a ? x->from_b : x->from_a};
    if (x->root_link)
        return (struct rendezvous){x->root_link->peer->comm->domain->inner, rank_beyond(x->root_link)};
    return (struct rendezvous){MPI_COMM_NULL, 0};
}

/* Among A's processes, or among the rest. */
static int agree_here(const struct intercomm_cross *x, bool in_a, int rc)
{
    const struct comm *c = x->comm[in_a ? 0 : 1];
    int n = in_a ? x->na : x->nrest, me = 0;
    const int *ranks = in_a ? x->a : x->rest;
    while (me < n && ranks[me] != c->domain->rank)
        me++;
    return intercomm_cross_agree(c->domain->inner, ranks, n, me, rc);
}

/* All: on each side, between the leaders, on each side. */
static int far_join_agree(const struct intercomm_cross *x, bool in_a, const struct rendezvous *r, int rc)
{
    bool leads = in_a ? x->comm[0]->proc == x->leader_a : x->comm[1]->domain->rank == x->rest[0];
    rc = agree_here(x, in_a, rc);
    if (x->nrest == 0)
        return rc;
    if (leads) {
        const int ranks[2] = {0 /* not looked at */, r->remote};
        rc = intercomm_cross_agree(r->peer, ranks, 2, 0, rc);
    }
    return agree_here(x, in_a, rc);
}

int intercomm_cross_join(const struct intercomm_cross *x, int key, MPI_Comm *all)
{
    bool in_a = x->comm[0] != NULL;
    MPI_Comm mine = MPI_COMM_NULL, inter = MPI_COMM_NULL, merged = MPI_COMM_NULL;
    struct rendezvous r = meet_at(x, in_a);
    int rc = in_a || x->nrest == 0 ? MPI_SUCCESS : make_rest(x, &mine);
    rc = far_join_agree(x, in_a, &r, rc);
    if (rc == MPI_SUCCESS && x->nrest > 0) {
        rc = MPI_Intercomm_create(in_a ? of_comm(x->comm[0]) : mine, in_a ? x->leader_a : 0, r.peer, r.remote,
                                  FAR_JOIN_TAG, &inter);
        rc = far_join_agree(x, in_a, &r, lanes_note(&inter, rc));
        if (rc == MPI_SUCCESS)
            rc = far_join_agree(x, in_a, &r, lanes_note(&merged, MPI_Intercomm_merge(inter, !in_a, &merged)));
    }
    if (rc == MPI_SUCCESS) {
        rc = MPI_Comm_split(x->nrest > 0 ? merged : of_comm(x->comm[0]), 0, key, all);
        rc = far_join_agree(x, in_a, &r, lanes_note(all, rc));
    }
    lanes_undo(&merged);
    lanes_undo(&inter);
    lanes_undo(&mine);
    return rc;
}
