/* SPDX-License-Identifier: BSD-3-Clause */
/* Attributes of communicators and windows (MPI 6.7, 11.2.6, 15.1). */
#include "api/win.h"

static int check_callback(struct where w, enum attr_kind kind, bool given, const char *name)
{
    const char *object = kind == ATTR_WIN ? "WIN" : "COMM";
    if (given)
        return MPI_SUCCESS;
    return raise_error(w, MPI_ERR_ARG,
                       "argument %s is a null pointer: EP_%s_NULL_COPY_FN and EP_%s_NULL_DELETE_FN stand "
                       "for no function",
                       name, object, object);
}

static int create_keyval(struct where w, enum attr_kind kind, struct attr_callbacks callbacks, int *keyval,
                         void *extra_state)
{
    int number = keyval_new(kind, callbacks, extra_state);
    if (number == MPI_KEYVAL_INVALID)
        return raise_error(w, MPI_ERR_NO_MEM, "no memory for an attribute key");
    *keyval = number;
    return MPI_SUCCESS;
}

static int free_keyval(struct where w, enum attr_kind kind, int *keyval)
{
    if (!keyval_free(kind, *keyval))
        return attr_no_key(w, kind, *keyval);
    *keyval = MPI_KEYVAL_INVALID;
    return MPI_SUCCESS;
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

static int get_win_attr(struct where w, ep_win win, int keyval, void *value, int *flag)
{
    *flag = 1;
    return attr_predefined(win, keyval, value) ? MPI_SUCCESS : attr_get(w, keyval, ATTR_C, value, flag);
}

#include "api/attr.inc"
