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

static int check_freeable(struct where w)
{
    if (w.view->is_self)
        return raise_error(w, MPI_ERR_COMM, "EP_COMM_SELF is freed with its endpoint");
    if (load_relaxed(&process.runs_ranks) && w.view == thread_world())
        return raise_error(w, MPI_ERR_COMM, "MPI_COMM_WORLD is freed by MPI_Finalize");
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

static int disconnect_handle(struct where w, ep_comm *comm)
{
    p2p_drain(w.view);
    int rc = derive_barrier(w);
    return rc ? rc : free_handle(w, comm);
}

static int check_has_remote(struct where w)
{
    return w.view->comm->inter ? MPI_SUCCESS
                               : raise_error(w, MPI_ERR_COMM, "argument comm is an intracommunicator");
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

static int comm_compare(struct where w, ep_comm b, int *result)
{
    ep_comm a = w.view;
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
    return rc == MPI_SUCCESS ? rc : raise_error(w, rc, "no memory to compare %d endpoints", a->size);
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

#include "api/comm.inc"
