/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * law2_tag.c: every communicator has at least 32768 tags, and all of them reach every endpoint of every
 * process.
 *
 * Catches composite tags whose fields overlap or are too narrow (a tag near its upper bound changes the
 * index of the sender or the receiver, so the message goes astray), an upper bound that is not enforced,
 * and running out of bits where a process has more than 256 endpoints (lanes that are not chosen by both
 * sides alike).
 */
#include "harness.h"
#include <stdlib.h>

static int tag_bound(ep_comm comm)
{
    int *bound = NULL, flag = 0;
    EXPECT_OK(ep_comm_get_attr(comm, MPI_TAG_UB, &bound, &flag));
    if (!EXPECT(flag && bound && *bound >= 32767))
        return 32767;
    return *bound;
}

/* The i-th tag to try: both bounds, and both sides of each power of two. */
static int tag_number(int i, int bound)
{
    int tag = i == 0 ? 0 : i == 1 ? bound : i == 2 ? bound - 1 : i == 3 ? 32767 : (1 << (i / 2 - 1)) - i % 2;
    return tag > bound ? bound : tag;
}
#define TAGS 64

typedef struct {
    int source, dest, tag;
} stamp;

static void check_stamp(const stamp *got, const ep_status *status, int source, int dest, int tag)
{
    EXPECT_EQ(got->source, source);
    EXPECT_EQ(got->dest, dest);
    EXPECT_EQ(got->tag, tag);
    EXPECT_EQ(status->MPI_SOURCE, source);
    EXPECT_EQ(status->MPI_TAG, tag);
}

/* All tags to all endpoints; received in the reverse order, so that each is told from the others. */
static void bounds(team_t *t, void *arg)
{
    int bound = tag_bound(t->comm);
    stamp sent[TAGS], got;
    ep_request sends[TAGS];
    ep_status status;
    (void)arg;
    for (int shift = 0; shift < t->size; shift++) {
        int to = (t->rank + shift) % t->size, from = (t->rank + t->size - shift) % t->size;
        for (int i = 0; i < TAGS; i++) {
            sent[i] = (stamp){t->rank, to, tag_number(i, bound)};
            EXPECT_OK(ep_isend(&sent[i], 3, MPI_INT, to, sent[i].tag, t->comm, &sends[i]));
        }
        for (int i = TAGS - 1; i >= 0; i--) {
            EXPECT_OK(ep_recv(&got, 3, MPI_INT, from, tag_number(i, bound), t->comm, &status));
            check_stamp(&got, &status, from, t->rank, tag_number(i, bound));
        }
        EXPECT_OK(ep_waitall(TAGS, sends, EP_STATUSES_IGNORE));
    }
}

static void beyond(team_t *t, void *arg)
{
    int bound = tag_bound(t->comm), x = 0;
    (void)arg;
    if (bound == INT32_MAX)
        return;
    for (int rank = 0; rank < t->size; rank++) {
        EXPECT_RC(ep_send(&x, 1, MPI_INT, rank, bound + 1, t->comm), MPI_ERR_TAG);
        EXPECT_RC(ep_recv(&x, 1, MPI_INT, rank, bound + 1, t->comm, EP_STATUS_IGNORE), MPI_ERR_TAG);
        EXPECT_RC(ep_send(&x, 1, MPI_INT, rank, -1, t->comm), MPI_ERR_TAG);
    }
}

/* ---- crowd: one thread per process moves hundreds of endpoints ------------------------------- */

typedef struct {
    ep_comm *comms;
    int local, first, size, bound;
    stamp *sent, *got;
    ep_request *requests; /* local receives, then local sends */
    ep_status *statuses;
} crowd;

static void crowd_shift(crowd *c, int shift)
{
    int wild_tag = shift % 3 == 1;
    for (int i = 0; i < c->local; i++) {
        int me = c->first + i, from = (me + c->size - shift) % c->size;
        EXPECT_OK(ep_irecv(&c->got[i], 3, MPI_INT, from,
                           wild_tag ? MPI_ANY_TAG : tag_number((shift + from) % TAGS, c->bound), c->comms[i],
                           &c->requests[i]));
    }
    for (int i = 0; i < c->local; i++) {
        int me = c->first + i, to = (me + shift) % c->size;
        c->sent[i] = (stamp){me, to, tag_number((shift + me) % TAGS, c->bound)};
        EXPECT_OK(
            ep_isend(&c->sent[i], 3, MPI_INT, to, c->sent[i].tag, c->comms[i], &c->requests[c->local + i]));
    }
    EXPECT_OK(ep_waitall(2 * c->local, c->requests, c->statuses));
    for (int i = 0; i < c->local; i++) {
        int me = c->first + i, from = (me + c->size - shift) % c->size;
        check_stamp(&c->got[i], &c->statuses[i], from, me, tag_number((shift + from) % TAGS, c->bound));
    }
}

/* Every endpoint to every endpoint (every step-th one). */
static void crowd_run(int local, int step)
{
    crowd c = {.local = local};
    c.comms = xmalloc((size_t)local * sizeof *c.comms);
    c.sent = xmalloc((size_t)local * sizeof *c.sent);
    c.got = xmalloc((size_t)local * sizeof *c.got);
    c.requests = xmalloc(2 * (size_t)local * sizeof *c.requests);
    c.statuses = xmalloc(2 * (size_t)local * sizeof *c.statuses);
    if (EXPECT_OK(ep_comm_create_endpoints(MPI_COMM_WORLD, local, MPI_INFO_NULL, c.comms))) {
        EXPECT_OK(ep_comm_rank(c.comms[0], &c.first));
        EXPECT_OK(ep_comm_size(c.comms[0], &c.size));
        c.bound = tag_bound(c.comms[local - 1]);
        for (int shift = 0; shift < c.size; shift += step)
            crowd_shift(&c, shift);
        for (int i = 0; i < local; i++)
            EXPECT_OK(ep_comm_free(&c.comms[i]));
    }
    free(c.comms);
    free(c.sent);
    free(c.got);
    free(c.requests);
    free(c.statuses);
}

static void crowd_even(void)
{
    int processes;
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    crowd_run(processes <= 2 ? 300 : 600 / processes, harness_slowness());
}

/* 300 endpoints in one process, 2 in the others. */
static void crowd_uneven(void)
{
    int process;
    MPI_Comm_rank(MPI_COMM_WORLD, &process);
    crowd_run(process ? 2 : 300, harness_slowness());
}

static const harness_test tests[] = {{"bounds", bounds, NULL},
                                     {"beyond", beyond, NULL},
                                     {"crowd_even", NULL, crowd_even},
                                     {"crowd_uneven", NULL, crowd_uneven}};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "law2_tag", tests);
}
