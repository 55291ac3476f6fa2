/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * across_sizes.c: lengths around every border between ways to send, in all modes and layouts, and receives that are too
 * short for them.
 *
 * Catches: a byte lost or too many at a border, data of scattered types in the wrong order, bytes written past a short
 * receive, a message after a truncated one that is spoilt.
 */
#include "across.h"

enum { TAG = 3, TAG_READY = 4, MAX = (1 << 20) + 3, ROOM = 3 * MAX + 64, LAYOUTS = 3 };

static const int sizes[] = {0,    1,    31,   32,    33,    87,    88,    89,    1039,  1040, 1041,
                            4095, 4096, 4097, 16383, 16384, 16385, 65535, 65536, 65537, MAX};
enum { SIZES = sizeof sizes / sizeof sizes[0] };
enum mode { STANDARD, SYNC, READY, BUFFERED, MODES };

/* ---- layouts ---- */

/* n bytes in a row; one by one with gaps of two; the first half behind the second, from which the type goes back. */
static size_t place(int layout, int n, int i)
{
    if (layout == 2)
        return (size_t)(i < n / 2 ? n + i : i - n / 2);
    return (layout == 1 ? 3 : 1) * (size_t)i;
}

/* The type of all n bytes as one element, and where its buffer begins. */
static char *describe(int layout, int n, char *at, MPI_Datatype *type)
{
    if (layout == 1)
        MPI_Type_vector(n, 1, 3, MPI_BYTE, type);
    else if (layout == 2)
        MPI_Type_create_hindexed(2, (int[]){n / 2, n - n / 2}, (MPI_Aint[]){0, -n}, MPI_BYTE, type);
    else
        MPI_Type_contiguous(n, MPI_BYTE, type);
    MPI_Type_commit(type);
    return layout == 2 ? at + n : at;
}

static unsigned char byte_of(unsigned key, int i)
{
    return (unsigned char)((unsigned)i * 31u + (unsigned)i / 251u + key * 17u);
}

static void put(char *buf, int layout, int n, unsigned key)
{
    for (int i = 0; i < n; i++)
        buf[place(layout, n, i)] = (char)byte_of(key, i);
}

/* The first `kept` of n bytes are there; those of a contiguous layout behind them are untouched. */
static int is_there(const char *buf, int layout, int n, int kept, unsigned key)
{
    for (int i = 0; i < kept; i++)
        if ((unsigned char)buf[place(layout, n, i)] != byte_of(key, i))
            return 0;
    for (int i = kept; layout == 0 && i < n; i++)
        if (buf[i] != 'x')
            return 0;
    return 1;
}

/* ---- sending ---- */

static void send_one(team_t *t, int to, enum mode mode, int layout, int n, char *buf, unsigned key)
{
    MPI_Datatype type;
    char *at = describe(layout, n, buf, &type);
    put(buf, layout, n, key);
    switch (mode) {
    case STANDARD:
        EXPECT_OK(ep_send(at, 1, type, to, TAG, t->comm));
        break;
    case SYNC:
        EXPECT_OK(ep_ssend(at, 1, type, to, TAG, t->comm));
        break;
    case READY:
        hear(t, to, TAG_READY);
        EXPECT_OK(ep_rsend(at, 1, type, to, TAG, t->comm));
        break;
    default:
        EXPECT_OK(ep_bsend(at, 1, type, to, TAG, t->comm));
        put(buf, layout, n, ~key); /* which is free at once */
        break;
    }
    MPI_Type_free(&type);
}

static void receive_one(team_t *t, int from, enum mode mode, int layout, int n, char *buf, unsigned key)
{
    MPI_Datatype type;
    ep_request request;
    ep_status status;
    int count = -1;
    char *at = describe(layout, n, buf, &type);
    for (int i = 0; i < n; i++)
        buf[place(layout, n, i)] = 'x';
    buf[3 * n + 1] = 'y';
    EXPECT_OK(ep_irecv(at, 1, type, from, TAG, t->comm, &request));
    if (mode == READY)
        say(t, from, TAG_READY);
    EXPECT_OK(ep_wait(&request, &status));
    EXPECT_OK(ep_get_count(&status, MPI_BYTE, &count));
    EXPECT_EQ(count, n);
    EXPECT(is_there(buf, layout, n, n, key));
    EXPECT_EQ(buf[3 * n + 1], 'y');
    MPI_Type_free(&type);
}

