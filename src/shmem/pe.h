/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A PE: a rank of eprun's between shmem_init and shmem_finalize.
 *
 * Memory of a PE that is symmetric: its slice of the heap, and the program's data segment (static and global variables). The
 * slices of all PEs of a machine lie in one segment of memory, which each of its processes maps; eprun has put the data segments
 * of PEs into files that processes of the machine map, too. Where that is not so (other machines, EP_SHARED_MEMORY=0) the memory is
 * exposed in windows, one for each kind, which are in a lock_all epoch as long as the PE lives.
 *
 *   slice of a PE:   SHMEM_CONTROL_BYTES for flags of collectives (sync.h), then heap_bytes of the program's
 */
#ifndef EP_SHMEM_PE_H
#define EP_SHMEM_PE_H

#include "base/base.h"
#include "comm/comm.h"
#include "shmem/shmem.h"

enum { SHMEM_CONTROL_BYTES = 64 << 10 };

enum pe_phase { PE_BEFORE, PE_INSIDE, PE_AFTER };

struct shmem_process; /* what its PEs have in common: map.c */
struct heap;          /* heap.c */
struct shmem_teams;   /* team.c */

struct shmem_pe {
    /* The fast path's (ep_shmem_here), first: reach again. With `checks` it is empty, so that all goes by the functions that check. */
    struct shmem_reach fast;
    /* constant from init to finalize; reach.npes is 0 before and after */
    struct shmem_reach reach;
    ep_comm world;                 /* errors are raised here; the program's MPI_COMM_WORLD */
    ep_comm comm;                  /* a duplicate of it: collectives of ours */
    ep_win heap_window, data_window; /* NULL: everybody is reached without */
    bool direct;                     /* all PEs are reached by load and store: no windows */
    bool checks;                     /* EP_CHECK or SHMEM_DEBUG: accesses to freed memory are told */
    int level;                       /* of threads */
    struct shmem_process *process;
    /* any thread */
    /* Operations of windows, and how many of them a flush has completed, which began after they had. begun is relaxed: of the calling
     * thread's own, or others' that the program has ordered; flushed: release, acquire pe_quiet. */
    _Atomic uint64_t begun, flushed;
    _Atomic int phase;    /* enum pe_phase; relaxed: see init.c */
    /* of the other files */
    struct heap *heap;
    struct shmem_teams *teams;
};

/* The calling thread's PE, between init and finalize; NULL after an error. */
struct shmem_pe *pe_here(const char *call);

/* An error of this PE in that call; gives the class. */
#define pe_error(pe, call, error_class, ...) raise_error((struct where){(pe)->world, call}, error_class, __VA_ARGS__)

/* This PE's flags for collectives, and another one's; NULL: not reached by load and store. Zero at first. */
static inline char *pe_control(const struct shmem_pe *pe, int other)
{
    char *heap = pe->reach.heap_of[other];
    return heap ? heap - SHMEM_CONTROL_BYTES : NULL;
}

/* Is [at, at + bytes) symmetric memory of this PE? Else an error that says which argument. */
bool pe_is_symmetric(struct shmem_pe *pe, const void *at, size_t bytes, const char *argument, const char *call);

/* Block until look(arg), which looks at memory that other PEs write, changes nothing, and may be called by any thread meanwhile: makes
 * progress, suspends the task in task mode. */
void pe_wait(struct shmem_pe *pe, bool (*look)(void *arg), void *arg, const char *call);

/* All that this PE has put by whatever context is complete at its targets. */
void pe_quiet(struct shmem_pe *pe);

/* The same error class in all PEs: the largest. MPI_SUCCESS: nobody has one. Collective over pe->comm. */
int pe_agree(struct shmem_pe *pe, int rc);

/* Where bytes of symmetric memory are on another PE. */
struct shmem_place {
    char *direct;    /* by load and store; else: */
    ep_win window;
    MPI_Aint offset; /* in the window, in bytes */
    int pe;          /* of the world */
};
/* `member` of the context's team. False after an error, which names the argument. bytes > 0. */
bool place_find(struct shmem_pe *pe, shmem_ctx_t ctx, const void *at, size_t bytes, int member, const char *argument,
                const char *call, struct shmem_place *place);

/* map.c: memory of all PEs, collective. An error class, the same in all PEs, raised; map_end undoes what was done. */
int map_begin(struct shmem_pe *pe, size_t heap_bytes, const char *call);
void map_end(struct shmem_pe *pe);

/* heap.c: books of the heap at pe->reach.heap. False without memory. */
bool heap_begin(struct shmem_pe *pe);
void heap_end(struct shmem_pe *pe);
/* With pe->checks: does [at, at + bytes), which is inside the heap, lie in one block that is allocated? */
bool heap_has(struct shmem_pe *pe, const void *at, size_t bytes);

/* team.c, collective. False without memory (in all PEs). */
bool teams_begin(struct shmem_pe *pe);
void teams_end(struct shmem_pe *pe);
/* World PE of a team's (the context's team's) member; -1 after an error: no such team (context), or out of its range. */
int team_world_pe(struct shmem_pe *pe, shmem_team_t team, int member, const char *call);
/* What a context is of: for SHMEM_CTX_DEFAULT the world. SHMEM_TEAM_INVALID after an error. */
shmem_team_t context_team(struct shmem_pe *pe, shmem_ctx_t ctx, const char *call);

#endif
