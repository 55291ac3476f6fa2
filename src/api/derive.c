/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators made from communicators (MPI 6.4.2, 6.6.2). */
#include <stdlib.h>

#include "api/check.h"
#include "derive/derive.h"

/* ---- dup ---- */

/* What a duplicate has beside its endpoints. */
struct baggage {
    struct attribute *attributes;
    MPI_Info info;
    bool own_info; /* info replaces the parent's hints */
};

/* Put everything into the extras of v, which nobody knows yet. */
static int derive_pack(ep_comm v, ep_comm from, struct baggage *b)
{
    struct topology *t = topology_of(from);
    MPI_Info info = MPI_INFO_NULL;
    int rc = MPI_SUCCESS;
    v->reproducible = !b->own_info && from->reproducible;
    if (!b->own_info)
        rc = info_copy(from, &info);
    else if (b->info != MPI_INFO_NULL)
        rc = info_set(v, b->info);
    if (info != MPI_INFO_NULL) {
        struct extras *x = view_extras(v);
        if (x)
            x->info = info;
        rc = x ? rc : MPI_ERR_NO_MEM;
    }
    if (rc == MPI_SUCCESS && t && !topology_attach(v, topology_hold(t))) {
        topology_drop(t);
        rc = MPI_ERR_NO_MEM;
    }
    if (rc == MPI_SUCCESS && b->attributes && !view_extras(v))
        rc = MPI_ERR_NO_MEM;
    return rc;
}

/* Everybody takes part, whatever goes wrong here, so that all learn of it. *mine: what is to be returned
 * then. */
static int derive_idup_common(struct where w, struct baggage *b, ep_comm *newcomm, ep_request *request,
                              int *mine)
{
    ep_comm v = view_new();
    *mine = v ? attr_copy(w.view, &b->attributes) : MPI_ERR_NO_MEM;
    int rc = *mine;
    if (rc == MPI_SUCCESS)
        rc = derive_pack(v, w.view, b);
    int told = rc == MPI_SUCCESS || (rc > 0 && rc <= MPI_ERR_LASTCODE) ? rc : MPI_ERR_OTHER;
    rc = derive_idup(w.view, v, b->attributes, told, w.call, request);
    if (rc != MPI_SUCCESS) {
        attr_discard(w.view, b->attributes);
        return raise_error(w, rc, "no memory to duplicate a communicator");
    }
    *newcomm = v;
    return MPI_SUCCESS;
}

static int derive_dup(struct where w, struct baggage b, ep_comm *newcomm)
{
    ep_request request = EP_REQUEST_NULL;
    int mine = MPI_SUCCESS, rc = derive_idup_common(w, &b, newcomm, &request, &mine);
    if (rc != MPI_SUCCESS)
        return rc;
    p2p_wait(request);
    rc = p2p_finish(&request, EP_STATUS_IGNORE, w.call);
    endpoints_retire();
    if (rc == MPI_SUCCESS)
        return rc;
    *newcomm = EP_COMM_NULL;
    return handle_error(w.view, mine ? mine : rc);
}

static int derive_start_dup(struct where w, ep_comm *newcomm, ep_request *request)
{
    struct baggage b = {.info = MPI_INFO_NULL};
    int mine = MPI_SUCCESS, rc = derive_idup_common(w, &b, newcomm, request, &mine);
    return rc || !mine ? rc : handle_error(w.view, mine);
}

/* ---- split ---- */

static int check_color(struct where w, int color)
{
    if (color >= 0 || color == MPI_UNDEFINED)
        return MPI_SUCCESS;
    return raise_error(w, MPI_ERR_ARG, "argument color is %d: it must be 0 or more, or MPI_UNDEFINED", color);
}

static int check_split_type(struct where w, int split_type, int64_t *color)
{
    *color = MPI_UNDEFINED;
    if (split_type == MPI_COMM_TYPE_SHARED)
        *color = (int64_t)(process.machine >> 1);
    else if (split_type == EP_COMM_TYPE_PROCESS)
        *color = w.view->comm->proc;
    else if (split_type != MPI_UNDEFINED)
        return raise_error(w, MPI_ERR_ARG,
                           "argument split_type is %d: it must be MPI_COMM_TYPE_SHARED, "
                           "EP_COMM_TYPE_PROCESS or MPI_UNDEFINED",
                           split_type);
    return MPI_SUCCESS;
}

