/* SPDX-License-Identifier: BSD-3-Clause */
/* priorities.c: a thread starts ready tasks by their priorities, whatever it waits in. OMP_MAX_TASK_PRIORITY is 9, and no task starts early. */
#include "tasks.h"

enum { N = 50, MOST = 9 };
static int priority[N], count;
static crt_cond_t go[1];

static void note(int i)
{
    priority[count++] = i * 7 % (MOST + 3); /* some are more than there may be */
}

static void check_falling(void)
{
    CHECK(count == N);
    for (int i = 1; i < N; i++)
        CHECK(priority[i] <= priority[i - 1] || priority[i - 1] >= MOST);
    count = 0;
}

static void in_barrier(void)
{
#pragma omp parallel num_threads(1)
    {
        for (int i = 0; i < N; i++)
#pragma omp task priority(i * 7 % (MOST + 3))
            note(i);
#pragma omp barrier
        check_falling();
    }
}

static void in_waits(void)
{
#pragma omp parallel num_threads(1)
    {
        for (int i = 0; i < N; i++)
#pragma omp task priority(i * 7 % (MOST + 3))
            note(i);
#pragma omp taskwait
        check_falling();
#pragma omp taskgroup
        for (int i = 0; i < N; i++)
#pragma omp task priority(i * 7 % (MOST + 3))
            note(i);
        check_falling();
    }
}

/* Tasks that become ready at once. */
static void released(void)
{
    int x = 0;
#pragma omp parallel num_threads(1)
    {
#pragma omp task depend(out : x) priority(MOST)
        {
            crt_wait(&go[0]);
            x++;
        }
        for (int i = 0; i < N; i++)
#pragma omp task depend(in : x) priority(i * 7 % (MOST + 3))
            note(i);
        crt_signal(&go[0]);
#pragma omp taskwait
        check_falling();
    }
}

static const struct test tests[] = {
    {"in_barrier", in_barrier},
    {"in_waits", in_waits},
    {"released", released},
};

int main(int argc, char **argv)
{
    return TESTS_MAIN(argc, argv, tests);
}
