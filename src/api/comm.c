/* SPDX-License-Identifier: BSD-3-Clause */
/* Endpoints and communicators (MPI Forum issue 56; MPI 6.4). */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "api/check.h"
#include "derive/derive.h"
#include "observe/observe.h"

static const char CREATE[] = "ep_comm_create_endpoints";

static int comm_create_common(MPI_Comm parent, int num_ep, MPI_Info info, ep_comm endpoints[])
{
    struct comm *c;
    long agreed[SETTINGS_VOTES];
    endpoints_retire();
    int rc = comm_create(parent, num_ep, endpoints != NULL, info, CREATE, agreed, &c);
    if (rc != MPI_SUCCESS)
        return rc;
    observe_begin(parent, agreed);
    if (!c) /* no endpoints here */
        return MPI_SUCCESS;
    rc = endpoint_open_views(c);
    if (rc != MPI_SUCCESS)
        return raise_error((struct where){NULL, CREATE}, rc, "no memory for %d endpoints", num_ep);
    for (int i = 0; i < num_ep; i++)
        endpoints[i] = c->local[i];
    return MPI_SUCCESS;
}

/* All this blocks in MPI, which knows nothing of tasks: a thread of its own does it for one. */
struct comm_creation {
    MPI_Comm parent;
    int num_ep, rc;
    MPI_Info info;
    ep_comm *endpoints;
    struct binding caller;
    char why[MPI_MAX_ERROR_STRING];
    crt_cond_t done;
};

static void *run_creation(void *arg)
{
    struct comm_creation *x = arg;
    thread_act_as(&x->caller);
    x->rc = comm_create_common(x->parent, x->num_ep, x->info, x->endpoints);
    const char *why = error_message(x->rc);
    snprintf(x->why, sizeof x->why, "%s", why ? why : "");
    crt_signal(&x->done);
    return NULL;
}

int ep_comm_create_endpoints(MPI_Comm parent, int num_ep, MPI_Info info, ep_comm endpoints[])
{
    struct comm_creation x = {
        .parent = parent, .num_ep = num_ep, .info = info, .endpoints = endpoints, .caller = thread_binding()};
    pthread_t thread;
    bool apart = caller_suspends() && process_start() == MPI_SUCCESS && !process.gated &&
                 pthread_create(&thread, NULL, run_creation, &x) == 0;
    if (!apart)
        return comm_create_common(parent, num_ep, info, endpoints);
    crt_wait(&x.done);
    pthread_join(thread, NULL);
    if (x.rc != MPI_SUCCESS)
        note_error((struct where){NULL, NULL}, x.rc, "%s", x.why); /* for ep_error_string here */
    return x.rc;
}

/* The attributes of EP_COMM_SELF go first when the endpoint goes (MPI 8.7.1). */
static int clear_attributes(struct where w)
{
    ep_comm self = endpoint_is_last(w.view) ? load_acquire(&w.view->endpoint->self) : NULL;
    int rc = self ? attr_clear(self) : MPI_SUCCESS;
    if (rc == MPI_SUCCESS)
        rc = attr_clear(w.view);
    return rc == MPI_SUCCESS ? rc : handle_error(w.view, rc);
}

static int check_handle(struct where *w, const ep_comm *comm)
{
    int rc = check_pointer(*w, comm, "comm");
    if (rc || (rc = check_comm(w, *comm)))
        return rc;
    if (w->view->is_self)
        return raise_error(*w, MPI_ERR_COMM, "EP_COMM_SELF is freed with its endpoint");
    if (load_relaxed(&process.runs_ranks) && w->view == thread_world())
        return raise_error(*w, MPI_ERR_COMM, "MPI_COMM_WORLD is freed by MPI_Finalize");
    return MPI_SUCCESS;
}

static int free_handle(struct where w, ep_comm *comm)
{
    int rc = clear_attributes(w);
    if (rc != MPI_SUCCESS)
        return rc;
    if (thread_world() == w.view)
        thread_bind(NULL);
    if (endpoint_is_last(w.view))
        buffered_orphan(w.view->endpoint);
    endpoint_close_view(w.view);
    *comm = EP_COMM_NULL;
    return MPI_SUCCESS;
}

