/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * quick.c: short messages between threads go a quick way (src/p2p/quick.h). Here is what must not: what another receive, message or
 * communicator comes before, what does not fit, and wrong arguments while a message is there that right ones would get. shortcut.c
 * has all of this at random.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "pairs.h"

enum { TAG = 5, OTHER = 6, LONG_ROW = 600, GUARD = 0x77, LARGEST = 1100, LONGER_ROW = 60 };

/* To itself, so it is at the head of the inbox when the call returns. Not blocking, for EP_EAGER=0. */
static ep_request put(const team_t *t, ep_comm comm, const void *data, int n, int tag)
{
    ep_request r = EP_REQUEST_NULL;
    EXPECT_OK(ep_isend(data, n, MPI_BYTE, t->rank, tag, comm, &r));
    return r;
}

static long got(const team_t *t, ep_comm comm, int source, int tag)
{
    long value = -1;
    ep_status s = {.MPI_ERROR = 77};
    EXPECT_OK(ep_recv(&value, sizeof value, MPI_BYTE, source, tag, comm, &s));
    EXPECT_EQ(s.MPI_SOURCE, t->rank);
    EXPECT_EQ(s.MPI_ERROR, 77); /* not for one status to change (MPI 3.2.5) */
    return value;
}

/* The first of two messages belongs to a receive that was posted earlier, whatever it asks for. */
static void after_posted(team_t *t, void *arg)
{
    static const int wanted[][2] = {{0, 0}, {0, 1}, {1, 0}, {1, 1}};
    (void)arg;
    for (int i = 0; i < 4; i++) {
        long first = 1, second = 2, early = 0;
        ep_request r, s[2];
        EXPECT_OK(ep_irecv(&early, sizeof early, MPI_BYTE, wanted[i][0] ? MPI_ANY_SOURCE : t->rank,
                           wanted[i][1] ? MPI_ANY_TAG : TAG, t->comm, &r));
        s[0] = put(t, t->comm, &first, sizeof first, TAG);
        s[1] = put(t, t->comm, &second, sizeof second, TAG);
        EXPECT_EQ(got(t, t->comm, i % 2 ? t->rank : MPI_ANY_SOURCE, i / 2 ? TAG : MPI_ANY_TAG), 2);
        EXPECT_OK(ep_wait(&r, EP_STATUS_IGNORE));
        EXPECT_EQ(early, 1);
        EXPECT_OK(ep_waitall(2, s, EP_STATUSES_IGNORE));
    }
}

/* What came early comes first: it was probed, or passed over by a receive with another tag. */
static void after_unexpected(team_t *t, void *arg)
{
    long value[4] = {1, 2, 3, 4}, taken = 0;
    ep_request s[4];
    ep_message m;
    (void)arg;
    s[0] = put(t, t->comm, &value[0], sizeof value[0], TAG);
    EXPECT_OK(ep_probe(t->rank, TAG, t->comm, EP_STATUS_IGNORE));
    s[1] = put(t, t->comm, &value[1], sizeof value[1], TAG);
    s[2] = put(t, t->comm, &value[2], sizeof value[2], OTHER);
    EXPECT_EQ(got(t, t->comm, t->rank, OTHER), 3);
    EXPECT_OK(ep_mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, t->comm, &m, EP_STATUS_IGNORE)); /* the first */
    s[3] = put(t, t->comm, &value[3], sizeof value[3], TAG);
    EXPECT_EQ(got(t, t->comm, MPI_ANY_SOURCE, MPI_ANY_TAG), 2);
    EXPECT_EQ(got(t, t->comm, MPI_ANY_SOURCE, MPI_ANY_TAG), 4);
    EXPECT_OK(ep_mrecv(&taken, sizeof taken, MPI_BYTE, &m, EP_STATUS_IGNORE));
    EXPECT_EQ(taken, 1);
    EXPECT_OK(ep_waitall(4, s, EP_STATUSES_IGNORE));
}

