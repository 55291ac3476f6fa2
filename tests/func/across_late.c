/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * across_late.c: sends to other processes whose own process, or whose receiver, has left.
 *
 * Catches: messages that move on only while their sender calls ep, sends to a communicator that its receiver has freed
 * which never end, or end twice when they are cancelled meanwhile.
 */
#include "across.h"

enum { TAG = 1, CROWD = 3000, LARGE = 200000, COMMS = 30, STRIKES = 60 };

static MPI_Comm still; /* of all processes */
static int shared;

/* A process that sends more than anybody has room for, and then blocks in MPI until that has arrived. */
static void outside(team_t *t, void *arg)
{
    int last = t->size - 1, in = -1;
    static int out[CROWD];
    static ep_request sends[CROWD];
    (void)arg;
    if (t->rank == 0)
        for (int i = 0; i < CROWD; i++) {
            out[i] = i;
            EXPECT_OK(ep_isend(&out[i], 1, MPI_INT, last, TAG, t->comm, &sends[i]));
        }
    still_barrier(t, still);
    if (t->rank == last)
        for (int i = 0; i < CROWD; i++) {
            EXPECT_OK(ep_recv(&in, 1, MPI_INT, 0, TAG, t->comm, EP_STATUS_IGNORE));
            if (!EXPECT_EQ(in, i))
                break;
        }
    if (team_near(t, last) ? t->rank == last : t->index == 0)
        MPI_Barrier(still);
    if (t->rank == 0)
        EXPECT_OK(ep_waitall(CROWD, sends, EP_STATUSES_IGNORE));
}

/* Nobody receives these, and they end nevertheless, as they do within a process. */
static void freed(team_t *t, void *arg)
{
    static const int sizes[] = {0, 5000, LARGE};
    char *buf = xmalloc(LARGE);
    int partner = t->size - 1 - t->rank;
    (void)arg;
    fill(buf, LARGE, 1);
    for (int i = 0; i < COMMS && shared; i++) {
        ep_comm mine;
        ep_request r[3];
        EXPECT_OK(ep_comm_dup(t->comm, &mine));
        still_barrier(t, still);
        if (t->rank > partner)
            EXPECT_OK(ep_comm_free(&mine));
        still_barrier(t, still);
        if (t->rank < partner) {
            for (int k = 0; k < 3; k++)
                EXPECT_OK(ep_issend(buf, sizes[k], MPI_BYTE, partner, TAG, mine, &r[k]));
            for (int k = 0; k < 3 && i % 2; k++)
                EXPECT_OK(ep_cancel(&r[k]));
            EXPECT_OK(ep_barrier(t->comm));
            EXPECT_OK(ep_waitall(3, r, EP_STATUSES_IGNORE));
            EXPECT_OK(ep_comm_free(&mine));
        } else {
            EXPECT_OK(ep_barrier(t->comm));
            if (t->rank == partner)
                EXPECT_OK(ep_comm_free(&mine));
        }
    }
    free(buf);
}

/* The receiver frees while the sender cancels. */
static void strike(team_t *t, void *arg)
{
    char *buf = xmalloc(LARGE);
    int partner = t->size - 1 - t->rank;
    (void)arg;
    fill(buf, LARGE, 1);
    for (int i = 0; i < STRIKES && shared; i++) {
        ep_comm mine;
        ep_request r[8];
        EXPECT_OK(ep_comm_dup(t->comm, &mine));
        if (t->rank < partner) {
            for (int k = 0; k < 8; k++)
                EXPECT_OK(ep_issend(buf, k % 2 ? LARGE : 100, MPI_BYTE, partner, TAG, mine, &r[k]));
            for (int k = 0; k < 8; k++)
                EXPECT_OK(ep_cancel(&r[k]));
            EXPECT_OK(ep_waitall(8, r, EP_STATUSES_IGNORE));
        }
        EXPECT_OK(ep_comm_free(&mine));
    }
    EXPECT_OK(ep_barrier(t->comm));
    free(buf);
}

static void run(team_body *body)
{
    MPI_Comm_dup(MPI_COMM_WORLD, &still);
    shared = across_by_memory();
    team_run(body, NULL);
    MPI_Comm_free(&still);
}

static void sender_outside(void)
{
    run(outside);
}

static void receiver_freed(void)
{
    run(freed);
}

static void receiver_frees(void)
{
    run(strike);
}

static const harness_test tests[] = {
    {"sender outside", NULL, sender_outside},
    {"receiver freed", NULL, receiver_freed},
    {"receiver frees", NULL, receiver_frees},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "across_late", tests);
}
