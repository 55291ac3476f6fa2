/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll/operator.h"

#include <stdlib.h>
#include <string.h>

struct operator_held {
    struct table_link link;
    MPI_Op op;
    int holds;
    bool freed; /* by the user */
};

static struct table held; /* by the handle; under held_lock */
static struct lock held_lock = LOCK_FREE(OPERATORS);

bool operator_is_predefined(MPI_Op op)
{
    return arith_op_of(op) != ARITH_OPS;
}

int operator_apply(arith_kernel *kernel, const void *left, void *right, size_t n, MPI_Datatype mpi, MPI_Op op)
{
    if (likely(kernel)) {
        kernel(left, right, n);
        return MPI_SUCCESS;
    }
    mpi_enter();
    int rc = MPI_Reduce_local(left, right, (int)n, mpi, op);
    mpi_leave();
    return likely(rc == MPI_SUCCESS) ? rc : error_class_of_mpi(rc);
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

/* Handles are pointers or ints. */
static uint64_t operator_key_of(MPI_Op op)
{
    uint64_t key = 0;
    memcpy(&key, &op, sizeof op);
    return key;
}

static struct operator_held *operator_find(MPI_Op op)
{
    lock_assert_held(&held_lock);
    struct table_link *l = table_find(&held, operator_key_of(op));
    return l ? container_of(l, struct operator_held, link) : NULL;
}

static struct operator_held *operator_add(MPI_Op op)
{
    lock_assert_held(&held_lock);
    struct operator_held *h = reserve_calloc(sizeof *h);
    if (!h)
        return NULL;
    h->op = op;
    table_add(&held, &h->link, operator_key_of(op));
    return h;
}

bool operator_hold(MPI_Op op)
{
    if (operator_is_predefined(op))
        return true;
    lock_acquire(&held_lock);
    struct operator_held *h = operator_find(op);
    if (!h)
        h = operator_add(op);
    if (h)
        h->holds++;
    lock_release(&held_lock);
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
    lock_acquire(&held_lock);
    struct operator_held *h = operator_find(op);
    bool last = h && --h->holds == 0;
    if (last)
        table_remove(&held, &h->link);
    lock_release(&held_lock);
    if (!last)
        return;
    if (h->freed)
        free_now(&h->op);
    reserve_free(h);
}

int operator_free(MPI_Op *op)
{
    lock_acquire(&held_lock);
    struct operator_held *h = operator_find(*op);
    if (h)
        h->freed = true;
    lock_release(&held_lock);
    if (!h)
        return free_now(op);
    *op = MPI_OP_NULL;
    return MPI_SUCCESS;
}
