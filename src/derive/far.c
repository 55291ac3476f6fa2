/* SPDX-License-Identifier: BSD-3-Clause */
/* The MPI communicators of new communicators. These calls block; creation_lock.h says why they cannot block
 * each other. */
#include "p2p/p2p.h"

#include "comm/comm.h"
#include "derive/intercomm_cross.h"

enum { FAR_TAG = 0 }; /* in communicators that nobody else uses, one creation at a time */

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

static int far_agree(const struct comm_builder *d, int rc)
{
    return intercomm_cross_agree(d->comm->domain->inner, d->inner, d->comm->nproc, d->comm->proc, rc);
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

/* The domain of an intercommunicator that has none. */
static int make_domain(struct comm_builder *d)
{
    struct comm *c = d->comm;
    int rc = intercomm_cross_join(d->intercomm_cross, c->proc, &c->domain->inner);
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
    if (d->intercomm_cross && (rc = make_domain(d)) != MPI_SUCCESS)
        return rc;
    if (d->intercomm_cross)
        rc = lanes_make_am(c->domain);
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

struct far_creation {
    struct far_call call;
    struct comm_builder *builder;
    int n;
};

static void far_run(void *arg)
{
    struct far_creation *x = arg;
    for (int i = 0; i < x->n; i++)
        builder_create(&x->builder[i]);
}

void builders_create(struct comm_builder d[], int n, struct endpoint *endpoint)
{
    struct far_creation x = {.call = {.run = far_run, .endpoint = endpoint}, .builder = d, .n = n};
    x.call.arg = &x;
    far_call(&x.call);
    if (!load_acquire(&x.call.done))
        wait_flag(endpoint, &x.call.done, -1);
}
