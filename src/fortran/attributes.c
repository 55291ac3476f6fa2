/* SPDX-License-Identifier: BSD-3-Clause */
/* Attributes (MPI 6.7, 17.2.7): Fortran sets and gets integers, and its callbacks are its own. Those of MPI-1 have INTEGER for what is
 * INTEGER(KIND=MPI_ADDRESS_KIND) since. */
#include "fortran/fortran.h"
#include "fortran/names.h"

/* ---- the predefined callbacks, which a program passes on or calls ---- */

#define NULL_COPY(procedure, integer)                                                                        \
    void procedure(MPI_Fint *object, MPI_Fint *keyval, integer *extra_state, integer *in, integer *out,      \
                   MPI_Fint *flag, MPI_Fint *ierror);                                                        \
    void procedure(MPI_Fint *object, MPI_Fint *keyval, integer *extra_state, integer *in, integer *out,      \
                   MPI_Fint *flag, MPI_Fint *ierror)                                                         \
    {                                                                                                        \
        (void)object, (void)keyval, (void)extra_state, (void)in, (void)out;                                  \
        *flag = 0;                                                                                           \
        ierror_set(ierror, MPI_SUCCESS);                                                                     \
    }
#define DUP(procedure, integer)                                                                              \
    void procedure(MPI_Fint *object, MPI_Fint *keyval, integer *extra_state, integer *in, integer *out,      \
                   MPI_Fint *flag, MPI_Fint *ierror);                                                        \
    void procedure(MPI_Fint *object, MPI_Fint *keyval, integer *extra_state, integer *in, integer *out,      \
                   MPI_Fint *flag, MPI_Fint *ierror)                                                         \
    {                                                                                                        \
        (void)object, (void)keyval, (void)extra_state;                                                       \
        *out = *in;                                                                                          \
        *flag = 1;                                                                                           \
        ierror_set(ierror, MPI_SUCCESS);                                                                     \
    }
#define NULL_DELETE(procedure, integer)                                                                      \
    void procedure(MPI_Fint *object, MPI_Fint *keyval, integer *value, integer *extra_state,                 \
                   MPI_Fint *ierror);                                                                        \
    void procedure(MPI_Fint *object, MPI_Fint *keyval, integer *value, integer *extra_state,                 \
                   MPI_Fint *ierror)                                                                         \
    {                                                                                                        \
        (void)object, (void)keyval, (void)value, (void)extra_state;                                          \
        ierror_set(ierror, MPI_SUCCESS);                                                                     \
    }

NULL_COPY(mpi_comm_null_copy_fn_, MPI_Aint)
NULL_COPY(mpi_win_null_copy_fn_, MPI_Aint)
DUP(mpi_comm_dup_fn_, MPI_Aint)
DUP(mpi_win_dup_fn_, MPI_Aint)
NULL_DELETE(mpi_comm_null_delete_fn_, MPI_Aint)
NULL_DELETE(mpi_win_null_delete_fn_, MPI_Aint)
#ifndef EP_FORTRAN_NATIVE
NULL_COPY(mpi_type_null_copy_fn_, MPI_Aint)
NULL_COPY(mpi_null_copy_fn_, MPI_Fint)
DUP(mpi_type_dup_fn_, MPI_Aint)
DUP(mpi_dup_fn_, MPI_Fint)
NULL_DELETE(mpi_type_null_delete_fn_, MPI_Aint)
NULL_DELETE(mpi_null_delete_fn_, MPI_Fint)
#endif

/* ---- keys ---- */

