/* SPDX-License-Identifier: BSD-3-Clause */
/* team.c: endpoints, one thread for each, and one verdict for all. */
#include "internal.h"
#include <check.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

slot *harness_slots;
atomic_int harness_slot_count;
slot harness_process_slot;
int harness_rank, harness_size;
static int slot_room;

/* The processes that have endpoints of the team that runs now; for team_barrier. */
static MPI_Comm populated = MPI_COMM_NULL;
static int *team_counts;

/* At MPI_THREAD_FUNNELED: threads of this process that have come to where all meet, the main thread not counted. */
static atomic_int came;

int team_local_count(void)
{
    const char *list = getenv("EP_TEST_T");
    int numbers[256], n = 0;
    for (const char *at = list ? list : "2"; *at && n < 256;) {
        char *end;
        long value = strtol(at, &end, 10);
        if (end == at || value < 0 || value > 100000) {
            fprintf(stderr, "EP_TEST_T=%s is not a list of numbers\n", list);
            exit(2);
        }
        numbers[n++] = (int)value;
        at = *end == ',' ? end + 1 : end;
    }
    return numbers[harness_rank % n];
}

/* A process that is done leaves its CPU to those that are not: most MPI libraries spin. */
static void wait_for_all(void)
{
    MPI_Request request;
    int done = 0;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    for (;;) {
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (done)
            return;
        nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
    }
}

