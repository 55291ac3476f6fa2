/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * churn.c: endpoints are made, used and freed 500 times; after that the process is no larger and has no
 * more MPI communicators than after 100 times.
 *
 * Catches endpoints, requests, rank maps or duplicated parents that are not given back, and communicators of
 * which only some processes let go. MPI's communicators are counted at its profiling interface.
 */
#include "harness.h"
#include "memory.h"
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int mpi_comms, mpi_comms_made;

static void count_comm(MPI_Comm comm)
{
    atomic_fetch_add(&mpi_comms, comm != MPI_COMM_NULL);
    atomic_fetch_add(&mpi_comms_made, comm != MPI_COMM_NULL);
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *new_comm)
{
    int rc = PMPI_Comm_dup(comm, new_comm);
    count_comm(*new_comm);
    return rc;
}

int MPI_Comm_idup(MPI_Comm comm, MPI_Comm *new_comm, MPI_Request *request)
{
    count_comm(comm);
    return PMPI_Comm_idup(comm, new_comm, request);
}

int MPI_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *new_comm)
{
    int rc = PMPI_Comm_dup_with_info(comm, info, new_comm);
    count_comm(*new_comm);
    return rc;
}

int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *new_comm)
{
    int rc = PMPI_Comm_split(comm, color, key, new_comm);
    count_comm(*new_comm);
    return rc;
}

int MPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm *new_comm)
{
    int rc = PMPI_Comm_create(comm, group, new_comm);
    count_comm(*new_comm);
    return rc;
}

int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *new_comm)
{
    int rc = PMPI_Comm_create_group(comm, group, tag, new_comm);
    count_comm(*new_comm);
    return rc;
}

int MPI_Comm_free(MPI_Comm *comm)
{
    atomic_fetch_sub(&mpi_comms, 1);
    return PMPI_Comm_free(comm);
}

/* Some of everything: near, far, unexpected, by rendezvous, a receive that nobody answers. */
static void converse(team_t *t, void *arg)
{
    enum { LARGE = 70000 };
    int to = (t->rank + 1) % t->size, from = (t->rank + t->size - 1) % t->size, got = -1;
    char *out = xmalloc(LARGE), *in = xmalloc(LARGE);
    ep_request requests[3];
    (void)arg;
    out[LARGE - 1] = (char)t->rank;
    EXPECT_OK(ep_irecv(&got, 1, MPI_INT, from, 99, t->comm, &requests[2]));
    EXPECT_OK(ep_send(&t->rank, 1, MPI_INT, to, 1, t->comm));
    EXPECT_OK(ep_irecv(in, LARGE, MPI_BYTE, from, 2, t->comm, &requests[0]));
    EXPECT_OK(ep_isend(out, LARGE, MPI_BYTE, to, 2, t->comm, &requests[1]));
    EXPECT_OK(ep_waitall(2, requests, EP_STATUSES_IGNORE));
    EXPECT_EQ(in[LARGE - 1], (char)from);
    EXPECT_OK(ep_recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 1, t->comm, EP_STATUS_IGNORE));
    EXPECT_EQ(got, from);
    EXPECT_OK(ep_cancel(&requests[2]));
    EXPECT_OK(ep_wait(&requests[2], EP_STATUS_IGNORE));
    free(out);
    free(in);
}

static void cycle(int n, int many)
{
    ep_comm *sets[3];
    for (int i = 0; i < many; i++) {
        sets[i] = xmalloc((size_t)n * sizeof *sets[i]);
        EXPECT_OK(ep_comm_create_endpoints(MPI_COMM_WORLD, n, MPI_INFO_NULL, sets[i]));
    }
    for (int i = 0; i < many; i++) { /* frees the endpoints */
        team_run_on(sets[i], n, 0, converse, NULL);
        free(sets[i]);
    }
}

static void create_and_free(void)
{
    int n = team_local_count(), cycles = 500 / harness_slowness(), early_comms = 0;
    long early_resident = 0, early_allocated = 0;
    for (int i = 0; i < cycles; i++) {
        cycle(n, i % 10 == 9 ? 3 : 1);
        if (i == cycles / 5 - 1) {
            early_comms = atomic_load(&mpi_comms);
            early_resident = memory_resident();
            early_allocated = memory_allocated();
        }
    }
    EXPECT(atomic_load(&mpi_comms_made) >= cycles); /* else they are not counted here */
    EXPECT(atomic_load(&mpi_comms) <= early_comms);
    /* 400 cycles; one forgotten endpoint alone is more than 16 KiB */
    EXPECT(memory_allocated() - early_allocated < 256 * 1024);
    EXPECT(memory_resident() - early_resident < 4 * 1024 * 1024);
}

static const harness_test tests[] = {{"create_and_free", NULL, create_and_free}};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "churn", tests);
}
