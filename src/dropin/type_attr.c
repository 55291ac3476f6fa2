/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Attributes of datatypes are kept by MPI. Predefined types are the same for all ranks of the process,
 * though, and what one rank has attached to one of them, no other rank may get when it duplicates the type.
 * So copies are made for the rank alone that has made the key.
 */
#include <ep_calls.h>
#include <stdlib.h>

#include "api/api.h"
#include "dropin/dropin.h"
#include "dropin/passed.h"

/* Attributes may outlive their key: kept till the end. */
struct type_attr_key {
    /* constant */
    struct type_attr_key *next;
    struct mpi_rank *rank;
    MPI_Type_copy_attr_function *copy;
    MPI_Type_delete_attr_function *delete;
    void *extra;
};

static _Atomic(struct type_attr_key *) keys; /* so that they are not lost; release type_attr_remember */

static int type_attr_copy(MPI_Datatype type, int keyval, void *extra, void *in, void *out, int *flag)
{
    struct type_attr_key *k = extra;
    *flag = 0;
    return ep_rank_bound() == k->rank ? k->copy(type, keyval, k->extra, in, out, flag) : MPI_SUCCESS;
}

static int type_attr_delete(MPI_Datatype type, int keyval, void *value, void *extra)
{
    struct type_attr_key *k = extra;
    return k->delete == MPI_TYPE_NULL_DELETE_FN ? MPI_SUCCESS : k->delete (type, keyval, value, k->extra);
}

static void type_attr_remember(struct type_attr_key *k)
{
    k->next = load_relaxed(&keys);
    while (!atomic_compare_exchange_weak_explicit(&keys, &k->next, k, memory_order_release,
                                                  memory_order_relaxed))
        continue;
}

int ep_PMPI_Type_create_keyval(MPI_Type_copy_attr_function *copy_fn, MPI_Type_delete_attr_function *delete_fn,
                               int *keyval, void *extra)
{
    struct where w = {thread_world(), "MPI_Type_create_keyval"};
    int rc = check_pointer(w, keyval, "type_keyval");
    if (rc)
        return rc;
    if (copy_fn == MPI_TYPE_NULL_COPY_FN) /* then it stays on the type that it was attached to */
        return passed(w, MPI_Type_create_keyval(copy_fn, delete_fn, keyval, extra));
    struct type_attr_key *k = malloc(sizeof *k);
    if (!k)
        return raise_error(w, MPI_ERR_NO_MEM, "no memory for a key");
    *k = (struct type_attr_key){NULL, ep_rank_bound(), copy_fn, delete_fn, extra};
    type_attr_remember(k);
    return passed(w, MPI_Type_create_keyval(type_attr_copy, type_attr_delete, keyval, k));
}