/* One inbox, two communicators. */
static void other_communicator(team_t *t, void *arg)
{
    long here = 1, there = 2;
    ep_comm other;
    ep_request s[2];
    (void)arg;
    EXPECT_OK(ep_comm_dup(t->comm, &other));
    s[0] = put(t, t->comm, &here, sizeof here, TAG);
    s[1] = put(t, other, &there, sizeof there, TAG);
    EXPECT_EQ(got(t, other, MPI_ANY_SOURCE, MPI_ANY_TAG), 2);
    EXPECT_EQ(got(t, t->comm, MPI_ANY_SOURCE, MPI_ANY_TAG), 1);
    EXPECT_OK(ep_waitall(2, s, EP_STATUSES_IGNORE));
    EXPECT_OK(ep_comm_free(&other));
}

/* Each length up to one that takes two lines, into room that is too small by one, right, and larger. */
static void lengths(team_t *t, void *arg)
{
    (void)arg;
    for (int n = 0; n <= 33; n++)
        for (int room = n > 0 ? n - 1 : 0; room <= n + 1; room++) {
            unsigned char out[40], in[40];
            int count = -1, fits = n <= room ? n : room;
            ep_status status;
            fill(out, sizeof out, (unsigned)n);
            memset(in, GUARD, sizeof in);
            ep_request s = put(t, t->comm, out, n, TAG);
            EXPECT_RC(ep_recv(in, room, MPI_BYTE, t->rank, TAG, t->comm, &status),
                      n <= room ? MPI_SUCCESS : MPI_ERR_TRUNCATE);
            EXPECT_OK(ep_get_count(&status, MPI_BYTE, &count));
            EXPECT_EQ(count, fits);
            EXPECT_FILLED(in, (size_t)fits, (unsigned)n);
            EXPECT_EQ(in[fits], GUARD);
            EXPECT_OK(ep_wait(&s, EP_STATUS_IGNORE));
        }
}

/* Types of which few bytes are one block, and not. */
static void types(team_t *t, void *arg)
{
    MPI_Datatype pair, gaps;
    int out[4] = {1, 2, 3, 4}, in[4];
    ep_request s;
    (void)arg;
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_vector(2, 1, 2, MPI_INT, &gaps);
    MPI_Type_commit(&pair);
    MPI_Type_commit(&gaps);
    const MPI_Datatype of[] = {pair, gaps, MPI_2INT};
    for (int i = 0; i < 9; i++) {
        MPI_Datatype from = of[i / 3], to = of[i % 3];
        memset(in, 0, sizeof in);
        EXPECT_OK(ep_isend(out, 1, from, t->rank, TAG, t->comm, &s));
        EXPECT_OK(ep_recv(in, 1, to, t->rank, TAG, t->comm, EP_STATUS_IGNORE));
        EXPECT_OK(ep_wait(&s, EP_STATUS_IGNORE));
        EXPECT_EQ(in[0], 1);
        EXPECT_EQ(in[to == gaps ? 2 : 1], from == gaps ? 3 : 2);
        EXPECT_EQ(in[to == gaps ? 1 : 2] + in[3], 0);
    }
    MPI_Type_free(&pair);
    MPI_Type_free(&gaps);
}

