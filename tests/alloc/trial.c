/* SPDX-License-Identifier: BSD-3-Clause */
#include "trial.h"

#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ENDPOINTS_MAX = TRIAL_ENDPOINTS, MOST = 100000, PER_TEAM = 6, TIMES = 8 };

/* What is tried now, in this process. */
static struct {
    const struct scenario *scenario;
    long n, most;       /* below that */
    bool lasting, mine; /* mine: allocations fail in this process */
    bool hit,
        grew;  /* grew: there is more in the library's hands after the trial than before, in some process */
    long live; /* so much was live before */
    int again; /* how often it grew with this n */
    atomic_int wrong, met;
    int values[ENDPOINTS_MAX], all[ENDPOINTS_MAX], counts[ENDPOINTS_MAX], displs[ENDPOINTS_MAX];
} now;

static struct {
    long trials, errors, successes, wrong;
} sums;

void note(struct trial *x, int *rc, int got)
{
    (void)x;
    if (got == MPI_SUCCESS)
        return;
    inject_disarm();
    if (*rc == MPI_SUCCESS)
        *rc = got;
}

void wrong_if(struct trial *x, bool is, const char *what)
{
    if (!is)
        return;
    x->wrong = true;
    if (atomic_fetch_add(&now.wrong, 1) == 0)
        fprintf(stderr, "%s, allocation %ld%s: rank %d: %s\n", now.scenario->name, now.n,
                now.lasting ? " and all others" : "", x->rank, what);
}

/* A barrier in the process. FUNNELED: others may still need the main thread, which calls MPI for them. */
static void meet(const team_t *t)
{
    int level, flag;
    MPI_Query_thread(&level);
    atomic_fetch_add(&now.met, 1);
    while (level == MPI_THREAD_FUNNELED && t->index == 0 && atomic_load(&now.met) < t->local)
        ep_iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, t->comm, &flag, EP_STATUS_IGNORE);
#pragma omp barrier
    if (t->index == 0)
        atomic_store(&now.met, 0);
#pragma omp barrier
}

void share(struct trial *x, int mine, int all[])
{
    team_t *t = x->team;
    now.values[t->index] = mine;
    meet(t);
    if (t->index == 0) {
        MPI_Request request;
        int done = 0, flag;
        for (int p = 0, at = 0; p < t->processes; at += t->counts[p++]) {
            now.counts[p] = t->counts[p];
            now.displs[p] = at;
        }
        MPI_Iallgatherv(now.values, t->local, MPI_INT, now.all, now.counts, now.displs, MPI_INT,
                        MPI_COMM_WORLD, &request);
        while (!done) {
            MPI_Test(&request, &done, MPI_STATUS_IGNORE);
            if (!done)
                ep_iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, t->comm, &flag, EP_STATUS_IGNORE);
        }
    }
#pragma omp barrier
    memcpy(all, now.all, sizeof(int) * (size_t)t->size);
#pragma omp barrier
}

/* The communicator works: a sum, and a ring. */
static void use(struct trial *x, ep_comm comm, const char *what)
{
    int one = 1, sum = 0, got = -1, left = (x->rank + x->size - 1) % x->size, right = (x->rank + 1) % x->size;
    wrong_if(x, ep_allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm) != MPI_SUCCESS || sum != x->size, what);
    wrong_if(x,
             ep_sendrecv(&x->rank, 1, MPI_INT, right, 1, &got, 1, MPI_INT, left, 1, comm, EP_STATUS_IGNORE) ||
                 got != left,
             what);
}

void trial_quiet(struct trial *x)
{
    int all[ENDPOINTS_MAX];
    share(x, 0, all); /* nobody is inside any more */
    if (x->team->index == 0)
        inject_disarm();
#pragma omp barrier
}

void trial_arm(struct trial *x)
{
    trial_quiet(x);
    if (x->team->index == 0 && now.mine)
        inject_arm(now.n, now.lasting);
#pragma omp barrier
}

static void judge(struct trial *x, int rc, bool hit)
{
    int all[ENDPOINTS_MAX], failures = 0;
    share(x, rc, all);
    for (int r = 0; r < x->size; r++)
        failures += all[r] != MPI_SUCCESS;
    wrong_if(x, rc != MPI_SUCCESS && rc != MPI_ERR_NO_MEM && rc != now.scenario->also,
             "the error is not MPI_ERR_NO_MEM");
    wrong_if(x, !hit && rc != MPI_SUCCESS, "an error though nothing failed");
    wrong_if(x, now.scenario->agrees && failures && failures != x->size, "some have it and some have not");
    if (x->team->index == 0 && x->team->process == 0 && hit) {
        sums.trials++;
        sums.errors += failures > 0;
        sums.successes += failures == 0;
    }
}

