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
#include "dropin/operator_callers.h"
#include "dropin/passed.h"

struct callee {
    /* constant once set */
    struct user_function {
        bool is_fortran;
        union {
            MPI_User_function *c;
            ep_fortran_user_function *fortran;
        };
    } function;
    struct mpi_rank *rank;
    pthread_mutex_t lock; /* held while it runs */
};

static struct callee callees[OPERATOR_CALLERS]; /* each has the caller of its number */
static int used;                                /* under used_lock */
static struct lock used_lock = LOCK_FREE(CALLEES);

/* Fortran knows the datatype by its number. */
static void call_function(const struct user_function *f, void *in, void *inout, int *n, MPI_Datatype *type)
{
    if (f->is_fortran) {
        MPI_Fint length = *n, number = passed_type_number(*type);
        f->fortran(in, inout, &length, &number);
    } else {
        f->c(in, inout, n, type);
    }
}

void ep_operator_enter(void *in, void *inout, int *n, MPI_Datatype *type, unsigned number)
{
    struct callee *c = &callees[number];
    struct mpi_rank *here = ep_rank_bound();
    if (!c->rank) { /* not a program of eprun's: written for threads */
        call_function(&c->function, in, inout, n, type);
        return;
    }
    pthread_mutex_lock(&c->lock);
    if (here != c->rank)
        ep_rank_bind(c->rank);
    call_function(&c->function, in, inout, n, type);
    if (here != c->rank)
        ep_rank_bind(here);
    pthread_mutex_unlock(&c->lock);
}

static bool is_same(struct user_function f, struct user_function g)
{
    return f.is_fortran == g.is_fortran && (f.is_fortran ? f.fortran == g.fortran : f.c == g.c);
}

/* The caller for a function of the calling thread's rank. NULL: none is left. */
static MPI_User_function *caller_of(struct user_function function)
{
    struct mpi_rank *rank = ep_rank_bound();
    int i = 0;
    lock_acquire(&used_lock);
    while (i < used && !(callees[i].rank == rank && is_same(callees[i].function, function)))
        i++;
    if (i == used && used < OPERATOR_CALLERS) {
        callees[i] = (struct callee){.function = function, .rank = rank};
        pthread_mutex_init(&callees[i].lock, NULL);
        used++;
    }
    MPI_User_function *caller = i < used ? operator_caller((unsigned)i) : NULL;
    lock_release(&used_lock);
    return caller;
}

/* In C, where no caller is left, the function itself. */
int ep_PMPI_Op_create(MPI_User_function *function, int commute, MPI_Op *op)
{
    MPI_User_function *caller =
        function && ep_rank_bound() ? caller_of((struct user_function){false, {.c = function}}) : NULL;
    return ep_op_create(caller ? caller : function, commute, op);
}

int ep_fortran_op_create(ep_fortran_user_function *function, int commute, MPI_Op *op)
{
    MPI_User_function *caller = caller_of((struct user_function){true, {.fortran = function}});
    if (caller)
        return ep_op_create(caller, commute, op);
    return raise_error((struct where){thread_world(), "ep_op_create"}, MPI_ERR_NO_MEM,
                       "the ranks of this process have made operators of %d functions already",
                       OPERATOR_CALLERS);
}