/* The message stays for the right call. */
static void wrong_receives(team_t *t, void *arg)
{
    long value = 7, in = 0;
    ep_request s = put(t, t->comm, &value, sizeof value, TAG);
    MPI_Datatype raw;
    ep_comm null = EP_COMM_NULL;
    int *ub, set;
    (void)arg;
    MPI_Type_contiguous(2, MPI_INT, &raw); /* not committed */
    EXPECT_OK(ep_comm_get_attr(t->comm, MPI_TAG_UB, (void *)&ub, &set));
    EXPECT_RC(ep_recv(&in, -1, MPI_BYTE, t->rank, TAG, t->comm, EP_STATUS_IGNORE), MPI_ERR_COUNT);
    EXPECT_RC(ep_recv(&in, INT_MIN, MPI_BYTE, t->rank, TAG, t->comm, EP_STATUS_IGNORE), MPI_ERR_COUNT);
    EXPECT_RC(ep_recv(NULL, 8, MPI_BYTE, t->rank, TAG, t->comm, EP_STATUS_IGNORE), MPI_ERR_BUFFER);
    EXPECT_RC(ep_recv(MPI_IN_PLACE, 8, MPI_BYTE, t->rank, TAG, t->comm, EP_STATUS_IGNORE), MPI_ERR_BUFFER);
    EXPECT_RC(ep_recv(&in, 8, MPI_DATATYPE_NULL, t->rank, TAG, t->comm, EP_STATUS_IGNORE), MPI_ERR_TYPE);
    EXPECT_RC(ep_recv(&in, 1, raw, t->rank, TAG, t->comm, EP_STATUS_IGNORE), MPI_ERR_TYPE);
    EXPECT_RC(ep_recv(&in, 8, MPI_BYTE, t->size, TAG, t->comm, EP_STATUS_IGNORE), MPI_ERR_RANK);
    EXPECT_RC(ep_recv(&in, 8, MPI_BYTE, INT_MIN, TAG, t->comm, EP_STATUS_IGNORE), MPI_ERR_RANK);
    EXPECT_RC(ep_recv(&in, 8, MPI_BYTE, t->rank, INT_MIN, t->comm, EP_STATUS_IGNORE), MPI_ERR_TAG);
    EXPECT_RC(ep_recv(&in, 8, MPI_BYTE, t->rank, *ub + 1, t->comm, EP_STATUS_IGNORE), MPI_ERR_TAG);
    EXPECT_RC(ep_recv(&in, 8, MPI_BYTE, t->rank, TAG, null, EP_STATUS_IGNORE), MPI_ERR_COMM);
    EXPECT_OK(ep_recv(&in, 8, MPI_BYTE, MPI_PROC_NULL, TAG, t->comm, EP_STATUS_IGNORE));
    EXPECT_EQ(in, 0);
    EXPECT_EQ(got(t, t->comm, MPI_ANY_SOURCE, MPI_ANY_TAG), 7);
    EXPECT_OK(ep_wait(&s, EP_STATUS_IGNORE));
    MPI_Type_free(&raw);
}

static int send_any_way(int blocks, const void *buf, int n, MPI_Datatype type, int dest, int tag,
                        ep_comm comm)
{
    ep_request r = EP_REQUEST_NULL;
    int rc = blocks ? ep_send(buf, n, type, dest, tag, comm) : ep_isend(buf, n, type, dest, tag, comm, &r);
    return rc == MPI_SUCCESS ? ep_wait(&r, EP_STATUS_IGNORE) : rc;
}

/* Nothing is sent. */
static void wrong_sends(team_t *t, void *arg)
{
    long value = 7;
    MPI_Datatype raw;
    ep_comm gone, copy;
    int *ub, set, found;
    (void)arg;
    MPI_Type_contiguous(2, MPI_INT, &raw);
    EXPECT_OK(ep_comm_get_attr(t->comm, MPI_TAG_UB, (void *)&ub, &set));
    EXPECT_OK(ep_comm_dup(t->comm, &gone));
    copy = gone;
    EXPECT_OK(ep_comm_free(&gone));
    for (int blocks = 0; blocks < 2; blocks++) {
        EXPECT_RC(send_any_way(blocks, &value, -1, MPI_BYTE, t->rank, TAG, t->comm), MPI_ERR_COUNT);
        EXPECT_RC(send_any_way(blocks, NULL, 8, MPI_BYTE, t->rank, TAG, t->comm), MPI_ERR_BUFFER);
        EXPECT_RC(send_any_way(blocks, &value, 8, MPI_DATATYPE_NULL, t->rank, TAG, t->comm), MPI_ERR_TYPE);
        EXPECT_RC(send_any_way(blocks, &value, 1, raw, t->rank, TAG, t->comm), MPI_ERR_TYPE);
        EXPECT_RC(send_any_way(blocks, &value, 8, MPI_BYTE, t->size, TAG, t->comm), MPI_ERR_RANK);
        EXPECT_RC(send_any_way(blocks, &value, 8, MPI_BYTE, -77, TAG, t->comm), MPI_ERR_RANK);
        EXPECT_RC(send_any_way(blocks, &value, 8, MPI_BYTE, t->rank, -1, t->comm), MPI_ERR_TAG);
        EXPECT_RC(send_any_way(blocks, &value, 8, MPI_BYTE, t->rank, *ub + 1, t->comm), MPI_ERR_TAG);
        EXPECT_RC(send_any_way(blocks, &value, 8, MPI_BYTE, t->rank, MPI_ANY_TAG, t->comm), MPI_ERR_TAG);
        EXPECT_RC(send_any_way(blocks, &value, 8, MPI_BYTE, 0, TAG, copy), MPI_ERR_COMM);
        EXPECT_OK(send_any_way(blocks, &value, 8, MPI_BYTE, MPI_PROC_NULL, TAG, t->comm));
    }
    EXPECT_RC(ep_isend(&value, 8, MPI_BYTE, t->rank, TAG, t->comm, NULL), MPI_ERR_ARG);
    EXPECT_OK(ep_iprobe(t->rank, MPI_ANY_TAG, t->comm, &found, EP_STATUS_IGNORE));
    EXPECT(!found);
    MPI_Type_free(&raw);
}

