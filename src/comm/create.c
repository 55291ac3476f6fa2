/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Creating endpoints. Every process contributes its vote (how many endpoints, which thread level, which
 * CPUs); all votes are gathered, so every process decides the same: go on, or the same error everywhere.
 */
#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "comm/comm.h"
#include "comm/lanes.h"
#include "crt/crt.h"

/* ---- CPUs ---- */

/* Sets of up to 8192 CPUs; beyond that the kernel refuses and the online count is taken. */
enum { MASK_WORDS = 128 };

struct mask {
    unsigned long word[MASK_WORDS];
};

static int cpus_are_allowed(struct mask *m)
{
    return places_cpus(m->word, sizeof *m);
}

static int cpus_online(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : (int)n;
}

static int cpus_allowed(void)
{
    struct mask m;
    int n = cpus_are_allowed(&m);
    return n > 0 ? n : cpus_online();
}

/* Tell the waiting code (crt) whether endpoints have to share CPUs: endpoints against CPUs, once for this process and once for all processes of the machine; what counts is
 * the tighter of the two, over all communicators ever made. */
static void cpus_note_load(MPI_Comm comm, int endpoints)
{
    struct mask mine, together;
    MPI_Comm node;
    int total = 0;
    cpus_are_allowed(&mine);
    int rc = MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node), worst;
    rc = lanes_note(&node, rc);
    MPI_Allreduce(&rc, &worst, 1, MPI_INT, MPI_MAX, comm);
    if (worst != MPI_SUCCESS) { /* this was only to choose how to wait */
        lanes_undo(&node);
        return;
    }
    MPI_Allreduce(&endpoints, &total, 1, MPI_INT, MPI_SUM, node);
    MPI_Allreduce(&mine, &together, MASK_WORDS, MPI_UNSIGNED_LONG, MPI_BOR, node);
    lanes_undo(&node);
    int cpus = CPU_COUNT_S(sizeof together, (cpu_set_t *)(void *)&together);
    if (endpoints > cpus_allowed() || (cpus > 0 && total > cpus))
        wait_set_crowded();
}

/* ---- votes ---- */

enum { NO_ARRAY = INT_MIN, NO_INFO };

struct create_vote {
    int num_ep; /* NO_ARRAY: there is no array for them; NO_INFO: info is no handle */
    int thread_level;
    int cpus;   /* CPUs this process may use */
    int online; /* CPUs of the machine */
    long room;  /* endpoints for which there could be memory */
    long settings[SETTINGS_VOTES];
};

/* What cannot be had is refused before anybody has made half of it: then the machine would have no memory left for anything, and
 * MPI no communicators. */
static int create_check_room(const struct create_vote votes[], int nproc, struct where here)
{
    int populated = 0, most = tag_most_indices(process.mpi_tag_ub);
    for (int p = 0; p < nproc; p++)
        populated += votes[p].num_ep > 0;
    for (int p = 0; p < nproc; p++) {
        if (votes[p].num_ep > most && populated > 1)
            return raise_error(here, MPI_ERR_ARG,
                               "argument num_ep is %d in process %d: messages between processes name "
                               "endpoints by MPI's tags, "
                               "which have room for %d in each",
                               votes[p].num_ep, p, most);
        if (votes[p].num_ep > votes[p].room)
            return raise_error(
                here, MPI_ERR_NO_MEM,
                "argument num_ep is %d in process %d: each takes more than %d KiB, and it can have "
                "memory for no more than %ld",
                votes[p].num_ep, p, COMM_ENDPOINT_BYTES >> 10, votes[p].room);
    }
    return MPI_SUCCESS;
}

/* Settings that have to be the same are compared with process 0. */
static int create_check_settings(const struct create_vote votes[], int nproc, struct where here)
{
    for (int p = 1; p < nproc; p++) {
        long value[2];
        char text[2][32];
        const struct setting *s = settings_differ(votes[0].settings, votes[p].settings, value);
        if (s)
            return raise_error(here, MPI_ERR_OTHER,
                               "the setting %s is %s in process 0, but %s in process %d: it must be the same "
                               "in all processes",
                               s->env, settings_show(s, value[0], text[0], sizeof text[0]),
                               settings_show(s, value[1], text[1], sizeof text[1]), p);
    }
    return MPI_SUCCESS;
}