static int split_with_info(struct where w, int64_t color, int key, MPI_Info info, ep_comm *newcomm)
{
    int rc = derive_split(w, color, key, info != MPI_INFO_NULL, newcomm);
    return rc == MPI_SUCCESS && *newcomm && info != MPI_INFO_NULL ? info_set(*newcomm, info) : rc;
}

/* ---- groups ---- */

/* Ranks of the group's members in the view's group; NULL if there are none, or on an error, which is
 * raised. */
static int derive_locate(struct where w, ep_group group, int **ranks, int *mine)
{
    struct group_map *r = group_get_map(group);
    *mine = MPI_UNDEFINED;
    *ranks = reserve_malloc(((size_t)r->size + 1) * sizeof **ranks);
    if (!*ranks)
        return raise_error(w, MPI_ERR_NO_MEM, "no memory for a group of %d", r->size);
    group_map_locate(r, view_group(w.view), *ranks);
    for (int i = 0; i < r->size; i++) {
        if ((*ranks)[i] < 0) {
            reserve_free(*ranks);
            *ranks = NULL;
            return raise_error(w, MPI_ERR_GROUP, "argument group: its member %d is not in comm", i);
        }
        if ((*ranks)[i] == w.view->rank)
            *mine = i;
    }
    return MPI_SUCCESS;
}

static int create_of_group(struct where w, ep_group group, ep_comm *newcomm)
{
    int *ranks = NULL, mine, rc = derive_locate(w, group, &ranks, &mine);
    if (rc)
        return derive_refuse(w, rc);
    bool member = mine != MPI_UNDEFINED;
    rc = derive_create(w, member ? ranks[0] : 0, member ? mine : 0, member ? group_get_map(group)->size : 0,
                       newcomm);
    reserve_free(ranks);
    return rc;
}

static int create_in_group(struct where w, ep_group group, int tag, ep_comm *newcomm)
{
    int *ranks = NULL, mine, rc = derive_locate(w, group, &ranks, &mine);
    if (rc)
        return rc;
    if (mine != MPI_UNDEFINED) /* who is not in it gets EP_COMM_NULL at once, as in the MPI libraries */
        rc = derive_create_group(w, ranks, group_get_map(group)->size, mine, tag, newcomm);
    reserve_free(ranks);
    return rc;
}

/* ---- intercommunicators ---- */

/* The leader's arguments. */
static int check_leader(struct where w, ep_comm peer_comm, int remote_leader, int tag, struct meet_at *at)
{
    struct where peer = {NULL, w.call};
    peer.view = view_of(peer_comm);
    if (!peer.view)
        return raise_handle(w, MPI_ERR_COMM, "peer_comm", peer_comm == EP_COMM_NULL ? "EP_COMM_NULL" : NULL);
    if (remote_leader < 0 || remote_leader >= peer.view->peers)
        return raise_error(w, MPI_ERR_RANK, "argument remote_leader is %d: it must be in 0..%d",
                           remote_leader, peer.view->peers - 1);
    if (!peer.view->comm->inter && remote_leader == peer.view->rank)
        return raise_error(w, MPI_ERR_RANK, "argument remote_leader is %d: that is the caller itself",
                           remote_leader);
    if (tag < 0 || tag > peer.view->comm->tags.ub)
        return raise_error(w, MPI_ERR_TAG, "argument tag is %d: it must be in 0..%d", tag,
                           peer.view->comm->tags.ub);
    at->peer = peer.view;
    return MPI_SUCCESS;
}

static int check_local_leader(struct where w, int local_leader)
{
    if (local_leader >= 0 && local_leader < w.view->size)
        return MPI_SUCCESS;
    return raise_error(w, MPI_ERR_RANK, "argument local_leader is %d: it must be in 0..%d", local_leader,
                       w.view->size - 1);
}

/* An error of the leader's is told to its group. */
static int create_intercomm(struct where w, int local_leader, ep_comm peer_comm, int remote_leader, int tag,
                            ep_comm *newintercomm)
{
    struct meet_at at = {.local_leader = local_leader, .remote_leader = remote_leader, .tag = tag};
    int mine = MPI_SUCCESS;
    if (w.view->rank == local_leader)
        mine = check_leader(w, peer_comm, remote_leader, tag, &at);
    return derive_intercomm(w, &at, mine, newintercomm);
}

static int check_inter(struct where w)
{
    return w.view->comm->inter ? MPI_SUCCESS
                               : raise_error(w, MPI_ERR_COMM, "argument intercomm is an intracommunicator");
}

#include "api/derive.inc"
