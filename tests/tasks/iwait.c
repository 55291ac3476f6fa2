/* SPDX-License-Identifier: BSD-3-Clause */
/* iwait.c: tasks that have ended their body and are complete only when their requests are. */
#include "ends.h"

#include <TAMPI.h>
#include <crt.h>
#include <stdlib.h>
#include <string.h>

static void give(team_t *t, int dest, int tag, int value)
{
    EXPECT_OK(ep_ssend(&value, 1, MPI_INT, dest, tag, t->comm));
}

/* Start to receive into *buf and leave it to the task's end. */
static void receive(team_t *t, int source, int tag, int *buf, ep_status *status)
{
    ep_request r;
    EXPECT_OK(ep_irecv(buf, 1, MPI_INT, source, tag, t->comm, &r));
    EXPECT_OK(ep_iwait(&r, status));
    EXPECT(r == EP_REQUEST_NULL);
}

static void lift(int *flag)
{
    __atomic_store_n(flag, 1, __ATOMIC_RELEASE);
}

static void await(const int *flag)
{
    while (!__atomic_load_n(flag, __ATOMIC_ACQUIRE))
        crt_yield();
}

/* The call returns before the message is sent; the successor runs after it has come and sees data and status. */
static void successor(team_t *t, void *arg)
{
    (void)arg;
    for (int i = 0; i < 20; i++) {
        int buf[1] = {-1}, returned[1] = {0}, seen[1] = {0};
        ep_status status[1];
#pragma omp task shared(buf, returned, status) depend(out : buf[0])
        {
            receive(t, t->rank, i, buf, status);
            lift(returned);
        }
#pragma omp task shared(buf, seen, status) depend(in : buf[0])
        {
            EXPECT_EQ(buf[0], 100 + i);
            EXPECT_EQ(status[0].MPI_SOURCE, t->rank);
            EXPECT_EQ(status[0].MPI_TAG, i);
            seen[0] = 1;
        }
#pragma omp task shared(returned, seen)
        {
            await(returned);
            linger(&t->random, 3);
            EXPECT_EQ(seen[0], 0);
            give(t, t->rank, i, 100 + i);
        }
#pragma omp taskwait
        EXPECT_EQ(seen[0], 1);
    }
}
IN_TASKS(successor)

/* The same by TAMPI's functions that have no request. */
static void without_request(team_t *t, void *arg)
{
    (void)arg;
    int left = left_of(t), right = right_of(t);
    for (int i = 0; i < 20; i++) {
        int buf[1] = {-1}, sum[1] = {-1}, mine[1] = {t->rank}, seen[1] = {0};
        ep_status status[1];
#pragma omp task shared(buf, status) depend(out : buf[0])
        EXPECT_OK(TAMPI_Irecv(buf, 1, MPI_INT, left, i, t->comm, status));
#pragma omp task shared(mine) depend(in : mine[0])
        EXPECT_OK(TAMPI_Issend(mine, 1, MPI_INT, right, i, t->comm));
#pragma omp task shared(mine, sum) depend(in : mine[0]) depend(out : sum[0])
        EXPECT_OK(TAMPI_Iallreduce(mine, sum, 1, MPI_INT, MPI_SUM, t->comm));
#pragma omp task shared(buf, sum, seen, status) depend(in : buf[0], sum[0])
        {
            EXPECT_EQ(buf[0], left);
            EXPECT_EQ(status[0].MPI_TAG, i);
            EXPECT_EQ(sum[0], t->size * (t->size - 1) / 2);
            seen[0] = 1;
        }
#pragma omp taskwait
        EXPECT_EQ(seen[0], 1);
    }
}
IN_TASKS(without_request)

