/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The life of a PE (OpenSHMEM 1.5, 9.1). It belongs to a rank (dropin/rank.c) and lasts as long as that: memory that is found by a
 * stale pointer of a thread says that SHMEM has ended. Phases change in the thread that calls init and finalize; the standard
 * has the program order these before and after calls of other threads.
 */
#include <stdlib.h>

#include <string.h>

#include "dropin/dropin.h"
#include "shmem/environment.h"
#include "shmem/pe.h"

static int init_error(const char *call, const struct shmem_pe *pe, const char *text)
{
    return raise_error((struct where){pe ? pe->world : NULL, call}, MPI_ERR_OTHER, "%s", text);
}

/* ---- whose call it is ---- */

static struct shmem_pe *pe_of_rank(void)
{
    struct mpi_rank *rank = ep_rank_bound();
    return rank ? *ep_rank_shmem(rank) : NULL;
}

static struct shmem_pe *pe_find(const char *call)
{
    struct shmem_pe *pe = pe_of_rank();
    if (pe && load_relaxed(&pe->phase) == PE_INSIDE) {
        ep_shmem_here = &pe->fast;
        return pe;
    }
    if (!ep_rank_bound())
        init_error(call, NULL, "this thread belongs to no PE: start the program with eprun");
    else if (pe && load_relaxed(&pe->phase) == PE_AFTER)
        init_error(call, pe, "the PE has called shmem_finalize before");
    else
        raise_error((struct where){ep_rank_world(ep_rank_bound()), call}, MPI_ERR_OTHER,
                    "the PE has not called shmem_init or shmem_init_thread before");
    return NULL;
}

struct shmem_pe *pe_here(const char *call)
{
    struct shmem_reach *here = ep_shmem_here;
    struct shmem_pe *pe = here ? container_of(here, struct shmem_pe, fast) : NULL;
    return likely(pe && pe->reach.npes > 0) ? pe : pe_find(call);
}

int pe_agree(struct shmem_pe *pe, int rc)
{
    int worst = rc;
    int own = ep_allreduce(&rc, &worst, 1, MPI_INT, MPI_MAX, pe->comm);
    return own ? own : worst;
}

/* ---- beginning ---- */

/* From the reserve where there is no memory: all others come to the next step, where they wait for this PE. */
static struct shmem_pe *pe_new(struct mpi_rank *rank, int level)
{
    struct shmem_pe *pe = reserve_calloc(sizeof *pe);
    if (!pe)
        return NULL;
    pe->world = ep_rank_world(rank);
    pe->level = level;
    *ep_rank_shmem(rank) = pe;
    return pe;
}

/* What comes after memory. The same class in all PEs. */
static int pe_begin_parts(struct shmem_pe *pe, const char *call)
{
    int rc = pe_agree(pe, heap_begin(pe) ? MPI_SUCCESS : MPI_ERR_NO_MEM);
    if (rc == MPI_SUCCESS && !teams_begin(pe))
        rc = MPI_ERR_NO_MEM;
    return rc ? pe_error(pe, call, rc, "no memory") : rc;
}

static int pe_begin(struct shmem_pe *pe, const char *call)
{
    size_t heap_bytes;
    int rc = ep_comm_dup(pe->world, &pe->comm);
    if (rc)
        return rc;
    ep_comm_set_name(pe->comm, "OpenSHMEM");
    if ((rc = environment_read(pe, call, &heap_bytes)) || (rc = map_begin(pe, heap_bytes, call)) ||
        (rc = pe_begin_parts(pe, call)))
        return rc;
    if (!pe->checks)
        pe->fast = pe->reach;
    store_relaxed(&pe->phase, PE_INSIDE);
    ep_shmem_here = &pe->fast;
    environment_tell(pe);
    return MPI_SUCCESS;
}

/* All that it has, as far as it was made. Collective. */
static void pe_undo(struct shmem_pe *pe)
{
    teams_end(pe);
    heap_end(pe);
    pe->fast = pe->reach = (struct shmem_reach){.me = pe->reach.me};
    map_end(pe);
    if (pe->comm != EP_COMM_NULL)
        ep_comm_free(&pe->comm);
}

/* Of start_pes, which the program may call again. */
static bool begun_by_start_pes(const char *call)
{
    const struct shmem_pe *pe = pe_of_rank();
    return pe && load_relaxed(&pe->phase) == PE_INSIDE && strcmp(call, "start_pes") == 0;
}

/* The program ends without shmem_finalize: it is called implicitly (9.1.4). */
static void pe_at_exit(void *unused)
{
    struct shmem_pe *pe = pe_of_rank();
    (void)unused;
    if (pe && load_relaxed(&pe->phase) == PE_INSIDE)
        ep_shmem_finalize("shmem_finalize");
}

static bool level_is_one(int level)
{
    return level >= SHMEM_THREAD_SINGLE && level <= SHMEM_THREAD_MULTIPLE;
}

int ep_shmem_init(int requested, int *provided, const char *call)
{
    struct mpi_rank *rank = ep_rank_bound();
    if (begun_by_start_pes(call))
        return 0;
    if (!rank)
        return init_error(call, NULL, "this thread belongs to no PE: start the program with eprun");
    if (*ep_rank_shmem(rank))
        return init_error(call, *ep_rank_shmem(rank), "the PE has called shmem_init or shmem_init_thread before");
    if (!level_is_one(requested))
        return raise_error((struct where){ep_rank_world(rank), call}, MPI_ERR_ARG,
                           "argument requested is %d: no thread level", requested);
    struct shmem_pe *pe = pe_new(rank, requested);
    if (!pe)
        return raise_error((struct where){ep_rank_world(rank), call}, MPI_ERR_NO_MEM, "no memory");
    int rc = pe_begin(pe, call);
    if (rc) { /* the program may try again, with a smaller heap */
        pe_undo(pe);
        *ep_rank_shmem(rank) = NULL;
        reserve_free(pe);
        return rc;
    }
    ep_rank_at_exit(rank, pe_at_exit, NULL);
    if (provided)
        *provided = pe->level;
    return MPI_SUCCESS;
}

/* ---- end ---- */

/* A barrier over all PEs first: what others put here has come, and they access nothing more. */
void ep_shmem_finalize(const char *call)
{
    struct shmem_pe *pe = pe_here(call);
    if (!pe)
        return;
    pe_quiet(pe);
    ep_barrier(pe->comm);
    store_relaxed(&pe->phase, PE_AFTER);
    pe_undo(pe);
}

void ep_shmem_global_exit(int status)
{
    ep_rank_end_job(status);
}
