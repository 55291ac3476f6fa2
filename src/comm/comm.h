/* SPDX-License-Identifier: BSD-3-Clause */
/* comm: who is who. Endpoints, communicators, ranks, errors. */
#ifndef EP_COMM_COMM_H
#define EP_COMM_COMM_H

#include <assert.h>
#include <ep.h>

#include "base/base.h"
#include "comm/error.h"
#include "comm/handle.h"
#include "comm/hooks.h"
#include "comm/process.h"
#include "comm/rankmap.h"
#include "comm/group_map.h"
#include "comm/tag.h"

struct endpoint;      /* p2p: an endpoint's inbox, requests and lock */
struct p2p_comm;      /* p2p */
struct gather;        /* derive */
struct coll_comm;     /* coll */
struct net_am_domain; /* net */
struct net_peer;      /* net */

/*
 * What is common to a set of endpoints and all communicators derived from it, once per process: the MPI
 * communicator from whose processes those of derived communicators are made. Nobody ever sends on it what
 * ep probes for.
 */
struct domain {
    MPI_Comm inner;   /* private; MPI_COMM_NULL in a domain of one process */
    MPI_Comm am;      /* private: rma's messages; the same processes */
    int rank;         /* in both */
    uint64_t id;      /* the same in all processes of the domain, no other has it */
    bool checks;      /* EP_CHECK, as its processes have agreed */
    _Atomic int refs; /* communicators; acq_rel domain_drop */
    struct net_peer *
        *peers;  /* net: by rank in inner: who is reached through memory; NULL: nobody. Constant when open */
    bool remote; /* net: some are reached by MPI alone. The same */
    struct net_am_domain *domain; /* net: from the first window on; under the lock of all domains (am.c) */
    void (*end_domain)(struct net_am_domain *d);
};

/*
 * The part of a communicator that exists once per process, shared by its local endpoints.
 * Everything above `open` is constant from creation until the last local handle is freed.
 *
 * Ranks here are union ranks: those of an intercommunicator's lower group (side 0), then those of the upper
 * (side 1). In an intracommunicator they are the ranks, and all endpoints are on side 0.
 */
struct comm {
    struct rankmap map;
    struct tag_layout tags;
    int proc, nproc; /* this process and all of them, as ranks of lanes */
    int first_local; /* contiguous: union ranks of this process's endpoints are first_local + local index */
    int nlocal;
    bool contiguous;
    bool inter;
    bool single_owner;   /* info key ep_single_owner */
    bool checks;         /* its domain's */
    const char *overlap; /* intercommunicator: its case (docs/intercommunicators.md), "0" to "3c" */
    int leader[2];       /* intercommunicator: leading processes as ranks of MPI_COMM_WORLD */
    struct domain *domain;
    struct group_map *group[2]; /* members of each side; [1] is NULL in an intracommunicator */
    MPI_Comm *lanes;            /* private; ep probes them for anything. NULL when nproc is 1 */
    int nlanes;
    unsigned quick; /* nlocal, where short messages between its local endpoints go the quick way (p2p/quick.h); else 0 */
    uint64_t context; /* the same in all its processes, no other communicator of theirs has it */
    /* its processes as ranks of the domain: inner_first + process * inner_step, or inner_of[process] */
    int inner_first, inner_step, *inner_of;
    ep_comm *local;   /* by local index; the objects live as long as this struct */
    _Atomic int open; /* local views not yet settled; acq_rel endpoint_check_settled and endpoint_let_go */
    /* under lock */
    struct lock lock;
    MPI_Comm
        mpi; /* for users (ep_comm_get_mpi_comm); never probed by ep. With one process made when asked for */
    struct gather *gathers; /* derive: collective calls under way */
    MPI_Comm
        shadow; /* intercommunicator: like mpi, but unknown to users; duplicates are made of it. Constant */
    /* what layers above keep of it: constant, of types that they alone know (comm_attach) */
    struct p2p_comm *p2p;
    struct coll_comm *coll;
};

/* What few communicators have: made when first asked for. */
struct extras {
    void *part; /* the window or file whose communicator this is, constant; else NULL */
    enum handle_kind part_kind;
    _Atomic(ep_errhandler) no_file; /* of EP_FILE_NULL, for the endpoint whose world this is; relaxed */
    char name[MPI_MAX_OBJECT_NAME];
    struct attribute *attributes; /* attr.h */
    struct topology *topology;    /* topology.h */
    MPI_Info info;                /* hints of the user or MPI_INFO_NULL */
    MPI_Fint fortran;             /* handle.h; 0: none yet */
};

