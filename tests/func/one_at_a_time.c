/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * one_at_a_time.c: below MPI_THREAD_MULTIPLE no two threads are in MPI at once, whatever the call: those that only look
 * into a status are calls, too (MPI 12.4.2).
 */
#include "harness.h"

#include <sched.h>
#include <stdatomic.h>
#include <string.h>

/* ---- These are called instead of MPI's ---- */

static atomic_int inside, overlaps;

static void enter(void)
{
    int level;
    PMPI_Query_thread(&level);
    atomic_fetch_add(&overlaps, atomic_fetch_add(&inside, 1) > 0 && level < MPI_THREAD_MULTIPLE);
    sched_yield(); /* who comes now is seen */
}

static int leave(int rc)
{
    atomic_fetch_sub(&inside, 1);
    return rc;
}

int MPI_Isend(const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, MPI_Request *r)
{
    enter();
    return leave(PMPI_Isend(buf, count, type, dest, tag, comm, r));
}

int MPI_Improbe(int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message, MPI_Status *status)
{
    enter();
    return leave(PMPI_Improbe(source, tag, comm, flag, message, status));
}

int MPI_Imrecv(void *buf, int count, MPI_Datatype type, MPI_Message *message, MPI_Request *r)
{
    enter();
    return leave(PMPI_Imrecv(buf, count, type, message, r));
}

int MPI_Test(MPI_Request *r, int *flag, MPI_Status *status)
{
    enter();
    return leave(PMPI_Test(r, flag, status));
}

int MPI_Testsome(int n, MPI_Request r[], int *done, int index[], MPI_Status status[])
{
    enter();
    return leave(PMPI_Testsome(n, r, done, index, status));
}

int MPI_Get_count(const MPI_Status *status, MPI_Datatype type, int *count)
{
    enter();
    return leave(PMPI_Get_count(status, type, count));
}

int MPI_Test_cancelled(const MPI_Status *status, int *flag)
{
    enter();
    return leave(PMPI_Test_cancelled(status, flag));
}

/* ---- */

enum { ROUNDS = 40, N = 8, BYTES = 100 << 10 };

/* Of a funnel: what it may call is MPI, too. */
static int function(ep_mpi_comm mpi_comm, int num_args, void *const args[])
{
    int size = 0;
    (void)num_args, (void)args;
    enter();
    MPI_Comm_size(mpi_comm, &size);
    for (int i = 0; i < 20; i++)
        sched_yield();
    return leave(size);
}

/* Messages to and from an endpoint of another process, small ones and such as MPI does not take at once. */
static void exchange(team_t *t, ep_funnel own)
{
    static _Thread_local char out[BYTES], in[N][BYTES];
    int to = (t->rank + t->local) % t->size, from = (t->rank + t->size - t->local) % t->size, size = 1;
    memset(out, t->rank, sizeof out);
    for (int i = 0; i < ROUNDS; i++) {
        ep_request r[2 * N];
        for (int k = 0; k < N; k++)
            EXPECT_OK(ep_irecv(in[k], k % 2 ? BYTES : 8, MPI_CHAR, from, k, t->comm, &r[k]));
        for (int k = 0; k < N; k++)
            EXPECT_OK(ep_isend(out, k % 2 ? BYTES : 8, MPI_CHAR, to, k, t->comm, &r[N + k]));
        if (own)
            EXPECT_OK(ep_funnel_call(own, function, NULL, &size));
        EXPECT_EQ(size, 1);
        EXPECT_OK(ep_waitall(2 * N, r, EP_STATUSES_IGNORE));
        for (int k = 0; k < N; k++)
            EXPECT(in[k][0] == (char)from && in[k][k % 2 ? BYTES - 1 : 7] == (char)from);
    }
    team_barrier(t);
    EXPECT_EQ(atomic_load(&overlaps), 0);
}

static void messages(team_t *t, void *arg)
{
    (void)arg;
    exchange(t, EP_FUNNEL_NULL);
}

/* While functions of funnels run. */
static void functions(team_t *t, void *arg)
{
    ep_comm self = EP_COMM_NULL;
    ep_funnel own = EP_FUNNEL_NULL;
    (void)arg;
    EXPECT_OK(ep_comm_split(t->comm, t->rank, 0, &self));
    EXPECT_OK(ep_funnel_create(self, &own));
    exchange(t, own);
    EXPECT_OK(ep_funnel_free(&own));
    EXPECT_OK(ep_comm_free(&self));
}

static const harness_test tests[] = {{"messages", messages, NULL}, {"functions", functions, NULL}};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "one at a time", tests);
}
