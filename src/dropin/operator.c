/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The user's operators (MPI 5.9.5). Any thread of the process may reduce for a rank, and several may at a
 * time; but the user's function was written for a process of its own. So MPI gets another one, a caller,
 * which lets in one thread at a time, bound to the function's rank. MPI tells a function nothing that it
 * could know its rank by: so there is a caller for each function of each rank, out of a fixed number. They
 * are not given back: the same function gets the same one again.
 */
#include <ep_calls.h>
#include <pthread.h>

#include "api/api.h"
#include "dropin/dropin.h"

struct callee {
    /* constant once set */
    MPI_User_function *function;
    struct mpi_rank *rank;
    pthread_mutex_t lock; /* held while it runs */
};

static struct callee callees[256];
static int used; /* under used_lock */
static struct lock used_lock = LOCK_FREE(CALLEES);

static void operator_call(struct callee *c, void *in, void *inout, int *n, MPI_Datatype *type)
{
    struct mpi_rank *here = ep_rank_bound();
    pthread_mutex_lock(&c->lock);
    if (here != c->rank)
        ep_rank_bind(c->rank);
    c->function(in, inout, n, type);
    if (here != c->rank)
        ep_rank_bind(here);
    pthread_mutex_unlock(&c->lock);
}

#define SIXTEEN(what, n)                                                                                     \
    what(n##0) what(n##1) what(n##2) what(n##3) what(n##4) what(n##5) what(n##6) what(n##7) what(n##8)       \
        what(n##9) what(n##a) what(n##b) what(n##c) what(n##d) what(n##e) what(n##f)
#define ALL(what)                                                                                            \
    SIXTEEN(what, 0x0)                                                                                       \
    SIXTEEN(what, 0x1)                                                                                       \
    SIXTEEN(what, 0x2)                                                                                       \
    SIXTEEN(what, 0x3)                                                                                       \
    SIXTEEN(what, 0x4)                                                                                       \
    SIXTEEN(what, 0x5)                                                                                       \
    SIXTEEN(what, 0x6)                                                                                       \
    SIXTEEN(what, 0x7)                                                                                       \
    SIXTEEN(what, 0x8)                                                                                       \
    SIXTEEN(what, 0x9)                                                                                       \
    SIXTEEN(what, 0xa)                                                                                       \
    SIXTEEN(what, 0xb)                                                                                       \
    SIXTEEN(what, 0xc)                                                                                       \
    SIXTEEN(what, 0xd)                                                                                       \
    SIXTEEN(what, 0xe)                                                                                       \
    SIXTEEN(what, 0xf)
#define CALLER(n)                                                                                            \
    static void caller_##n(void *in, void *inout, int *len, MPI_Datatype *type)                              \
    {                                                                                                        \
        operator_call(&callees[n], in, inout, len, type);                                                    \
    }
#define NAME(n) caller_##n,

ALL(CALLER)
static MPI_User_function *const callers[] = {ALL(NAME)};

/* The caller for a function of the calling thread's rank; without one left, the function itself. */
static MPI_User_function *caller_of(MPI_User_function *function)
{
    struct mpi_rank *rank = ep_rank_bound();
    int i = 0;
    lock_acquire(&used_lock);
    while (i < used && !(callees[i].function == function && callees[i].rank == rank))
        i++;
    if (i == used && rank && used < (int)(sizeof callees / sizeof *callees)) {
        callees[i] = (struct callee){.function = function, .rank = rank};
        pthread_mutex_init(&callees[i].lock, NULL);
        used++;
    }
    if (i < used)
        function = callers[i];
    lock_release(&used_lock);
    return function;
}

int ep_PMPI_Op_create(MPI_User_function *function, int commute, MPI_Op *op)
{
    return ep_op_create(function ? caller_of(function) : NULL, commute, op);
}