#define CREATE_KEYVAL(object, ...)                                                                           \
    void pmpi_##object##_create_keyval_(ep_fortran_copy_function *copy,                                      \
                                        ep_fortran_delete_function *delete_fn, MPI_Fint *keyval,             \
                                        MPI_Aint *extra_state, MPI_Fint *ierror);                            \
    void pmpi_##object##_create_keyval_(ep_fortran_copy_function *copy,                                      \
                                        ep_fortran_delete_function *delete_fn, MPI_Fint *keyval,             \
                                        MPI_Aint *extra_state, MPI_Fint *ierror)                             \
    {                                                                                                        \
        int rc = ep_fortran_##object##_create_keyval(__VA_ARGS__ copy, delete_fn, keyval, *extra_state);     \
        ierror_set(ierror, rc);                                                                              \
    }                                                                                                        \
    FORTRAN_NAMES(object##_create_keyval)

CREATE_KEYVAL(comm, false, )
CREATE_KEYVAL(win, )

/* ---- set, get ---- */

/* A get without an attribute leaves the value alone. */
#define SET_AND_GET(object, ...)                                                                             \
    void pmpi_##object##_set_attr_(MPI_Fint *handle, MPI_Fint *keyval, MPI_Aint *value, MPI_Fint *ierror);   \
    void pmpi_##object##_set_attr_(MPI_Fint *handle, MPI_Fint *keyval, MPI_Aint *value, MPI_Fint *ierror)    \
    {                                                                                                        \
        int rc = ep_fortran_##object##_set_attr(__VA_ARGS__(*handle), keyval_f2c(*keyval), *value);          \
        ierror_set(ierror, rc);                                                                              \
    }                                                                                                        \
    FORTRAN_NAMES(object##_set_attr)                                                                         \
    void pmpi_##object##_get_attr_(MPI_Fint *handle, MPI_Fint *keyval, MPI_Aint *value, MPI_Fint *flag,      \
                                   MPI_Fint *ierror);                                                        \
    void pmpi_##object##_get_attr_(MPI_Fint *handle, MPI_Fint *keyval, MPI_Aint *value, MPI_Fint *flag,      \
                                   MPI_Fint *ierror)                                                         \
    {                                                                                                        \
        int rc = ep_fortran_##object##_get_attr(__VA_ARGS__(*handle), keyval_f2c(*keyval), value, flag);     \
        ierror_set(ierror, rc);                                                                              \
    }                                                                                                        \
    FORTRAN_NAMES(object##_get_attr)

SET_AND_GET(comm, false, comm_f2c)
SET_AND_GET(win, win_f2c)

#ifndef EP_FORTRAN_NATIVE
/* ---- of datatypes, and those of MPI-1 ---- */

CREATE_KEYVAL(type, )
SET_AND_GET(type, datatype_f2c)

void pmpi_keyval_create_(ep_fortran_copy_function *copy, ep_fortran_delete_function *delete_fn,
                         MPI_Fint *keyval, MPI_Fint *extra_state, MPI_Fint *ierror);
void pmpi_keyval_create_(ep_fortran_copy_function *copy, ep_fortran_delete_function *delete_fn,
                         MPI_Fint *keyval, MPI_Fint *extra_state, MPI_Fint *ierror)
{
    ierror_set(ierror, ep_fortran_comm_create_keyval(true, copy, delete_fn, keyval, *extra_state));
}
FORTRAN_NAME_WEAK(keyval_create, , keyval_create)

void pmpi_attr_put_(MPI_Fint *comm, MPI_Fint *keyval, MPI_Fint *value, MPI_Fint *ierror);
void pmpi_attr_put_(MPI_Fint *comm, MPI_Fint *keyval, MPI_Fint *value, MPI_Fint *ierror)
{
    ierror_set(ierror, ep_fortran_comm_set_attr(true, comm_f2c(*comm), *keyval, *value));
}
FORTRAN_NAME_WEAK(attr_put, , attr_put)

/* What an INTEGER holds of it. */
void pmpi_attr_get_(MPI_Fint *comm, MPI_Fint *keyval, MPI_Fint *value, MPI_Fint *flag, MPI_Fint *ierror);
void pmpi_attr_get_(MPI_Fint *comm, MPI_Fint *keyval, MPI_Fint *value, MPI_Fint *flag, MPI_Fint *ierror)
{
    MPI_Aint whole = *value;
    int rc = ep_fortran_comm_get_attr(true, comm_f2c(*comm), *keyval, &whole, flag);
    *value = (MPI_Fint)whole;
    ierror_set(ierror, rc);
}
FORTRAN_NAME_WEAK(attr_get, , attr_get)
#endif