/* taskwait and the end of a taskgroup wait for requests, and so does an undeferred task's creator. */
static void waited_for(team_t *t, void *arg)
{
    (void)arg;
    enum { N = 50 };
    int left = left_of(t), right = right_of(t), buf[N], deep[N], last[1] = {-1};
    memset(buf, -1, sizeof buf);
    memset(deep, -1, sizeof deep);
    for (int i = 0; i < N; i++)
#pragma omp task firstprivate(i) shared(buf)
        receive(t, left, i, &buf[i], EP_STATUS_IGNORE);
    for (int i = N - 1; i >= 0; i--)
#pragma omp task firstprivate(i)
        give(t, right, i, i);
#pragma omp taskwait
    for (int i = 0; i < N; i++)
        EXPECT_EQ(buf[i], i);
#pragma omp taskgroup
    {
        for (int i = N - 1; i >= 0; i--)
#pragma omp task firstprivate(i)
            give(t, right, i, 2 * i);
        for (int i = 0; i < N; i++)
#pragma omp task firstprivate(i) shared(deep)
        {
#pragma omp task firstprivate(i) shared(deep)
            receive(t, left, i, &deep[i], EP_STATUS_IGNORE);
        }
    }
    for (int i = 0; i < N; i++)
        EXPECT_EQ(deep[i], 2 * i);
#pragma omp task
    give(t, right, N, 77);
#pragma omp task if (0) shared(last)
    receive(t, left, N, last, EP_STATUS_IGNORE);
    EXPECT_EQ(last[0], 77);
#pragma omp taskwait
}
IN_TASKS(waited_for)

/* Far more of them than libgomp would let be pending. */
static void many(team_t *t, void *arg)
{
    (void)arg;
    int n = effort(4000), *buf = xmalloc((size_t)n * sizeof *buf);
    long long sum = 0;
    for (int i = 0; i < n; i++)
#pragma omp task firstprivate(i)
        receive(t, left_of(t), i % 7, &buf[i], EP_STATUS_IGNORE);
    for (int i = 0; i < n; i++)
        EXPECT_OK(ep_send(&i, 1, MPI_INT, right_of(t), i % 7, t->comm));
#pragma omp taskwait
    for (int i = 0; i < n; i++)
        sum += buf[i];
    EXPECT_EQ(sum, (long long)n * (n - 1) / 2);
    free(buf);
}
IN_TASKS(many)

/* A chain: each task receives and sends by requests, its successor does the next step. */
static void steps(team_t *t, void *arg)
{
    (void)arg;
    int in[1] = {-1}, out[1] = {-1};
    ep_status status[3];
    for (int i = 0; i < 40; i++) {
#pragma omp task firstprivate(i) shared(in, out, status) depend(inout : in[0], out[0])
        {
            ep_request r[3] = {EP_REQUEST_NULL, EP_REQUEST_NULL, EP_REQUEST_NULL};
            EXPECT_EQ(in[0], i == 0 ? -1 : 1000 * left_of(t) + i - 1);
            out[0] = 1000 * t->rank + i;
            EXPECT_OK(ep_irecv(in, 1, MPI_INT, left_of(t), 0, t->comm, &r[0]));
            EXPECT_OK(ep_issend(out, 1, MPI_INT, right_of(t), 0, t->comm, &r[2]));
            EXPECT_OK(ep_iwaitall(3, r, i % 2 ? status : EP_STATUSES_IGNORE));
            EXPECT(r[0] == EP_REQUEST_NULL && r[2] == EP_REQUEST_NULL);
        }
#pragma omp task firstprivate(i) shared(in, status) depend(in : in[0])
        {
            EXPECT_EQ(in[0], 1000 * left_of(t) + i);
            if (i % 2) {
                int n = -1;
                EXPECT_EQ(status[0].MPI_SOURCE, left_of(t));
                EXPECT_OK(ep_get_count(&status[0], MPI_INT, &n));
                EXPECT_EQ(n, 1);
                EXPECT_EQ(status[1].MPI_SOURCE, MPI_ANY_SOURCE); /* of the null request */
            }
        }
    }
#pragma omp taskwait
}
IN_TASKS(steps)

/* One task gives several requests away, one after the other. */
static void several(team_t *t, void *arg)
{
    (void)arg;
    enum { N = 10 };
    for (int round = 0; round < 10; round++) {
        int buf[N], large = 100000;
        char *data = xmalloc((size_t)large), *sent = xmalloc((size_t)large);
        memset(data, 0, (size_t)large);
        fill(sent, (size_t)large, (unsigned)t->rank);
#pragma omp task shared(buf)
        {
            ep_request r;
            for (int i = 0; i < N; i++)
                receive(t, left_of(t), i, &buf[i], EP_STATUS_IGNORE);
            EXPECT_OK(ep_irecv(data, large, MPI_CHAR, left_of(t), N, t->comm, &r));
            EXPECT_OK(ep_iwait(&r, EP_STATUS_IGNORE));
        }
#pragma omp task
        {
            ep_request r;
            EXPECT_OK(ep_issend(sent, large, MPI_CHAR, right_of(t), N, t->comm, &r));
            EXPECT_OK(ep_iwait(&r, EP_STATUS_IGNORE));
            for (int i = N - 1; i >= 0; i--)
                give(t, right_of(t), i, i);
        }
#pragma omp taskwait
        for (int i = 0; i < N; i++)
            EXPECT_EQ(buf[i], i);
        EXPECT_FILLED(data, (size_t)large, (unsigned)left_of(t));
        free(data);
        free(sent);
    }
}
IN_TASKS(several)

