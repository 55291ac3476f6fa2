/* SPDX-License-Identifier: BSD-3-Clause */
/* modes.c: every send mode in its blocking, non-blocking and persistent form, with every size at which a path
 * of the engine begins or ends, near and far, into a posted receive and before one. */
#include "pairs.h"
#include <stdlib.h>
#include <string.h>

typedef int blocking_fn(const void *, int, MPI_Datatype, int, int, ep_comm);
typedef int request_fn(const void *, int, MPI_Datatype, int, int, ep_comm, ep_request *);

typedef struct {
    blocking_fn *blocking;
    request_fn *start, *init; /* exactly one of the three */
    int ready;                /* wants a posted receive */
} mode;

static const mode modes[] = {
    {ep_send, NULL, NULL, 0},       {ep_ssend, NULL, NULL, 0},      {ep_bsend, NULL, NULL, 0},
    {ep_rsend, NULL, NULL, 1},      {NULL, ep_isend, NULL, 0},      {NULL, ep_issend, NULL, 0},
    {NULL, ep_ibsend, NULL, 0},     {NULL, ep_irsend, NULL, 1},     {NULL, NULL, ep_send_init, 0},
    {NULL, NULL, ep_ssend_init, 0}, {NULL, NULL, ep_bsend_init, 0}, {NULL, NULL, ep_rsend_init, 1},
};
enum { MODES = sizeof modes / sizeof *modes };

static const int sizes[] = {0, 1, 8, 40, 41, 1000, 5000, 65536, 65537, 70000, 1 << 20};
enum { SIZES = sizeof sizes / sizeof *sizes, BIGGEST = 1 << 20, GUARD = 64 };

enum { TAG_GO = 1, TAG_DATA = 100 };

static void send_in_mode(team_t *t, const mode *m, const void *buf, int n, int to, int tag)
{
    ep_request request = EP_REQUEST_NULL;
    if (m->blocking) {
        EXPECT_OK(m->blocking(buf, n, MPI_BYTE, to, tag, t->comm));
        return;
    }
    if (m->start)
        EXPECT_OK(m->start(buf, n, MPI_BYTE, to, tag, t->comm, &request));
    if (m->init) {
        EXPECT_OK(m->init(buf, n, MPI_BYTE, to, tag, t->comm, &request));
        EXPECT_OK(ep_start(&request));
    }
    EXPECT_OK(ep_wait(&request, EP_STATUS_IGNORE));
    if (m->init)
        EXPECT_OK(ep_request_free(&request));
    EXPECT(request == EP_REQUEST_NULL);
}

static void receive(team_t *t, unsigned char *buf, int n, int from, int tag, int posted)
{
    ep_status status;
    ep_request request;
    int count = -1;
    memset(buf, 0x5a, (size_t)n + GUARD);
    if (posted) {
        EXPECT_OK(ep_irecv(buf, n, MPI_BYTE, from, tag, t->comm, &request));
        say(t, from, TAG_GO);
        EXPECT_OK(ep_wait(&request, &status));
    } else {
        EXPECT_OK(ep_probe(from, tag, t->comm, EP_STATUS_IGNORE)); /* it is here and nobody asked for it */
        EXPECT_OK(ep_recv(buf, n, MPI_BYTE, from, tag, t->comm, &status));
    }
    EXPECT_EQ(status.MPI_SOURCE, from);
    EXPECT_EQ(status.MPI_TAG, tag);
    EXPECT_OK(ep_get_count(&status, MPI_BYTE, &count));
    EXPECT_EQ(count, n);
    EXPECT_FILLED(buf, (size_t)n, (unsigned)(tag + from));
    for (int i = 0; i < GUARD; i++)
        if (!EXPECT_EQ(buf[n + i], 0x5a))
            break;
}

