/* SPDX-License-Identifier: BSD-3-Clause */
/* requests.c: request_free, request_get_status, handles moved about, persistent requests. */
#include "pairs.h"
#include <stdlib.h>
#include <string.h>

enum { TAG_DATA = 1, TAG_GO = 2, BIG = 300000 };

static const int sizes[] = {0, 8, 1000, 70000, BIG};
enum { SIZES = 5 };

/* What the freed receives of one endpoint write to; looked at when the team is gone. */
typedef struct {
    unsigned char *in[PAIR_KINDS][SIZES];
    int partner[PAIR_KINDS];
} freed_t;

/* Sends and receives that are given up while pending still complete. */
static void pair_freed(team_t *t, int partner, unsigned char *in[SIZES])
{
    unsigned char *out = xmalloc(BIG), *got = xmalloc(BIG);
    for (int i = 0; i < SIZES; i++) {
        size_t n = (size_t)sizes[i];
        ep_request request, synchronous;
        EXPECT_OK(ep_irecv(in[i], sizes[i], MPI_BYTE, partner, TAG_DATA, t->comm, &request));
        EXPECT_OK(ep_request_free(&request));
        EXPECT(request == EP_REQUEST_NULL);
        fill(out, n, (unsigned)(t->rank + i));
        EXPECT_OK(ep_issend(out, sizes[i], MPI_BYTE, partner, TAG_DATA, t->comm, &synchronous));
        EXPECT_OK(ep_isend(out, sizes[i], MPI_BYTE, partner, TAG_DATA, t->comm, &request));
        EXPECT_OK(ep_request_free(&request));
        EXPECT(request == EP_REQUEST_NULL);
        EXPECT_OK(ep_recv(got, sizes[i], MPI_BYTE, partner, TAG_DATA, t->comm, EP_STATUS_IGNORE));
        EXPECT_FILLED(got, n, (unsigned)(partner + i));
        EXPECT_OK(ep_wait(&synchronous, EP_STATUS_IGNORE));
        EXPECT_OK(ep_sendrecv(NULL, 0, MPI_BYTE, partner, TAG_GO, NULL, 0, MPI_BYTE, partner, TAG_GO, t->comm,
                              EP_STATUS_IGNORE)); /* my partner has what I sent: out may change */
    }
    free(got);
    free(out);
}

static void freed_body(team_t *t, void *arg)
{
    freed_t *mine = (freed_t *)arg + t->index;
    for (int kind = 0; kind < PAIR_KINDS; kind++) {
        mine->partner[kind] = pair_of(t, kind);
        for (int i = 0; i < SIZES; i++)
            mine->in[kind][i] = calloc(1, BIG);
        if (mine->partner[kind] >= 0)
            pair_freed(t, mine->partner[kind], mine->in[kind]);
        team_barrier(t);
    }
}

static void freed(void)
{
    int n = team_local_count();
    freed_t *all = xmalloc((size_t)n * sizeof *all);
    team_run(freed_body, all);
    for (int i = 0; i < n * PAIR_KINDS * SIZES; i++) {
        freed_t *f = &all[i / SIZES / PAIR_KINDS];
        int kind = i / SIZES % PAIR_KINDS, size = i % SIZES;
        if (f->partner[kind] >= 0)
            EXPECT_FILLED(f->in[kind][size], (size_t)sizes[size], (unsigned)(f->partner[kind] + size));
        free(f->in[kind][size]);
    }
    free(all);
}