/* Errors without a communicator go to the process's default handler. */
static void wrong_arguments(void)
{
    EXPECT_OK(ep_comm_set_errhandler(EP_COMM_WORLD, EP_ERRORS_RETURN));
    team_run(wrong_receives, NULL);
    team_run(wrong_sends, NULL);
    EXPECT_OK(ep_comm_set_errhandler(EP_COMM_WORLD, EP_ERRORS_ARE_FATAL));
}

/* More than an inbox has lines for: what was put aside stays behind, and what comes later behind that. */
static void long_row(team_t *t, void *arg)
{
    long *out = xmalloc(LONG_ROW * sizeof *out);
    ep_request *s = xmalloc(LONG_ROW * sizeof *s);
    (void)arg;
    for (int i = 0; i < LONG_ROW; i++) {
        out[i] = i;
        s[i] = put(t, t->comm, &out[i], sizeof *out, TAG);
        if (i % 3 == 2)
            EXPECT_EQ(got(t, t->comm, MPI_ANY_SOURCE, i % 2 ? TAG : MPI_ANY_TAG), i / 3);
    }
    for (int i = LONG_ROW / 3; i < LONG_ROW; i++)
        EXPECT_EQ(got(t, t->comm, t->rank, TAG), i);
    EXPECT_OK(ep_waitall(LONG_ROW, s, EP_STATUSES_IGNORE));
    free(s);
    free(out);
}

static long counted(const team_t *t, const char *name)
{
    MPI_Count v = -1;
    int i = -1;
    EXPECT_OK(ep_counter_find(name, &i));
    EXPECT_OK(ep_counter_read(t->comm, i, &v));
    return (long)v;
}

/* It is counted as everything else. */
static void counting(team_t *t, void *arg)
{
    char buf[64] = {0};
    int sizes[] = {0, 1, 8, 32, 33, 64, 1}, n = sizeof sizes / sizeof *sizes, sum = 0;
    (void)arg;
    long sent = counted(t, "sent_near"), sent_bytes = counted(t, "sent_near_bytes");
    long received = counted(t, "received_near"), received_bytes = counted(t, "received_near_bytes");
    for (int i = 0; i < n; i++) {
        ep_request s = put(t, t->comm, buf, sizes[i], TAG);
        EXPECT_OK(ep_recv(buf, 64, MPI_BYTE, t->rank, TAG, t->comm, EP_STATUS_IGNORE));
        EXPECT_OK(ep_wait(&s, EP_STATUS_IGNORE));
        sum += sizes[i];
    }
    EXPECT_EQ(counted(t, "sent_near") - sent, n);
    EXPECT_EQ(counted(t, "sent_near_bytes") - sent_bytes, sum);
    EXPECT_EQ(counted(t, "received_near") - received, n);
    EXPECT_EQ(counted(t, "received_near_bytes") - received_bytes, sum);
}

