/* SPDX-License-Identifier: BSD-3-Clause */
/* env: OMP_CANCELLATION=true */
/* cancel taskgroup and cancel parallel with tasks that have not begun, and what is created after it. */
#include <omp.h>
#include <stdio.h>

static int count[8];

static void add(int i)
{
#pragma omp atomic
    count[i]++;
}

/* The members wait for an event that comes after the cancellation: none of them begins. */
static void group(void)
{
    int x = 0;
    omp_event_handle_t event;
#pragma omp taskgroup
    {
#pragma omp task detach(event) depend(out : x)
        add(0);
        for (int i = 0; i < 20; i++) {
#pragma omp task depend(in : x)
            add(1);
        }
#pragma omp task if (0)
        {
#pragma omp cancel taskgroup
            add(1);
        }
#pragma omp task
        add(1);
#pragma omp taskloop nogroup
        for (int i = 0; i < 10; i++)
            add(1);
        x++;
        omp_fulfill_event(event);
    }
#pragma omp taskgroup
    for (int i = 0; i < 5; i++) {
#pragma omp task
        add(2); /* another group */
    }
}

/* An inner taskgroup leaves the outer one alone. */
static void nested(void)
{
#pragma omp taskgroup
    {
#pragma omp task
        {
#pragma omp taskgroup
            {
#pragma omp task if (0)
                {
#pragma omp cancel taskgroup
                }
                for (int i = 0; i < 10; i++) {
#pragma omp task
                    add(1);
                }
            }
            add(3);
        }
        for (int i = 0; i < 10; i++) {
#pragma omp task
            {
#pragma omp cancellation point taskgroup
                add(3);
            }
        }
    }
}

/* A taskloop with a reduction in a region that is cancelled. */
static int region(void)
{
    int sum = 0, after = 0;
#pragma omp parallel reduction(+ : after)
    {
#pragma omp cancel parallel
        after++;
#pragma omp barrier
#pragma omp single
#pragma omp taskloop reduction(+ : sum)
        for (int i = 0; i < 10; i++)
            sum += i;
    }
    return sum + after;
}

/* Those who wait in a barrier come out of it when another cancels the region. */
static int waiting(void)
{
    int passed = 0;
#pragma omp parallel reduction(+ : passed)
    {
        int last = omp_get_thread_num() == omp_get_num_threads() - 1;
#pragma omp cancel parallel if (last)
#pragma omp barrier
        passed++;
    }
    return passed;
}

int main(void)
{
#pragma omp parallel
#pragma omp single
    {
        group();
        nested();
    }
    for (int i = 1; i < 4; i++)
        printf("%d: %d\n", i, count[i]);
    printf("%d %d\n", region(), waiting());
    return 0;
}