/* The status may be asked for as often as one likes; the request stays until it is waited for. */
static void pair_get_status(team_t *t, int partner, void *arg)
{
    int in = -1, out = t->rank, flag = 1, count = 0;
    ep_request request, copy;
    ep_status status;
    (void)arg;
    EXPECT_OK(ep_irecv(&in, 1, MPI_INT, partner, TAG_DATA, t->comm, &request));
    EXPECT_OK(ep_request_get_status(request, &flag, &status));
    EXPECT_EQ(flag, 0);
    say(t, partner, TAG_GO);
    hear(t, partner, TAG_GO);
    EXPECT_OK(ep_send(&out, 1, MPI_INT, partner, TAG_DATA, t->comm));
    copy = request;
    do {
        if (!EXPECT_OK(ep_request_get_status(request, &flag, &status)))
            return;
    } while (!flag);
    EXPECT_EQ(in, partner);
    for (int i = 0; i < 2; i++) {
        memset(&status, 0, sizeof status);
        EXPECT_OK(ep_request_get_status(request, &flag, &status));
        EXPECT_EQ(flag, 1);
        EXPECT_EQ(status.MPI_SOURCE, partner);
        EXPECT_EQ(status.MPI_TAG, TAG_DATA);
        EXPECT_OK(ep_get_count(&status, MPI_INT, &count));
        EXPECT_EQ(count, 1);
    }
    EXPECT(request == copy);
    EXPECT_OK(ep_wait(&request, &status));
    EXPECT_EQ(status.MPI_SOURCE, partner);
    EXPECT_OK(ep_request_get_status(EP_REQUEST_NULL, &flag, &status));
    EXPECT_EQ(flag, 1);
}

static void get_status(team_t *t, void *arg)
{
    for_pairs(t, pair_get_status, arg);
}

/* Handles are copied from array to array while the operations run, as C++ vectors do. */
static void moved_handles(team_t *t, void *arg)
{
    enum { COUNT = 64 };
    int next = (t->rank + 1) % t->size, before = (t->rank + t->size - 1) % t->size, in[COUNT], out[COUNT];
    ep_request *live = NULL;
    (void)arg;
    for (int i = 0; i < COUNT; i++) {
        ep_request *grown = xmalloc((size_t)(i + 1) * sizeof *grown);
        if (live)
            memcpy(grown, live, (size_t)i * sizeof *grown);
        free(live);
        live = grown;
        in[i] = -1;
        EXPECT_OK(ep_irecv(&in[i], 1, MPI_INT, before, i, t->comm, &live[i]));
    }
    for (int i = COUNT - 1; i >= 0; i--) {
        out[i] = 1000 * t->rank + i;
        EXPECT_OK(ep_send(&out[i], 1, MPI_INT, next, i, t->comm));
    }
    for (int left = COUNT; left > 0; left--) { /* take any one out, close the gap with the last */
        int pick = random_below(&t->random, left), tag;
        ep_request mine = live[pick];
        ep_status status;
        live[pick] = live[left - 1];
        EXPECT_OK(ep_wait(&mine, &status));
        tag = status.MPI_TAG;
        if (EXPECT(tag >= 0 && tag < COUNT))
            EXPECT_EQ(in[tag], 1000 * before + tag);
    }
    free(live);
}

typedef int init_fn(const void *, int, MPI_Datatype, int, int, ep_comm, ep_request *);

static void check_round(team_t *t, int before, int round, ep_request requests[2], const int in[], int n)
{
    ep_request kept[2] = {requests[0], requests[1]};
    ep_status statuses[2];
    int count = -1;
    EXPECT_OK(ep_waitall(2, requests, statuses));
    EXPECT(requests[0] == kept[0] && requests[1] == kept[1]); /* inactive, not gone */
    EXPECT_EQ(statuses[0].MPI_SOURCE, before);
    EXPECT_OK(ep_get_count(&statuses[0], MPI_INT, &count));
    EXPECT_EQ(count, n);
    EXPECT_EQ(in[0], 1000 * before + round);
    EXPECT_EQ(in[n - 1], 1000 * before + round + n - 1);
    (void)t;
}

