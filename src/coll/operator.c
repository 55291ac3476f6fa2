/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll/operator.h"

#include <stdlib.h>

#include "comm/comm.h"

struct held {
    struct held *next;
    MPI_Op op;
    int holds;
    bool freed; /* by the user */
};

static struct held *list; /* under list_lock */
static struct lock list_lock;

bool operator_is_predefined(MPI_Op op)
{
    const MPI_Op all[] = {MPI_SUM, MPI_MAX,  MPI_MIN,  MPI_PROD,   MPI_LAND,   MPI_BAND,    MPI_LOR,
                          MPI_BOR, MPI_LXOR, MPI_BXOR, MPI_MINLOC, MPI_MAXLOC, MPI_REPLACE, MPI_NO_OP};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (op == all[i])
            return true;
    return false;
}

bool operator_commutes(MPI_Op op)
{
    int yes = 0;
    if (likely(operator_is_predefined(op)))
        return op != MPI_REPLACE && op != MPI_NO_OP;
    mpi_enter();
    int rc = MPI_Op_commutative(op, &yes);
    mpi_leave();
    return rc == MPI_SUCCESS && yes;
}

/* The place in the list where op stands, or its end. */
static struct held **find(MPI_Op op)
{
    struct held **at = &list;
    while (*at && (*at)->op != op)
        at = &(*at)->next;
    return at;
}

bool operator_hold(MPI_Op op)
{
    if (operator_is_predefined(op))
        return true;
    lock_acquire(&list_lock);
    struct held **at = find(op), *h = *at;
    if (!h && (h = *at = calloc(1, sizeof *h)))
        h->op = op;
    if (h)
        h->holds++;
    lock_release(&list_lock);
    return h != NULL;
}

static int free_now(MPI_Op *op)
{
    mpi_enter();
    int rc = MPI_Op_free(op);
    mpi_leave();
    return rc;
}

void operator_drop(MPI_Op op)
{
    if (operator_is_predefined(op))
        return;
    lock_acquire(&list_lock);
    struct held **at = find(op), *h = *at;
    bool last = h && --h->holds == 0;
    if (last)
        *at = h->next;
    lock_release(&list_lock);
    if (!last)
        return;
    if (h->freed)
        free_now(&h->op);
    free(h);
}

int operator_free(MPI_Op *op)
{
    lock_acquire(&list_lock);
    struct held *h = *find(*op);
    if (h)
        h->freed = true;
    lock_release(&list_lock);
    if (!h)
        return free_now(op);
    *op = MPI_OP_NULL;
    return MPI_SUCCESS;
}