int ep_comm_free(ep_comm *comm)
{
    struct where w = {NULL, "ep_comm_free"};
    int rc = check_handle(&w, comm);
    return rc ? rc : free_handle(w, comm);
}

int ep_comm_disconnect(ep_comm *comm)
{
    struct where w = {NULL, "ep_comm_disconnect"};
    int rc = check_handle(&w, comm);
    if (rc)
        return rc;
    p2p_drain(w.view);
    rc = derive_barrier(w);
    return rc ? rc : free_handle(w, comm);
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
    *flag = w.view->comm->inter;
    return MPI_SUCCESS;
}

int ep_comm_remote_size(ep_comm comm, int *size)
{
    struct where w = {NULL, "ep_comm_remote_size"};
    int rc = check_comm(&w, comm);
    if (rc || (rc = check_pointer(w, size, "size")))
        return rc;
    if (!w.view->comm->inter)
        return raise_error(w, MPI_ERR_COMM, "argument comm is an intracommunicator");
    *size = w.view->peers;
    return MPI_SUCCESS;
}

/* Relation of two lists of endpoints. */
static int compare_group_maps(const struct group_map *a, const struct group_map *b, int at[], int *result)
{
    *result = MPI_UNEQUAL;
    if (a->size != b->size)
        return MPI_SUCCESS;
    group_map_locate(a, b, at);
    *result = MPI_CONGRUENT;
    for (int i = 0; i < a->size && *result != MPI_UNEQUAL; i++)
        if (at[i] != i)
            *result = at[i] < 0 ? MPI_UNEQUAL : MPI_SIMILAR;
    return MPI_SUCCESS;
}

static int comm_compare(ep_comm a, ep_comm b, int *result)
{
    int other = MPI_CONGRUENT, rc;
    *result = a->comm == b->comm ? MPI_IDENT : MPI_UNEQUAL;
    if (a->comm == b->comm || a->comm->inter != b->comm->inter)
        return MPI_SUCCESS;
    int most = a->size > a->peers ? a->size : a->peers;
    int *at = malloc((size_t)most * sizeof *at);
    rc = at ? compare_group_maps(view_group(a), view_group(b), at, result) : MPI_ERR_NO_MEM;
    if (rc == MPI_SUCCESS && a->comm->inter)
        rc = compare_group_maps(view_remote_group(a), view_remote_group(b), at, &other);
    free(at);
    if (other == MPI_UNEQUAL || (other == MPI_SIMILAR && *result == MPI_CONGRUENT))
        *result = other;
    return rc;
}

int ep_comm_compare(ep_comm comm1, ep_comm comm2, int *result)
{
    struct where w = {NULL, "ep_comm_compare"}, w2 = w;
    int rc = check_comm(&w, comm1);
    if (rc || (rc = check_comm(&w2, comm2)) || (rc = check_pointer(w, result, "result")))
        return rc;
    rc = comm_compare(w.view, w2.view, result);
    return rc == MPI_SUCCESS ? rc : raise_error(w, rc, "no memory to compare %d endpoints", w.view->size);
}

int ep_comm_get_mpi_comm(ep_comm comm, MPI_Comm *mpi_comm)
{
    struct where w = {NULL, "ep_comm_get_mpi_comm"};
    int rc = check_comm(&w, comm);
    if (rc || (rc = check_pointer(w, mpi_comm, "mpi_comm")))
        return rc;
    *mpi_comm = lanes_public(w.view->comm);
    return MPI_SUCCESS;
}

int ep_thread_bind(ep_comm world)
{
    struct where w = {NULL, "ep_thread_bind"};
    if (world != EP_COMM_NULL) {
        int rc = check_comm(&w, world);
        if (rc)
            return rc;
        if (w.view->is_self)
            return raise_error(w, MPI_ERR_COMM, "argument world is EP_COMM_SELF");
    }
    thread_bind(w.view);
    return MPI_SUCCESS;
}
