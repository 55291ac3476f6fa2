/* SPDX-License-Identifier: BSD-3-Clause */
/* api: checks the arguments, finds the objects, calls one function below, reports errors. */
#ifndef EP_API_CHECK_H
#define EP_API_CHECK_H

#include "p2p/p2p.h"

/* Out of line part of view_of: of a constant, or of a communicator that was not freed before MPI began to end, until it has ended. */
ep_comm view_of_other(ep_comm comm);

/* The view behind a handle or one of the constants, which no object can be at; NULL if it is none. */
static inline ep_comm view_of(ep_comm comm)
{
    return likely(pool_holds(comm, VIEW_LIVE)) ? comm : view_of_other(comm);
}

/* Each check raises the error and returns its class, or MPI_SUCCESS. The first sets w->view. */
int check_comm_slow(struct where *w, ep_comm comm); /* out of line part */
static inline int check_comm(struct where *w, ep_comm comm)
{
    w->view = comm;
    if (likely(pool_holds(comm, VIEW_LIVE)))
        return MPI_SUCCESS;
    struct where where = *w; /* a copy, so that w can be in registers */
    int rc = check_comm_slow(&where, comm);
    w->view = where.view;
    return rc;
}
int check_data(struct where w, const void *buf, int count, MPI_Datatype datatype, struct span *data);
/* Parts of check_data, for arguments of other names. */
/* At least that much; error_class is the class of the error. */
__attribute__((cold)) int raise_least(struct where w, int error_class, int least, int value,
                                      const char *name);
static inline int check_least(struct where w, int error_class, int least, int value, const char *name)
{
    return likely(value >= least) ? MPI_SUCCESS : raise_least(w, error_class, least, value, name);
}
static inline int check_count(struct where w, int count, const char *name)
{
    return check_least(w, MPI_ERR_COUNT, 0, count, name);
}
/* The same for each of n entries of an array. */
int check_entries(struct where w, int error_class, int least, const int array[], size_t n, const char *name);
__attribute__((cold)) int raise_type(struct where w, MPI_Datatype datatype, const char *name);
static inline int check_type(struct where w, MPI_Datatype datatype, const char *name, struct type **type)
{
    *type = type_find(datatype);
    return likely(*type) ? MPI_SUCCESS : raise_type(w, datatype, name);
}
int check_dest(struct where w, int dest);
int check_source(struct where w, int source);
int check_tag(struct where w, int tag, bool wildcard);
__attribute__((cold)) int raise_pointer(struct where w, const char *name);
static inline int check_pointer(struct where w, const void *p, const char *name)
{
    return likely(p) ? MPI_SUCCESS : raise_pointer(w, name);
}
/* An array of n > 0 entries must not be null. */
static inline int check_array(struct where w, const void *array, int n, const char *name)
{
    return n > 0 ? check_pointer(w, array, name) : MPI_SUCCESS;
}
/* Where a new handle goes; it becomes EP_COMM_NULL. */
static inline int check_new(struct where w, ep_comm *newcomm, const char *name)
{
    if (unlikely(!newcomm))
        return raise_pointer(w, name);
    *newcomm = EP_COMM_NULL;
    return MPI_SUCCESS;
}
/* MPI does not run (any more). w.view may be one that has ended. */
__attribute__((cold)) int raise_not_running(struct where w);
static inline int check_running(struct where w)
{
    return likely(process_mpi_runs()) ? MPI_SUCCESS : raise_not_running(w);
}
/* A handle that is none; null: the name of the null handle if it is that, else NULL. */
__attribute__((cold)) int raise_handle(struct where w, int error_class, const char *name, const char *null);
int check_group(struct where w, ep_group group, const char *name);
/* w.view's communicator. */
int check_intra(struct where w);
/* argument: "argument request" or "requests[i]". */
__attribute__((cold)) int raise_request(struct where w, ep_request r, const char *argument);
static inline int check_request(struct where w, ep_request r)
{
    return likely(!r || request_is_live(r)) ? MPI_SUCCESS : raise_request(w, r, "argument request");
}
int check_requests(struct where w, int count, const ep_request r[]);
/* A call that makes a request has none in `made` if there was no memory. */
int give_request(struct where w, ep_request made, ep_request *request);

/* An info, or MPI_INFO_NULL. */
int check_info(struct where w, MPI_Info info);

/* Whatever a send or a receive is given. Out of line: message_is_plain has doubts. */
int check_message_slow(struct where *w, struct span *data, const void *buf, int count, MPI_Datatype datatype,
                       int peer, int tag, ep_comm comm, bool receives);

/* Is all that a send or a receive is given right, and the peer not MPI_PROC_NULL? In line; it sets *view and *data.
 * What it has doubts about check_message_slow looks into: errors, MPI_PROC_NULL, null for the buffer. */
static inline bool message_is_plain(ep_comm *view, struct span *data, const void *buf, int count,
                                    MPI_Datatype datatype, int peer, int tag, ep_comm comm, bool receives)
{
    ep_comm v = view_of(comm);
    if (unlikely(!v))
        return false;
    struct type *t = type_find(datatype);
    *view = v;
    *data = (struct span){(char *)(uintptr_t)buf, (size_t)count, t, datatype};
    return likely(t) && likely(count >= 0) && likely((buf && buf != MPI_IN_PLACE) || count == 0) &&
           (likely((unsigned)peer < (unsigned)v->peers) || (receives && peer == MPI_ANY_SOURCE)) &&
           (likely((unsigned)tag <= (unsigned)v->comm->tags.ub) || (receives && tag == MPI_ANY_TAG));
}

/* Both: it sets w->view and *data. */
static inline int check_message(struct where *w, struct span *data, const void *buf, int count,
                                MPI_Datatype datatype, int peer, int tag, ep_comm comm, bool receives)
{
    if (likely(message_is_plain(&w->view, data, buf, count, datatype, peer, tag, comm, receives)))
        return MPI_SUCCESS;
    struct where where = *w; /* copies, so that w and data can be in registers */
    struct span span;
    int rc = check_message_slow(&where, &span, buf, count, datatype, peer, tag, comm, receives);
    *w = where;
    *data = span;
    return rc;
}

#endif
