/* SPDX-License-Identifier: BSD-3-Clause */
/* ordering.c: loops with ordered and doacross whose iterations, and tasks of threads that wait for their turns, block. */
#include "tasks.h"

#include <sched.h>
#include <stdatomic.h>
#include <string.h>

enum { N = 60, WIDTH = 5 };
static crt_cond_t a[N], b[N];
static int order[N];
static atomic_int begun, next_one;

/* Each iteration is let go on by its task, which any thread has, also one that waits for its turn. */
static void make_task(int i)
{
#pragma omp task
    {
        crt_wait(&a[i]);
        crt_signal(&b[i]);
    }
}

static void in_turn(int i)
{
    int turn = atomic_load(&next_one);
    order[turn % N] = i;
    crt_signal(&a[i]);
    crt_wait(&b[i]);
    CHECK(atomic_load(&next_one) == turn);
    atomic_store(&next_one, turn + 1);
}

static void check_order(bool down)
{
    for (int i = 0; i < N; i++)
        CHECK(order[i] == (down ? N - 1 - i : i));
    memset(order, -1, sizeof order);
    atomic_store(&next_one, 0);
}

static void ordered(void)
{
    omp_set_schedule(omp_sched_dynamic, 4);
#pragma omp parallel
    {
#pragma omp for ordered schedule(dynamic)
        for (int i = 0; i < N; i++) {
            make_task(i);
#pragma omp ordered
            in_turn(i);
        }
#pragma omp single
        check_order(false);
#pragma omp for ordered schedule(static, 3)
        for (int i = N - 1; i >= 0; i--) {
            make_task(i);
#pragma omp ordered
            in_turn(i);
        }
#pragma omp single
        check_order(true);
#pragma omp for ordered schedule(guided)
        for (unsigned long long i = 0; i < N; i++) {
            make_task((int)i);
#pragma omp ordered
            in_turn((int)i);
        }
#pragma omp single
        check_order(false);
#pragma omp for ordered schedule(runtime)
        for (int i = 0; i < N; i++) {
            make_task(i);
            if (i % 3 == 0) {
#pragma omp ordered
                in_turn(i);
            } else {
                crt_signal(&a[i]);
                crt_wait(&b[i]);
            }
        }
    }
    for (int i = 0; i < N / 3; i++)
        CHECK(order[i] == 3 * i);
    memset(order, -1, sizeof order);
    atomic_store(&next_one, 0);
}

/* A nest of 33 loops, as GCC's own tests have: 16 with names from a letter and two digits to 3, and again. */
#define FOUR(do_with, n) do_with(n##0) do_with(n##1) do_with(n##2) do_with(n##3)
#define SIXTEEN(do_with, n) FOUR(do_with, n##0) FOUR(do_with, n##1) FOUR(do_with, n##2) FOUR(do_with, n##3)
#define LOOP(n) for (int n = 3; n < 4; n++)
#define AND(n) , n

static void deep_doacross(void)
{
#pragma omp parallel
    {
#pragma omp for ordered(33) schedule(static, 1)
        for (int i = 0; i < N; i++)
            SIXTEEN(LOOP, x) SIXTEEN(LOOP, y)
            {
                make_task(i);
#pragma omp ordered depend(sink : i - 1 SIXTEEN(AND, x) SIXTEEN(AND, y))
                in_turn(i);
#pragma omp ordered depend(source)
            }
#pragma omp single
        check_order(false);
    }
}

static void doacross(void)
{
    static int sum[N][WIDTH];
#pragma omp parallel
    {
#pragma omp for ordered(1) schedule(dynamic)
        for (int i = 0; i < N; i++) {
            make_task(i);
#pragma omp ordered depend(sink : i - 1)
            in_turn(i);
#pragma omp ordered depend(source)
        }
#pragma omp single
        check_order(false);
#pragma omp for ordered(1) schedule(static, 1)
        for (int i = N - 1; i >= 0; i--) {
            make_task(i);
#pragma omp ordered depend(sink : i + 1)
            in_turn(i);
#pragma omp ordered depend(source)
        }
#pragma omp single
        check_order(true);
#pragma omp for ordered(2) schedule(static, 1)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < WIDTH; j++) {
                if (j == 0)
                    make_task(i);
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
                sum[i][j] = 1 + (i > 0 ? sum[i - 1][j] : 0) + (j > 0 ? sum[i][j - 1] : 0);
                if (j == i % WIDTH) {
                    crt_signal(&a[i]);
                    crt_wait(&b[i]);
                }
#pragma omp ordered depend(source)
            }
    }
    for (int i = 1; i < N; i++)
        for (int j = 1; j < WIDTH; j++)
            CHECK(sum[i][j] == (int)(1u + (unsigned)sum[i - 1][j] + (unsigned)sum[i][j - 1]));
    memset(sum, 0, sizeof sum);
}

/* A task has begun on thread 1 and is blocked; iteration 0 waits for it, and thread 1 for its turn, which is the one after. */
static void make_tied(void)
{
    if (omp_get_thread_num() == 0) {
        while (atomic_load(&begun) == 0)
            sched_yield(); /* and starts no task */
        return;
    }
#pragma omp task
    {
        atomic_store(&begun, 1);
        crt_wait(&a[0]);
        crt_signal(&b[0]);
    }
    while (atomic_load(&begun) == 0)
        crt_yield();
}

static void wait_for_tied(void)
{
    crt_signal(&a[0]);
    crt_wait(&b[0]);
}

static void tied(void)
{
    for (int kind = 0; kind < 2; kind++) {
        atomic_store(&begun, 0);
#pragma omp parallel num_threads(2)
        {
            make_tied();
            if (kind == 0) {
#pragma omp for ordered schedule(static, 1)
                for (int i = 0; i < 2; i++) {
#pragma omp ordered
                    if (i == 0)
                        wait_for_tied();
                }
            } else {
#pragma omp for ordered(1) schedule(static, 1)
                for (int i = 0; i < 2; i++) {
#pragma omp ordered depend(sink : i - 1)
                    if (i == 0)
                        wait_for_tied();
#pragma omp ordered depend(source)
                }
            }
        }
    }
}

static const struct test tests[] = {
    {"ordered", ordered},
    {"doacross", doacross},
    {"deep_doacross", deep_doacross},
    {"tied", tied},
};

int main(int argc, char **argv)
{
    memset(order, -1, sizeof order);
    omp_set_dynamic(0);
    return TESTS_MAIN(argc, argv, tests);
}
