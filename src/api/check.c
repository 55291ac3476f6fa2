/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/check.h"

#include <stdio.h>

ep_comm view_of_other(ep_comm comm)
{
    if (pool_may_hold(comm))
        return view_has_ended(comm) && process_mpi_runs() ? comm : NULL;
    ep_comm world = thread_world();
    if (!world || (comm != EP_COMM_WORLD && comm != EP_COMM_SELF))
        return NULL;
    if (unlikely(view_has_ended(world)) && !process_mpi_runs())
        return NULL;
    return comm == EP_COMM_WORLD ? world : endpoint_self(world);
}

int raise_not_running(struct where w)
{
    int begun = 0;
    MPI_Initialized(&begun);
    return raise_error(w, MPI_ERR_OTHER, begun ? "MPI has ended (MPI_Finalize)" : "MPI is not initialised");
}

int check_comm_slow(struct where *w, ep_comm comm)
{
    w->view = view_of(comm);
    if (likely(w->view))
        return MPI_SUCCESS;
    if (comm == EP_COMM_NULL)
        return raise_error(*w, MPI_ERR_COMM, "argument comm is EP_COMM_NULL");
    if ((comm == EP_COMM_WORLD || comm == EP_COMM_SELF) && load_relaxed(&process.runs_ranks))
        return raise_error(*w, MPI_ERR_COMM, "the rank is not between MPI_Init and MPI_Finalize");
    if (!process_mpi_runs()) { /* the communicator's error, if it was not freed, or that of the thread's endpoint */
        w->view = pool_may_hold(comm) && view_has_ended(comm) ? comm : thread_world();
        return raise_not_running(*w);
    }
    if (comm == EP_COMM_WORLD || comm == EP_COMM_SELF)
        return raise_error(*w, MPI_ERR_COMM,
                           "argument comm is %s, but this thread is not bound to an endpoint "
                           "(ep_thread_bind)",
                           comm == EP_COMM_WORLD ? "EP_COMM_WORLD" : "EP_COMM_SELF");
    return raise_error(*w, MPI_ERR_COMM, "argument comm is a freed or invalid handle");
}

int raise_least(struct where w, int error_class, int least, int value, const char *name)
{
    return raise_error(w, error_class, "argument %s is %d: it must be %d or more", name, value, least);
}

int check_entries(struct where w, int error_class, int least, const int array[], size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (unlikely(array[i] < least))
            return raise_error(w, error_class, "%s[%zu] is %d: it must be %d or more", name, i, array[i],
                               least);
    return MPI_SUCCESS;
}

int raise_type(struct where w, MPI_Datatype datatype, const char *name)
{
    if (!process_mpi_runs())
        return raise_not_running(w);
    return raise_error(w, MPI_ERR_TYPE, "argument %s is %s", name,
                       datatype == MPI_DATATYPE_NULL ? "MPI_DATATYPE_NULL" : "not a committed datatype");
}

int check_data(struct where w, const void *buf, int count, MPI_Datatype datatype, struct span *data)
{
    struct type *t;
    int rc = check_count(w, count, "count");
    if (unlikely(rc) || unlikely((rc = check_type(w, datatype, "datatype", &t))))
        return rc;
    if (unlikely(!buf && count > 0 && t->named && t->size > 0))
        return raise_error(w, MPI_ERR_BUFFER, "argument buf is null, but count is %d", count);
    if (unlikely(buf == MPI_IN_PLACE && count > 0))
        return raise_error(w, MPI_ERR_BUFFER,
                           "argument buf is MPI_IN_PLACE, which only collective calls know");
    *data = (struct span){(char *)(uintptr_t)buf, (size_t)count, t, datatype};
    return MPI_SUCCESS;
}

int check_dest(struct where w, int dest)
{
    if (likely((unsigned)dest < (unsigned)w.view->peers) || dest == MPI_PROC_NULL)
        return MPI_SUCCESS;
    return raise_error(w, MPI_ERR_RANK, "argument dest is %d: it must be in 0..%d or MPI_PROC_NULL", dest,
                       w.view->peers - 1);
}

int check_source(struct where w, int source)
{
    if (likely((unsigned)source < (unsigned)w.view->peers) || source == MPI_ANY_SOURCE ||
        source == MPI_PROC_NULL)
        return MPI_SUCCESS;
    return raise_error(w, MPI_ERR_RANK,
                       "argument source is %d: it must be in 0..%d, MPI_ANY_SOURCE or MPI_PROC_NULL", source,
                       w.view->peers - 1);
}

int check_tag(struct where w, int tag, bool wildcard)
{
    if (likely((unsigned)tag <= (unsigned)w.view->comm->tags.ub) || (wildcard && tag == MPI_ANY_TAG))
        return MPI_SUCCESS;
    return raise_error(w, MPI_ERR_TAG, "argument tag is %d: it must be in 0..%d%s", tag,
                       w.view->comm->tags.ub, wildcard ? " or MPI_ANY_TAG" : "");
}

int check_message_slow(struct where *w, struct span *data, const void *buf, int count, MPI_Datatype datatype,
                       int peer, int tag, ep_comm comm, bool receives)
{
    *data = (struct span){0};
    int rc = check_comm(w, comm);
    if (rc || (rc = check_data(*w, buf, count, datatype, data)) ||
        (rc = receives ? check_source(*w, peer) : check_dest(*w, peer)))
        return rc;
    return check_tag(*w, tag, receives);
}

int raise_pointer(struct where w, const char *name)
{
    return raise_error(w, MPI_ERR_ARG, "argument %s is a null pointer", name);
}

int raise_handle(struct where w, int error_class, const char *name, const char *null)
{
    return raise_error(w, error_class, "argument %s is %s", name, null ? null : "a freed or invalid handle");
}

int check_group(struct where w, ep_group group, const char *name)
{
    if (likely(group_is_valid(group)))
        return MPI_SUCCESS;
    return raise_handle(w, MPI_ERR_GROUP, name, group == EP_GROUP_NULL ? "EP_GROUP_NULL" : NULL);
}

int check_intra(struct where w)
{
    return unlikely(w.view->comm->inter)
               ? raise_error(w, MPI_ERR_COMM, "argument comm is an intercommunicator")
               : MPI_SUCCESS;
}

int check_info(struct where w, MPI_Info info)
{
    return info == MPI_INFO_NULL || foreign_info_is_sound(info) ? MPI_SUCCESS
                                                                : raise_handle(w, MPI_ERR_INFO, "info", NULL);
}

int raise_request(struct where w, ep_request r, const char *argument)
{
    if (!request_has_ended(r))
        return raise_error(w, MPI_ERR_REQUEST, "%s is a freed or invalid handle", argument);
    w.view = request_view(r);
    return raise_not_running(w);
}

int check_requests(struct where w, int count, const ep_request r[])
{
    if (unlikely(count < 0))
        return check_count(w, count, "count");
    if (unlikely(!r && count > 0))
        return raise_error(w, MPI_ERR_REQUEST, "argument requests is a null pointer");
    for (int i = 0; i < count; i++)
        if (unlikely(r[i] && !request_is_live(r[i]))) {
            char argument[32];
            snprintf(argument, sizeof argument, "requests[%d]", i);
            return raise_request(w, r[i], argument);
        }
    return MPI_SUCCESS;
}

int give_request(struct where w, ep_request made, ep_request *request)
{
    *request = made;
    return made ? MPI_SUCCESS : raise_error(w, MPI_ERR_NO_MEM, "no memory for a request");
}