/* True if an allocation failed anywhere. */
static bool try(team_t *t)
{
    struct trial x = {.team = t, .rank = t->rank, .size = t->size};
    int hits[ENDPOINTS_MAX];
    bool hit = false, grew = false;
#pragma omp barrier
    if (t->index == 0 && now.again == 0)
        now.live = inject_mark();
#pragma omp barrier
    if (!EXPECT_OK(ep_comm_dup(t->comm, &x.comm)))
        return false;
    EXPECT_OK(ep_comm_set_errhandler(x.comm, EP_ERRORS_RETURN));
    trial_arm(&x);
    int rc = now.scenario->run(&x);
    trial_quiet(&x);
    share(&x, now.mine && inject_hit(), hits);
    for (int r = 0; r < x.size; r++)
        hit |= hits[r];
    judge(&x, rc, hit);
    use(&x, x.comm, "the communicator is of no use any more");
    use(&x, t->comm, "the other communicator is of no use any more");
    EXPECT(!x.wrong);
    EXPECT_OK(ep_comm_free(&x.comm));
    meet(t);
    share(&x, inject_live() > now.live, hits);
    for (int r = 0; r < x.size; r++)
        grew |= hits[r];
    if (t->index == 0) {
        now.grew = grew;
        now.live = inject_live();
    }
    return hit;
}

/* Pools and tables grow, and what is freed may go later. What grows each time leaks. Then the same trial once more; but where all fail
 * at once each of many endpoints fills its pools. */
static void go_on(void)
{
    if (now.most == MOST && now.grew && ++now.again < TIMES)
        return;
    if (now.again == TIMES) {
        fprintf(stderr, "%s, allocation %ld%s: memory leaks\n", now.scenario->name, now.n,
                now.lasting ? " and all others" : "");
        inject_tell_live();
        atomic_fetch_add(&now.wrong, 1);
        EXPECT(!"memory leaks");
    }
    now.again = 0;
    now.n++;
}

static void body(team_t *t, void *unused)
{
    bool hit = true;
    (void)unused;
    for (int i = 0; i < PER_TEAM && hit && now.n < now.most; i++) {
        hit = try(t);
#pragma omp barrier
        if (t->index == 0)
            go_on();
#pragma omp barrier
    }
    if (t->index == 0)
        now.hit = hit;
}

/* The scenario's allocations below `most` in one process. */
static void exhaust(const struct scenario *s, int victim, bool lasting, int most)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    now.scenario = s;
    now.lasting = lasting;
    now.mine = rank == victim;
    now.hit = true;
    now.most = most;
    for (now.n = 1; now.hit && now.n < most;) {
        team_run(body, NULL);
        sums.wrong += atomic_exchange(&now.wrong, 0) > 0;
    }
}

static void run_all(const struct scenario list[], int n, bool at_once)
{
    const char *only = getenv("EP_ALLOC_SCENARIO");
    int processes, rank;
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < n; i++) {
        if (only && strcmp(only, list[i].name) != 0)
            continue;
        memset(&sums, 0, sizeof sums);
        for (int victim = 0; victim < processes; victim++)
            for (int lasting = at_once; lasting < 2; lasting++)
                exhaust(&list[i], victim, lasting, at_once ? 2 : MOST);
        if (rank == 0)
            printf("%-24s %4ld failed: %ld errors, %ld successes, %ld wrong\n", list[i].name, sums.trials,
                   sums.errors, sums.successes, sums.wrong);
        fflush(stdout);
    }
}

void trials(const struct scenario list[], int n)
{
    run_all(list, n, false);
}

void trials_at_once(const struct scenario list[], int n)
{
    run_all(list, n, true);
}

/* ---- what the library keeps for itself ---- */

enum { EATEN = 6000 };

ep_request *trial_eat(struct trial *x)
{
    ep_request *r = xmalloc(EATEN * sizeof(ep_request));
    trial_quiet(x);
    if (x->team->index == 0) {
        EXPECT_OK(ep_thread_bind(x->team->comm));
        if (!getenv("EP_CHECK"))                                               /* which needs memory itself */
            EXPECT_OK(ep_comm_set_errhandler(EP_COMM_SELF, EP_ERRORS_RETURN)); /* it is made now */
    }
    trial_arm(x);
    for (int i = 0; i < EATEN; i++)
        if (x->team->index > 0 || ep_ibarrier(EP_COMM_SELF, &r[i]) != MPI_SUCCESS)
            r[i] = EP_REQUEST_NULL;
    return r;
}

void trial_digest(struct trial *x, ep_request *r)
{
    for (int i = 0; i < EATEN; i++) {
        int rc = ep_wait(&r[i], EP_STATUS_IGNORE);
        wrong_if(x, rc != MPI_SUCCESS, "a barrier of one failed");
    }
    free(r);
}
