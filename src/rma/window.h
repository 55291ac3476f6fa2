/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Windows. A window has a communicator of its own, a duplicate of the user's: its fences and creations are not
 * mixed up with other collective calls, and its views carry the endpoints' ranks, names, attributes, hints and error
 * handlers (view_part leads back here).
 */
#ifndef EP_RMA_WINDOW_H
#define EP_RMA_WINDOW_H

#include "rma/atomic.h"
#include "rma/channel.h"
#include "rma/lock.h"
#include "rma/regions.h"

/* An endpoint's memory, as this process sees it. Constant after creation. */
struct exposed {
    char *base; /* direct: here; copied: in its own process; else NULL (or it is a dynamic window: addresses, from NULL) */
    size_t size;
    int disp_unit;
    bool direct; /* by load and store: it is near, or in shared memory */
    bool copied; /* by the kernel (net_peer_copy), contiguous data: a created window of a peer's */
    _Atomic int *
        lock; /* the word of its target lock (lock.h: orders; by this name relaxed); NULL: its process has to be asked */
};

/* The part of a window that exists once per process. All of it is constant from creation to freeing. */
struct window {
    struct comm *comm;
    int flavor;              /* MPI_WIN_FLAVOR_... */
    ep_win *local;           /* by local index */
    struct exposed *exposed; /* by rank */
    /* several processes; by process of comm */
    struct net_am_domain *domain;
    ep_win **remote; /* its `local`, in its memory */
    /* memory */
    struct segment segment; /* shared with the other processes of the machine; base NULL: not */
    struct arena arena;     /* of direct accesses */
    char *slab;             /* of an allocated window in private memory */
    size_t slab_bytes;
    /* native put and get: window j exposes the endpoint with local index j of each process, in bytes; held in lock_all */
    MPI_Win *native;
    int nnative;       /* 0: no native path */
    size_t native_min; /* bytes from which it is taken */
    _Atomic int open;  /* endpoints that have not freed it yet; acq_rel close_window */
};

/* What an endpoint may access. Changed by its own calls only; two threads that use one endpoint at a time must not
 * disagree about epochs, MPI says, so relaxed. */
enum access {
    ACCESS_NONE,
    ACCESS_FENCE,      /* after a fence, nothing accessed yet: other kinds of epochs may begin */
    ACCESS_FENCE_USED, /* only a fence ends it */
    ACCESS_START,      /* those with OPEN_STARTED in open[] */
    ACCESS_LOCK,       /* those with a lock in open[] */
    ACCESS_LOCK_ALL    /* all; OPEN_SHARED in open[]: the lock was acquired there */
};
enum open_bits {
    OPEN_SHARED = 1,
    OPEN_EXCLUSIVE = 2,
    OPEN_NOCHECK = 4,
    OPEN_STARTED = 8,
    OPEN_ANY = 15,
    OPEN_ASKED =
        16 /* lock_all: a thread of the endpoint waits for the lock there; others wait for that thread */
};

enum { WINDOW_LIVE = 0x65705f77, WINDOW_FREED = 0x66726577, WINDOW_ENDED = 0x656e6477 };

/*
 * What a handle ep_win points to: one endpoint's part. Type-stable.
 */
struct ep_win_s {
    struct pool_item item; /* the pool's while free */
    /* constant while live */
    _Atomic uint32_t magic; /* relaxed */
    ep_comm view;           /* of the window's communicator */
    struct window *window;
    void *base; /* what the user gave or got: attributes */
    MPI_Aint size;
    int disp_unit;
    int create_flavor, memory_model; /* attributes point here */

    _Alignas(CACHE_LINE) struct ep_request_s accessed; /* of what was complete when its call returned */

    /* as an origin: its own calls */
    _Atomic uint8_t access; /* enum access; relaxed */
    bool lock_all_nocheck;
    bool locked_nobody;    /* MPI_PROC_NULL is locked, too */
    _Atomic bool overtook; /* it has overtaken somebody who waited, see lock.h; relaxed */
    int ranks;              /* constant, like exposed and counters: what direct.h asks for, at hand */
    _Atomic uint8_t
        *open; /* by rank: enum open_bits, 0 outside of epochs with it; release take_of_all, acquire is_answered (by pointer,
                * epoch.c) */
    const struct exposed *exposed;
    struct counters *counters; /* the endpoint's */
    _Atomic int held;        /* target locks that it has in an epoch of lock_all; relaxed */
    int nlocked;             /* targets locked by ep_win_lock */
    _Atomic uint64_t began;  /* when the epoch in which it overtook somebody began, ns; relaxed */
    struct lock epochs;      /* guards nlocked and locked_nobody, and the beginning and end of ACCESS_LOCK */
    struct channel *channel; /* by process; NULL with one process */
    _Atomic bool *by_native; /* by native window: it was used; relaxed */
    int *started, nstarted;  /* ACCESS_START: ranks; malloc'd */
    _Atomic int
        fault; /* enum fault that a target reported; taken by the next wait (channel_wait); acquire take_fault */
    _Atomic int fault_target;    /* relaxed */
    void *_Atomic fault_address; /* relaxed */
    struct lock pending_gets_lock;
    struct pool pending_gets; /* under pending_gets_lock */
    _Atomic(struct pending_get *)
        spare; /* one that is free, put by the poll alone: release pending_get_over, acquire pending_get_new */

    /* as an origin: written by targets or the poll */
    _Atomic uint32_t *posted; /* by rank: posts that came; acq_rel epoch_serve_post, acquire all_posted */
    uint32_t *used;           /* by rank: posts that starts have used up: its own calls */

    /* as a target */
    struct target_lock target_lock; /* who has locked it: lock.h */
    uint64_t target_lock_place;     /* of its word in the segment of the process; 0: it is not there */
    _Atomic uint32_t
        completed;   /* PSCW: completes that came; acq_rel epoch_serve_complete, acquire pscw_is_over */
    uint32_t waited; /* completes that ended epochs have used up: its own calls */
    bool exposing;
    int expected;           /* size of the group of the present post */
    struct regions regions; /* dynamic */
};

/* Not freed, but MPI ends or has ended. */
static inline bool win_has_ended(ep_win win)
{
    return pool_may_hold(win) && load_relaxed(&win->magic) == WINDOW_ENDED;
}

/* Out of line: one that has may be used in the user's functions that MPI calls at its end. */
bool win_of_ended(ep_win win);

static inline bool win_is_live(ep_win win)
{
    return likely(pool_may_hold(win)) &&
           (likely(load_relaxed(&win->magic) == WINDOW_LIVE) || win_of_ended(win));
}

/* Rank in the window's communicator -> process of comm and local index there. */
static inline int win_process(const struct window *w, int rank, int *index)
{
    return rankmap_proc(&w->comm->map, rank, index);
}

static inline bool win_is_near(const struct window *w, int rank, int *index)
{
    return comm_is_near(w->comm, rank, index);
}

#endif
