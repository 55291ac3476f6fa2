/* SPDX-License-Identifier: BSD-3-Clause */
/* Attributes and error handlers for Fortran (MPI 17.2.7, 8.3): as in C, but that values and functions are Fortran's. */
#include "api/api.h"
#include "dropin/dropin.h"

/* Functions of MPI-1, whose integers are INTEGER, and those that took their places have names of their own. */
static enum attr_language language_of(bool mpi_1)
{
    return mpi_1 ? ATTR_FORTRAN_1 : ATTR_FORTRAN;
}

/* ---- keys ---- */

static int fortran_create_keyval(const char *call, enum attr_kind kind, struct attr_callbacks callbacks,
                                 int *keyval, MPI_Aint extra)
{
    *keyval = keyval_new(kind, callbacks, (void *)extra);
    if (*keyval != MPI_KEYVAL_INVALID)
        return MPI_SUCCESS;
    return raise_error((struct where){thread_world(), call}, MPI_ERR_NO_MEM,
                       "no memory for an attribute key");
}

int ep_fortran_comm_create_keyval(bool mpi_1, ep_fortran_copy_function *copy,
                                  ep_fortran_delete_function *delete, int *keyval, MPI_Aint extra)
{
    struct attr_callbacks callbacks = {language_of(mpi_1), {.fortran = {copy, delete}}};
    return fortran_create_keyval(mpi_1 ? "ep_keyval_create" : "ep_comm_create_keyval", ATTR_COMM, callbacks,
                                 keyval, extra);
}

int ep_fortran_win_create_keyval(ep_fortran_copy_function *copy, ep_fortran_delete_function *delete,
                                 int *keyval, MPI_Aint extra)
{
    struct attr_callbacks callbacks = {ATTR_FORTRAN, {.fortran = {copy, delete}}};
    return fortran_create_keyval("ep_win_create_keyval", ATTR_WIN, callbacks, keyval, extra);
}

/* ---- set, get ---- */

int ep_fortran_comm_set_attr(bool mpi_1, ep_comm comm, int keyval, MPI_Aint value)
{
    struct where w = {NULL, mpi_1 ? "ep_attr_put" : "ep_comm_set_attr"};
    int rc = check_comm(&w, comm);
    return rc ? rc : attr_set(w, keyval, attr_value_of_integer(language_of(mpi_1), value));
}

int ep_fortran_win_set_attr(ep_win win, int keyval, MPI_Aint value)
{
    struct where w = {NULL, "ep_win_set_attr"};
    int rc = check_win(&w, win);
    return rc ? rc : attr_set(w, keyval, attr_value_of_integer(ATTR_FORTRAN, value));
}

int ep_fortran_comm_get_attr(bool mpi_1, ep_comm comm, int keyval, MPI_Aint *value, int *flag)
{
    struct where w = {NULL, mpi_1 ? "ep_attr_get" : "ep_comm_get_attr"};
    int rc = check_comm(&w, comm);
    return rc ? rc : attr_get(w, keyval, language_of(mpi_1), value, flag);
}

/* Only MPI_WIN_BASE is an address. */
static MPI_Aint predefined_of_win(int keyval, void *in_c)
{
    if (keyval == MPI_WIN_BASE)
        return (MPI_Aint)in_c;
    return keyval == MPI_WIN_SIZE ? *(MPI_Aint *)in_c : *(int *)in_c;
}

int ep_fortran_win_get_attr(ep_win win, int keyval, MPI_Aint *value, int *flag)
{
    struct where w = {NULL, "ep_win_get_attr"};
    int rc = check_win(&w, win);
    if (rc || !keyval_is_predefined(keyval))
        return rc ? rc : attr_get(w, keyval, ATTR_FORTRAN, value, flag);
    void *in_c;
    rc = ep_win_get_attr(win, keyval, &in_c, flag);
    if (rc == MPI_SUCCESS && *flag)
        *value = predefined_of_win(keyval, in_c);
    return rc;
}

/* ---- error handlers ---- */

static int fortran_create_errhandler(const char *call, enum errhandler_kind kind,
                                     ep_fortran_errhandler_function *function, ep_errhandler *errhandler)
{
    *errhandler = errhandler_new(kind, (struct errhandler_function){true, {.fortran = function}});
    return *errhandler ? MPI_SUCCESS
                       : raise_error((struct where){thread_world(), call}, MPI_ERR_NO_MEM,
                                     "no memory for an error handler");
}

int ep_fortran_comm_create_errhandler(bool mpi_1, ep_fortran_errhandler_function *function,
                                      ep_errhandler *errhandler)
{
    return fortran_create_errhandler(mpi_1 ? "ep_errhandler_create" : "ep_comm_create_errhandler",
                                     ERRHANDLER_COMM, function, errhandler);
}

int ep_fortran_win_create_errhandler(ep_fortran_errhandler_function *function, ep_errhandler *errhandler)
{
    return fortran_create_errhandler("ep_win_create_errhandler", ERRHANDLER_WIN, function, errhandler);
}
