/* SPDX-License-Identifier: BSD-3-Clause */
/* variables.c: what a task sets with omp_set_... is its own and its children's, across blocks and on every thread. */
#include "tasks.h"

static crt_cond_t conds[2];

static void child(void)
{
    CHECK(omp_get_max_threads() == 5);
    omp_set_num_threads(6);
    crt_wait(&conds[1]);
    CHECK(omp_get_max_threads() == 6);
}

static void parent(void)
{
    CHECK(omp_get_max_threads() == 4);
    omp_set_num_threads(5);
    omp_set_schedule(omp_sched_guided, 9);
#pragma omp task
    child();
    crt_wait(&conds[0]);
    CHECK(omp_get_max_threads() == 5);
#pragma omp task if (0)
    {
        CHECK(omp_get_max_threads() == 5);
        omp_set_num_threads(7);
        CHECK(omp_get_max_threads() == 7);
    }
    CHECK(omp_get_max_threads() == 5);
    crt_signal(&conds[1]);
}

static void other(void)
{
    omp_sched_t kind;
    int chunk;
    omp_get_schedule(&kind, &chunk);
    CHECK(omp_get_max_threads() == 4);
    CHECK(kind != omp_sched_guided || chunk != 9);
}

static void inheritance(void)
{
    omp_set_num_threads(3);
#pragma omp parallel num_threads(2)
#pragma omp single
    {
        omp_set_num_threads(4);
#pragma omp task
        parent();
        for (int i = 0; i < 300; i++) {
#pragma omp task
            other();
            CHECK(omp_get_max_threads() == 4);
        }
#pragma omp task
        crt_signal(&conds[0]);
#pragma omp taskwait
        CHECK(omp_get_max_threads() == 4);
    }
    CHECK(omp_get_max_threads() == 3);
}

/* A region in a task has as many threads as the task said. */
static void region(void)
{
    static int n[1];
    omp_set_max_active_levels(2);
    omp_set_dynamic(0);
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp task
    {
        omp_set_num_threads(3);
#pragma omp parallel
#pragma omp master
        n[0] = omp_get_num_threads();
    }
    CHECK(n[0] == 3);
}

static const struct test tests[] = {{"inheritance", inheritance}, {"region", region}};

int main(int argc, char **argv)
{
    return TESTS_MAIN(argc, argv, tests);
}
