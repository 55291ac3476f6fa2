/* SPDX-License-Identifier: BSD-3-Clause */
/* Endpoints and communicators (MPI Forum issue 56; MPI 6.4, 6.7, 6.8, 8.3). */
#include <string.h>

#include "api/check.h"

int ep_comm_create_endpoints(MPI_Comm parent, int num_ep, MPI_Info info, ep_comm endpoints[])
{
    struct comm *c;
    endpoints_retire();
    int rc = comm_create(parent, num_ep, endpoints != NULL, info, "ep_comm_create_endpoints", &c);
    if (rc != MPI_SUCCESS)
        return rc;
    rc = endpoints_open(c);
    if (rc != MPI_SUCCESS)
        return raise_error((struct where){NULL, "ep_comm_create_endpoints"}, rc, "no memory for %d endpoints",
                           num_ep);
    for (int i = 0; i < num_ep; i++)
        endpoints[i] = c->local[i];
    if (num_ep == 0)
        comm_destroy(c); /* nobody here will ever use it */
    return MPI_SUCCESS;
}

int ep_comm_free(ep_comm *comm)
{
    struct where w = {NULL, "ep_comm_free"};
    int rc = check_pointer(w, comm, "comm");
    if (rc || (rc = check_comm(&w, *comm)))
        return rc;
    if (w.view->world)
        return raise_error(w, MPI_ERR_COMM, "EP_COMM_SELF is freed with its world");
    if (thread_world() == w.view)
        thread_bind(NULL);
    buffered_orphan(w.view->port);
    endpoint_close(w.view);
    *comm = EP_COMM_NULL;
    return MPI_SUCCESS;
}

int ep_comm_rank(ep_comm comm, int *rank)
{
    struct where w = {NULL, "ep_comm_rank"};
    int rc = check_comm(&w, comm);
    if (rc || (rc = check_pointer(w, rank, "rank")))
        return rc;
    *rank = w.view->rank;
    return MPI_SUCCESS;
}

int ep_comm_size(ep_comm comm, int *size)
{
    struct where w = {NULL, "ep_comm_size"};
    int rc = check_comm(&w, comm);
    if (rc || (rc = check_pointer(w, size, "size")))
        return rc;
    *size = w.view->size;
    return MPI_SUCCESS;
}

int ep_comm_test_inter(ep_comm comm, int *flag)
{
    struct where w = {NULL, "ep_comm_test_inter"};
    int rc = check_comm(&w, comm);
    if (rc || (rc = check_pointer(w, flag, "flag")))
        return rc;
    *flag = 0; /* endpoints are created as intracommunicators */
    return MPI_SUCCESS;
}

int ep_comm_get_attr(ep_comm comm, int keyval, void *attribute_val, int *flag)
{
    struct where w = {NULL, "ep_comm_get_attr"};
    int rc = check_comm(&w, comm);
    if (rc || (rc = check_pointer(w, attribute_val, "attribute_val")) ||
        (rc = check_pointer(w, flag, "flag")))
        return rc;
    if (!comm_attr(w.view, keyval, attribute_val, flag))
        return raise_error(w, MPI_ERR_KEYVAL, "argument keyval is %d: no such key", keyval);
    return MPI_SUCCESS;
}

int ep_comm_set_name(ep_comm comm, const char *name)
{
    struct where w = {NULL, "ep_comm_set_name"};
    int rc = check_comm(&w, comm);
    if (rc || (rc = check_pointer(w, name, "name")))
        return rc;
    lock_acquire(&w.view->lock);
    strncpy(w.view->name, name, sizeof w.view->name - 1);
    lock_release(&w.view->lock);
    return MPI_SUCCESS;
}

int ep_comm_get_name(ep_comm comm, char *name, int *resultlen)
{
    struct where w = {NULL, "ep_comm_get_name"};
    int rc = check_comm(&w, comm);
    if (rc || (rc = check_pointer(w, name, "name")) || (rc = check_pointer(w, resultlen, "resultlen")))
        return rc;
    lock_acquire(&w.view->lock);
    strcpy(name, w.view->name);
    lock_release(&w.view->lock);
    *resultlen = (int)strlen(name);
    return MPI_SUCCESS;
}

/* Where the error handler of comm is kept; see ep.h for EP_COMM_WORLD in a thread that is not bound. */
static int find_handler(struct where *w, ep_comm comm, _Atomic(ep_errhandler) **handler)
{
    *handler = &process.errhandler;
    if (comm == EP_COMM_WORLD && !view_of(comm))
        return MPI_SUCCESS;
    int rc = check_comm(w, comm);
    if (rc == MPI_SUCCESS)
        *handler = &w->view->errhandler;
    return rc;
}

int ep_comm_set_errhandler(ep_comm comm, ep_errhandler errhandler)
{
    struct where w = {NULL, "ep_comm_set_errhandler"};
    _Atomic(ep_errhandler) *handler;
    int rc = find_handler(&w, comm, &handler);
    if (rc)
        return rc;
    if (errhandler != EP_ERRORS_ARE_FATAL && errhandler != EP_ERRORS_RETURN)
        return raise_error(w, MPI_ERR_ARG, "argument errhandler is no error handler");
    store_release(handler, errhandler);
    return MPI_SUCCESS;
}

int ep_comm_get_errhandler(ep_comm comm, ep_errhandler *errhandler)
{
    struct where w = {NULL, "ep_comm_get_errhandler"};
    _Atomic(ep_errhandler) *handler;
    int rc = find_handler(&w, comm, &handler);
    if (rc || (rc = check_pointer(w, errhandler, "errhandler")))
        return rc;
    *errhandler = load_acquire(handler);
    return MPI_SUCCESS;
}

int ep_comm_get_mpi_comm(ep_comm comm, MPI_Comm *mpi_comm)
{
    struct where w = {NULL, "ep_comm_get_mpi_comm"};
    int rc = check_comm(&w, comm);
    if (rc || (rc = check_pointer(w, mpi_comm, "mpi_comm")))
        return rc;
    *mpi_comm = w.view->comm->mpi;
    return MPI_SUCCESS;
}

int ep_thread_bind(ep_comm world)
{
    struct where w = {NULL, "ep_thread_bind"};
    if (world != EP_COMM_NULL) {
        int rc = check_comm(&w, world);
        if (rc)
            return rc;
        if (w.view->world)
            return raise_error(w, MPI_ERR_COMM, "argument world is EP_COMM_SELF");
    }
    thread_bind(w.view);
    return MPI_SUCCESS;
}
