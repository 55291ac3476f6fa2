/* SPDX-License-Identifier: BSD-3-Clause */
/* Attributes of communicators and windows (MPI 6.7, 11.2.6, 15.1). */
#include "api/win.h"

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

int ep_win_null_copy_fn(ep_win oldwin, int win_keyval, void *extra_state, void *attribute_val_in,
                        void *attribute_val_out, int *flag)
{
    (void)oldwin;
    return ep_comm_null_copy_fn(EP_COMM_NULL, win_keyval, extra_state, attribute_val_in, attribute_val_out,
                                flag);
}

int ep_win_dup_fn(ep_win oldwin, int win_keyval, void *extra_state, void *attribute_val_in,
                  void *attribute_val_out, int *flag)
{
    (void)oldwin;
    return ep_comm_dup_fn(EP_COMM_NULL, win_keyval, extra_state, attribute_val_in, attribute_val_out, flag);
}

int ep_win_null_delete_fn(ep_win win, int win_keyval, void *attribute_val, void *extra_state)
{
    (void)win;
    return ep_comm_null_delete_fn(EP_COMM_NULL, win_keyval, attribute_val, extra_state);
}

/* ---- keys ---- */

static const char *name_of_keyval(enum attr_kind kind)
{
    return kind == ATTR_WIN ? "win_keyval" : "comm_keyval";
}

/* missing: the name of a function that is null, or NULL. */
static int create_keyval(struct where w, enum attr_kind kind, struct attr_callbacks callbacks,
                         const char *missing, int *keyval, void *extra_state)
{
    int rc = check_pointer(w, keyval, name_of_keyval(kind));
    if (rc)
        return rc;
    if (missing)
        return raise_error(w, MPI_ERR_ARG,
                           "argument %s is a null pointer: EP_%s_NULL_COPY_FN and EP_%s_NULL_DELETE_FN stand "
                           "for no function",
                           missing, kind == ATTR_WIN ? "WIN" : "COMM", kind == ATTR_WIN ? "WIN" : "COMM");
    int number = keyval_new(kind, callbacks, extra_state);
    if (number == MPI_KEYVAL_INVALID)
        return raise_error(w, MPI_ERR_NO_MEM, "no memory for an attribute key");
    *keyval = number;
    return MPI_SUCCESS;
}

static int create_comm_keyval(const char *call, ep_comm_copy_attr_function *copy_fn,
                              ep_comm_delete_attr_function *delete_fn, int *keyval, void *extra_state)
{
    const char *missing = delete_fn ? NULL : "delete_fn";
    if (!copy_fn)
        missing = "copy_fn";
    return create_keyval((struct where){NULL, call}, ATTR_COMM,
                         (struct attr_callbacks){.comm = {copy_fn, delete_fn}}, missing, keyval, extra_state);
}

static int free_keyval(const char *call, enum attr_kind kind, int *keyval)
{
    struct where w = {NULL, call};
    int rc = check_pointer(w, keyval, name_of_keyval(kind));
    if (rc)
        return rc;
    if (!keyval_free(kind, *keyval))
        return attr_no_key(w, kind, *keyval);
    *keyval = MPI_KEYVAL_INVALID;
    return MPI_SUCCESS;
}

/* ---- attributes of communicators ---- */

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
    return create_comm_keyval("ep_comm_create_keyval", copy_fn, delete_fn, comm_keyval, extra_state);
}

int ep_comm_free_keyval(int *comm_keyval)
{
    return free_keyval("ep_comm_free_keyval", ATTR_COMM, comm_keyval);
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

/* The names of MPI-1. */

int ep_keyval_create(ep_copy_function *copy_fn, ep_delete_function *delete_fn, int *keyval, void *extra_state)
{
    return create_comm_keyval("ep_keyval_create", copy_fn, delete_fn, keyval, extra_state);
}

int ep_keyval_free(int *keyval)
{
    return free_keyval("ep_keyval_free", ATTR_COMM, keyval);
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

/* ---- attributes of windows ---- */

int ep_win_create_keyval(ep_win_copy_attr_function *win_copy_attr_fn,
                         ep_win_delete_attr_function *win_delete_attr_fn, int *win_keyval, void *extra_state)
{
    const char *missing = win_delete_attr_fn ? NULL : "win_delete_attr_fn";
    if (!win_copy_attr_fn)
        missing = "win_copy_attr_fn";
    return create_keyval((struct where){NULL, "ep_win_create_keyval"}, ATTR_WIN,
                         (struct attr_callbacks){.win = {win_copy_attr_fn, win_delete_attr_fn}}, missing,
                         win_keyval, extra_state);
}

int ep_win_free_keyval(int *win_keyval)
{
    return free_keyval("ep_win_free_keyval", ATTR_WIN, win_keyval);
}

int ep_win_set_attr(ep_win win, int win_keyval, void *attribute_val)
{
    struct where w = {NULL, "ep_win_set_attr"};
    int rc = check_win(&w, win);
    return rc ? rc : attr_set(w, win_keyval, attribute_val);
}

/* The value of a predefined attribute, as get gives it. False: the key is another one. */
static bool attr_predefined(ep_win win, int keyval, void **value)
{
    if (keyval == MPI_WIN_BASE)
        *value = win->base;
    else if (keyval == MPI_WIN_SIZE)
        *value = &win->size;
    else if (keyval == MPI_WIN_DISP_UNIT)
        *value = &win->disp_unit;
    else if (keyval == MPI_WIN_CREATE_FLAVOR)
        *value = &win->create_flavor;
    else if (keyval == MPI_WIN_MODEL)
        *value = &win->memory_model;
    else
        return false;
    return true;
}

int ep_win_get_attr(ep_win win, int win_keyval, void *attribute_val, int *flag)
{
    struct where w = {NULL, "ep_win_get_attr"};
    int rc = check_win(&w, win);
    if (rc || (rc = check_pointer(w, attribute_val, "attribute_val")) ||
        (rc = check_pointer(w, flag, "flag")))
        return rc;
    *flag = 1;
    return attr_predefined(win, win_keyval, attribute_val) ? MPI_SUCCESS
                                                           : attr_get(w, win_keyval, attribute_val, flag);
}

int ep_win_delete_attr(ep_win win, int win_keyval)
{
    struct where w = {NULL, "ep_win_delete_attr"};
    int rc = check_win(&w, win);
    return rc ? rc : attr_delete(w, win_keyval);
}