/* One pair of persistent requests, restarted 100 times with new contents. */
static void restart(team_t *t, init_fn *init, int n, int ready)
{
    int next = (t->rank + 1) % t->size, before = (t->rank + t->size - 1) % t->size;
    int *in = xmalloc((size_t)n * sizeof *in), *out = xmalloc((size_t)n * sizeof *out);
    ep_request requests[2];
    EXPECT_OK(ep_recv_init(in, n, MPI_INT, before, 3, t->comm, &requests[0]));
    EXPECT_OK(init(out, n, MPI_INT, next, 3, t->comm, &requests[1]));
    for (int round = 0; round < 100; round++) {
        for (int i = 0; i < n; i++) {
            in[i] = -1;
            out[i] = 1000 * t->rank + round + i;
        }
        if (round % 2 && !ready) {
            EXPECT_OK(ep_startall(2, requests));
        } else {
            EXPECT_OK(ep_start(&requests[0]));
            if (ready) /* the receive is there: tell the sender, and wait to be told */
                EXPECT_OK(ep_sendrecv(NULL, 0, MPI_INT, before, 4, NULL, 0, MPI_INT, next, 4, t->comm,
                                      EP_STATUS_IGNORE));
            EXPECT_OK(ep_start(&requests[1]));
        }
        check_round(t, before, round, requests, in, n);
    }
    EXPECT_OK(ep_request_free(&requests[0]));
    EXPECT_OK(ep_request_free(&requests[1]));
    EXPECT(requests[0] == EP_REQUEST_NULL && requests[1] == EP_REQUEST_NULL);
    free(in);
    free(out);
}

static void persistent(team_t *t, void *arg)
{
    init_fn *const inits[] = {ep_send_init, ep_ssend_init, ep_bsend_init, ep_rsend_init};
    /* In a ring one can be ahead of the next by as many rounds as there are endpoints. */
    int room = (t->size + 2) * (30000 * (int)sizeof(int) + EP_BSEND_OVERHEAD), size;
    void *buffer = xmalloc((size_t)room), *detached;
    (void)arg;
    EXPECT_OK(ep_buffer_attach(buffer, room));
    for (int i = 0; i < 4; i++) {
        restart(t, inits[i], 1, i == 3);
        restart(t, inits[i], 30000, i == 3);
    }
    EXPECT_OK(ep_buffer_detach(&detached, &size));
    free(buffer);
}

/* Wildcards stay wild from start to start. */
static void persistent_wildcard(team_t *t, void *arg)
{
    int in = -1, sum = 0, flag = -1;
    ep_request request, *sends = xmalloc((size_t)t->size * sizeof *sends);
    ep_status status;
    (void)arg;
    EXPECT_OK(ep_recv_init(&in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, t->comm, &request));
    for (int to = 0; to < t->size; to++)
        EXPECT_OK(ep_isend(&t->rank, 1, MPI_INT, to, t->rank, t->comm, &sends[to]));
    for (int i = 0; i < t->size; i++) {
        EXPECT_OK(ep_start(&request));
        EXPECT_OK(ep_wait(&request, &status));
        EXPECT_EQ(status.MPI_SOURCE, in);
        EXPECT_EQ(status.MPI_TAG, in);
        sum += in;
    }
    EXPECT_EQ(sum, t->size * (t->size - 1) / 2);
    EXPECT_OK(ep_waitall(t->size, sends, EP_STATUSES_IGNORE));
    free(sends);
    EXPECT_OK(ep_test(&request, &flag, &status)); /* inactive: empty status */
    EXPECT_EQ(flag, 1);
    EXPECT_EQ(status.MPI_SOURCE, MPI_ANY_SOURCE);
    EXPECT_OK(ep_request_free(&request));
}

static const harness_test tests[] = {
    {"request_free of pending ones", NULL, freed},      {"request_get_status", get_status, NULL},
    {"handles moved about", moved_handles, NULL},       {"persistent, 100 starts", persistent, NULL},
    {"persistent wildcard", persistent_wildcard, NULL},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "requests", tests);
}
