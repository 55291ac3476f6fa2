/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of the program's that MPI calls: error handlers, operators, those of generalized requests (MPI 8.3, 5.9.5, 12.2). */
#include <stdlib.h>

#include "fortran/fortran.h"
#include "fortran/names.h"

/* ---- error handlers ---- */

static void give_errhandler(int rc, ep_errhandler made, MPI_Fint *errhandler, MPI_Fint *ierror)
{
    if (rc == MPI_SUCCESS)
        *errhandler = errhandler_c2f(made);
    ierror_set(ierror, rc);
}

#define CREATE_ERRHANDLER(procedure, create)                                                                 \
    void pmpi_##procedure##_(ep_fortran_errhandler_function *function, MPI_Fint *errhandler,                 \
                             MPI_Fint *ierror);                                                              \
    void pmpi_##procedure##_(ep_fortran_errhandler_function *function, MPI_Fint *errhandler,                 \
                             MPI_Fint *ierror)                                                               \
    {                                                                                                        \
        ep_errhandler made = EP_ERRHANDLER_NULL;                                                             \
        int rc = create;                                                                                     \
        give_errhandler(rc, made, errhandler, ierror);                                                       \
    }

CREATE_ERRHANDLER(comm_create_errhandler, ep_fortran_comm_create_errhandler(false, function, &made))
FORTRAN_NAMES(comm_create_errhandler)
CREATE_ERRHANDLER(win_create_errhandler, ep_fortran_win_create_errhandler(function, &made))
FORTRAN_NAMES(win_create_errhandler)
#ifndef EP_FORTRAN_NATIVE
CREATE_ERRHANDLER(errhandler_create, ep_fortran_comm_create_errhandler(true, function, &made))
FORTRAN_NAME_WEAK(errhandler_create, , errhandler_create)
/* Nothing calls those of files. */
CREATE_ERRHANDLER(file_create_errhandler,
                  ep_PMPI_File_create_errhandler((MPI_File_errhandler_function *)function, &made))
FORTRAN_NAMES(file_create_errhandler)
#endif

/* ---- operators ---- */

void pmpi_op_create_(ep_fortran_user_function *function, MPI_Fint *commute, MPI_Fint *op, MPI_Fint *ierror);
void pmpi_op_create_(ep_fortran_user_function *function, MPI_Fint *commute, MPI_Fint *op, MPI_Fint *ierror)
{
    MPI_Op made = MPI_OP_NULL;
    int rc = ep_fortran_op_create(function, *commute != 0, &made);
    if (rc == MPI_SUCCESS)
        *op = op_c2f(made);
    ierror_set(ierror, rc);
}
FORTRAN_NAMES(op_create)

/* ---- generalized requests ---- */

typedef void fortran_query(MPI_Aint *extra_state, MPI_Fint *status, MPI_Fint *ierror);
typedef void fortran_free(MPI_Aint *extra_state, MPI_Fint *ierror);
typedef void fortran_cancel(MPI_Aint *extra_state, MPI_Fint *complete, MPI_Fint *ierror);

/* What C's functions below have for extra_state, until the one that frees has run. */
struct grequest {
    fortran_query *query;
    fortran_free *free;
    fortran_cancel *cancel;
    MPI_Aint extra_state;
};

static int grequest_query(void *extra_state, ep_status *status)
{
    const struct grequest *g = extra_state;
    MPI_Aint extra = g->extra_state;
    _Alignas(ep_status) MPI_Fint numbers[STATUS_NUMBERS];
    MPI_Fint ierror = MPI_SUCCESS;
    status_write(status, numbers);
    g->query(&extra, numbers, &ierror);
    status_read(numbers, status);
    return ierror;
}

static int grequest_free(void *extra_state)
{
    struct grequest *g = extra_state;
    MPI_Fint ierror = MPI_SUCCESS;
    g->free(&g->extra_state, &ierror);
    free(g);
    return ierror;
}

static int grequest_cancel(void *extra_state, int complete)
{
    const struct grequest *g = extra_state;
    MPI_Aint extra = g->extra_state;
    MPI_Fint logical = complete != 0, ierror = MPI_SUCCESS;
    g->cancel(&extra, &logical, &ierror);
    return ierror;
}

static int grequest_start(struct grequest from, ep_request *request)
{
    struct grequest *g = malloc(sizeof *g);
    if (!g)
        return ep_fortran_error(EP_COMM_NULL, "ep_grequest_start", MPI_ERR_NO_MEM, "no memory for a request");
    *g = from;
    int rc = ep_grequest_start(grequest_query, grequest_free, grequest_cancel, g, request);
    if (rc != MPI_SUCCESS)
        free(g);
    return rc;
}

void pmpi_grequest_start_(fortran_query *query, fortran_free *free_fn, fortran_cancel *cancel,
                          MPI_Aint *extra_state, MPI_Fint *request, MPI_Fint *ierror);
void pmpi_grequest_start_(fortran_query *query, fortran_free *free_fn, fortran_cancel *cancel,
                          MPI_Aint *extra_state, MPI_Fint *request, MPI_Fint *ierror)
{
    ep_request made = EP_REQUEST_NULL;
    int rc = grequest_start((struct grequest){query, free_fn, cancel, *extra_state}, &made);
    if (rc == MPI_SUCCESS)
        *request = request_c2f(made);
    ierror_set(ierror, rc);
}
FORTRAN_NAMES(grequest_start)

#ifndef EP_FORTRAN_NATIVE
/* ---- of files, which nothing calls ---- */

void mpi_conversion_fn_null_(void);
void mpi_conversion_fn_null_(void) {}
#endif
