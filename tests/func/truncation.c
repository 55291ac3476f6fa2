/* SPDX-License-Identifier: BSD-3-Clause */
/* truncation.c: a message longer than its receive is an error of that receive and of nothing else. */
#include "pairs.h"
#include <stdlib.h>
#include <string.h>

enum { TAG_GO = 1, TAG_DATA = 2, TAG_AFTER = 3, GUARD = 32, BIGGEST = 1 << 20 };

static const int sent[] = {1, 8, 40, 64, 2000, 70000, BIGGEST};
enum { SIZES = sizeof sent / sizeof *sent };

typedef struct {
    int n, room; /* sent and room in the receive */
    int posted;  /* the receive is there first */
    int synchronous;
    int by_probe; /* received through mprobe */
} variant;

static variant variant_of(int i)
{
    variant v = {.n = sent[i % SIZES],
                 .posted = i / SIZES % 2,
                 .synchronous = i / SIZES / 2 % 2,
                 .by_probe = i / SIZES / 4};
    v.room = v.n / 2;
    return v;
}
enum { VARIANTS = SIZES * 8 };

static void sender(team_t *t, int to, variant v, unsigned char *buf)
{
    ep_request request;
    ep_status status;
    fill(buf, (size_t)v.n, (unsigned)v.n);
    if (v.posted && !v.by_probe)
        hear(t, to, TAG_GO);
    EXPECT_OK((v.synchronous ? ep_issend : ep_isend)(buf, v.n, MPI_BYTE, to, TAG_DATA, t->comm, &request));
    EXPECT_OK(ep_send(&v.n, 1, MPI_INT, to, TAG_AFTER, t->comm));
    EXPECT_OK(ep_wait(&request, &status)); /* the sender sees no error */
}

static int truncating_receive(team_t *t, int from, variant v, unsigned char *buf, ep_status *status)
{
    ep_request request;
    ep_message message;
    if (v.by_probe) {
        EXPECT_OK(ep_mprobe(from, TAG_DATA, t->comm, &message, EP_STATUS_IGNORE));
        if (v.posted)
            return ep_mrecv(buf, v.room, MPI_BYTE, &message, status);
        EXPECT_OK(ep_imrecv(buf, v.room, MPI_BYTE, &message, &request));
        return ep_wait(&request, status);
    }
    if (!v.posted) {
        EXPECT_OK(ep_probe(from, TAG_DATA, t->comm, EP_STATUS_IGNORE));
        return ep_recv(buf, v.room, MPI_BYTE, from, TAG_DATA, t->comm, status);
    }
    EXPECT_OK(ep_irecv(buf, v.room, MPI_BYTE, from, TAG_DATA, t->comm, &request));
    say(t, from, TAG_GO);
    return ep_wait(&request, status);
}

static void receiver(team_t *t, int from, variant v, unsigned char *buf)
{
    ep_status status;
    int after = -1;
    memset(buf, 0x77, (size_t)v.n + GUARD);
    EXPECT_RC(truncating_receive(t, from, v, buf, &status), MPI_ERR_TRUNCATE);
    EXPECT_EQ(status.MPI_SOURCE, from);
    EXPECT_EQ(status.MPI_TAG, TAG_DATA);
    EXPECT_FILLED(buf, (size_t)v.room, (unsigned)v.n);
    for (int i = v.room; i < v.n + GUARD; i++)
        if (!EXPECT_EQ(buf[i], 0x77))
            break;
    EXPECT_OK(
        ep_recv(&after, 1, MPI_INT, from, TAG_AFTER, t->comm, EP_STATUS_IGNORE)); /* nothing else is lost */
    EXPECT_EQ(after, v.n);
}

static void pair_truncation(team_t *t, int partner, void *arg)
{
    for (int i = 0; i < 2 * VARIANTS; i++) {
        if ((i < VARIANTS) == (t->rank < partner))
            sender(t, partner, variant_of(i % VARIANTS), arg);
        else
            receiver(t, partner, variant_of(i % VARIANTS), arg);
    }
}

static void truncation(team_t *t, void *arg)
{
    unsigned char *buf = xmalloc(BIGGEST + GUARD);
    (void)arg;
    for_pairs(t, pair_truncation, buf);
    free(buf);
}

/* In a waitall the one truncated receive is named, and the others are complete. */
static void pair_in_status(team_t *t, int partner, void *arg)
{
    int out[4] = {1, 2, 3, 4}, in[4][2] = {{0}};
    ep_request requests[4];
    ep_status statuses[4];
    (void)arg;
    if (t->rank > partner) {
        hear(t, partner, TAG_GO);
        for (int i = 0; i < 4; i++)
            EXPECT_OK(ep_send(out, i == 2 ? 4 : 1, MPI_INT, partner, 10 + i, t->comm));
        return;
    }
    for (int i = 0; i < 4; i++)
        EXPECT_OK(ep_irecv(in[i], i == 2 ? 2 : 1, MPI_INT, partner, 10 + i, t->comm, &requests[i]));
    say(t, partner, TAG_GO);
    EXPECT_RC(ep_waitall(4, requests, statuses), MPI_ERR_IN_STATUS);
    for (int i = 0; i < 4; i++) {
        EXPECT_EQ(statuses[i].MPI_ERROR, i == 2 ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
        EXPECT_EQ(statuses[i].MPI_TAG, 10 + i);
        EXPECT(requests[i] == EP_REQUEST_NULL);
        EXPECT_EQ(in[i][0], 1);
    }
    EXPECT_EQ(in[2][1], 2);
}

static void in_status(team_t *t, void *arg)
{
    for_pairs(t, pair_in_status, arg);
}

/* A derived receive type gets whole what fits, in its own layout. */
static void pair_derived(team_t *t, int partner, void *arg)
{
    int out[10], in[20];
    MPI_Datatype every_second;
    (void)arg;
    MPI_Type_vector(4, 1, 2, MPI_INT, &every_second);
    MPI_Type_commit(&every_second);
    for (int i = 0; i < 10; i++)
        out[i] = 100 + i;
    memset(in, 0xff, sizeof in);
    if (t->rank > partner) {
        EXPECT_OK(ep_send(out, 10, MPI_INT, partner, TAG_DATA, t->comm));
    } else {
        EXPECT_RC(ep_recv(in, 1, every_second, partner, TAG_DATA, t->comm, EP_STATUS_IGNORE),
                  MPI_ERR_TRUNCATE);
        for (int i = 0; i < 20; i++)
            EXPECT_EQ(in[i], i < 8 && i % 2 == 0 ? 100 + i / 2 : -1);
    }
    MPI_Type_free(&every_second);
}

static void derived(team_t *t, void *arg)
{
    for_pairs(t, pair_derived, arg);
}

static const harness_test tests[] = {
    {"truncation", truncation, NULL},
    {"error in status", in_status, NULL},
    {"derived receive type", derived, NULL},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "truncation", tests);
}