/* The same votes in every process give the same result in every process. */
static int create_check(const struct create_vote votes[], int nproc, struct where here)
{
    long total = 0;
    for (int p = 0; p < nproc; p++) {
        if (votes[p].num_ep == NO_ARRAY)
            return raise_error(here, MPI_ERR_ARG, "argument endpoints is a null pointer in process %d", p);
        if (votes[p].num_ep == NO_INFO)
            return raise_error(here, MPI_ERR_INFO, "argument info is a freed or invalid handle in process %d",
                               p);
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
    int rc = create_check_settings(votes, nproc, here);
    return rc == MPI_SUCCESS ? create_check_room(votes, nproc, here) : rc;
}

/* One line per job, by the first process concerned. */
static void warn_if_bound(const struct create_vote votes[], int nproc, int me)
{
    static _Atomic bool warned; /* relaxed would do: exchanged once */
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

/* What creation knows of the processes; the same everywhere but for me. */
struct census {
    MPI_Comm all; /* the parent's processes */
    int me, nproc;
    struct create_vote *votes;
    long *settings; /* as all have agreed */
    int populated;  /* processes that have endpoints */
    int total;      /* endpoints */
    uint64_t origin;
};

/* Everything that can fail in one process alone; the outcome is then agreed upon. */
static int build_local(struct comm *c, const struct census *s)
{
    int *counts = malloc((size_t)s->populated * sizeof *counts), n = 0;
    if (!counts)
        return MPI_ERR_NO_MEM;
    for (int p = 0; p < s->nproc; p++) {
        c->proc = p == s->me ? n : c->proc;
        if (s->votes[p].num_ep > 0)
            counts[n++] = s->votes[p].num_ep;
    }
    bool ok = rankmap_blocks(&c->map, counts, s->populated);
    free(counts);
    if (!ok)
        return MPI_ERR_NO_MEM;
    c->context = s->origin;
    c->group[0] = group_map_range(s->origin, 0, s->total);
    c->domain = domain_new(s->origin, c->proc, settings_voted(s->settings, &settings.check));
    return c->group[0] && c->domain && comm_complete(c) && comm_make_views(c) ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}

static int agree_class(const struct census *s, int rc)
{
    int worst = rc;
    MPI_Allreduce(&rc, &worst, 1, MPI_INT, MPI_MAX, s->all);
    return worst;
}

/* The processes that have endpoints; c is NULL in one that has none. The result is everybody's. */
static int build_mpi(struct comm *c, const struct census *s)
{
    MPI_Comm inner = MPI_COMM_NULL;
    if (s->populated == 1)
        return MPI_SUCCESS;
    int rc, color = c ? 0 : MPI_UNDEFINED;
    if (s->populated == s->nproc)
        rc = MPI_Comm_dup(s->all, &inner);
    else
        rc = MPI_Comm_split(s->all, color, s->me, &inner);
    rc = lanes_note(&inner, rc);
    if (c)
        c->domain->inner = inner;
    rc = agree_class(s, rc);
    if (rc != MPI_SUCCESS)
        return rc;
    if (c) {
        c->inner_step = 1; /* inner_first is 0 */
        rc = lanes_make(c);
    }
    return agree_class(s, rc);
}

static int gather_votes(struct census *s, int num_ep)
{
    long room = (long)(memory_at_most() / COMM_ENDPOINT_BYTES);
    struct create_vote mine = {num_ep, process.thread_level, cpus_allowed(), cpus_online(), room, {0}};
    settings_vote(mine.settings);
    s->votes = malloc((size_t)s->nproc * sizeof *s->votes);
    int ok = s->votes != NULL, all = 0;
    MPI_Allreduce(&ok, &all, 1, MPI_INT, MPI_MIN, s->all);
    if (!all)
        return MPI_ERR_NO_MEM;
    s->origin = random_id();
    MPI_Bcast(&s->origin, 1, MPI_UINT64_T, 0, s->all);
    return error_class_of_mpi(
        MPI_Allgather(&mine, sizeof mine, MPI_BYTE, s->votes, sizeof mine, MPI_BYTE, s->all));
}

/* What one process was told counts for all, before anything is made that depends on it. */
static void adopt_settings(const struct census *s)
{
    memcpy(s->settings, s->votes[0].settings, sizeof s->votes[0].settings);
    for (int p = 1; p < s->nproc; p++)
        settings_add_vote(s->settings, s->votes[p].settings);
    settings_adopt(s->settings);
}

static int raise_none_left(struct where here, int rc)
{
    return raise_error(here, rc, "%s; this process has %ld by way of ep", lanes_none_left, lanes_made());
}

/* All of creation after the duplicate of the parent exists. */
static int create_build(struct comm **c, struct census *s, int num_ep, struct where here)
{
    int rc = gather_votes(s, num_ep);
    if (rc == MPI_SUCCESS && (rc = create_check(s->votes, s->nproc, here)) != MPI_SUCCESS)
        return rc;
    if (rc == MPI_SUCCESS)
        adopt_settings(s);
    for (int p = 0; p < s->nproc && rc == MPI_SUCCESS; p++) {
        s->populated += s->votes[p].num_ep > 0;
        s->total += s->votes[p].num_ep;
    }
    if (rc == MPI_SUCCESS) {
        if (num_ep > 0)
            rc = *c ? build_local(*c, s) : MPI_ERR_NO_MEM;
        rc = agree_class(s, rc);
    }
    if (rc != MPI_SUCCESS)
        return raise_error(here, rc, "the system could not provide what %d endpoints need", num_ep);
    rc = build_mpi(num_ep > 0 ? *c : NULL, s);
    if (rc != MPI_SUCCESS)
        return raise_none_left(here, rc);
    warn_if_bound(s->votes, s->nproc, s->me);
    cpus_note_load(s->all, num_ep);
    return MPI_SUCCESS;
}

/* Is parent a communicator to create endpoints on? begun: did process_start succeed? What MPI could not make then is told to the
 * others first. */
static int check_parent(MPI_Comm parent, int begun, struct where here)
{
    int inter = 0;
    if (begun != MPI_SUCCESS && !process_mpi_runs())
        return raise_error(here, MPI_ERR_OTHER,
                           "MPI is not running: call MPI_Init_thread or ep_init_thread first");
    if (parent == MPI_COMM_NULL)
        return raise_error(here, MPI_ERR_COMM, "argument parent is MPI_COMM_NULL");
    if (!foreign_comm_is_sound(parent))
        return raise_error(here, MPI_ERR_COMM, "argument parent is a freed or invalid handle");
    if (MPI_Comm_test_inter(parent, &inter) != MPI_SUCCESS)
        return raise_error(here, MPI_ERR_COMM, "argument parent is no communicator of MPI");
    if (inter)
        return raise_error(here, MPI_ERR_COMM, "argument parent is an intercommunicator");
    return MPI_SUCCESS;
}

int comm_create(MPI_Comm parent, int num_ep, bool have_array, MPI_Info info, const char *call,
                long agreed[SETTINGS_VOTES], struct comm **result)
{
    struct where here = {NULL, call};
    struct census s = {.all = MPI_COMM_NULL, .settings = agreed};
    *result = NULL;
    int begun = process_start(), rc = check_parent(parent, begun, here);
    if (rc != MPI_SUCCESS)
        return rc;
    MPI_Comm_rank(parent, &s.me);
    rc = lanes_copy_parent(parent, s.me, begun, &s.all);
    if (rc != MPI_SUCCESS)
        return raise_none_left(here, rc);
    MPI_Comm_size(s.all, &s.nproc);
    bool odd_info = info != MPI_INFO_NULL && !foreign_info_is_sound(info);
    if (odd_info)
        num_ep = NO_INFO;
    else if (num_ep > 0 && !have_array)
        num_ep = NO_ARRAY;
    info = odd_info ? MPI_INFO_NULL : info;
    struct comm *c = num_ep > 0 ? comm_new() : NULL;
    if (c)
        c->single_owner = info_flag(info, "ep_single_owner", false);
    rc = create_build(&c, &s, num_ep, here);
    free(s.votes);
    lanes_undo(&s.all);
    bool reproducible = info_flag(info, "ep_reproducible", false);
    for (int i = 0; c && rc == MPI_SUCCESS && i < c->nlocal; i++)
        c->local[i]->reproducible = reproducible;
    if (rc == MPI_SUCCESS)
        *result = c;
    else if (c)
        comm_destroy(c);
    return rc;
}