/* Requests that are complete already, and null ones. */
static void at_once(team_t *t, void *arg)
{
    (void)arg;
    int buf[1] = {-1}, value = 5, flag = 0;
    ep_status status[2];
    ep_request sent;
    EXPECT_OK(ep_isend(&value, 1, MPI_INT, t->rank, 0, t->comm, &sent));
    while (!flag)
        EXPECT_OK(ep_iprobe(t->rank, 0, t->comm, &flag, EP_STATUS_IGNORE));
#pragma omp task shared(buf, status)
    {
        ep_request none = EP_REQUEST_NULL, nones[2] = {EP_REQUEST_NULL, EP_REQUEST_NULL};
        receive(t, t->rank, 0, buf, &status[0]);
        EXPECT_OK(ep_iwait(&none, &status[1]));
        EXPECT_OK(ep_iwait(&none, EP_STATUS_IGNORE));
        EXPECT_OK(ep_iwaitall(2, nones, EP_STATUSES_IGNORE));
        EXPECT_OK(ep_iwaitall(0, nones, EP_STATUSES_IGNORE));
    }
#pragma omp taskwait
    EXPECT_EQ(buf[0], 5);
    EXPECT_EQ(status[0].MPI_TAG, 0);
    EXPECT_EQ(status[1].MPI_TAG, MPI_ANY_TAG);
    EXPECT_EQ(status[1].MPI_SOURCE, MPI_ANY_SOURCE);
    EXPECT_OK(ep_wait(&sent, EP_STATUS_IGNORE));
}
IN_TASKS(at_once)

/* Outside of explicit tasks they wait. */
static void waits(void)
{
    int n;
    team_t *ends = ends_open(&n);
    for (int region = 0; region < 2; region++)
#pragma omp parallel if (region)
#pragma omp single
        for (int i = 0; i < n; i++) {
            int buf = -1;
            ep_request r[2];
            EXPECT_OK(ep_irecv(&buf, 1, MPI_INT, ends[i].rank, 0, ends[i].comm, &r[0]));
            EXPECT_OK(ep_isend(&i, 1, MPI_INT, ends[i].rank, 0, ends[i].comm, &r[1]));
            if (i % 2) {
                EXPECT_OK(ep_iwaitall(2, r, EP_STATUSES_IGNORE));
            } else {
                EXPECT_OK(ep_iwait(&r[0], EP_STATUS_IGNORE));
                EXPECT_OK(ep_iwait(&r[1], EP_STATUS_IGNORE));
            }
            EXPECT_EQ(buf, i);
        }
    ends_close(ends, n);
}

/* ---- other requests ---- */

static int query(void *extra, ep_status *status)
{
    (void)extra;
    status->MPI_TAG = 1234;
    return ep_status_set_elements(status, MPI_INT, 3);
}

static int release(void *extra)
{
    lift(extra);
    return MPI_SUCCESS;
}

static int no_cancel(void *extra, int complete)
{
    (void)extra;
    (void)complete;
    return MPI_SUCCESS;
}

