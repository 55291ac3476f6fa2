/* SPDX-License-Identifier: BSD-3-Clause */
/* comm: who is who. Endpoints, communicators, ranks, errors. */
#ifndef EP_COMM_COMM_H
#define EP_COMM_COMM_H

#include <ep.h>

#include "base/base.h"
#include "comm/error.h"
#include "comm/process.h"
#include "comm/rankmap.h"
#include "comm/tag.h"

struct port;    /* p2p: an endpoint's inbox, requests and lock */
struct matcher; /* p2p: an endpoint's queues on one communicator */

/* A message that was probed and found no memory: the next poll tries again before it probes on. */
struct stuck {
    bool any;
    int lane;
    MPI_Message message;
    MPI_Status status;
};

/*
 * The part of a communicator that exists once per process, shared by its local endpoints.
 * Everything but `open` is constant from creation until the last local handle is freed.
 */
struct comm {
    struct rankmap map;
    struct tag_layout tags;
    int proc, nproc;         /* this process and all of them, as ranks of mpi */
    int first_local, nlocal; /* ranks of this process's endpoints: first_local + local index */
    MPI_Comm mpi;            /* for users (ep_comm_get_mpi_comm) and collectives; never probed by ep */
    MPI_Comm *lanes;         /* private; ep probes them for anything. NULL when nproc is 1 */
    int nlanes;
    ep_comm *local;    /* by local index; the objects live as long as this struct */
    bool single_owner; /* info key ep_single_owner */
    _Atomic int open;  /* local handles not yet closed */
    struct stuck
        stuck; /* p2p: a probed message that could not be delivered for want of memory, under the poll lock */
    struct comm *next_polled;  /* p2p: list of communicators to probe, under the poll lock */
    struct comm *next_retired; /* p2p: list of communicators to destroy */
};

/*
 * What a handle ep_comm points to: one endpoint's view of one communicator.
 * Invariant: magic is VIEW_LIVE exactly while the handle may be used.
 */
struct ep_comm_s {
    struct pool_item item; /* the pool's while free */
    /* constant while live */
    _Atomic uint32_t magic;
    int rank, size, index; /* index: local index */
    struct comm *comm;
    struct port *port;
    struct matcher *matcher;
    uint64_t serial; /* no two views ever have the same: tells a recycled object from the one meant */
    ep_comm world;   /* of an EP_COMM_SELF: the view it was made for */
    ep_comm self;    /* EP_COMM_SELF of this endpoint, made on first use, under lock */
    /* under lock */
    struct lock lock;
    char name[MPI_MAX_OBJECT_NAME];
    /* any thread */
    _Atomic(ep_errhandler) errhandler;
};

enum { VIEW_LIVE = 0x65705f76, VIEW_FREED = 0x66726565 };

/* Make the shared part with its views (ports and matchers still NULL). have_array: the caller has room for
 * the handles. Collective over parent. On
 * failure an error is raised for call and returned, the same class in every process. */
int comm_create(MPI_Comm parent, int num_ep, bool have_array, MPI_Info info, const char *call,
                struct comm **result);

/* Did all processes succeed? Collective. */
bool comm_agree(const struct comm *c, bool ok);

/* A communicator of one endpoint alone, without MPI traffic. NULL without memory. */
struct comm *comm_create_self(void);

/* Give back MPI communicators and memory; no local handle is open and nobody probes it. */
void comm_destroy(struct comm *c);

/* Predefined attributes. False: no such key. */
bool comm_attr(ep_comm view, int keyval, void *value, int *flag);

static inline bool view_is_live(ep_comm v)
{
    return load_relaxed(&v->magic) == VIEW_LIVE;
}

/* Is rank in this process? Then its local index. */
static inline bool comm_is_near(const struct comm *c, int rank, int *index)
{
    *index = rank - c->first_local;
    return (unsigned)*index < (unsigned)c->nlocal;
}

#endif
