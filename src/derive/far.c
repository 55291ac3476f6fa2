/* SPDX-License-Identifier: BSD-3-Clause */
/* The MPI communicators of new communicators. These calls block; vote.c says why they cannot block each
 * other. */
#include "p2p/p2p.h"

#include "comm/comm.h"
#include "derive/builder.h"

enum { FAR_TAG, AGREE_TAG }; /* in communicators that nobody else uses, one creation at a time */

static int from_processes(MPI_Comm inner, const int ranks[], int n, MPI_Comm *made)
{
    MPI_Group all, some;
    MPI_Comm_group(inner, &all);
    int rc = MPI_Group_incl(all, n, ranks, &some);
    if (rc == MPI_SUCCESS) {
        rc = MPI_Comm_create_group(inner, some, FAR_TAG, made);
        MPI_Group_free(&some);
    }
    MPI_Group_free(&all);
    return lanes_note(made, rc);
}

static int from_group(const struct comm_builder *d, MPI_Comm *made)
{
    return from_processes(d->comm->domain->inner, d->inner, d->comm->nproc, made);
}

/* The processes with these ranks in inner, of which this one is number `me`, get the highest rc of all. */
static int far_agree_on(MPI_Comm inner, const int ranks[], int n, int me, int rc)
{
    for (int far = 1; far < n; far *= 2) {
        int theirs = rc;
        int failed = MPI_Sendrecv(&rc, 1, MPI_INT, ranks[(me + far) % n], AGREE_TAG, &theirs, 1, MPI_INT,
                                  ranks[(me + n - far) % n], AGREE_TAG, inner, MPI_STATUS_IGNORE);
        theirs = failed ? error_class_of_mpi(failed) : theirs;
        rc = theirs > rc ? theirs : rc;
    }
    return rc;
}

static int far_agree(const struct comm_builder *d, int rc)
{
    return far_agree_on(d->comm->domain->inner, d->inner, d->comm->nproc, d->comm->proc, rc);
}

/* The classic intercommunicators: shadow for what is ep's own, mpi for users. */
static int copy_inter(struct comm_builder *d)
{
    struct comm *c = d->comm;
    int rc = lanes_note(&c->shadow, MPI_Comm_dup(d->original->shadow, &c->shadow));
    int rc2 = lanes_note(&c->mpi, MPI_Comm_dup(d->original->shadow, &c->mpi));
    return rc ? rc : rc2;
}

/* The processes of this one's side. */
static int make_side(const struct comm_builder *d, MPI_Comm *mine, int *local_leader)
{
    const struct comm *c = d->comm;
    int side = d->side[c->proc], n = 0;
    *local_leader = 0;
    for (int p = 0; p < c->nproc; p++) {
        if (d->side[p] != side)
            continue;
        *local_leader += p < d->leader[side];
        d->side_inner[n++] = d->inner[p];
    }
    return from_processes(c->domain->inner, d->side_inner, n, mine);
}

/* Shadow from the sides; mine is freed. */
static int join_sides(struct comm_builder *d, MPI_Comm *mine, int local_leader, int rc)
{
    struct comm *c = d->comm;
    if (rc == MPI_SUCCESS) {
        int remote = d->leader[!d->side[c->proc]];
        rc = MPI_Intercomm_create(*mine, local_leader, c->lanes[0], remote, FAR_TAG, &c->shadow);
        rc = far_agree(d, lanes_note(&c->shadow, rc));
    }
    lanes_undo(mine);
    if (rc == MPI_SUCCESS)
        rc = far_agree(d, lanes_note(&c->mpi, MPI_Comm_dup(c->shadow, &c->mpi)));
    return rc;
}

/* ---- an intercommunicator across domains (builder.h) ---- */

static MPI_Comm of_comm(const struct comm *c)
{
    return c->nproc > 1 ? c->lanes[0] : process.self; /* whose errors are returned */
}

/* B's processes that are not in A. */
static int make_rest(const struct intercomm_cross *x, MPI_Comm *rest)
{
    if (x->nrest == 1)
        return lanes_note(rest, MPI_Comm_dup(process.self, rest));
    return from_processes(x->comm[1]->domain->inner, x->rest, x->nrest, rest);
}

/* Rank of the other leader's process in the domain of the peer communicator. */
static int rank_beyond(const struct intercomm_cross *x)
{
    const struct comm *c = x->peer->comm;
    MPI_Group from, to;
    int index, rank, proc = rankmap_proc(&c->map, view_target(x->peer, x->remote_leader, 0), &index);
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
    if (x->peer)
        return (struct rendezvous){x->peer->comm->domain->inner, rank_beyond(x)};
    return (struct rendezvous){MPI_COMM_NULL, 0};
}