static void general(team_t *t, void *arg)
{
    (void)arg;
    for (int i = 0; i < 20; i++) {
        int freed[1] = {0}, returned[1] = {0}, n = -1;
        ep_status status[1];
        ep_request r[1], same[1];
        EXPECT_OK(ep_grequest_start(query, release, no_cancel, freed, &r[0]));
        same[0] = r[0];
#pragma omp task shared(r, status, returned)
        {
            EXPECT_OK(ep_iwait(&r[0], &status[0]));
            EXPECT(r[0] == EP_REQUEST_NULL);
            lift(returned);
        }
#pragma omp task shared(freed, returned)
        {
            await(returned);
            EXPECT_EQ(freed[0], 0);
            EXPECT_OK(ep_grequest_complete(same[0]));
        }
#pragma omp taskwait
        EXPECT_EQ(freed[0], 1);
        EXPECT_EQ(status[0].MPI_TAG, 1234);
        EXPECT_OK(ep_get_count(&status[0], MPI_INT, &n));
        EXPECT_EQ(n, 3);
    }
    EXPECT_OK(ep_barrier(t->comm));
}
IN_TASKS(general)

/* A persistent request keeps its handle, and the successor may start it again. */
static void persistent(team_t *t, void *arg)
{
    (void)arg;
    int in[1], out[1];
    ep_request r[2], same[2];
    EXPECT_OK(ep_recv_init(in, 1, MPI_INT, left_of(t), 0, t->comm, &r[0]));
    EXPECT_OK(ep_ssend_init(out, 1, MPI_INT, right_of(t), 0, t->comm, &r[1]));
    memcpy(same, r, sizeof r);
    for (int i = 0; i < 30; i++) {
#pragma omp task shared(in, out, r) depend(inout : r[0])
        {
            in[0] = -1;
            out[0] = t->rank + i;
            EXPECT_OK(ep_startall(2, r));
            if (i % 2) {
                EXPECT_OK(ep_iwaitall(2, r, EP_STATUSES_IGNORE));
            } else {
                EXPECT_OK(ep_iwait(&r[1], EP_STATUS_IGNORE));
                EXPECT_OK(ep_iwait(&r[0], EP_STATUS_IGNORE));
            }
        }
#pragma omp task shared(in, r) depend(inout : r[0])
        {
            EXPECT_EQ(in[0], left_of(t) + i);
            EXPECT(r[0] == same[0] && r[1] == same[1]);
        }
    }
#pragma omp taskwait
    EXPECT_OK(ep_request_free(&r[0]));
    EXPECT_OK(ep_request_free(&r[1]));
}
IN_TASKS(persistent)

/* Collective calls, a new communicator, a window. */
static void others(team_t *t, void *arg)
{
    (void)arg;
    int sum[1] = {0}, value[1] = {0}, memory[2] = {0}, in[1] = {t->rank + 1};
    ep_comm made[1] = {EP_COMM_NULL};
    ep_win win;
    for (int i = 0; i < effort(10); i++) {
#pragma omp task shared(sum, in) depend(out : sum[0]) depend(inout : t->comm)
        {
            ep_request r;
            EXPECT_OK(ep_iallreduce(in, sum, 1, MPI_INT, MPI_SUM, t->comm, &r));
            EXPECT_OK(ep_iwait(&r, EP_STATUS_IGNORE));
        }
#pragma omp task shared(made) depend(out : made[0]) depend(inout : t->comm)
        {
            ep_request r;
            EXPECT_OK(ep_comm_idup(t->comm, &made[0], &r));
            EXPECT_OK(ep_iwait(&r, EP_STATUS_IGNORE));
        }
#pragma omp task shared(made, sum, value) depend(in : sum[0], made[0])
        {
            EXPECT_OK(ep_allreduce(sum, value, 1, MPI_INT, MPI_MAX, made[0]));
            EXPECT_OK(ep_comm_free(&made[0]));
        }
#pragma omp taskwait
        EXPECT_EQ(value[0], t->size * (t->size + 1) / 2);
    }
    EXPECT_OK(ep_win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, t->comm, &win));
    EXPECT_OK(ep_win_lock_all(0, win));
#pragma omp task shared(in)
    {
        ep_request r;
        EXPECT_OK(ep_rput(in, 1, MPI_INT, right_of(t), 1, 1, MPI_INT, win, &r));
        EXPECT_OK(ep_iwait(&r, EP_STATUS_IGNORE));
    }
#pragma omp taskwait
    EXPECT_OK(ep_win_unlock_all(win));
    EXPECT_OK(ep_barrier(t->comm));
    EXPECT_EQ(memory[1], left_of(t) + 1);
    EXPECT_OK(ep_win_free(&win));
}
IN_TASKS(others)

