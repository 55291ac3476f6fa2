/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Creating endpoints. Every process contributes its vote (how many endpoints, which thread level, which
 * CPUs); all votes are gathered, so every process decides the same: go on, or the same error everywhere.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "comm/comm.h"
#include "comm/cpus.h"

enum { NO_ARRAY = INT_MIN };

struct vote {
    int num_ep; /* NO_ARRAY: there is no array for them */
    int thread_level;
    int cpus;   /* CPUs this process may use */
    int online; /* CPUs of the machine */
};

/* The same votes in every process give the same verdict in every process. */
static int judge(const struct vote votes[], int nproc, struct where here)
{
    long total = 0;
    for (int p = 0; p < nproc; p++) {
        if (votes[p].num_ep == NO_ARRAY)
            return raise_error(here, MPI_ERR_ARG, "argument endpoints is a null pointer in process %d", p);
        if (votes[p].num_ep < 0)
            return raise_error(here, MPI_ERR_ARG, "argument num_ep is %d in process %d: it must be 0 or more",
                               votes[p].num_ep, p);
        if (votes[p].num_ep > 1 && votes[p].thread_level == MPI_THREAD_SINGLE && nproc > 1)
            return raise_error(
                here, MPI_ERR_OTHER,
                "process %d asks for %d endpoints, but its MPI runs at MPI_THREAD_SINGLE: start "
                "MPI with MPI_Init_thread(..., MPI_THREAD_MULTIPLE, ...) or ep_init_thread",
                p, votes[p].num_ep);
        total += votes[p].num_ep;
    }
    if (total == 0)
        return raise_error(here, MPI_ERR_ARG, "argument num_ep is 0 in every process");
    if (total > INT_MAX)
        return raise_error(here, MPI_ERR_ARG, "%ld endpoints do not fit into an int", total);
    return MPI_SUCCESS;
}

/* One line per job, by the first process concerned. */
static void warn_if_bound(const struct vote votes[], int nproc, int me)
{
    static _Atomic bool warned;
    int first = -1, concerned = 0;
    for (int p = 0; p < nproc; p++) {
        if (votes[p].num_ep <= votes[p].cpus || votes[p].cpus >= votes[p].online)
            continue;
        first = first < 0 ? p : first;
        concerned++;
    }
    if (first == me && !swap_acquire(&warned, true))
        log_warning(
            "%d of %d processes are bound to fewer CPUs than they have endpoints (process %d: %d endpoints "
            "on %d of %d CPUs); with Open MPI use mpirun --bind-to none or --map-by slot:PE=%d",
            concerned, nproc, me, votes[me].num_ep, votes[me].cpus, votes[me].online, votes[me].num_ep);
}

static bool info_true(MPI_Info info, const char *key)
{
    char value[8];
    int flag = 0;
    if (info != MPI_INFO_NULL)
        MPI_Info_get(info, key, sizeof value - 1, value, &flag);
    return flag && strcasecmp(value, "true") == 0;
}

/* Views are type-stable, so that a freed handle is recognised. */
static struct pool views;
static struct lock views_lock;

static void view_delete(ep_comm v)
{
    store_relaxed(&v->magic, VIEW_FREED);
    lock_acquire(&views_lock);
    pool_put(&views, v);
    lock_release(&views_lock);
}

static ep_comm view_new(struct comm *c, int index)
{
    lock_acquire(&views_lock);
    if (!views.item_size)
        pool_init(&views, sizeof(struct ep_comm_s));
    ep_comm v = pool_get(&views);
    lock_release(&views_lock);
    if (!v)
        return NULL;
    memset(v, 0, sizeof *v);
    static _Atomic uint64_t serials;
    v->serial = add_relaxed(&serials, 1) + 1;
    v->rank = c->first_local + index;
    v->size = c->map.size;
    v->index = index;
    v->comm = c;
    store_relaxed(&v->errhandler, load_relaxed(&process.errhandler));
    store_release(&v->magic, VIEW_LIVE);
    return v;
}

static bool make_views(struct comm *c)
{
    c->local = calloc((size_t)c->nlocal + 1, sizeof(ep_comm));
    if (!c->local)
        return false;
    for (int i = 0; i < c->nlocal; i++)
        if (!(c->local[i] = view_new(c, i)))
            return false;
    return true;
}

bool comm_agree(const struct comm *c, bool ok)
{
    int mine = ok, all = 0;
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, c->mpi);
    return all;
}

/* The private communicators that ep probes. c->mpi is already made. */
static int make_lanes(struct comm *c)
{
    if (c->nproc == 1)
        return MPI_SUCCESS;
    for (; c->nlanes < c->tags.lanes; c->nlanes++) {
        int rc = MPI_Comm_dup(c->mpi, &c->lanes[c->nlanes]);
        if (rc != MPI_SUCCESS)
            return error_class_of_mpi(rc);
        MPI_Comm_set_errhandler(c->lanes[c->nlanes], MPI_ERRORS_RETURN);
    }
    return MPI_SUCCESS;
}

