/* SPDX-License-Identifier: BSD-3-Clause */
#include "comm/lanes.h"

static int duplicate(MPI_Comm base, MPI_Comm *copy)
{
    int rc = MPI_Comm_dup(base, copy);
    if (rc != MPI_SUCCESS) {
        *copy = MPI_COMM_NULL;
        return error_class_of_mpi(rc);
    }
    MPI_Comm_set_errhandler(*copy, MPI_ERRORS_RETURN);
    return MPI_SUCCESS;
}

int lanes_make_am(struct universe *u)
{
    return duplicate(u->inner, &u->am);
}

int lanes_make(struct comm *c)
{
    int rc = lanes_make_am(c->universe);
    for (; rc == MPI_SUCCESS && c->nlanes < c->tags.lanes; c->nlanes += rc == MPI_SUCCESS)
        rc = duplicate(c->universe->inner, &c->lanes[c->nlanes]);
    return rc == MPI_SUCCESS ? duplicate(c->universe->inner, &c->mpi) : rc;
}

void lanes_free_one(MPI_Comm *mpi)
{
    int off = 0;
    MPI_Finalized(&off);
    if (off || *mpi == MPI_COMM_NULL || *mpi == MPI_COMM_SELF)
        return;
    mpi_enter();
    MPI_Comm_free(mpi);
    mpi_leave();
}

void lanes_free(struct comm *c)
{
    while (c->nlanes > 0)
        lanes_free_one(&c->lanes[--c->nlanes]);
    lanes_free_one(&c->mpi);
    lanes_free_one(&c->shadow);
}

MPI_Comm lanes_public(struct comm *c)
{
    lock_acquire(&c->lock);
    if (c->mpi == MPI_COMM_NULL && c->nproc == 1) {
        mpi_enter();
        if (!mpi_callable() || duplicate(process.self, &c->mpi) != MPI_SUCCESS)
            c->mpi = MPI_COMM_SELF;
        mpi_leave();
    }
    MPI_Comm mpi = c->mpi;
    lock_release(&c->lock);
    return mpi;
}