/* Among A's processes, or among the rest. */
static int cross_agree_here(const struct intercomm_cross *x, bool in_a, int rc)
{
    const struct comm *c = x->comm[in_a ? 0 : 1];
    int n = in_a ? x->na : x->nrest, me = 0;
    const int *ranks = in_a ? x->a : x->rest;
    while (me < n && ranks[me] != c->domain->rank)
        me++;
    return far_agree_on(c->domain->inner, ranks, n, me, rc);
}

/* All: on each side, between the leaders, on each side. */
static int cross_agree(const struct intercomm_cross *x, bool in_a, const struct rendezvous *r, int rc)
{
    bool leads = in_a ? x->comm[0]->proc == x->leader_a : x->comm[1]->domain->rank == x->rest[0];
    rc = cross_agree_here(x, in_a, rc);
    if (x->nrest == 0)
        return rc;
    if (leads) {
        const int ranks[2] = {0 /* not looked at */, r->remote};
        rc = far_agree_on(r->peer, ranks, 2, 0, rc);
    }
    return cross_agree_here(x, in_a, rc);
}

/* A communicator of all processes, with this one's rank ordered by key. An error class, the same in all. */
static int cross_make(const struct intercomm_cross *x, int key, MPI_Comm *all)
{
    bool in_a = x->comm[0] != NULL;
    MPI_Comm mine = MPI_COMM_NULL, inter = MPI_COMM_NULL, merged = MPI_COMM_NULL;
    struct rendezvous r = meet_at(x, in_a);
    int rc = in_a || x->nrest == 0 ? MPI_SUCCESS : make_rest(x, &mine);
    rc = cross_agree(x, in_a, &r, rc);
    if (rc == MPI_SUCCESS && x->nrest > 0) {
        rc = MPI_Intercomm_create(in_a ? of_comm(x->comm[0]) : mine, in_a ? x->leader_a : 0, r.peer, r.remote,
                                  FAR_TAG, &inter);
        rc = cross_agree(x, in_a, &r, lanes_note(&inter, rc));
        if (rc == MPI_SUCCESS)
            rc = cross_agree(x, in_a, &r, lanes_note(&merged, MPI_Intercomm_merge(inter, !in_a, &merged)));
    }
    if (rc == MPI_SUCCESS) {
        rc = MPI_Comm_split(x->nrest > 0 ? merged : of_comm(x->comm[0]), 0, key, all);
        rc = cross_agree(x, in_a, &r, lanes_note(all, rc));
    }
    lanes_undo(&merged);
    lanes_undo(&inter);
    lanes_undo(&mine);
    return rc;
}

/* ---- all of one ---- */

/* The domain of an intercommunicator that has none. */
static int make_domain(struct comm_builder *d)
{
    struct comm *c = d->comm;
    int rc = cross_make(d->cross, c->proc, &c->domain->inner);
    if (rc != MPI_SUCCESS)
        return rc;
    for (int p = 0; p < c->nproc; p++)
        d->inner[p] = p;
    c->inner_step = 1; /* inner_first is 0 */
    net_meet(c->domain);
    return MPI_SUCCESS;
}

/* Communicators are made of the inner one rather than of each other: Open MPI lets a creation wait for others under
 * way whose parents are older, and inner is the oldest. What fails in one process fails in all (lanes.h). */
static int far_make(struct comm_builder *d)
{
    struct comm *c = d->comm;
    MPI_Comm mine = MPI_COMM_NULL;
    int rc = MPI_SUCCESS, next = MPI_SUCCESS, local_leader = 0;
    if (!builder_is_far(d))
        return MPI_SUCCESS;
    if (d->cross) {
        if ((rc = make_domain(d)) != MPI_SUCCESS)
            return rc;
        rc = lanes_make_am(c->domain);
    }
    while (c->nlanes < c->tags.lanes) {
        next = from_group(d, &c->lanes[c->nlanes++]);
        rc = rc ? rc : next;
    }
    next = !c->inter     ? from_group(d, &c->mpi)
           : d->original ? copy_inter(d)
                         : make_side(d, &mine, &local_leader);
    rc = far_agree(d, rc ? rc : next);
    return c->inter && !d->original ? join_sides(d, &mine, local_leader, rc) : rc;
}

void builder_create(struct comm_builder *d)
{
    d->rc = far_make(d);
}
