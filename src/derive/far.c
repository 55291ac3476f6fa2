/* SPDX-License-Identifier: BSD-3-Clause */
/* The MPI communicators of new communicators. These calls block; turn.h says why they cannot block each
 * other. */
#include "p2p/p2p.h"

#include <stdlib.h>

#include "comm/comm.h"
#include "derive/cross.h"

static const int TAG = 0; /* in communicators that nobody else uses, one creation at a time */

static int from_group(const struct draft *d, MPI_Comm *base)
{
    MPI_Comm inner = d->comm->universe->inner;
    MPI_Group all, some;
    MPI_Comm_group(inner, &all);
    int rc = MPI_Group_incl(all, d->comm->nproc, d->inner, &some);
    if (rc == MPI_SUCCESS) {
        rc = MPI_Comm_create_group(inner, some, TAG, base);
        MPI_Group_free(&some);
    }
    MPI_Group_free(&all);
    return rc;
}

/* The classic intercommunicator, for what is ep's own. */
static int make_shadow(struct draft *d)
{
    struct comm *c = d->comm;
    MPI_Comm mine;
    if (d->original)
        return MPI_Comm_dup(d->original->shadow, &c->shadow);
    int side = d->side[c->proc], local_leader = 0;
    int rc = MPI_Comm_split(c->lanes[0], side, c->proc, &mine);
    if (rc != MPI_SUCCESS)
        return rc;
    for (int p = 0; p < d->leader[side]; p++)
        local_leader += d->side[p] == side;
    rc = MPI_Intercomm_create(mine, local_leader, c->lanes[0], d->leader[!side], TAG, &c->shadow);
    MPI_Comm_free(&mine);
    return rc;
}

/* For users. */
static int make_public(struct draft *d)
{
    struct comm *c = d->comm;
    if (!c->inter)
        return from_group(d, &c->mpi);
    int rc = make_shadow(d);
    return rc == MPI_SUCCESS ? MPI_Comm_dup(c->shadow, &c->mpi) : rc;
}

/* Communicators are made of the inner one rather than of each other: Open MPI lets a creation wait for others under
 * way whose parents are older, and inner is the oldest. */
static int make(struct draft *d)
{
    struct comm *c = d->comm;
    int rc = MPI_SUCCESS;
    if (!draft_is_far(d))
        return MPI_SUCCESS;
    if (d->cross) {
        rc = cross_join(d->cross, c->proc, &c->universe->inner);
        for (int p = 0; p < c->nproc; p++)
            d->inner[p] = p;
        if (rc == MPI_SUCCESS)
            rc = lanes_make_am(c->universe);
        if (rc == MPI_SUCCESS)
            mates_meet(c->universe);
        c->inner_step = 1; /* inner_first is 0 */
    }
    comm_count_mates(c);
    for (; rc == MPI_SUCCESS && c->nlanes < c->tags.lanes; c->nlanes += rc == MPI_SUCCESS)
        rc = from_group(d, &c->lanes[c->nlanes]);
    if (rc == MPI_SUCCESS)
        rc = make_public(d);
    if (rc != MPI_SUCCESS)
        return error_class_of_mpi(rc);
    for (int i = 0; i < c->nlanes; i++)
        MPI_Comm_set_errhandler(c->lanes[i], MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(c->mpi, MPI_ERRORS_RETURN);
    if (d->cross)
        MPI_Comm_set_errhandler(c->universe->inner, MPI_ERRORS_RETURN);
    return MPI_SUCCESS;
}

void draft_create(struct draft *d)
{
    d->rc = make(d);
}

struct creation {
    struct far_call call;
    struct draft *draft;
    int n;
};

static void run(void *arg)
{
    struct creation *x = arg;
    for (int i = 0; i < x->n; i++)
        draft_create(&x->draft[i]);
}

void drafts_create(struct draft d[], int n, struct port *port)
{
    struct creation x = {.call = {.run = run, .port = port}, .draft = d, .n = n};
    x.call.arg = &x;
    far_call(&x.call);
    if (!load_acquire(&x.call.done))
        wait_flag(port, &x.call.done, -1);
}
