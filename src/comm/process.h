/* SPDX-License-Identifier: BSD-3-Clause */
/* What ep knows of its process: the MPI underneath and how it may be called. */
#ifndef EP_COMM_PROCESS_H
#define EP_COMM_PROCESS_H

#include <ep.h>

#include "base/base.h"

struct process {
    /* constant after process_start */
    int thread_level; /* MPI's */
    bool gated;       /* thread_level < MULTIPLE: one thread in MPI at a time, by gate */
    bool funneled;    /* communication only by the main thread */
    int mpi_tag_ub;
    int rank;         /* in MPI_COMM_WORLD, for messages */
    uint64_t machine; /* the same in processes that can share memory */
    MPI_Comm self;    /* private, of this process alone */
    /* any thread */
    _Atomic bool runs_ranks; /* the program speaks MPI and knows nothing of endpoints (src/dropin); relaxed */
    struct lock gate;
    _Atomic uintptr_t occupant; /* the thread that has the gate for a function of the user's, or 0; relaxed: it is
                                 * set and cleared by that thread while it has the gate */
    _Atomic(ep_errhandler) errhandler; /* of what belongs to no communicator, and of new endpoints; relaxed */
    _Atomic(ep_errhandler) no_file;    /* of EP_FILE_NULL, for threads that are bound to no endpoint; relaxed */
};

extern struct process process;

/* Learn about the MPI underneath; once, later calls do nothing. MPI_ERR_OTHER if MPI is not running; else the class of an error
 * of MPI's. */
int process_start(void);
/* Initialised and not yet finalised. */
bool process_mpi_runs(void);
/* Forget it and free what belongs to MPI. */
void process_stop(void);

/* Around calls of MPI that are not the user's, on a communicator that is: their errors are ep's to tell, so its handler there does not
 * see them. Returns what to give to unmute. */
MPI_Errhandler process_mute(MPI_Comm users);
void process_unmute(MPI_Comm users, MPI_Errhandler handler);

/* What is done when MPI ends, before anything of it has ended (MPI 8.7.1), in this order: messages on their
 * way arrive, threads of ep's own leave MPI. END_STATS and END_TRACE may call MPI together with all other processes. */
enum at_end {
    END_SHM,
    END_HELPER,
    END_WATCHDOG,
    END_STATS,
    END_TRACE,
    END_VIEWS,
    END_REQUESTS,
    END_WINDOWS,
    END_FILES,
    ENDS
};
/* Have run called then, once, however often this is called for it. Between mpi_enter and mpi_leave. */
void process_at_end(enum at_end when, void (*run)(void));

/* Where MPI allows one thread at a time: the calling thread has it alone until process_vacate, since it is about to run a function
 * of the user's that calls it. Meanwhile mpi_enter lets this thread in, and others wait there. */
void process_occupy(void);
void process_vacate(void);
/* Has the calling thread done so; has another one? */
bool process_occupies(void);
bool process_is_occupied(void);

/* Around every call of MPI. */
static inline void mpi_enter(void)
{
    if (unlikely(process.gated) && !process_occupies())
        lock_acquire(&process.gate);
}

static inline void mpi_leave(void)
{
    if (unlikely(process.gated) && !process_occupies())
        lock_release(&process.gate);
}

/* May the calling thread communicate through MPI? */
bool process_is_main_thread(void);
static inline bool mpi_callable(void)
{
    return likely(!process.funneled) || process_is_main_thread();
}

#endif
