/* SPDX-License-Identifier: BSD-3-Clause */
/* around.c: what OpenMP has to wait for tasks with, around tasks that are blocked in calls of ep. */
#include "ends.h"

#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>

static int take(team_t *t, int source, int tag)
{
    int got = -1;
    EXPECT_OK(ep_recv(&got, 1, MPI_INT, source, tag, t->comm, EP_STATUS_IGNORE));
    return got;
}

static void give(team_t *t, int dest, int tag, int value)
{
    EXPECT_OK(ep_ssend(&value, 1, MPI_INT, dest, tag, t->comm));
}

/* taskwait waits for children that are blocked, made before and after a block of their parent, and for no others. */
static void taskwait(team_t *t, void *arg)
{
    (void)arg;
    int left = left_of(t), right = right_of(t), sum[4] = {0};
#pragma omp task shared(sum)
    {
#pragma omp task shared(sum)
        sum[0] = take(t, left, 0);
        sum[1] = take(t, left, 1);
#pragma omp task shared(sum)
        {
#pragma omp task shared(sum)
            __atomic_store_n(&sum[3], take(t, t->rank, 3), __ATOMIC_RELEASE);
            sum[2] = take(t, left, 2);
        }
#pragma omp taskwait
        EXPECT_EQ(sum[0] + sum[1] + sum[2], 111);
        EXPECT_EQ(sum[3], 0); /* a grandchild */
        give(t, t->rank, 3, 1000);
    }
#pragma omp task
    give(t, right, 2, 100);
#pragma omp task
    give(t, right, 1, 10);
#pragma omp task
    give(t, right, 0, 1);
#pragma omp taskwait
    /* the grandchild is done at the end of the region at the latest: wait for it */
    while (__atomic_load_n(&sum[3], __ATOMIC_ACQUIRE) == 0) {
        int flag;
        EXPECT_OK(ep_iprobe(MPI_ANY_SOURCE, 99, t->comm, &flag, EP_STATUS_IGNORE));
    }
    EXPECT_EQ(sum[3], 1000);
}
IN_TASKS(taskwait)

/* A taskgroup waits for all descendants. One of them needs an outsider that is itself blocked for a while. */
static void taskgroup(team_t *t, void *arg)
{
    (void)arg;
    int left = left_of(t), right = right_of(t), done[3] = {0};
#pragma omp task
    give(t, right, 1, take(t, left, 0));
#pragma omp taskgroup
    {
#pragma omp task shared(done)
        {
#pragma omp task shared(done)
            {
#pragma omp task shared(done)
                done[0] = take(t, left, 1);
                give(t, right, 0, 7);
                done[1] = 1;
            }
            done[2] = 1;
        }
    }
    EXPECT_EQ(done[0], 7);
    EXPECT_EQ(done[1] + done[2], 2);
#pragma omp taskwait
}
IN_TASKS(taskgroup)

/* The iterations of a taskloop receive what another one sends in the opposite order. */
static void taskloop(team_t *t, void *arg)
{
    (void)arg;
    enum { N = 60 };
    int left = left_of(t), right = right_of(t);
    long sum = 0;
#pragma omp taskgroup
    {
#pragma omp taskloop grainsize(1) nogroup
        for (int i = N - 1; i >= 0; i--)
            give(t, right, i, 3 * i);
#pragma omp taskloop num_tasks(N) reduction(+ : sum)
        for (int i = 0; i < N; i++)
            sum += take(t, left, i);
        EXPECT_EQ(sum, 3L * N * (N - 1) / 2);
    }
}
IN_TASKS(taskloop)

/* Task reductions whose tasks block between two contributions. */
static void reduction(team_t *t, void *arg)
{
    (void)arg;
    int left = left_of(t), right = right_of(t);
    long sum = 0;
#pragma omp taskgroup task_reduction(+ : sum)
    {
        for (int i = 0; i < 20; i++) {
#pragma omp task firstprivate(i) in_reduction(+ : sum)
            {
                sum += 1;
                sum += take(t, left, i);
            }
        }
        for (int i = 19; i >= 0; i--)
#pragma omp task firstprivate(i)
            give(t, right, i, i);
    }
    EXPECT_EQ(sum, 20 + 190);
}
IN_TASKS(reduction)

/* Who depends on a task that is blocked starts after it. */
static void depend(team_t *t, void *arg)
{
    (void)arg;
    enum { STEPS = 40, CELLS = 4 };
    int left = left_of(t), right = right_of(t), in[CELLS], cell[CELLS] = {0};
    for (int s = 0; s < STEPS; s++)
        for (int c = 0; c < CELLS; c++) {
            int tag = s * CELLS + c;
#pragma omp task firstprivate(tag, c) shared(in) depend(out : in[c])
            in[c] = take(t, left, tag);
#pragma omp task firstprivate(c) shared(in, cell) depend(in : in[c]) depend(inout : cell[c])
            {
                EXPECT_EQ(in[c], cell[c]);
                cell[c]++;
            }
#pragma omp task firstprivate(tag, s) depend(inout : t->size)
            give(t, right, tag, s);
        }
#pragma omp taskwait
    for (int c = 0; c < CELLS; c++)
        EXPECT_EQ(cell[c], STEPS);
}
IN_TASKS(depend)