static void cancelled(team_t *t, void *arg)
{
    (void)arg;
    int buf[1], flag = 0;
    ep_status status[1];
#pragma omp task shared(buf, status)
    {
        ep_request r;
        EXPECT_OK(ep_irecv(buf, 1, MPI_INT, t->rank, 3, t->comm, &r));
        EXPECT_OK(ep_cancel(&r));
        EXPECT_OK(ep_iwait(&r, &status[0]));
    }
#pragma omp taskwait
    EXPECT_OK(ep_test_cancelled(&status[0], &flag));
    EXPECT_EQ(flag, 1);
}
IN_TASKS(cancelled)

/* ---- errors ---- */

static int told; /* calls of note; endpoints of a process take turns */

static void note(ep_comm *comm, int *code, ...)
{
    int class = 0;
    EXPECT(*comm != EP_COMM_NULL);
    EXPECT_OK(ep_error_class(*code, &class));
    EXPECT(class == MPI_ERR_TRUNCATE || class == MPI_ERR_IN_STATUS);
    __atomic_fetch_add(&told, 1, __ATOMIC_RELAXED);
}

/* A message that is too long: the communicator's handler is told, the task completes, its status has the error. */
static void truncated(team_t *t, void *arg)
{
    (void)arg;
    ep_errhandler handler;
    EXPECT_OK(ep_comm_create_errhandler(note, &handler));
    for (int i = 0; i < t->size; i++) {
        EXPECT_OK(ep_barrier(t->comm));
        if (i != t->rank)
            continue;
        for (int all = 0; all < 2; all++) {
            int buf[3] = {-1, -1, -1}, returned[1] = {0}, before = __atomic_load_n(&told, __ATOMIC_RELAXED);
            ep_status status[2];
            EXPECT_OK(ep_comm_set_errhandler(t->comm, handler));
#pragma omp task shared(buf, returned, status)
            {
                ep_request r[2];
                EXPECT_OK(ep_irecv(buf, 1, MPI_INT, t->rank, 0, t->comm, &r[0]));
                EXPECT_OK(ep_irecv(&buf[2], 1, MPI_INT, t->rank, 1, t->comm, &r[1]));
                if (all) {
                    EXPECT_OK(ep_iwaitall(2, r, status));
                } else {
                    EXPECT_OK(ep_iwait(&r[0], &status[0]));
                    EXPECT_OK(ep_iwait(&r[1], &status[1]));
                }
                lift(returned);
            }
#pragma omp task shared(returned)
            {
                int data[2] = {3, 4};
                await(returned);
                EXPECT_OK(ep_send(data, 2, MPI_INT, t->rank, 0, t->comm));
                EXPECT_OK(ep_send(data, 1, MPI_INT, t->rank, 1, t->comm));
            }
#pragma omp taskwait
            EXPECT_EQ(buf[0], 3);
            EXPECT_EQ(buf[1], -1);
            EXPECT_EQ(buf[2], 3);
            EXPECT_EQ(__atomic_load_n(&told, __ATOMIC_RELAXED), before + 1);
            if (all) {
                EXPECT_EQ(status[0].MPI_ERROR, MPI_ERR_TRUNCATE);
                EXPECT_EQ(status[1].MPI_ERROR, MPI_SUCCESS);
            }
            EXPECT_OK(ep_comm_set_errhandler(t->comm, EP_ERRORS_RETURN));
        }
    }
    EXPECT_OK(ep_errhandler_free(&handler));
    EXPECT_OK(ep_barrier(t->comm));
}
IN_TASKS(truncated)

static const harness_test tests[] = {{"successor", NULL, successor_in_tasks},
                                     {"without_request", NULL, without_request_in_tasks},
                                     {"waited_for", NULL, waited_for_in_tasks},
                                     {"many", NULL, many_in_tasks},
                                     {"steps", NULL, steps_in_tasks},
                                     {"several", NULL, several_in_tasks},
                                     {"at_once", NULL, at_once_in_tasks},
                                     {"waits", NULL, waits},
                                     {"general", NULL, general_in_tasks},
                                     {"persistent", NULL, persistent_in_tasks},
                                     {"others", NULL, others_in_tasks},
                                     {"cancelled", NULL, cancelled_in_tasks},
                                     {"truncated", NULL, truncated_in_tasks}};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "tasks: iwait", tests);
}
