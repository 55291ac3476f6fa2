/* SPDX-License-Identifier: BSD-3-Clause */
#include "comm/lanes.h"

#include <assert.h>

const char lanes_none_left[] =
    "MPI made no communicator in this or another process: its context ids or its memory have run out";

static _Atomic long made; /* relaxed */

long lanes_made(void)
{
    return load_relaxed(&made);
}

/* What a call that failed leaves in its result is of no use: some leave what they have freed. */
int lanes_note(MPI_Comm *mpi, int rc)
{
    if (rc != MPI_SUCCESS) {
        *mpi = MPI_COMM_NULL;
        return error_class_of_mpi(rc);
    }
    if (*mpi != MPI_COMM_NULL) {
        add_relaxed(&made, 1);
        MPI_Comm_set_errhandler(*mpi, MPI_ERRORS_RETURN);
    }
    return MPI_SUCCESS;
}

void lanes_undo(MPI_Comm *mpi)
{
    if (*mpi == MPI_COMM_NULL)
        return;
    add_relaxed(&made, -1);
    MPI_Comm_free(mpi);
}

static int lanes_duplicate(MPI_Comm base, MPI_Comm *copy)
{
    return lanes_note(copy, MPI_Comm_dup(base, copy));
}

int lanes_copy_parent(MPI_Comm parent, int key, int rc, MPI_Comm *copy)
{
    MPI_Errhandler handler = process_mute(parent);
    int made_rc = lanes_note(copy, MPI_Comm_split(parent, 0, key, copy)), worst = MPI_SUCCESS;
    rc = rc ? rc : made_rc;
    int told = MPI_Allreduce(&rc, &worst, 1, MPI_INT, MPI_MAX, parent);
    process_unmute(parent, handler);
    if (told != MPI_SUCCESS)
        worst = error_class_of_mpi(told);
    if (worst != MPI_SUCCESS)
        lanes_undo(copy);
    return worst;
}

bool lanes_claim(struct lanes_claim *claim, MPI_Comm parent)
{
    bool none = false;
    int mine = cas_acq_rel(&claim->taken, &none, true), all = 0;
    MPI_Errhandler handler = process_mute(parent);
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, parent);
    process_unmute(parent, handler);
    if (mine && !all)
        lanes_unclaim(claim);
    return all;
}

void lanes_unclaim(struct lanes_claim *claim)
{
    assert(load_relaxed(&claim->taken));
    store_release(&claim->taken, false);
}

int lanes_make_am(struct domain *u)
{
    return lanes_duplicate(u->inner, &u->am);
}

int lanes_make(struct comm *c)
{
    assert(c->nlanes == 0);
    int rc = lanes_make_am(c->domain), next;
    while (c->nlanes < c->tags.lanes) {
        next = lanes_duplicate(c->domain->inner, &c->lanes[c->nlanes++]);
        rc = rc ? rc : next;
    }
    next = lanes_duplicate(c->domain->inner, &c->mpi);
    return rc ? rc : next;
}

void lanes_free_one(MPI_Comm *mpi)
{
    int off = 0;
    MPI_Finalized(&off);
    if (off || *mpi == MPI_COMM_NULL || *mpi == MPI_COMM_SELF)
        return;
    mpi_enter();
    lanes_undo(mpi);
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
        if (!mpi_callable() || lanes_duplicate(process.self, &c->mpi) != MPI_SUCCESS)
            c->mpi = MPI_COMM_SELF;
        mpi_leave();
    }
    MPI_Comm mpi = c->mpi;
    lock_release(&c->lock);
    return mpi;
}
