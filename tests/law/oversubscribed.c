/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * oversubscribed.c: many more endpoints than cores. The watchdog is the judge: an engine that spins where
 * it should sleep takes a scheduler's slice per hop and does not finish in time, one that loses a wake-up
 * not at all.
 */
#include "harness.h"
#include <stdlib.h>

enum { HOPS = 10000 };

/* A token goes round until it has made its hops; every endpoint but one sleeps at any time. */
static void ring(team_t *t, void *arg)
{
    int hops = HOPS / harness_slowness(), to = (t->rank + 1) % t->size,
        from = (t->rank + t->size - 1) % t->size;
    int token = 0;
    (void)arg;
    for (int hop = t->rank; hop < hops; hop += t->size) {
        if (hop > 0)
            EXPECT_OK(ep_recv(&token, 1, MPI_INT, from, 0, t->comm, EP_STATUS_IGNORE));
        EXPECT_EQ(token, hop);
        token++;
        if (hop + 1 < hops)
            EXPECT_OK(ep_send(&token, 1, MPI_INT, to, 0, t->comm));
    }
}

/* Everyone to everyone, with a message that fits in an inbox slot and with one that does not. */
static void all_to_all(team_t *t, void *arg)
{
    enum { WORDS = 300 };
    size_t n = (size_t)t->size;
    int *out = xmalloc(n * WORDS * sizeof *out), *in = xmalloc(n * WORDS * sizeof *in);
    ep_request *requests = xmalloc(2 * n * sizeof *requests);
    (void)arg;
    for (int round = 0; round < 10 / harness_slowness() + 2; round++) {
        int words = round % 2 ? WORDS : 2;
        for (int i = 0; i < t->size; i++) {
            int *o = out + i * WORDS;
            for (int k = 0; k < words; k++)
                o[k] = (t->rank * t->size + i) * 1000 + round + k;
            EXPECT_OK(ep_irecv(in + i * WORDS, words, MPI_INT, i, round, t->comm, &requests[i]));
            EXPECT_OK(ep_isend(o, words, MPI_INT, i, round, t->comm, &requests[t->size + i]));
        }
        EXPECT_OK(ep_waitall(2 * t->size, requests, EP_STATUSES_IGNORE));
        for (int i = 0; i < t->size; i++)
            EXPECT_EQ(in[i * WORDS + words - 1], (i * t->size + t->rank) * 1000 + round + words - 1);
    }
    free(out);
    free(in);
    free(requests);
}

/* Waits of each kind while all cores are taken: blocking pairs, far ahead of each other. */
static void pairs(team_t *t, void *arg)
{
    int peer = t->rank ^ 1, got = -1;
    (void)arg;
    for (int i = 0; i < 200 / harness_slowness() && peer < t->size; i++) {
        if (t->rank % 2)
            EXPECT_OK(ep_ssend(&i, 1, MPI_INT, peer, 1, t->comm));
        else
            EXPECT_OK(ep_recv(&got, 1, MPI_INT, peer, 1, t->comm, EP_STATUS_IGNORE));
        EXPECT_EQ(t->rank % 2 ? i : got, i);
    }
}

static const harness_test tests[] = {
    {"ring", ring, NULL}, {"all_to_all", all_to_all, NULL}, {"pairs", pairs, NULL}};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "oversubscribed", tests);
}
