/* SPDX-License-Identifier: BSD-3-Clause */
/* comms.c: communicators made and freed by tasks that share their threads. */
#include "ends.h"

#include <crt.h>
#include <stdlib.h>

/* All members are there, and so are messages. */
static void try_out(ep_comm comm, int key)
{
    int rank, size, in, out, got = -1;
    EXPECT_OK(ep_comm_rank(comm, &rank));
    EXPECT_OK(ep_comm_size(comm, &size));
    in = rank + key;
    EXPECT_OK(ep_allreduce(&in, &out, 1, MPI_INT, MPI_SUM, comm));
    EXPECT_EQ(out, size * (size - 1) / 2 + size * key);
    EXPECT_OK(ep_sendrecv(&in, 1, MPI_INT, (rank + 1) % size, 1, &got, 1, MPI_INT, (rank + size - 1) % size,
                          1, comm, EP_STATUS_IGNORE));
    EXPECT_EQ(got, (rank + size - 1) % size + key);
}

static void dup(team_t *t, void *arg)
{
    (void)arg;
    for (int i = 0; i < effort(15); i++) {
        ep_comm one, two;
        ep_request r;
        EXPECT_OK(ep_comm_dup(t->comm, &one));
        EXPECT_OK(ep_comm_idup(one, &two, &r));
        EXPECT_OK(ep_wait(&r, EP_STATUS_IGNORE));
        EXPECT_OK(ep_comm_free(&one));
        try_out(two, i);
        EXPECT_OK(i % 2 ? ep_comm_free(&two) : ep_comm_disconnect(&two));
    }
}
IN_TASKS(dup)

static void split(team_t *t, void *arg)
{
    (void)arg;
    for (int i = 0; i < effort(15); i++) {
        ep_comm part, here;
        EXPECT_OK(ep_comm_split(t->comm, i % 3 == 2 ? 0 : t->rank % 2, i % 2 ? -t->rank : t->rank, &part));
        try_out(part, i);
        EXPECT_OK(ep_comm_split_type(t->comm, EP_COMM_TYPE_PROCESS, 0, MPI_INFO_NULL, &here));
        try_out(here, i);
        EXPECT_OK(ep_comm_free(&part));
        EXPECT_OK(ep_comm_free(&here));
    }
}
IN_TASKS(split)

/* Groups that overlap in the caller, made at the same time by tasks of one endpoint: {me, right} and {left, me}. The
 * tag is the lower one's rank. */
static void create_group(team_t *t, void *arg)
{
    (void)arg;
    if (t->size < 2)
        return;
    for (int i = 0; i < effort(10); i++) {
        for (int k = 0; k < 2; k++) {
            int first = k == i % 2 ? t->rank : left_of(t);
#pragma omp task firstprivate(first)
            {
                int ranks[2] = {first, (first + 1) % t->size};
                ep_group world, pair;
                ep_comm comm;
                EXPECT_OK(ep_comm_group(t->comm, &world));
                EXPECT_OK(ep_group_incl(world, 2, ranks, &pair));
                EXPECT_OK(ep_comm_create_group(t->comm, pair, first, &comm));
                try_out(comm, first);
                EXPECT_OK(ep_comm_free(&comm));
                EXPECT_OK(ep_group_free(&pair));
                EXPECT_OK(ep_group_free(&world));
            }
        }
#pragma omp taskwait
    }
}
IN_TASKS(create_group)

/* Two communicators, and on each the same calls: endpoints do the one first or the other. */
static void opposite(team_t *t, void *arg)
{
    (void)arg;
    enum { COMMS = 4 };
    ep_comm from[COMMS];
    for (int i = 0; i < COMMS; i++)
        EXPECT_OK(ep_comm_dup(t->comm, &from[i]));
    for (int k = 0; k < COMMS; k++) {
        int i = t->rank % 2 ? COMMS - 1 - k : k;
#pragma omp task firstprivate(i)
        for (int round = 0; round < effort(6); round++) {
            ep_comm made, part;
            EXPECT_OK(ep_comm_dup(from[i], &made));
            EXPECT_OK(ep_comm_split(made, t->rank % 2, 0, &part));
            try_out(made, i);
            try_out(part, i);
            EXPECT_OK(ep_comm_free(&made));
            EXPECT_OK(ep_comm_free(&part));
        }
    }
#pragma omp taskwait
    for (int i = 0; i < COMMS; i++)
        EXPECT_OK(ep_comm_free(&from[i]));
}
IN_TASKS(opposite)

