/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Attributes of datatypes are kept by MPI. Predefined types are the same for all ranks of the process,
 * though, and what one rank has attached to one of them, no other rank may get when it duplicates the type.
 * So copies are made for the rank alone that has made the key.
 *
 * What MPI keeps is the address of the value, which says in what language it was set.
 *
 * A callback that is told of a type's end may ask for its name or size, though it counts as freed by then (comm/foreign.h).
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
    struct attr_callbacks callbacks;
    void *extra;
};

static _Atomic(struct type_attr_key *) keys; /* so that they are not lost; release type_attr_remember */

static struct attr_value *type_attr_new(struct attr_value value)
{
    struct attr_value *kept = malloc(sizeof *kept);
    if (kept)
        *kept = value;
    return kept;
}

/* ---- callbacks, as MPI calls them ---- */

static int type_attr_call_copy(const struct type_attr_key *k, MPI_Datatype type, int keyval,
                               struct attr_value *in, struct attr_value *out, int *flag)
{
    const struct attr_callbacks *c = &k->callbacks;
    if (c->language != ATTR_C)
        return attr_fortran_call_copy(c->language, c->fortran.copy, passed_type_number(type), keyval,
                                      k->extra, in, out, flag);
    void *result = NULL;
    int rc = c->type.copy(type, keyval, k->extra, attr_value_in_c(in), &result, flag);
    *out = attr_value_copied(in, result);
    return rc;
}

static int type_attr_copy(MPI_Datatype type, int keyval, void *extra, void *in, void *out, int *flag)
{
    const struct type_attr_key *k = extra;
    bool copies = k->callbacks.language != ATTR_C || k->callbacks.type.copy != MPI_TYPE_NULL_COPY_FN;
    struct attr_value value;
    *flag = 0;
    if (!copies || type_is_being_held() || ep_rank_bound() != k->rank)
        return MPI_SUCCESS;
    int rc = type_attr_call_copy(k, type, keyval, in, &value, flag);
    if (rc != MPI_SUCCESS || !*flag)
        return rc;
    return (*(struct attr_value **)out = type_attr_new(value)) ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}

static int type_attr_call_delete(const struct type_attr_key *k, MPI_Datatype type, int keyval,
                                 struct attr_value *value)
{
    const struct attr_callbacks *c = &k->callbacks;
    if (c->language != ATTR_C)
        return attr_fortran_call_delete(c->language, c->fortran.delete, passed_type_number(type), keyval,
                                        k->extra, value);
    if (c->type.delete == MPI_TYPE_NULL_DELETE_FN)
        return MPI_SUCCESS;
    return c->type.delete(type, keyval, attr_value_in_c(value), k->extra);
}

static _Thread_local const MPI_Datatype *leaving; /* whose callback runs */

bool passed_type_leaves(MPI_Datatype type)
{
    return leaving && type == *leaving;
}

static int type_attr_delete(MPI_Datatype type, int keyval, void *value, void *extra)
{
    const MPI_Datatype *outer = leaving;
    leaving = &type;
    int rc = type_attr_call_delete(extra, type, keyval, value);
    leaving = outer;
    if (rc == MPI_SUCCESS)
        free(value);
    return rc;
}

/* ---- keys ---- */

static void type_attr_remember(struct type_attr_key *k)
{
    k->next = load_relaxed(&keys);
    while (!atomic_compare_exchange_weak_explicit(&keys, &k->next, k, memory_order_release,
                                                  memory_order_relaxed))
        continue;
}

static int type_attr_create(struct where w, struct attr_callbacks callbacks, int *keyval, void *extra)
{
    int rc = check_pointer(w, keyval, "type_keyval");
    if (rc)
        return rc;
    struct type_attr_key *k = malloc(sizeof *k);
    if (!k)
        return raise_error(w, MPI_ERR_NO_MEM, "no memory for a key");
    *k = (struct type_attr_key){NULL, ep_rank_bound(), callbacks, extra};
    type_attr_remember(k);
    return passed(w, MPI_Type_create_keyval(type_attr_copy, type_attr_delete, keyval, k));
}

/* Predefined functions may be null pointers in MPI. */
int ep_PMPI_Type_create_keyval(MPI_Type_copy_attr_function *copy_fn, MPI_Type_delete_attr_function *delete_fn,
                               int *keyval, void *extra)
{
    struct where w = {thread_world(), "MPI_Type_create_keyval"};
    int rc = MPI_SUCCESS;
    if (copy_fn != MPI_TYPE_NULL_COPY_FN)
        rc = check_pointer(w, (const void *)(uintptr_t)copy_fn, "type_copy_attr_fn");
    if (rc == MPI_SUCCESS && delete_fn != MPI_TYPE_NULL_DELETE_FN)
        rc = check_pointer(w, (const void *)(uintptr_t)delete_fn, "type_delete_attr_fn");
    struct attr_callbacks callbacks = {ATTR_C, {.type = {copy_fn, delete_fn}}};
    return rc ? rc : type_attr_create(w, callbacks, keyval, extra);
}

int ep_fortran_type_create_keyval(ep_fortran_copy_function *copy, ep_fortran_delete_function *delete,
                                  int *keyval, MPI_Aint extra)
{
    struct where w = {thread_world(), "MPI_Type_create_keyval"};
    return type_attr_create(w, (struct attr_callbacks){ATTR_FORTRAN, {.fortran = {copy, delete}}}, keyval,
                            (void *)extra);
}

/* ---- set, get ---- */

static int type_attr_set(MPI_Datatype type, int keyval, struct attr_value value)
{
    struct where w = {thread_world(), "MPI_Type_set_attr"};
    int rc = passed_type(w, type, "type", false);
    if (rc)
        return rc;
    struct attr_value *kept = type_attr_new(value);
    if (!kept)
        return raise_error(w, MPI_ERR_NO_MEM, "no memory for an attribute");
    rc = MPI_Type_set_attr(type, keyval, kept);
    if (rc != MPI_SUCCESS)
        free(kept);
    return passed(w, rc);
}

int ep_PMPI_Type_set_attr(MPI_Datatype type, int keyval, void *value)
{
    return type_attr_set(type, keyval, attr_value_of(value));
}

int ep_fortran_type_set_attr(MPI_Datatype type, int keyval, MPI_Aint value)
{
    return type_attr_set(type, keyval, attr_value_of_integer(ATTR_FORTRAN, value));
}

/* *found: NULL if there is none. */
static int type_attr_get(MPI_Datatype type, int keyval, const void *value, int *flag,
                         struct attr_value **found)
{
    struct where w = {thread_world(), "MPI_Type_get_attr"};
    int rc = passed_type(w, type, "type", false);
    *found = NULL;
    if (rc || (rc = check_pointer(w, value, "attribute_val")) || (rc = check_pointer(w, flag, "flag")))
        return rc;
    rc = MPI_Type_get_attr(type, keyval, found, flag);
    if (rc != MPI_SUCCESS || !*flag)
        *found = NULL;
    return passed(w, rc);
}

int ep_PMPI_Type_get_attr(MPI_Datatype type, int keyval, void *value, int *flag)
{
    struct attr_value *found;
    int rc = type_attr_get(type, keyval, value, flag, &found);
    if (found)
        *(void **)value = attr_value_in_c(found);
    return rc;
}

int ep_fortran_type_get_attr(MPI_Datatype type, int keyval, MPI_Aint *value, int *flag)
{
    struct attr_value *found;
    int rc = type_attr_get(type, keyval, value, flag, &found);
    if (found)
        *value = attr_value_in_fortran(ATTR_FORTRAN, found);
    return rc;
}
