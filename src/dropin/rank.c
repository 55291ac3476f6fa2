/* SPDX-License-Identifier: BSD-3-Clause */
/* The life of a rank (MPI 8.7, 12.4.3). MPI itself runs before the first rank does, and longer than the
 * last. */
#include "dropin/rank.h"

#include <ep_calls.h>
#include <stdlib.h>

#include "api/api.h"

static _Thread_local struct mpi_rank *bound;
_Thread_local struct shmem_reach *ep_shmem_here;

struct mpi_rank *ep_rank_new(ep_comm world)
{
    struct mpi_rank *r = calloc(1, sizeof *r);
    if (!r)
        return NULL;
    store_relaxed(&process.runs_ranks, true);
    r->world = world;
    lock_init(&r->fortran.lock, LOCK_FORTRAN);
    return r;
}

/* Of a rank that nobody has been bound to before. */
static void rank_begin(struct mpi_rank *rank)
{
    rank->has_main = true;
    rank->main = pthread_self();
    thread_bind(rank->world);
    ep_comm_set_name(EP_COMM_WORLD, "MPI_COMM_WORLD");
    ep_comm_set_name(EP_COMM_SELF, "MPI_COMM_SELF");
}

void ep_rank_bind(struct mpi_rank *rank)
{
    bound = rank;
    ep_shmem_here = NULL;
    if (rank && !rank->has_main)
        rank_begin(rank);
    thread_bind_while(rank ? rank->world : NULL, rank ? &rank->inside : NULL);
}

void ep_rank_thread_ends(void)
{
    caller_thread_ends();
}

int ep_rank_number(const struct mpi_rank *rank)
{
    return rank->world->rank;
}

ep_comm ep_rank_world(const struct mpi_rank *rank)
{
    return rank->world;
}

struct shmem_pe **ep_rank_shmem(struct mpi_rank *rank)
{
    return &rank->shmem;
}

struct mpi_rank *ep_rank_bound(void)
{
    return bound;
}

bool ep_rank_is_inside(const struct mpi_rank *rank)
{
    return load_acquire(&rank->phase) == INSIDE;
}

void ep_rank_at_exit(struct mpi_rank *rank, void (*run)(void *), void *arg)
{
    rank->at_exit = run;
    rank->at_exit_arg = arg;
}

void ep_rank_exits(struct mpi_rank *rank)
{
    void (*run)(void *) = rank->at_exit;
    rank->at_exit = NULL;
    if (run && !ep_rank_is_inside(rank))
        run(rank->at_exit_arg);
}

static void (*end_job)(int status);

void ep_rank_job_ends_by(void (*end)(int status))
{
    end_job = end;
}

void ep_rank_end_job(int status)
{
    if (end_job)
        end_job(status);
    exit(status);
}

void ep_exceptions_from(void *(*here)(void))
{
    exec_context_exceptions_from(here);
}

/* ---- Starting and ending ---- */

/* Each rank may have what it asks for: MPI itself runs at MPI_THREAD_MULTIPLE. What a blocking call blocks
 * was decided before, for the process. */
static int level_for(int required)
{
    return required == EP_TASK_MULTIPLE && !mode_is_task() ? MPI_THREAD_MULTIPLE : required;
}

static int rank_enter(const char *call, int required)
{
    struct where w = {thread_world(), call};
    if (!bound)
        return raise_error(w, MPI_ERR_OTHER, "this thread belongs to no rank: start the program with eprun");
    if (load_relaxed(&bound->phase) != BEFORE)
        return raise_error(w, MPI_ERR_OTHER, "the rank has called MPI_Init or MPI_Init_thread before");
    if (required < MPI_THREAD_SINGLE || required > EP_TASK_MULTIPLE)
        return raise_error(w, MPI_ERR_ARG, "argument required is %d: no thread level", required);
    bound->level = level_for(required);
    bound->main = pthread_self();
    store_release(&bound->phase, INSIDE);
    store_release(&bound->inside, true);
    return MPI_SUCCESS;
}

int ep_PMPI_Init(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    return rank_enter("MPI_Init", MPI_THREAD_SINGLE);
}

int ep_PMPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    (void)argc, (void)argv;
    int rc = check_pointer((struct where){thread_world(), "MPI_Init_thread"}, provided, "provided");
    if (rc || (rc = rank_enter("MPI_Init_thread", required)))
        return rc;
    *provided = bound->level;
    return MPI_SUCCESS;
}

static int rank_outside(struct where w)
{
    return raise_error(w, MPI_ERR_OTHER, "the rank is not between MPI_Init and MPI_Finalize");
}

/* The attributes of MPI_COMM_SELF first (MPI 8.7.1), while all of MPI works. Buffered messages leave while
 * the buffer is detached; the barrier makes progress until all that others have still to get is delivered. */
int ep_PMPI_Finalize(void)
{
    struct where w = {thread_world(), "MPI_Finalize"};
    if (!bound || !ep_rank_is_inside(bound))
        return rank_outside(w);
    ep_comm self = load_acquire(&w.view->endpoint->self);
    int rc = self ? attr_clear(self) : MPI_SUCCESS;
    if (rc != MPI_SUCCESS)
        return handle_error(w.view, rc);
    void *buffer;
    size_t size;
    buffered_detach(&buffer, &size);
    rc = ep_barrier(EP_COMM_WORLD);
    store_release(&bound->phase, AFTER);
    store_release(&bound->inside, false);
    return rc;
}

int ep_PMPI_Abort(ep_comm comm, int errorcode)
{
    ep_comm view = thread_world();
    if (view)
        log_error("endpoint %d of %d (process %d) called MPI_Abort with code %d", view->rank, view->size,
                  process.rank, errorcode);
    return ep_abort(comm, errorcode);
}

/* ---- Asking ---- */

static int rank_answer(const char *call, int *result, int value)
{
    int rc = check_pointer((struct where){thread_world(), call}, result, "flag");
    if (rc == MPI_SUCCESS)
        *result = value;
    return rc;
}

int ep_PMPI_Initialized(int *flag)
{
    return rank_answer("MPI_Initialized", flag, bound && load_acquire(&bound->phase) != BEFORE);
}

int ep_PMPI_Finalized(int *flag)
{
    return rank_answer("MPI_Finalized", flag, bound && load_acquire(&bound->phase) == AFTER);
}

int ep_PMPI_Query_thread(int *provided)
{
    struct where w = {thread_world(), "MPI_Query_thread"};
    if (!bound || !ep_rank_is_inside(bound))
        return rank_outside(w);
    return rank_answer(w.call, provided, bound->level);
}

int ep_PMPI_Is_thread_main(int *flag)
{
    struct where w = {thread_world(), "MPI_Is_thread_main"};
    if (!bound || !ep_rank_is_inside(bound))
        return rank_outside(w);
    return rank_answer(w.call, flag, pthread_equal(pthread_self(), bound->main));
}
