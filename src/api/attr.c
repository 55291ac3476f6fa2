/* SPDX-License-Identifier: BSD-3-Clause */
/* Attributes (MPI 6.7, 15.1). */
#include "comm/comm.h"

#include "api/check.h"

int ep_comm_null_copy_fn(ep_comm oldcomm, int comm_keyval, void *extra_state, void *attribute_val_in,
                         void *attribute_val_out, int *flag)
{
    (void)oldcomm;
    (void)comm_keyval;
    (void)extra_state;
    (void)attribute_val_in;
    (void)attribute_val_out;
    *flag = 0;
    return MPI_SUCCESS;
}

int ep_comm_dup_fn(ep_comm oldcomm, int comm_keyval, void *extra_state, void *attribute_val_in,
                   void *attribute_val_out, int *flag)
{
    (void)oldcomm;
    (void)comm_keyval;
    (void)extra_state;
    *(void **)attribute_val_out = attribute_val_in;
    *flag = 1;
    return MPI_SUCCESS;
}

int ep_comm_null_delete_fn(ep_comm comm, int comm_keyval, void *attribute_val, void *extra_state)
{
    (void)comm;
    (void)comm_keyval;
    (void)attribute_val;
    (void)extra_state;
    return MPI_SUCCESS;
}

static int create_keyval(struct where w, ep_comm_copy_attr_function *copy_fn,
                         ep_comm_delete_attr_function *delete_fn, int *keyval, void *extra_state)
{
    struct attr_callbacks callbacks = {.comm = {copy_fn, delete_fn}};
    int rc = check_pointer(w, keyval, "comm_keyval");
    if (rc)
        return rc;
    if (!copy_fn || !delete_fn)
        return raise_error(w, MPI_ERR_ARG, "argument %s is a null pointer: there is %s for no function",
                           copy_fn ? "delete_fn" : "copy_fn",
                           copy_fn ? "EP_COMM_NULL_DELETE_FN" : "EP_COMM_NULL_COPY_FN");
    int number = keyval_new(ATTR_COMM, callbacks, extra_state);
    if (number == MPI_KEYVAL_INVALID)
        return raise_error(w, MPI_ERR_NO_MEM, "no memory for an attribute key");
    *keyval = number;
    return MPI_SUCCESS;
}

static int free_keyval(struct where w, int *keyval)
{
    int rc = check_pointer(w, keyval, "comm_keyval");
    if (rc)
        return rc;
    if (!keyval_free(ATTR_COMM, *keyval))
        return attr_no_key(w, *keyval);
    *keyval = MPI_KEYVAL_INVALID;
    return MPI_SUCCESS;
}

static int set_attr(struct where w, ep_comm comm, int keyval, void *value)
{
    int rc = check_comm(&w, comm);
    return rc ? rc : attr_set(w, keyval, value);
}

static int get_attr(struct where w, ep_comm comm, int keyval, void *value, int *flag)
{
    int rc = check_comm(&w, comm);
    if (rc || (rc = check_pointer(w, value, "attribute_val")) || (rc = check_pointer(w, flag, "flag")))
        return rc;
    return attr_get(w, keyval, value, flag);
}

static int delete_attr(struct where w, ep_comm comm, int keyval)
{
    int rc = check_comm(&w, comm);
    return rc ? rc : attr_delete(w, keyval);
}

int ep_comm_create_keyval(ep_comm_copy_attr_function *copy_fn, ep_comm_delete_attr_function *delete_fn,
                          int *comm_keyval, void *extra_state)
{
    return create_keyval((struct where){NULL, "ep_comm_create_keyval"}, copy_fn, delete_fn, comm_keyval,
                         extra_state);
}

int ep_comm_free_keyval(int *comm_keyval)
{
    return free_keyval((struct where){NULL, "ep_comm_free_keyval"}, comm_keyval);
}

int ep_comm_set_attr(ep_comm comm, int comm_keyval, void *attribute_val)
{
    return set_attr((struct where){NULL, "ep_comm_set_attr"}, comm, comm_keyval, attribute_val);
}

int ep_comm_get_attr(ep_comm comm, int keyval, void *attribute_val, int *flag)
{
    return get_attr((struct where){NULL, "ep_comm_get_attr"}, comm, keyval, attribute_val, flag);
}

int ep_comm_delete_attr(ep_comm comm, int comm_keyval)
{
    return delete_attr((struct where){NULL, "ep_comm_delete_attr"}, comm, comm_keyval);
}

int ep_keyval_create(ep_copy_function *copy_fn, ep_delete_function *delete_fn, int *keyval, void *extra_state)
{
    return create_keyval((struct where){NULL, "ep_keyval_create"}, copy_fn, delete_fn, keyval, extra_state);
}

int ep_keyval_free(int *keyval)
{
    return free_keyval((struct where){NULL, "ep_keyval_free"}, keyval);
}

int ep_attr_put(ep_comm comm, int keyval, void *attribute_val)
{
    return set_attr((struct where){NULL, "ep_attr_put"}, comm, keyval, attribute_val);
}

int ep_attr_get(ep_comm comm, int keyval, void *attribute_val, int *flag)
{
    return get_attr((struct where){NULL, "ep_attr_get"}, comm, keyval, attribute_val, flag);
}

int ep_attr_delete(ep_comm comm, int keyval)
{
    return delete_attr((struct where){NULL, "ep_attr_delete"}, comm, keyval);
}
