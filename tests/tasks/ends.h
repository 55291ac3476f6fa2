/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ends.h: endpoints whose calls are made by OpenMP tasks. In the harness's teams each endpoint has a thread; here all
 * endpoints of a process share the OMP_NUM_THREADS threads of one region, which may be a single one.
 */
#ifndef EP_TEST_ENDS_H
#define EP_TEST_ENDS_H

#include "harness.h"

/* The endpoints of this process, as EP_TEST_T says; errors are returned. Outside of parallel regions, by the main thread
 * of every process. */
team_t *ends_open(int *n);
void ends_close(team_t *ends, int n);

/* body(t, arg) for each endpoint, in a task of its own. A body that has freed t->comm has set it to EP_COMM_NULL.
 * team_barrier must not be called in it. */
void ends_run(team_body *body, void *arg);

/* An entry of the table of tests: the program's body in tasks. */
#define IN_TASKS(body)                                                                                       \
    static void body##_in_tasks(void)                                                                        \
    {                                                                                                        \
        ends_run(body, NULL);                                                                                \
    }

/* n, or less under sanitizers and chaos and with EP_TEST_EFFORT (percent); at least 1. */
int effort(int n);

/* The endpoints beside t's in a ring. */
static inline int right_of(const team_t *t)
{
    return (t->rank + 1) % t->size;
}

static inline int left_of(const team_t *t)
{
    return (t->rank + t->size - 1) % t->size;
}

/* Let other tasks run, `most` times at most. */
void linger(uint64_t *random, int most);

#endif
