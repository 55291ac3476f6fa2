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

/* An MPI communicator of exactly these processes, in their order. */
static int make_base(struct draft *d, MPI_Comm *base)
{
    if (d->twin != MPI_COMM_NULL)
        return MPI_Comm_dup(d->twin, base);
    if (d->cross)
        return cross_join(d->cross, d->comm->proc, base);
    return from_group(d, base);
}

/* The classic intercommunicator. */
static int make_public(struct draft *d, MPI_Comm base)
{
    struct comm *c = d->comm;
    MPI_Comm mine;
    if (d->twin_public != MPI_COMM_NULL)
        return MPI_Comm_dup(d->twin_public, &c->mpi);
    int side = d->side[c->proc], local_leader = 0;
    int rc = MPI_Comm_split(base, side, c->proc, &mine);
    if (rc != MPI_SUCCESS)
        return rc;
    for (int p = 0; p < d->leader[side]; p++)
        local_leader += d->side[p] == side;
    rc = MPI_Intercomm_create(mine, local_leader, base, d->leader[!side], TAG, &c->mpi);
    MPI_Comm_free(&mine);
    return rc;
}

static int create_all(struct draft *d)
{
    struct comm *c = d->comm;
    MPI_Comm base = MPI_COMM_NULL;
    if (!draft_is_far(d))
        return MPI_SUCCESS;
    int rc = make_base(d, &base);
    if (rc != MPI_SUCCESS)
        return error_class_of_mpi(rc);
    MPI_Comm_set_errhandler(base, MPI_ERRORS_RETURN);
    if (c->inter && (rc = make_public(d, base)) != MPI_SUCCESS) {
        MPI_Comm_free(&base);
        return error_class_of_mpi(rc);
    }
    if (c->inter)
        MPI_Comm_set_errhandler(c->mpi, MPI_ERRORS_RETURN);
    if (d->id && (rc = MPI_Comm_dup(base, &c->universe->inner)) != MPI_SUCCESS) {
        MPI_Comm_free(&base);
        return error_class_of_mpi(rc);
    }
    return lanes_make(c, base, true);
}

void draft_create(struct draft *d)
{
    d->rc = create_all(d);
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
        wait_flag(port, &x.call.done);
}
