/* SPDX-License-Identifier: BSD-3-Clause */
/* waits.c: the wait and test families in tasks. What a loop of tests waits for comes from a task that has to run on the
 * same thread. */
#include "ends.h"

#include <stdlib.h>

enum { N = 16 };

static void post(team_t *t, int first, int buf[], ep_request r[], int n)
{
    for (int i = 0; i < n; i++) {
        buf[i] = -1;
        EXPECT_OK(ep_irecv(&buf[i], 1, MPI_INT, left_of(t), first + i, t->comm, &r[i]));
    }
}

static void check(const int buf[], int first, int n)
{
    for (int i = 0; i < n; i++)
        EXPECT_EQ(buf[i], first + i);
}

/* Tasks that send to the right, the last tag first. */
static void feed(team_t *t, int n)
{
    for (int i = n - 1; i >= 0; i--)
#pragma omp task firstprivate(i)
        EXPECT_OK(ep_ssend(&i, 1, MPI_INT, right_of(t), i, t->comm));
}

static void one_by_one(team_t *t, int first)
{
    int buf[N];
    ep_request r[N];
    ep_status status;
    post(t, first, buf, r, N);
    for (int i = N - 1; i >= 0; i--) {
        EXPECT_OK(ep_wait(&r[i], &status));
        EXPECT_EQ(status.MPI_TAG, first + i);
        EXPECT(r[i] == EP_REQUEST_NULL);
    }
    check(buf, first, N);
}

static void all(team_t *t, int first)
{
    int buf[N];
    ep_request r[N];
    ep_status status[N];
    post(t, first, buf, r, N);
    EXPECT_OK(ep_waitall(N, r, status));
    for (int i = 0; i < N; i++)
        EXPECT_EQ(status[i].MPI_TAG, first + i);
    check(buf, first, N);
}

static void any(team_t *t, int first)
{
    int buf[N], index, seen[N] = {0};
    ep_request r[N];
    ep_status status;
    post(t, first, buf, r, N);
    for (int i = 0; i < N; i++) {
        EXPECT_OK(ep_waitany(N, r, &index, &status));
        if (!EXPECT(index >= 0 && index < N))
            return;
        EXPECT_EQ(seen[index]++, 0);
        EXPECT_EQ(status.MPI_TAG, first + index);
    }
    EXPECT_OK(ep_waitany(N, r, &index, &status));
    EXPECT_EQ(index, MPI_UNDEFINED);
    check(buf, first, N);
}

static void some(team_t *t, int first)
{
    int buf[N], index[N], n = 0, done = 0;
    ep_request r[N];
    ep_status status[N];
    post(t, first, buf, r, N);
    for (; done < N; done += n) {
        if (!EXPECT_OK(ep_waitsome(N, r, &n, index, status)) || !EXPECT(n > 0))
            return;
        for (int i = 0; i < n; i++)
            EXPECT_EQ(status[i].MPI_TAG, first + index[i]);
    }
    check(buf, first, N);
}

typedef void family(team_t *t, int first);
static family *const waits[] = {one_by_one, all, any, some};
enum { WAITS = sizeof waits / sizeof *waits };

/* One task for each family, then those that send. */
static void wait_family(team_t *t, void *arg)
{
    (void)arg;
    for (int round = 0; round < effort(10); round++) {
        for (int k = 0; k < WAITS; k++)
#pragma omp task firstprivate(k)
            waits[k](t, k * N);
        feed(t, WAITS * N);
#pragma omp taskwait
    }
}
IN_TASKS(wait_family)

/* One task waits for requests of all endpoints of its process. */
static void of_all(void)
{
    int n;
    team_t *ends = ends_open(&n);
    int *buf = xmalloc(N * (size_t)n * sizeof *buf);
    ep_request *r = xmalloc(N * (size_t)n * sizeof *r);
#pragma omp parallel
#pragma omp single
    for (int round = 0; round < 10; round++) {
        for (int i = 0; i < n; i++)
            post(&ends[i], 0, buf + i * N, r + i * N, N);
        for (int i = 0; i < n; i++)
#pragma omp task firstprivate(i)
            feed(&ends[i], N);
        if (round % 2) {
            EXPECT_OK(ep_waitall(N * n, r, EP_STATUSES_IGNORE));
        } else {
            for (int done = 0, index; done < N * n; done++)
                EXPECT_OK(ep_waitany(N * n, r, &index, EP_STATUS_IGNORE));
        }
        for (int i = 0; i < n; i++)
            check(buf + i * N, 0, N);
    }
    free(buf);
    free(r);
    ends_close(ends, n);
}

/* ---- loops of tests ---- */

static void by_test(team_t *t, int first)
{
    int buf[N], flag = 0;
    ep_request r[N];
    post(t, first, buf, r, N);
    for (int i = N - 1; i >= 0; i--)
        for (flag = 0; !flag;)
            EXPECT_OK(ep_test(&r[i], &flag, EP_STATUS_IGNORE));
    check(buf, first, N);
}

static void by_testall(team_t *t, int first)
{
    int buf[N], flag = 0;
    ep_request r[N];
    post(t, first, buf, r, N);
    while (!flag)
        EXPECT_OK(ep_testall(N, r, &flag, EP_STATUSES_IGNORE));
    check(buf, first, N);
}