/* The endpoints' first task blocks in a creation until all have come; here the last one comes late, behind messages
 * that tasks of the others send from behind their creations. */
static void late(team_t *t, void *arg)
{
    (void)arg;
    int last = t->size - 1;
    for (int i = 0; i < effort(10); i++) {
        ep_comm made[1];
#pragma omp task shared(made)
        {
            for (int k = 0; t->rank == last && k < last; k++) {
                int got;
                EXPECT_OK(ep_recv(&got, 1, MPI_INT, k, 4, t->comm, EP_STATUS_IGNORE));
                EXPECT_EQ(got, i);
            }
            EXPECT_OK(ep_comm_dup(t->comm, &made[0]));
        }
#pragma omp task firstprivate(i)
        if (t->rank != last)
            EXPECT_OK(ep_ssend(&i, 1, MPI_INT, last, 4, t->comm));
#pragma omp taskwait
        try_out(made[0], i);
        EXPECT_OK(ep_comm_free(&made[0]));
    }
}
IN_TASKS(late)

static void intercomm(team_t *t, void *arg)
{
    (void)arg;
    if (t->size < 2)
        return;
    for (int i = 0; i < effort(10); i++) {
        int side = i % 2 ? t->rank % 2 : t->rank >= t->size / 2, sum, one = 1, others;
        int remote = i % 2 ? !side : side ? 0 : t->size / 2;
        ep_comm local, inter, merged, again;
        EXPECT_OK(ep_comm_split(t->comm, side, 0, &local));
        EXPECT_OK(ep_intercomm_create(local, 0, t->comm, remote, i, &inter));
        EXPECT_OK(ep_comm_remote_size(inter, &others));
        EXPECT_OK(ep_allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, inter));
        EXPECT_EQ(sum, others);
        EXPECT_OK(ep_comm_dup(inter, &again));
        EXPECT_OK(ep_intercomm_merge(again, side, &merged));
        try_out(merged, i);
        EXPECT_OK(ep_comm_free(&merged));
        EXPECT_OK(ep_comm_free(&again));
        EXPECT_OK(ep_comm_free(&inter));
        EXPECT_OK(ep_comm_free(&local));
    }
}
IN_TASKS(intercomm)

/* Endpoints are created by a task, while other tasks of its thread talk on older ones. */
static void endpoints(void)
{
    int n, rounds = effort(6), stop[1] = {0}; /* tasks go on behind the block that makes them */
    team_t *ends = ends_open(&n);
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < n; i++) {
            team_t *t = &ends[i];
#pragma omp task firstprivate(t) shared(stop)
            for (int round = 0; !__atomic_load_n(&stop[0], __ATOMIC_ACQUIRE); round++) {
                int got = -1;
#pragma omp task shared(got)
                EXPECT_OK(ep_recv(&got, 1, MPI_INT, t->rank, 6, t->comm, EP_STATUS_IGNORE));
#pragma omp task
                EXPECT_OK(ep_ssend(&round, 1, MPI_INT, t->rank, 6, t->comm));
#pragma omp taskwait
                EXPECT_EQ(got, round);
                crt_yield();
            }
        }
#pragma omp task shared(stop)
        {
            for (int round = 0; round < rounds; round++) {
                ep_comm made[3];
                EXPECT_OK(ep_comm_create_endpoints(MPI_COMM_WORLD, 3, MPI_INFO_NULL, made));
#pragma omp taskgroup
                for (int i = 0; i < 3; i++)
#pragma omp task firstprivate(i) shared(made)
                {
                    EXPECT_OK(ep_comm_set_errhandler(made[i], EP_ERRORS_RETURN));
                    try_out(made[i], round);
                    EXPECT_OK(ep_comm_free(&made[i]));
                }
            }
            __atomic_store_n(&stop[0], 1, __ATOMIC_RELEASE);
        }
    }
    ends_close(ends, n);
}

static const harness_test tests[] = {{"dup", NULL, dup_in_tasks},
                                     {"split", NULL, split_in_tasks},
                                     {"create_group", NULL, create_group_in_tasks},
                                     {"opposite", NULL, opposite_in_tasks},
                                     {"late", NULL, late_in_tasks},
                                     {"intercomm", NULL, intercomm_in_tasks},
                                     {"endpoints", NULL, endpoints}};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "tasks: communicators", tests);
}