/* Fails the test everywhere if `failures` is not 0 anywhere, with the first text there is. */
static void verdict(int failures, const char *text)
{
    struct {
        int failures, process;
    } mine = {failures, harness_rank}, worst;
    char message[SLOT_TEXT] = "";
    int sum = 0;
    wait_for_all();
    MPI_Allreduce(&failures, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (!sum)
        return;
    MPI_Allreduce(&mine, &worst, 1, MPI_2INT, MPI_MAXLOC, MPI_COMM_WORLD);
    if (worst.process == harness_rank)
        snprintf(message, sizeof message, "%s", text);
    MPI_Bcast(message, sizeof message, MPI_CHAR, worst.process, MPI_COMM_WORLD);
    ck_abort_msg("%d failures in all; the first in process %d: %s", sum, worst.process, message);
}

/* Failures of all slots of this process; *text is the first one's. Shows them all when asked to. */
static int count_failures(const char **text)
{
    const char *verbose = getenv("EP_TEST_VERBOSE");
    int sum = 0;
    *text = "";
    for (int i = -1; i < atomic_load(&harness_slot_count); i++) {
        slot *s = i < 0 ? &harness_process_slot : &harness_slots[i];
        int n = atomic_load(&s->failures);
        if (n && !sum)
            *text = s->text[0];
        for (int k = 0; verbose && k < n && k < SLOT_FAILURES; k++)
            fprintf(stderr, "%s\n", s->text[k]);
        sum += n;
        atomic_store(&s->failures, 0);
    }
    return sum;
}

void team_verdict(void)
{
    const char *text;
    int n = count_failures(&text);
    verdict(n, text);
}

static void slots_for(int n, int first)
{
    atomic_store(&harness_slot_count, 0);
    if (n > slot_room) {
        free(harness_slots);
        harness_slots = xmalloc((size_t)n * sizeof *harness_slots);
        memset(harness_slots, 0, (size_t)n * sizeof *harness_slots);
        slot_room = n;
    }
    for (int i = 0; i < n; i++)
        slot_reset(&harness_slots[i], first + i);
    atomic_store(&harness_slot_count, n);
}

static int no_status(void *extra, ep_status *s)
{
    (void)extra;
    return ep_status_set_elements(s, MPI_BYTE, 0);
}

static int nothing_to_free(void *extra)
{
    (void)extra;
    return MPI_SUCCESS;
}

static int no_cancel(void *extra, int complete)
{
    (void)extra;
    (void)complete;
    return MPI_SUCCESS;
}

ep_request pending_request(void)
{
    ep_request r = EP_REQUEST_NULL;
    EXPECT_OK(ep_grequest_start(no_status, nothing_to_free, no_cancel, NULL, &r));
    return r;
}

/* At MPI_THREAD_FUNNELED the others need the main thread inside ep until they are through. It tests a request
 * that is nobody's, because its communicator may be freed. */
static void stay_inside(const team_t *t)
{
    int level, flag;
    MPI_Query_thread(&level);
    if (level >= MPI_THREAD_SERIALIZED)
        return;
    if (t->index) {
        atomic_fetch_add(&came, 1);
        return;
    }
    ep_request none = pending_request();
    while (atomic_load(&came) < t->local - 1)
        EXPECT_OK(ep_test(&none, &flag, EP_STATUS_IGNORE));
    EXPECT_OK(ep_grequest_complete(none));
    EXPECT_OK(ep_wait(&none, EP_STATUS_IGNORE));
    atomic_store(&came, 0);
}

static void endpoint_life(ep_comm comm, int n, int keep, team_body *body, void *arg)
{
    int index = omp_get_thread_num();
    slot *s = &harness_slots[index];
    team_t t = {.comm = comm,
                .index = index,
                .local = n,
                .process = harness_rank,
                .processes = harness_size,
                .counts = team_counts,
                .slot = s};
    slot_use(s);
    atomic_store(&s->state, SLOT_BODY);
    EXPECT_EQ(omp_get_num_threads(), n);
    EXPECT_OK(ep_comm_set_errhandler(comm, EP_ERRORS_RETURN));
    EXPECT_OK(ep_comm_rank(comm, &t.rank));
    EXPECT_OK(ep_comm_size(comm, &t.size));
    EXPECT_EQ(t.rank, s->rank);
    t.random = harness_seed() + 1000003u * (uint64_t)t.rank;
    body(&t, arg);
    atomic_store(&s->state, SLOT_FREEING);
    if (!keep && t.comm != EP_COMM_NULL)
        EXPECT_OK(ep_comm_free(&t.comm));
    stay_inside(&t);
    atomic_store(&s->state, SLOT_DONE);
    slot_use(NULL);
}

void team_run_on(ep_comm comms[], int n, int keep, team_body *body, void *arg)
{
    int *counts = xmalloc((size_t)harness_size * sizeof *counts), first = 0;
    const char *text;
    watchdog_arm(NULL);
    MPI_Allgather(&n, 1, MPI_INT, counts, 1, MPI_INT, MPI_COMM_WORLD);
    for (int p = 0; p < harness_rank; p++)
        first += counts[p];
    team_counts = counts;
    MPI_Comm_split(MPI_COMM_WORLD, n ? 0 : MPI_UNDEFINED, 0, &populated);
    slots_for(n, first);
    omp_set_dynamic(0);
    if (n) {
#pragma omp parallel num_threads(n)
        endpoint_life(comms[omp_get_thread_num()], n, keep, body, arg);
    }
    int failures = count_failures(&text);
    if (populated != MPI_COMM_NULL)
        MPI_Comm_free(&populated);
    free(counts);
    team_counts = NULL;
    verdict(failures, text);
}

void team_run(team_body *body, void *arg)
{
    int n = team_local_count();
    ep_comm *comms = xmalloc((size_t)n * sizeof *comms);
    watchdog_arm(NULL);
    if (EXPECT_OK(ep_comm_create_endpoints(MPI_COMM_WORLD, n, MPI_INFO_NULL, comms))) {
        team_run_on(comms, n, 0, body, arg);
        free(comms);
    } else {
        free(comms);
        team_verdict();
    }
}

int team_process_of(const team_t *t, int rank)
{
    int p = 0;
    for (int end = t->counts[0]; rank >= end; end += t->counts[++p]) {
    }
    return p;
}

int team_near(const team_t *t, int rank)
{
    return team_process_of(t, rank) == t->process;
}

/* Thread 0 alone talks to MPI here, while all other threads of the process are outside of ep: legal at every
 * thread level. Its probe makes progress and takes nothing. */
void team_barrier(team_t *t)
{
    stay_inside(t);
#pragma omp barrier
    if (t->index == 0) {
        MPI_Request request;
        int done = 0, flag;
        MPI_Ibarrier(populated, &request);
        while (!done) {
            MPI_Test(&request, &done, MPI_STATUS_IGNORE);
            if (!done)
                ep_iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, t->comm, &flag, EP_STATUS_IGNORE);
        }
    }
#pragma omp barrier
}