/* taskwait with dependences and undeferred tasks block, too, and let siblings run. */
static void undeferred(team_t *t, void *arg)
{
    (void)arg;
    int left = left_of(t), right = right_of(t), a[1] = {0}, b[1] = {0}, c[1] = {0};
#pragma omp task shared(a) depend(out : a[0])
    a[0] = take(t, left, 0);
#pragma omp task
    give(t, right, 1, take(t, t->rank, 9));
#pragma omp task
    give(t, right, 0, 5);
#pragma omp taskwait depend(in : a[0])
    EXPECT_EQ(a[0], 5);
#pragma omp task
    give(t, t->rank, 9, 6);
#pragma omp task if (0) shared(b)
    b[0] = take(t, left, 1);
    EXPECT_EQ(b[0], 6);
#pragma omp task shared(c) depend(out : c[0])
    c[0] = take(t, t->rank, 2);
#pragma omp task
    give(t, t->rank, 2, 8);
#pragma omp task if (0) shared(c) depend(inout : c[0])
    EXPECT_EQ(c[0], 8);
#pragma omp taskwait
}
IN_TASKS(undeferred)

/* Tasks of one thread in a critical region and with locks, of which the first is blocked. */
static void held(team_t *t, void *arg)
{
    (void)arg;
    enum { N = 30 };
    static int inside, nested; /* all endpoints of the process share them */
    static omp_lock_t lock;
    static omp_nest_lock_t nest;
    int left = left_of(t), right = right_of(t), sum[3] = {0};
    if (t->index == 0) {
        omp_init_lock(&lock);
        omp_init_nest_lock(&nest);
    }
    EXPECT_OK(ep_barrier(t->comm));
    for (int i = 0; i < N; i++) {
#pragma omp task shared(sum)
#pragma omp critical(tasks_held)
        {
            EXPECT_EQ(inside++, 0);
            sum[0] += take(t, left, 0);
            inside--;
        }
#pragma omp task shared(sum)
        {
            omp_set_lock(&lock);
            sum[1] += take(t, left, 1);
            omp_unset_lock(&lock);
        }
#pragma omp task shared(sum)
        {
            omp_set_nest_lock(&nest);
            EXPECT_EQ(nested++, 0);
            omp_set_nest_lock(&nest);
            sum[2] += take(t, left, 2);
            nested--;
            omp_unset_nest_lock(&nest);
            omp_unset_nest_lock(&nest);
        }
    }
    for (int i = 0; i < 3 * N; i++)
#pragma omp task firstprivate(i)
        give(t, right, i % 3, i);
#pragma omp taskwait
    EXPECT_EQ(sum[0] + sum[1] + sum[2], 3 * N * (3 * N - 1) / 2);
    EXPECT_OK(ep_barrier(t->comm));
    if (t->index == 0) {
        omp_destroy_lock(&lock);
        omp_destroy_nest_lock(&nest);
    }
}
IN_TASKS(held)

/* The barriers of a region wait for tasks that are blocked, and implicit tasks block beside them. */
static void region_barrier(void)
{
    int n;
    team_t *ends = ends_open(&n);
    int *got = xmalloc((size_t)n * sizeof *got);
#pragma omp parallel
    for (int round = 0; round < 20; round++) {
#pragma omp for
        for (int i = 0; i < n; i++) {
            got[i] = -1;
#pragma omp task firstprivate(i)
            got[i] = take(&ends[i], left_of(&ends[i]), 0);
#pragma omp task firstprivate(i)
            give(&ends[i], right_of(&ends[i]), 0, round);
        }
#pragma omp for
        for (int i = 0; i < n; i++)
            EXPECT_EQ(got[i], round);
            /* each endpoint in an implicit task: the one that sends comes later on the same thread */
#pragma omp for schedule(dynamic, 1) nowait
        for (int i = n - 1; i >= 0; i--) {
#pragma omp task firstprivate(i)
            give(&ends[i], ends[i].rank, 1, round);
            EXPECT_EQ(take(&ends[i], ends[i].rank, 1), round);
        }
#pragma omp barrier
    }
    free(got);
    ends_close(ends, n);
}

/* Regions one after the other, tasks in each. */
static void regions(void)
{
    int n;
    team_t *ends = ends_open(&n);
    for (int round = 0; round < 30; round++) {
#pragma omp parallel
#pragma omp master
        for (int i = 0; i < n; i++) {
            team_t *t = &ends[i];
#pragma omp task firstprivate(t)
            EXPECT_EQ(take(t, left_of(t), 0), round);
#pragma omp task firstprivate(t)
            give(t, right_of(t), 0, round);
        }
    }
    ends_close(ends, n);
}

static const harness_test tests[] = {{"taskwait", NULL, taskwait_in_tasks},
                                     {"taskgroup", NULL, taskgroup_in_tasks},
                                     {"taskloop", NULL, taskloop_in_tasks},
                                     {"reduction", NULL, reduction_in_tasks},
                                     {"depend", NULL, depend_in_tasks},
                                     {"undeferred", NULL, undeferred_in_tasks},
                                     {"held", NULL, held_in_tasks},
                                     {"region_barrier", NULL, region_barrier},
                                     {"regions", NULL, regions}};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "tasks: around", tests);
}
