/* SPDX-License-Identifier: BSD-3-Clause */
/* Waiting for a request, and for several (MPI 3.7.3, 3.7.5): arrays of handles and statuses, and indices that begin with 1. */
#include <fortran_calls.h>

#include "fortran/fortran.h"

int recv_status(void *buf, int count, MPI_Datatype datatype, int source, int tag, ep_comm comm,
                MPI_Fint *status)
{
    ep_status status_c;
    if (status_is_ignored(status))
        return ep_recv(buf, count, datatype, source, tag, comm, EP_STATUS_IGNORE);
    status_begin(status, &status_c);
    int rc = ep_recv(buf, count, datatype, source, tag, comm, &status_c);
    status_write(&status_c, status);
    return rc;
}

static __attribute__((noinline)) void wait_told(MPI_Fint *request, MPI_Fint *status, MPI_Fint *ierror)
{
    ep_request request_c = request_f2c(*request);
    ep_status status_c, *to = status_is_ignored(status) ? EP_STATUS_IGNORE : &status_c;
    if (to)
        status_begin(status, to);
    int rc = ep_wait(&request_c, to);
    request_gone(request, request_c);
    if (to)
        status_write(to, status);
    ierror_set(ierror, rc);
}

/* Where each instruction counts: without what writes a status or an error code there is less to be kept over the call. */
void pmpi_wait_(MPI_Fint *request, MPI_Fint *status, MPI_Fint *ierror)
{
    if (ierror || !status_is_own_ignore(status)) {
        wait_told(request, status, ierror);
        return;
    }
    ep_request request_c = request_f2c(*request);
    ep_wait(&request_c, EP_STATUS_IGNORE);
    request_gone(request, request_c);
}
FORTRAN_NAMES(wait)

/* What a call gets of Fortran's arguments. */
struct several {
    const char *call;
    int n;
    MPI_Fint *numbers;
    ep_request *requests;
    MPI_Fint *status_numbers; /* NULL: ignored */
    ep_status *statuses;
    ep_request few_requests[FEW_HANDLES];
    ep_status few_statuses[FEW_HANDLES];
};

static int several_begin(struct several *s, const char *call, int n, MPI_Fint numbers[], MPI_Fint *statuses)
{
    s->call = call;
    s->n = n > 0 ? n : 0;
    s->numbers = numbers;
    s->status_numbers = !statuses || status_is_ignored(statuses) ? NULL : statuses;
    s->statuses = EP_STATUSES_IGNORE;
    void *array;
    int rc = array_take(EP_COMM_NULL, call, &array, s->few_requests, s->n, sizeof *s->requests);
    s->requests = array;
    if (rc != MPI_SUCCESS)
        return rc;
    for (int i = 0; i < s->n; i++)
        s->requests[i] = request_f2c(numbers[i]);
    if (!s->status_numbers)
        return MPI_SUCCESS;
    rc = array_take(EP_COMM_NULL, call, &array, s->few_statuses, s->n, sizeof *s->statuses);
    s->statuses = array;
    return rc;
}

/* Are results there? */
static bool several_is_done(int rc)
{
    return rc == MPI_SUCCESS || rc == MPI_ERR_IN_STATUS;
}

/* Requests that are over are null in Fortran, too. So many statuses were written, but errors in them only if there are some (MPI
 * 3.7.3). */
static void several_end(struct several *s, MPI_Fint *ierror, int rc, int written)
{
    for (int i = 0; s->requests && i < s->n; i++)
        request_gone(&s->numbers[i], s->requests[i]);
    for (int i = 0; s->statuses && several_is_done(rc) && i < written; i++) {
        MPI_Fint *numbers = s->status_numbers + i * STATUS_NUMBERS;
        if (rc != MPI_ERR_IN_STATUS)
            s->statuses[i].MPI_ERROR = numbers[2];
        status_write(&s->statuses[i], numbers);
    }
    if (s->requests)
        array_drop(s->requests, s->few_requests);
    if (s->statuses)
        array_drop(s->statuses, s->few_statuses);
    ierror_set(ierror, rc);
}

void pmpi_startall_(MPI_Fint *count, MPI_Fint *requests, MPI_Fint *ierror)
{
    struct several s;
    int rc = several_begin(&s, "ep_startall", *count, requests, NULL);
    if (rc == MPI_SUCCESS)
        rc = ep_startall(*count, s.requests);
    several_end(&s, ierror, rc, 0);
}
FORTRAN_NAMES(startall)