/*
 * What a handle ep_comm points to: one endpoint's view of one communicator. Behind it is what p2p keeps of it (view_attach).
 * There are as many as endpoints times communicators, so what few need is in extras; what changes often begins a cache line.
 * Invariant: magic is VIEW_LIVE exactly while the handle may be used; or VIEW_ENDED, if MPI begins to end then. The user's
 * functions that MPI calls at its end may still use those (view_of_other).
 */
struct ep_comm_s {
    union {
        struct pool_item item; /* the pool's while free */
        struct extras *extras; /* under lock; NULL until view_extras makes them; then they stay until the view goes */
    };
    /* constant while live */
    _Atomic uint32_t
        magic;      /* release endpoint_view_live; read relaxed: a handle comes to a thread in order */
    int rank, size; /* in its group */
    int peers;      /* size of the group it sends to: the other one in an intercommunicator, else its own */
    int peer_base;  /* union rank of that group's first endpoint */
    int index;      /* local index */
    struct comm *comm;
    struct endpoint *endpoint;
    uint64_t serial; /* no two views ever have the same: tells a recycled object from the one meant */
    /* any thread */
    _Atomic(ep_errhandler) errhandler; /* relaxed */
    struct lock lock;
    unsigned calls;    /* collective calls begun on it, by the one thread that may */
    bool is_self;      /* constant: an EP_COMM_SELF */
    bool reproducible; /* info key ep_reproducible, under lock; not changed during a collective call */
};

enum { VIEW_LIVE = 0x65705f76, VIEW_FREED = 0x66726565, VIEW_ENDED = 0x656e6465 };

/* An endpoint takes at least so much memory; most of it is its inbox. */
enum { COMM_ENDPOINT_BYTES = 16 << 10 };

/* Create endpoints: the shared part with its views (endpoints still NULL). have_array: the
 * caller has room for the handles. Collective over parent. agreed: the settings of all its processes; what is
 * to be done together goes by them, since another thread may just have changed this process's. *result is
 * NULL in a process without endpoints. On failure an error is raised for call and returned, the same class in
 * every process. */
int comm_create(MPI_Comm parent, int num_ep, bool have_array, MPI_Info info, const char *call,
                long agreed[SETTINGS_VOTES], struct comm **result);

/* Did all processes succeed? Collective, before the communicator is used. */
bool comm_agree(const struct comm *c, bool ok);

/* A layer's part of each communicator: so many bytes behind struct comm, zeroed. */
enum comm_slot { COMM_SLOT_P2P, COMM_SLOT_COLL, COMM_SLOTS };
struct comm_part {
    size_t bytes;
    bool (*begin)(struct comm *c); /* c is complete but for its views. False without memory */
    void (*end)(struct comm *c);   /* c goes; begin may have failed, or not been called. Both may be NULL */
};
/* Before any communicator is made. part lasts. */
void comm_attach(enum comm_slot slot, const struct comm_part *part);

/* Empty. NULL without memory. */
struct comm *comm_new(void);

/* A communicator of view's endpoint alone, without MPI traffic. NULL without memory. */
struct comm *comm_create_self(ep_comm view);

/* Give back MPI communicators and memory; no local handle is open and nobody probes it. */
void comm_destroy(struct comm *c);

/* Set what follows from map, proc and the MPI underneath: tags, local ranks, room for lanes and views. */
bool comm_complete(struct comm *c);

/* Live views of all local endpoints, with the error handler of new ones. False without memory. */
bool comm_make_views(struct comm *c);

/* inner is MPI_COMM_NULL at first. NULL without memory. */
struct domain *domain_new(uint64_t id, int rank, bool checks);
struct domain *domain_hold(struct domain *u);
void domain_drop(struct domain *u);

/* Processes of c are these ranks of its domain. False without memory. */
bool comm_set_inner(struct comm *c, const int inner[]);
/* The same processes as `from`. False without memory. */
bool comm_copy_inner(struct comm *c, const struct comm *from);

static inline int comm_inner(const struct comm *c, int proc)
{
    assert((unsigned)proc < (unsigned)c->nproc);
    return c->inner_of ? c->inner_of[proc] : c->inner_first + proc * c->inner_step;
}

/* A number that no other process draws. */
uint64_t random_id(void);

/* ---- views ---- */

/* p2p keeps so many bytes behind each view, zeroed when it is made. Before any is. */
void view_attach(size_t bytes);

/* Not live yet, of no communicator. NULL without memory. */
ep_comm view_new(void);
/* Make v the endpoint at a local index of c. */
void view_init(ep_comm v, struct comm *c, int index, ep_errhandler errhandler);
void view_delete(ep_comm v);
/* MPI ends: what is live has ended. */
void views_end(void);

