/* SPDX-License-Identifier: BSD-3-Clause */
/* isolation.c: what the program says on MPI's communicators and what it says through ep never mix. */
#include "pairs.h"
#include <stdlib.h>
#include <string.h>

enum { COUNT = 50 };

/* Every process sends COUNT plain MPI messages to the next, any tags; they are received with wildcards after ep
 * has been made to look for messages as hard as it can. */
static void plain_send(MPI_Comm comm, int rank, int size, int values[], MPI_Request requests[])
{
    for (int i = 0; i < COUNT; i++) {
        values[i] = 1000 * rank + i;
        MPI_Isend(&values[i], 1, MPI_INT, (rank + 1) % size, i * 600, comm, &requests[i]);
    }
}

static void plain_receive(MPI_Comm comm, int rank, int size)
{
    int before = (rank + size - 1) % size;
    for (int i = 0; i < COUNT; i++) {
        int got = -1;
        MPI_Status status;
        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status);
        EXPECT_EQ(got, 1000 * before + i);
        EXPECT_EQ(status.MPI_SOURCE, before);
        EXPECT_EQ(status.MPI_TAG, 600 * i);
    }
}

static void ep_traffic(team_t *t)
{
    int next = (t->rank + t->local) % t->size;
    for (int i = 0; i < COUNT; i++) {
        int value = 7000 * t->rank + i;
        EXPECT_OK(ep_send(&value, 1, MPI_INT, next, i, t->comm));
    }
}

static void ep_collect(team_t *t)
{
    int expected = 0, flag = -1;
    for (int r = 0; r < t->size; r++) /* whose `next` am I? */
        expected += (r + t->counts[team_process_of(t, r)]) % t->size == t->rank ? COUNT : 0;
    for (int i = 0; i < expected; i++) {
        int got = -1;
        ep_status status;
        EXPECT_OK(ep_recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, t->comm, &status));
        EXPECT_EQ(got, 7000 * status.MPI_SOURCE + status.MPI_TAG);
    }
    team_barrier(t);
    EXPECT_OK(ep_iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, t->comm, &flag, EP_STATUS_IGNORE));
    EXPECT_EQ(flag, 0);
}

/* comm is used by one thread of each process that has endpoints, as plain MPI would be. */
static void mix(team_t *t, MPI_Comm comm)
{
    int rank = -1, size = 0, values[COUNT], flag;
    MPI_Request requests[COUNT];
    MPI_Status statuses[COUNT];
    if (t->index == 0) {
        MPI_Comm_rank(comm, &rank);
        MPI_Comm_size(comm, &size);
        plain_send(comm, rank, size, values, requests);
    }
    ep_traffic(t);
    for (int i = 0; i < 100; i++)
        EXPECT_OK(ep_iprobe(t->size - 1, 32767, t->comm, &flag, EP_STATUS_IGNORE));
    if (t->index == 0) {
        plain_receive(comm, rank, size);
        MPI_Waitall(COUNT, requests, statuses);
    }
    ep_collect(t);
}

static void on_parent(team_t *t, void *arg)
{
    mix(t, *(MPI_Comm *)arg);
}

/* The parent holds the processes with endpoints only, so that each has a thread to speak on it. */
static void user_on_parent(void)
{
    int n = team_local_count(), rank;
    ep_comm *comms = xmalloc((size_t)n * sizeof *comms);
    MPI_Comm parent = MPI_COMM_NULL;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, n ? 0 : MPI_UNDEFINED, rank, &parent);
    int ok = !n || EXPECT_OK(ep_comm_create_endpoints(parent, n, MPI_INFO_NULL, comms));
    if (ok)
        team_run_on(comms, n, 0, on_parent, &parent);
    if (n)
        MPI_Comm_free(&parent);
    free(comms);
}

static void on_classic(team_t *t, void *arg)
{
    MPI_Comm classic = MPI_COMM_NULL;
    int size = 0, populated = 0;
    (void)arg;
    EXPECT_OK(ep_comm_get_mpi_comm(t->comm, &classic));
    for (int p = 0; p < t->processes; p++)
        populated += t->counts[p] > 0;
    MPI_Comm_size(classic, &size);
    if (size == populated) /* else processes without a thread have a rank on it */
        mix(t, classic);
}

static void single_owner_body(team_t *t, void *arg)
{
    (void)arg;
    ep_traffic(t);
    ep_collect(t);
}

/* The hint changes nothing that can be seen, also mixed with values it does not know. */
static void single_owner(void)
{
    int n = team_local_count();
    static const char *const values[] = {"true", "false", "perhaps"};
    for (int i = 0; i < 3; i++) {
        ep_comm *comms = xmalloc((size_t)n * sizeof *comms);
        MPI_Info info;
        MPI_Info_create(&info);
        MPI_Info_set(info, "ep_single_owner", values[i]);
        MPI_Info_set(info, "no_such_key", "1");
        int ok = EXPECT_OK(ep_comm_create_endpoints(MPI_COMM_WORLD, n, info, comms));
        MPI_Info_free(&info);
        if (ok)
            team_run_on(comms, n, 0, single_owner_body, NULL);
        free(comms);
    }
}

static const harness_test tests[] = {
    {"user traffic on the parent", NULL, user_on_parent},
    {"user traffic on get_mpi_comm", on_classic, NULL},
    {"ep_single_owner", NULL, single_owner},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "isolation", tests);
}