/* Everything that can fail in one process alone; the outcome is then agreed upon. */
static int build_local(struct comm *c, const struct vote votes[])
{
    int *counts = malloc((size_t)c->nproc * sizeof *counts);
    if (!counts)
        return MPI_ERR_NO_MEM;
    for (int p = 0; p < c->nproc; p++)
        counts[p] = votes[p].num_ep;
    bool ok = rankmap_init(&c->map, counts, c->nproc);
    free(counts);
    if (!ok)
        return MPI_ERR_NO_MEM;
    c->first_local = rankmap_rank(&c->map, c->proc, 0);
    c->nlocal = votes[c->proc].num_ep;
    store_relaxed(&c->open, c->nlocal);
    tag_layout_init(&c->tags, process.mpi_tag_ub, c->map.widest);
    c->lanes = malloc((size_t)c->tags.lanes * sizeof(MPI_Comm));
    return c->lanes && make_views(c) ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}

static int gather_votes(struct comm *c, int num_ep, struct vote **votes)
{
    struct vote mine = {num_ep, process.thread_level, cpus_allowed(), cpus_online()};
    *votes = malloc((size_t)c->nproc * sizeof **votes);
    if (!comm_agree(c, *votes != NULL))
        return MPI_ERR_NO_MEM;
    return error_class_of_mpi(MPI_Allgather(&mine, 4, MPI_INT, *votes, 4, MPI_INT, c->mpi));
}

/* All of creation after the duplicate c->mpi exists. */
static int build(struct comm *c, int num_ep, struct where here)
{
    struct vote *votes = NULL;
    int rc = gather_votes(c, num_ep, &votes), worst;
    if (rc == MPI_SUCCESS) {
        rc = judge(votes, c->nproc, here);
        if (rc != MPI_SUCCESS) {
            free(votes);
            return rc;
        }
        rc = build_local(c, votes);
        MPI_Allreduce(&rc, &worst, 1, MPI_INT, MPI_MAX, c->mpi);
        rc = worst != MPI_SUCCESS ? worst : make_lanes(c);
        warn_if_bound(votes, c->nproc, c->proc);
    }
    free(votes);
    if (rc != MPI_SUCCESS)
        return raise_error(here, rc, "MPI or the system could not provide what %d endpoints need", num_ep);
    cpus_note_load(c->mpi, c->nlocal);
    return MPI_SUCCESS;
}

/* Is parent a communicator to create endpoints on? */
static int check_parent(MPI_Comm parent, struct where here)
{
    int inter;
    if (process_start() != MPI_SUCCESS)
        return raise_error(here, MPI_ERR_OTHER,
                           "MPI is not running: call MPI_Init_thread or ep_init_thread first");
    if (parent == MPI_COMM_NULL)
        return raise_error(here, MPI_ERR_COMM, "argument parent is MPI_COMM_NULL");
    MPI_Comm_test_inter(parent, &inter);
    if (inter)
        return raise_error(here, MPI_ERR_COMM, "argument parent is an intercommunicator");
    return MPI_SUCCESS;
}

int comm_create(MPI_Comm parent, int num_ep, bool have_array, MPI_Info info, const char *call,
                struct comm **result)
{
    struct where here = {NULL, call};
    int rc = check_parent(parent, here);
    if (rc != MPI_SUCCESS)
        return rc;
    struct comm *c = calloc(1, sizeof *c);
    if (!c)
        return raise_error(here, MPI_ERR_NO_MEM, "no memory for %d endpoints", num_ep);
    rc = error_class_of_mpi(MPI_Comm_dup(parent, &c->mpi));
    if (rc != MPI_SUCCESS) {
        free(c);
        return raise_error(here, rc, "argument parent could not be duplicated");
    }
    MPI_Comm_set_errhandler(c->mpi, MPI_ERRORS_RETURN);
    MPI_Comm_rank(c->mpi, &c->proc);
    MPI_Comm_size(c->mpi, &c->nproc);
    c->single_owner = info_true(info, "ep_single_owner");
    rc = build(c, num_ep > 0 && !have_array ? NO_ARRAY : num_ep, here);
    if (rc != MPI_SUCCESS) {
        comm_destroy(c);
        return rc;
    }
    *result = c;
    return MPI_SUCCESS;
}

struct comm *comm_create_self(void)
{
    int one = 1;
    struct comm *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->mpi = MPI_COMM_SELF;
    c->nproc = c->nlocal = 1;
    store_relaxed(&c->open, 1);
    rankmap_init(&c->map, &one, 1);
    tag_layout_init(&c->tags, process.mpi_tag_ub, 1);
    if (make_views(c))
        return c;
    comm_destroy(c);
    return NULL;
}

void comm_destroy(struct comm *c)
{
    int off = 0;
    MPI_Finalized(&off);
    mpi_enter();
    for (int i = 0; i < c->nlanes && !off; i++)
        MPI_Comm_free(&c->lanes[i]);
    if (!off && c->mpi != MPI_COMM_SELF)
        MPI_Comm_free(&c->mpi);
    mpi_leave();
    for (int i = 0; c->local && i < c->nlocal && c->local[i]; i++)
        view_delete(c->local[i]);
    free(c->local);
    free(c->lanes);
    rankmap_free(&c->map);
    free(c);
}