/* Who receives sleeps, is about to, or looks. */
static void ping(team_t *t, int partner, void *arg)
{
    (void)arg;
    for (long i = 0; i < 300; i++) {
        long value = i;
        if (t->rank < partner)
            EXPECT_OK(ep_send(&value, 1, MPI_LONG, partner, (int)i % 3, t->comm));
        EXPECT_OK(ep_recv(&value, 1, MPI_LONG, i % 2 ? MPI_ANY_SOURCE : partner,
                          i % 5 ? (int)i % 3 : MPI_ANY_TAG, t->comm, EP_STATUS_IGNORE));
        EXPECT_EQ(value, i);
        if (t->rank > partner)
            EXPECT_OK(ep_send(&value, 1, MPI_LONG, partner, (int)i % 3, t->comm));
    }
}

static void pings(team_t *t, void *arg)
{
    for_pairs(t, ping, arg);
}

/* n bytes to a partner who awaits them, with room for less, for them, and for more, and as many back. */
static void longer_one(const team_t *t, int partner, int n, int room)
{
    unsigned char out[LARGEST], in[LARGEST];
    int count = -1, fits = n <= room ? n : room;
    ep_status status;
    fill(out, (size_t)n, (unsigned)n);
    memset(in, GUARD, sizeof in);
    if (t->rank < partner)
        EXPECT_OK(ep_send(out, n, MPI_BYTE, partner, TAG, t->comm));
    EXPECT_RC(ep_recv(in, room, MPI_BYTE, n % 2 ? partner : MPI_ANY_SOURCE, TAG, t->comm, &status),
              n <= room ? MPI_SUCCESS : MPI_ERR_TRUNCATE);
    if (t->rank > partner)
        EXPECT_OK(ep_send(out, n, MPI_BYTE, partner, TAG, t->comm));
    EXPECT_OK(ep_get_count(&status, MPI_BYTE, &count));
    EXPECT_EQ(count, fits);
    EXPECT_EQ(status.MPI_SOURCE, partner);
    EXPECT_FILLED(in, (size_t)fits, (unsigned)n);
    EXPECT_EQ(in[fits], GUARD);
}

/* More lines than an inbox has: the last ones were put aside, and none overtakes. */
static void longer_row(const team_t *t, int partner)
{
    unsigned char data[LARGEST];
    for (int i = 0; i < LONGER_ROW && t->rank < partner; i++) {
        fill(data, sizeof data, (unsigned)i);
        EXPECT_OK(ep_send(data, 900 + 3 * i % 150, MPI_BYTE, partner, i % 2, t->comm));
    }
    for (int i = 0; i < LONGER_ROW && t->rank > partner; i++) {
        int count = -1;
        ep_status status;
        EXPECT_OK(ep_recv(data, LARGEST, MPI_BYTE, partner, i % 3 ? i % 2 : MPI_ANY_TAG, t->comm, &status));
        EXPECT_OK(ep_get_count(&status, MPI_BYTE, &count));
        EXPECT_EQ(count, 900 + 3 * i % 150);
        EXPECT_FILLED(data, (size_t)count, (unsigned)i);
    }
}

/* Several lines go a quick way, too, up to a length that goes by rendezvous. */
static void longer_pair(team_t *t, int partner, void *arg)
{
    (void)arg;
    for (int n = 33; n < LARGEST - 2; n += n < 100 || (n > 1030 && n < 1044) ? 1 : 37)
        for (int room = n - 1; room <= n + 1; room++)
            longer_one(t, partner, n, room);
    longer_row(t, partner);
}

static void longer(team_t *t, void *arg)
{
    for_pairs(t, longer_pair, arg);
}

static const harness_test tests[] = {
    {"after_posted", after_posted, NULL},
    {"after_unexpected", after_unexpected, NULL},
    {"other_communicator", other_communicator, NULL},
    {"lengths", lengths, NULL},
    {"types", types, NULL},
    {"wrong_arguments", NULL, wrong_arguments},
    {"long_row", long_row, NULL},
    {"counting", counting, NULL},
    {"pings", pings, NULL},
    {"longer", longer, NULL},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "quick", tests);
}