/* NULL without memory. */
struct extras *view_extras(ep_comm v);

/* v is the communicator of this window or file; NULL: no longer. False without memory. */
bool view_set_part(ep_comm v, enum handle_kind kind, void *object);
/* That window or file, if it is one of this kind; else NULL. */
void *view_part(ep_comm v, enum handle_kind kind);
/* Is there one? Under v's lock. */
bool view_is_part_locked(const struct ep_comm_s *v);

/* Predefined attributes. False: no such key. */
bool comm_attr(ep_comm view, int keyval, void *value, int *flag);

static inline bool view_is_live(ep_comm v)
{
    return load_relaxed(&v->magic) == VIEW_LIVE;
}

/* Not freed, but MPI ends or has ended. */
static inline bool view_has_ended(ep_comm v)
{
    return load_relaxed(&v->magic) == VIEW_ENDED;
}

/* It has its error handler, name and so on: not freed. */
static inline bool view_is_whole(ep_comm v)
{
    return view_is_live(v) || view_has_ended(v);
}

/* 1 in the upper group of an intercommunicator. */
static inline int view_side(const struct ep_comm_s *v)
{
    return v->comm->inter && v->peer_base == 0;
}

static inline int view_union_rank(const struct ep_comm_s *v)
{
    return v->rank + (v->comm->inter && v->peer_base == 0 ? v->peers : 0);
}

/* Members of the view's own group, and of the other. */
static inline struct group_map *view_group(const struct ep_comm_s *v)
{
    return v->comm->group[view_side(v)];
}

static inline struct group_map *view_remote_group(const struct ep_comm_s *v)
{
    return v->comm->group[!view_side(v)];
}

static inline struct identity view_identity(const struct ep_comm_s *v)
{
    return group_map_at(view_group(v), v->rank);
}

/* Union rank of the endpoint that a message with this tag goes to. */
static inline int view_target(const struct ep_comm_s *v, int dest, int tag)
{
    return likely(!tag_is_union(tag)) ? dest + v->peer_base : dest;
}

/* Is a union rank in this process? Then its local index. */
static inline bool comm_is_near(const struct comm *c, int rank, int *index)
{
    if (likely(c->contiguous)) {
        *index = rank - c->first_local;
        return (unsigned)*index < (unsigned)c->nlocal;
    }
    return rankmap_proc(&c->map, rank, index) == c->proc;
}

/* ---- which endpoint the calling thread is bound to ---- */

/* The world that the thread is bound to, or NULL. */
ep_comm thread_world(void);
void thread_bind(ep_comm world);

/* The world counts only while *inside is true; NULL: always. */
void thread_bind_while(ep_comm world, const _Atomic bool *inside);

/* The slot of the thread's own attached buffer (p2p/buffered.c). */
struct bsend;
struct bsend **thread_buffer(void);

/* All of this: for a thread that acts for another, which waits until it has ended. */
struct binding {
    ep_comm world;
    uint64_t world_serial;
    const _Atomic bool
        *counts;           /* NULL: always; release enter (dropin/rank.c, by pointer), acquire thread_world */
    struct bsend **buffer; /* NULL: the thread's own slot */
};
struct binding thread_binding(void);
void thread_act_as(const struct binding *b);

/* What callbacks are given for a view: the program's name for it. In a program that knows nothing of endpoints
 * these are the constants for its world and the communicator of itself. */
ep_comm handle_of(ep_comm view);
/* The same in Fortran (handle.h): of its window or file, where it is one's. The null handle's without memory. */
MPI_Fint view_number(ep_comm view);
/* Windows and files are recycled: nobody may find the next one by the number of this one, which goes. */
void view_forget_number(ep_comm view);

/* ---- hints of a view (MPI 6.4.4): info.c ---- */

/* Is key set to true? `otherwise` if it is neither true nor false. Between mpi_enter and mpi_leave. */
bool info_flag(MPI_Info info, const char *key, bool otherwise);

/* A duplicate of the hints that were set, MPI_INFO_NULL if there are none. An error class; nothing is
 * raised. */
int info_copy(ep_comm view, MPI_Info *copy);

/* Set the hints of info, and view->reproducible; others that were set stay. */
int info_set(ep_comm view, MPI_Info info);

/* What the user gets: what was set and what is true of the communicator. */
int info_of(ep_comm view, MPI_Info *used);

/* The rest of the layer. */
#include "comm/attr.h"
#include "comm/errhandler.h"
#include "comm/foreign.h"
#include "comm/group.h"
#include "comm/lanes.h"
#include "comm/segment.h"
#include "comm/topology.h"

#endif
