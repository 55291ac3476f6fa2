/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * across_refused.c: the system lets processes read each other's memory at first, and later does not (refuse.c).
 *
 * Catches: a hang, or garbage taken for a message, where the large ones can no longer be read: sender and receiver have an
 * error then, and all else goes on.
 */
#include "across.h"

enum { TAG = 1, LARGE = 200000 };

static int refusing;

static void one_large(team_t *t, int partner, int probed, char *out, char *in)
{
    ep_request r;
    ep_message m;
    int near = team_near(t, partner), sent, got;
    EXPECT_OK(ep_isend(out, LARGE, MPI_BYTE, partner, TAG, t->comm, &r));
    if (probed) {
        EXPECT_OK(ep_mprobe(partner, TAG, t->comm, &m, EP_STATUS_IGNORE));
        got = ep_mrecv(in, LARGE, MPI_BYTE, &m, EP_STATUS_IGNORE);
    } else {
        got = ep_recv(in, LARGE, MPI_BYTE, partner, TAG, t->comm, EP_STATUS_IGNORE);
    }
    sent = ep_wait(&r, EP_STATUS_IGNORE);
    EXPECT_EQ(got != MPI_SUCCESS, refusing && !near);
    EXPECT_EQ(sent != MPI_SUCCESS, refusing && !near);
    if (got == MPI_SUCCESS)
        EXPECT_FILLED(in, LARGE, (unsigned)partner);
}

static void pair_all(team_t *t, int partner, void *arg)
{
    static const int sizes[] = {0, 24, 1000, 5000, 65536};
    char *out = xmalloc(LARGE), *in = xmalloc(LARGE);
    ep_request r;
    (void)arg;
    fill(out, LARGE, (unsigned)t->rank);
    for (int i = 0; i < 10; i++) {
        one_large(t, partner, i % 2, out, in);
        EXPECT_OK((i < 5 ? ep_isend : ep_issend)(out, sizes[i % 5], MPI_BYTE, partner, TAG, t->comm, &r));
        EXPECT_OK(ep_recv(in, LARGE, MPI_BYTE, partner, TAG, t->comm, EP_STATUS_IGNORE));
        EXPECT_FILLED(in, (size_t)sizes[i % 5], (unsigned)partner);
        EXPECT_OK(ep_wait(&r, EP_STATUS_IGNORE));
    }
    free(in);
    free(out);
}

static void all(team_t *t, void *arg)
{
    for_pairs(t, pair_all, arg);
}

static void refused_late(void)
{
    const char *mode = getenv("EP_TEST_REFUSE");
    refusing = 0;
    team_run(all, NULL);
    if (!mode || strcmp(mode, "late") != 0)
        return;
    setenv("EP_TEST_REFUSE", "readv", 1);
    refusing = 1;
    team_run(all, NULL);
}

static const harness_test tests[] = {
    {"refused late", NULL, refused_late},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "across_refused", tests);
}