static void by_testany(team_t *t, int first)
{
    int buf[N], flag, index;
    ep_request r[N];
    post(t, first, buf, r, N);
    for (int done = 0; done < N; done += flag)
        EXPECT_OK(ep_testany(N, r, &index, &flag, EP_STATUS_IGNORE));
    check(buf, first, N);
}

static void by_testsome(team_t *t, int first)
{
    int buf[N], index[N], n = 0;
    ep_request r[N];
    post(t, first, buf, r, N);
    for (int done = 0; done < N; done += n)
        EXPECT_OK(ep_testsome(N, r, &n, index, EP_STATUSES_IGNORE));
    check(buf, first, N);
}

static void by_get_status(team_t *t, int first)
{
    int buf[N], flag = 0;
    ep_request r[N];
    post(t, first, buf, r, N);
    for (int i = 0; i < N; i++) {
        for (flag = 0; !flag;)
            EXPECT_OK(ep_request_get_status(r[i], &flag, EP_STATUS_IGNORE));
        EXPECT_OK(ep_wait(&r[i], EP_STATUS_IGNORE));
    }
    check(buf, first, N);
}

static void by_iprobe(team_t *t, int first)
{
    for (int i = 0; i < N; i++) {
        int flag = 0, got = -1;
        while (!flag)
            EXPECT_OK(ep_iprobe(left_of(t), first + i, t->comm, &flag, EP_STATUS_IGNORE));
        EXPECT_OK(ep_recv(&got, 1, MPI_INT, left_of(t), first + i, t->comm, EP_STATUS_IGNORE));
        EXPECT_EQ(got, first + i);
    }
}

static void by_improbe(team_t *t, int first)
{
    for (int i = 0; i < N; i++) {
        int flag = 0, got = -1;
        ep_message message;
        ep_request r;
        while (!flag)
            EXPECT_OK(ep_improbe(left_of(t), first + i, t->comm, &flag, &message, EP_STATUS_IGNORE));
        EXPECT_OK(ep_imrecv(&got, 1, MPI_INT, &message, &r));
        for (flag = 0; !flag;)
            EXPECT_OK(ep_test(&r, &flag, EP_STATUS_IGNORE));
        EXPECT_EQ(got, first + i);
    }
}

static family *const tests_of[] = {by_test,       by_testall, by_testany, by_testsome,
                                   by_get_status, by_iprobe,  by_improbe};
enum { TESTS = sizeof tests_of / sizeof *tests_of };

/* Each kind of loop alone with the senders that come after it; then all of them at once. */
static void loops(team_t *t, void *arg)
{
    (void)arg;
    for (int k = 0; k < TESTS; k++) {
#pragma omp task firstprivate(k)
        tests_of[k](t, 0);
        feed(t, N);
#pragma omp taskwait
    }
    for (int round = 0; round < effort(3); round++) {
        for (int k = 0; k < TESTS; k++)
#pragma omp task firstprivate(k)
            tests_of[k](t, k * N);
        feed(t, TESTS * N);
#pragma omp taskwait
    }
}
IN_TASKS(loops)

/* The implicit task tests, the tasks that send are its children. */
static void implicit_loop(void)
{
    int n;
    team_t *ends = ends_open(&n);
#pragma omp parallel
    for (int round = 0; round < 10; round++) {
#pragma omp for schedule(dynamic, 1)
        for (int i = 0; i < n; i++) {
            int flag = 0, got = -1;
            ep_request r;
            team_t *t = &ends[i];
            EXPECT_OK(ep_irecv(&got, 1, MPI_INT, t->rank, 0, t->comm, &r));
#pragma omp task firstprivate(t)
            EXPECT_OK(ep_ssend(&round, 1, MPI_INT, t->rank, 0, t->comm));
            while (!flag)
                EXPECT_OK(ep_test(&r, &flag, EP_STATUS_IGNORE));
            EXPECT_EQ(got, round);
        }
    }
    ends_close(ends, n);
}

/* A generalized request that a later task completes. */
static void general(team_t *t, void *arg)
{
    (void)arg;
    for (int i = 0; i < 20; i++) {
        ep_request r[2], same[2];
        for (int k = 0; k < 2; k++)
            same[k] = r[k] = pending_request();
        int got[1] = {0};
#pragma omp task shared(r, got)
        {
            EXPECT_OK(ep_wait(&r[0], EP_STATUS_IGNORE));
            for (int flag = 0; !flag;)
                EXPECT_OK(ep_test(&r[1], &flag, EP_STATUS_IGNORE));
            got[0] = 1;
        }
#pragma omp task
        EXPECT_OK(ep_grequest_complete(same[1]));
#pragma omp task
        EXPECT_OK(ep_grequest_complete(same[0]));
#pragma omp taskwait
        EXPECT_EQ(got[0], 1);
    }
    EXPECT_OK(ep_barrier(t->comm));
}
IN_TASKS(general)

static const harness_test tests[] = {{"wait_family", NULL, wait_family_in_tasks},
                                     {"of_all", NULL, of_all},
                                     {"loops", NULL, loops_in_tasks},
                                     {"implicit_loop", NULL, implicit_loop},
                                     {"general", NULL, general_in_tasks}};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "tasks: waits", tests);
}