void pmpi_waitall_(MPI_Fint *count, MPI_Fint *requests, MPI_Fint *statuses, MPI_Fint *ierror)
{
    struct several s;
    int rc = several_begin(&s, "ep_waitall", *count, requests, statuses);
    if (rc == MPI_SUCCESS)
        rc = ep_waitall(*count, s.requests, s.statuses);
    several_end(&s, ierror, rc, s.n);
}
FORTRAN_NAMES(waitall)

void pmpi_testall_(MPI_Fint *count, MPI_Fint *requests, MPI_Fint *flag, MPI_Fint *statuses, MPI_Fint *ierror)
{
    struct several s;
    int rc = several_begin(&s, "ep_testall", *count, requests, statuses);
    if (rc == MPI_SUCCESS)
        rc = ep_testall(*count, s.requests, flag, s.statuses);
    several_end(&s, ierror, rc, rc == MPI_SUCCESS && !*flag ? 0 : s.n);
}
FORTRAN_NAMES(testall)

/* ---- one of them ---- */

static void index_c2f(MPI_Fint *index)
{
    if (*index != MPI_UNDEFINED)
        ++*index;
}

void pmpi_waitany_(MPI_Fint *count, MPI_Fint *requests, MPI_Fint *index, MPI_Fint *status, MPI_Fint *ierror)
{
    struct several s;
    ep_status status_c, *to = status_is_ignored(status) ? EP_STATUS_IGNORE : &status_c;
    *index = MPI_UNDEFINED;
    if (to)
        status_read(status, to);
    int rc = several_begin(&s, "ep_waitany", *count, requests, NULL);
    if (rc == MPI_SUCCESS)
        rc = ep_waitany(*count, s.requests, index, to);
    index_c2f(index);
    if (to)
        status_write(to, status);
    several_end(&s, ierror, rc, 0);
}
FORTRAN_NAMES(waitany)

void pmpi_testany_(MPI_Fint *count, MPI_Fint *requests, MPI_Fint *index, MPI_Fint *flag, MPI_Fint *status,
                   MPI_Fint *ierror)
{
    struct several s;
    ep_status status_c, *to = status_is_ignored(status) ? EP_STATUS_IGNORE : &status_c;
    *index = MPI_UNDEFINED;
    if (to)
        status_read(status, to);
    int rc = several_begin(&s, "ep_testany", *count, requests, NULL);
    if (rc == MPI_SUCCESS)
        rc = ep_testany(*count, s.requests, index, flag, to);
    index_c2f(index);
    if (to)
        status_write(to, status);
    several_end(&s, ierror, rc, 0);
}
FORTRAN_NAMES(testany)

/* ---- some of them ---- */

/* How many there are, with indices that begin with 1. Without results nothing is told. */
static int some_end(int rc, const MPI_Fint *outcount, MPI_Fint indices[])
{
    int done = several_is_done(rc) && *outcount != MPI_UNDEFINED ? *outcount : 0;
    for (int i = 0; i < done; i++)
        indices[i]++;
    return done;
}

void pmpi_waitsome_(MPI_Fint *incount, MPI_Fint *requests, MPI_Fint *outcount, MPI_Fint *indices,
                    MPI_Fint *statuses, MPI_Fint *ierror)
{
    struct several s;
    int rc = several_begin(&s, "ep_waitsome", *incount, requests, statuses);
    if (rc == MPI_SUCCESS)
        rc = ep_waitsome(*incount, s.requests, outcount, indices, s.statuses);
    several_end(&s, ierror, rc, some_end(rc, outcount, indices));
}
FORTRAN_NAMES(waitsome)

void pmpi_testsome_(MPI_Fint *incount, MPI_Fint *requests, MPI_Fint *outcount, MPI_Fint *indices,
                    MPI_Fint *statuses, MPI_Fint *ierror)
{
    struct several s;
    int rc = several_begin(&s, "ep_testsome", *incount, requests, statuses);
    if (rc == MPI_SUCCESS)
        rc = ep_testsome(*incount, s.requests, outcount, indices, s.statuses);
    several_end(&s, ierror, rc, some_end(rc, outcount, indices));
}
FORTRAN_NAMES(testsome)
