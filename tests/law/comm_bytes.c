/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * comm_bytes.c: one more communicator takes less than 200 bytes per endpoint where a process has 64 of them, whether messages have
 * come by it or not (docs/memory.md). All of this is ep's: in one process there are no MPI communicators below.
 *
 * Catches: memory for each endpoint that a communicator's making or its messages take and keep, be it malloc's, a pool's or a queue's.
 */
#include "harness.h"
#include "memory.h"

enum { WARM = 64, COUNT = 256, MOST = 200 };

static void exchange(team_t *t, ep_comm c)
{
    int from = (t->rank + t->size - 1) % t->size, got = -1;
    ep_request r = EP_REQUEST_NULL;
    EXPECT_OK(ep_isend(&t->rank, 1, MPI_INT, (t->rank + 1) % t->size, 1, c, &r));
    EXPECT_OK(ep_recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 1, c, EP_STATUS_IGNORE));
    EXPECT_EQ(got, from);
    EXPECT_OK(ep_wait(&r, EP_STATUS_IGNORE));
}

static void grow(team_t *t, void *used)
{
    ep_comm c[WARM + COUNT];
    long before = 0;
    for (int i = 0; i < WARM + COUNT; i++) {
        if (i == WARM && (team_barrier(t), t->index == 0))
            before = memory_allocated();
        EXPECT_OK(ep_comm_dup(t->comm, &c[i]));
        if (used)
            exchange(t, c[i]);
    }
    team_barrier(t);
    if (t->index == 0) {
        long each = (memory_allocated() - before) / COUNT / t->local;
        EXPECT(each < MOST);
    }
    team_barrier(t);
    for (int i = 0; i < WARM + COUNT; i++)
        EXPECT_OK(ep_comm_free(&c[i]));
}

static void fresh(void)
{
    team_run(grow, NULL);
}

static void used(void)
{
    team_run(grow, &(int){1});
}

static const harness_test tests[] = {{"fresh", NULL, fresh}, {"used", NULL, used}};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "comm_bytes", tests);
}