static void one_way(team_t *t, int partner, int sending, unsigned char *buf)
{
    for (int i = 0; i < SIZES * MODES * 2; i++) {
        const mode *m = &modes[i % MODES];
        int n = sizes[i / MODES % SIZES], posted = i / MODES / SIZES, tag = TAG_DATA + i;
        if (m->ready && !posted)
            continue;
        if (!sending) {
            receive(t, buf, n, partner, tag, posted);
            continue;
        }
        fill(buf, (size_t)n, (unsigned)(tag + t->rank));
        if (posted)
            hear(t, partner, TAG_GO);
        send_in_mode(t, m, buf, n, partner, tag);
    }
}

static void pair_modes(team_t *t, int partner, void *arg)
{
    unsigned char *buf = arg;
    one_way(t, partner, t->rank < partner, buf);
    one_way(t, partner, t->rank > partner, buf);
}

static void all_modes(team_t *t, void *arg)
{
    int room = 2 * (BIGGEST + EP_BSEND_OVERHEAD), size = 0;
    unsigned char *buf = xmalloc(BIGGEST + GUARD), *attached = xmalloc((size_t)room);
    void *detached = NULL;
    (void)arg;
    EXPECT_OK(ep_buffer_attach(attached, room));
    for_pairs(t, pair_modes, buf);
    EXPECT_OK(ep_buffer_detach(&detached, &size));
    EXPECT(detached == attached);
    EXPECT_EQ(size, room);
    free(attached);
    free(buf);
}

/* A synchronous send is not complete before its receive is posted, whatever its size. */
static void pair_synchronous(team_t *t, int partner, void *arg)
{
    unsigned char *buf = arg;
    for (int i = 0; i < SIZES; i++) {
        ep_request request;
        int flag = 0;
        if (t->rank > partner) {
            hear(t, partner, TAG_GO);
            EXPECT_OK(ep_recv(buf, sizes[i], MPI_BYTE, partner, TAG_DATA, t->comm, EP_STATUS_IGNORE));
            continue;
        }
        EXPECT_OK(ep_issend(buf, sizes[i], MPI_BYTE, partner, TAG_DATA, t->comm, &request));
        for (int k = 0; k < 100; k++) {
            EXPECT_OK(ep_test(&request, &flag, EP_STATUS_IGNORE));
            if (!EXPECT_EQ(flag, 0))
                break;
        }
        say(t, partner, TAG_GO);
        EXPECT_OK(ep_wait(&request, EP_STATUS_IGNORE));
    }
}

static void synchronous(team_t *t, void *arg)
{
    unsigned char *buf = xmalloc(BIGGEST);
    (void)arg;
    memset(buf, 0, BIGGEST);
    for_pairs(t, pair_synchronous, buf);
    free(buf);
}

/* What must not wait for its receiver: near EP_EAGER bytes by default, far what every MPI library buffers. */
static int is_eager(const team_t *t, int peer, int n)
{
    return n <= (team_near(t, peer) ? 65536 : 1000);
}

/* Everyone sends to everyone, blocking, before anyone receives. */
static void eager_never_waits(team_t *t, void *arg)
{
    static const int lengths[] = {0, 8, 41, 1000, 4096, 65536};
    unsigned char *buf = xmalloc(65536);
    (void)arg;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        size_t n = (size_t)lengths[i];
        fill(buf, n, (unsigned)t->rank);
        for (int to = 0; to < t->size; to++)
            if (is_eager(t, to, lengths[i]))
                EXPECT_OK(ep_send(buf, lengths[i], MPI_BYTE, to, (int)i, t->comm));
        team_barrier(t);
        for (int from = 0; from < t->size; from++)
            if (is_eager(t, from, lengths[i])) {
                EXPECT_OK(ep_recv(buf, lengths[i], MPI_BYTE, from, (int)i, t->comm, EP_STATUS_IGNORE));
                EXPECT_FILLED(buf, n, (unsigned)from);
            }
    }
    free(buf);
}

static const harness_test tests[] = {
    {"all modes, sizes, orders", all_modes, NULL},
    {"synchronous waits for its match", synchronous, NULL},
    {"eager never waits", eager_never_waits, NULL},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "modes", tests);
}