/* ---- the tests ---- */

static void one_direction(team_t *t, int partner, int sends, char *buf)
{
    for (int s = 0; s < SIZES; s++)
        for (int k = 0; k < MODES * LAYOUTS * LAYOUTS; k++) {
            int mode = k % MODES, from = k / MODES % LAYOUTS, to = k / MODES / LAYOUTS;
            if (sizes[s] > 1100 && (from + to + mode + s) % (sizes[s] > 20000 ? 9 : 3))
                continue; /* not all of the long ones */
            if (sends)
                send_one(t, partner, (enum mode)mode, from, sizes[s], buf, (unsigned)(s * 64 + k));
            else
                receive_one(t, partner, (enum mode)mode, to, sizes[s], buf, (unsigned)(s * 64 + k));
        }
}

static void pair_borders(team_t *t, int partner, void *arg)
{
    int room = 4 * (MAX + EP_BSEND_OVERHEAD), size;
    char *buf = xmalloc(ROOM), *attached = xmalloc((size_t)room);
    void *detached;
    (void)arg;
    EXPECT_OK(ep_buffer_attach(attached, room));
    one_direction(t, partner, t->rank < partner, buf);
    one_direction(t, partner, t->rank > partner, buf);
    EXPECT_OK(ep_buffer_detach(&detached, &size));
    free(attached);
    free(buf);
}

static void borders(team_t *t, void *arg)
{
    for_pairs(t, pair_borders, arg);
}

/* Room for less: none, one byte, half, all but one. */
static int shorter(int n, int how)
{
    const int kept[] = {0, 1, n / 2, n - 1};
    return kept[how];
}

static void receive_short(team_t *t, int from, int n, int how, int layout, char *buf, int probed,
                          unsigned key)
{
    int kept = shorter(n, how), count = -1;
    MPI_Datatype type;
    ep_status status;
    ep_message message;
    char *at = describe(layout, kept, buf, &type);
    memset(buf, 'x', 3 * (size_t)n);
    if (probed) {
        EXPECT_OK(ep_mprobe(from, TAG, t->comm, &message, &status));
        EXPECT_OK(ep_get_count(&status, MPI_BYTE, &count));
        EXPECT_EQ(count, n);
        EXPECT_RC(ep_mrecv(at, 1, type, &message, &status), MPI_ERR_TRUNCATE);
    } else {
        EXPECT_RC(ep_recv(at, 1, type, from, TAG, t->comm, &status), MPI_ERR_TRUNCATE);
    }
    EXPECT_EQ(status.MPI_SOURCE, from);
    EXPECT_EQ(status.MPI_TAG, TAG);
    EXPECT(is_there(buf, layout, kept, kept, key));
    if (layout == 0)
        for (int i = kept; i < n; i++)
            if (!EXPECT_EQ(buf[i], 'x'))
                break;
    MPI_Type_free(&type);
    memset(buf, 0, (size_t)n);
    EXPECT_OK(ep_recv(buf, n, MPI_BYTE, from, TAG, t->comm, &status)); /* the next one is whole */
    EXPECT(is_there(buf, 0, n, n, key + 1));
}

static void pair_truncated(team_t *t, int partner, void *arg)
{
    char *buf = xmalloc(ROOM);
    (void)arg;
    for (int s = 2; s < SIZES; s++)
        for (int k = 0; k < 16; k++) {
            unsigned key = (unsigned)(s * 100 + 2 * k);
            if (sizes[s] > 20000 && (k + s) % 3)
                continue; /* not all of the long ones */
            if ((k < 8) == (t->rank < partner)) {
                send_one(t, partner, k % 2 ? SYNC : STANDARD, k % LAYOUTS, sizes[s], buf, key);
                send_one(t, partner, STANDARD, 0, sizes[s], buf, key + 1);
            } else {
                receive_short(t, partner, sizes[s], k % 4, k / 2 % LAYOUTS, buf, k / 4 % 2, key);
            }
        }
    free(buf);
}

static void truncated(team_t *t, void *arg)
{
    for_pairs(t, pair_truncated, arg);
}

static const harness_test tests[] = {
    {"borders", borders, NULL},
    {"truncated", truncated, NULL},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "across_sizes", tests);
}
