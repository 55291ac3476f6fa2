/* SPDX-License-Identifier: BSD-3-Clause */
/* events.c: requests that fulfil the event of a detach clause, where tasks block and where threads do. */
#include "ends.h"

#include <crt.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* In thread mode libgomp lets no more than 64 of them be pending for a thread. */
enum { N = 40 };

/* taskwait waits for events. */
static void detached(void)
{
    int n;
    team_t *ends = ends_open(&n);
#pragma omp parallel
#pragma omp single
    for (int round = 0; round < 10; round++) {
        team_t *t = &ends[round % n], *to = &ends[(round + 1) % n];
        int buf[N];
        ep_status status[N];
        memset(buf, -1, sizeof buf);
        for (int i = 0; i < N; i++) {
            omp_event_handle_t event;
#pragma omp task detach(event) firstprivate(i) shared(buf, status)
            {
                ep_request r;
                EXPECT_OK(ep_irecv(&buf[i], 1, MPI_INT, to->rank, i, t->comm, &r));
                EXPECT_OK(ep_iwait_event(&r, &status[i], (uintptr_t)event));
                EXPECT(r == EP_REQUEST_NULL);
            }
        }
        for (int i = 0; i < N; i++)
            EXPECT_OK(ep_send(&i, 1, MPI_INT, t->rank, i, to->comm));
#pragma omp taskwait
        for (int i = 0; i < N; i++) {
            EXPECT_EQ(buf[i], i);
            EXPECT_EQ(status[i].MPI_TAG, i);
        }
    }
    ends_close(ends, n);
}

/* The successors of a detached task, far messages among them. A message may be large. */
static void around(void)
{
    int n;
    team_t *ends = ends_open(&n);
    enum { LARGE = 300000 };
    char *data = xmalloc((size_t)n * LARGE), *sent = xmalloc((size_t)n * LARGE);
#pragma omp parallel
#pragma omp single
    for (int round = 0; round < 4; round++) {
        int size = round % 2 ? LARGE : 10;
        for (int i = 0; i < n; i++) {
            team_t *t = &ends[i];
            char *in = data + (size_t)i * LARGE, *out = sent + (size_t)i * LARGE;
            omp_event_handle_t come, gone;
#pragma omp task detach(come) depend(out : in[0])
            {
                ep_request r;
                EXPECT_OK(ep_irecv(in, size, MPI_CHAR, left_of(t), 1, t->comm, &r));
                EXPECT_OK(ep_iwait_event(&r, EP_STATUS_IGNORE, (uintptr_t)come));
            }
#pragma omp task detach(gone) depend(out : out[0])
            {
                ep_request r;
                fill(out, (size_t)size, (unsigned)(t->rank * 10 + round));
                EXPECT_OK(ep_isend(out, size, MPI_CHAR, right_of(t), 1, t->comm, &r));
                EXPECT_OK(ep_iwait_event(&r, EP_STATUS_IGNORE, (uintptr_t)gone));
            }
#pragma omp task depend(in : in[0])
            EXPECT_FILLED(in, (size_t)size, (unsigned)(left_of(t) * 10 + round));
#pragma omp task depend(inout : out[0])
            memset(out, 0, (size_t)size);
        }
#pragma omp taskwait
    }
    free(data);
    free(sent);
    ends_close(ends, n);
}

/* Null and complete requests fulfil it at once; without an event it is an error and the request stays. */
static void at_once(void)
{
    int n;
    team_t *ends = ends_open(&n);
    if (n > 0) {
        int value;
        ep_request r = pending_request(), same = r, received;
        /* the communicator's handler returns, the process's does not */
        EXPECT_OK(ep_irecv(&value, 1, MPI_INT, 0, 5, ends[0].comm, &received));
        EXPECT_RC(ep_iwait_event(&received, EP_STATUS_IGNORE, 0), MPI_ERR_ARG);
        EXPECT_OK(ep_cancel(&received));
        EXPECT_OK(ep_wait(&received, EP_STATUS_IGNORE));
        EXPECT_OK(ep_comm_set_errhandler(EP_COMM_WORLD, EP_ERRORS_RETURN));
        EXPECT_RC(ep_iwait_event(&r, EP_STATUS_IGNORE, 0), MPI_ERR_ARG);
        EXPECT(r == same);
        EXPECT_OK(ep_grequest_complete(same));
#pragma omp parallel
#pragma omp single
        {
            ep_status status[1];
            omp_event_handle_t one, two;
#pragma omp task detach(one) shared(r)
            EXPECT_OK(ep_iwait_event(&r, EP_STATUS_IGNORE, (uintptr_t)one));
#pragma omp task detach(two) shared(status)
            {
                ep_request none = EP_REQUEST_NULL;
                EXPECT_OK(ep_iwait_event(&none, &status[0], (uintptr_t)two));
            }
#pragma omp taskwait
            EXPECT_EQ(status[0].MPI_SOURCE, MPI_ANY_SOURCE);
        }
        EXPECT(r == EP_REQUEST_NULL);
        EXPECT_OK(ep_comm_set_errhandler(EP_COMM_WORLD, EP_ERRORS_ARE_FATAL));
    }
    ends_close(ends, n);
}

static const harness_test tests[] = {
    {"detached", NULL, detached}, {"around", NULL, around}, {"at_once", NULL, at_once}};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "tasks: events", tests);
}
