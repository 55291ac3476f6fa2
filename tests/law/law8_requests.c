/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * law8_requests.c: requests are copyable handles of pooled objects; a truncated message harms its receive
 * alone.
 *
 * Catches requests that refer to the caller's variable (copies break), pool objects that are reused while
 * somebody still holds them or never given back (memory grows), any/some calls that complete a request
 * twice or overlook one, wrong statuses, and truncation that fails the sender, the neighbours or the bytes
 * behind the buffer.
 */
#include "harness.h"
#include "memory.h"
#include <stdlib.h>
#include <string.h>

enum { OUTSTANDING = 4000 };

typedef struct {
    team_t *t;
    int count, to, from;
    int *out, *in;
    ep_request *handles; /* receives, then sends; shuffled copies of what isend and irecv returned */
    int *names;          /* what each handle is */
    int left;
    ep_status *statuses;
    int *indices;
} batch;

static void start_all(batch *b)
{
    ep_request first[64];
    for (int i = 0; i < b->count; i++) { /* through variables that are used again at once */
        EXPECT_OK(ep_irecv(&b->in[i], 1, MPI_INT, b->from, i % 1000, b->t->comm, &first[i % 64]));
        b->handles[i] = first[i % 64];
        b->names[i] = i;
    }
    for (int i = 0; i < b->count; i++) {
        b->out[i] = i + b->t->rank;
        EXPECT_OK(ep_isend(&b->out[i], 1, MPI_INT, b->to, i % 1000, b->t->comm, &first[i % 64]));
        b->handles[b->count + i] = first[i % 64];
        b->names[b->count + i] = b->count + i;
    }
    memset(first, 0xa5, sizeof first);
    b->left = 2 * b->count;
    for (int i = b->left - 1; i > 0; i--) {
        int k = random_below(&b->t->random, i + 1), name = b->names[i];
        ep_request handle = b->handles[i];
        b->handles[i] = b->handles[k];
        b->names[i] = b->names[k];
        b->handles[k] = handle;
        b->names[k] = name;
    }
}

/* The request at index k of the first `left` is complete. */
static void completed(batch *b, int k, const ep_status *status)
{
    int name = b->names[k];
    EXPECT(b->handles[k] == EP_REQUEST_NULL);
    EXPECT(name >= 0);
    if (name >= 0 && name < b->count) {
        EXPECT_EQ(status->MPI_SOURCE, b->from);
        EXPECT_EQ(status->MPI_TAG, name % 1000);
        EXPECT_EQ(b->in[name], name + b->from);
    }
    b->names[k] = -1;
}

/* Move the ones that are left together. */
static void close_gaps(batch *b)
{
    int kept = 0;
    for (int i = 0; i < b->left; i++)
        if (b->names[i] >= 0) {
            b->handles[kept] = b->handles[i];
            b->names[kept++] = b->names[i];
        }
    b->left = kept;
}

static void complete_one(batch *b, int n, int waits)
{
    int index = -7, flag = 1;
    ep_status status;
    if (waits)
        EXPECT_OK(ep_waitany(n, b->handles, &index, &status));
    else
        EXPECT_OK(ep_testany(n, b->handles, &index, &flag, &status));
    if (!flag) {
        EXPECT_EQ(index, MPI_UNDEFINED);
        return;
    }
    if (!EXPECT(index >= 0 && index < n))
        return;
    completed(b, index, &status);
    b->left--;
    b->handles[index] = b->handles[b->left];
    b->names[index] = b->names[b->left];
}

static void complete_some(batch *b, int n, int waits)
{
    int done = -7;
    if (waits)
        EXPECT_OK(ep_waitsome(n, b->handles, &done, b->indices, b->statuses));
    else
        EXPECT_OK(ep_testsome(n, b->handles, &done, b->indices, b->statuses));
    EXPECT(done >= waits && done <= n);
    for (int i = 0; i < done; i++)
        if (EXPECT(b->indices[i] >= 0 && b->indices[i] < n))
            completed(b, b->indices[i], &b->statuses[i]);
    close_gaps(b);
}

static void complete_all(batch *b, int n, int waits)
{
    int flag = 1;
    if (waits)
        EXPECT_OK(ep_waitall(n, b->handles, b->statuses));
    else
        EXPECT_OK(ep_testall(n, b->handles, &flag, b->statuses));
    for (int i = 0; flag && i < n; i++)
        completed(b, i, &b->statuses[i]);
    close_gaps(b);
}

static void one_batch(batch *b)
{
    start_all(b);
    while (b->left) {
        int most = b->left < 200 ? b->left : 200, n = 1 + random_below(&b->t->random, most);
        int waits = random_below(&b->t->random, 2);
        switch (random_below(&b->t->random, 8)) {
        case 0:
            complete_all(b, n < 20 ? n : 20, waits);
            break;
        case 1:
        case 2:
            complete_some(b, n, waits);
            break;
        default:
            complete_one(b, n, waits);
        }
    }
}

static void many(team_t *t, void *arg)
{
    batch b = {.t = t,
               .count = OUTSTANDING / 2 / harness_slowness(),
               .to = (t->rank + 1) % t->size,
               .from = (t->rank + t->size - 1) % t->size};
    size_t n = 2 * (size_t)b.count;
    long early = 0;
    (void)arg;
    b.in = xmalloc(n * sizeof *b.in);
    b.out = xmalloc(n * sizeof *b.out);
    b.handles = xmalloc(n * sizeof *b.handles);
    b.names = xmalloc(n * sizeof *b.names);
    b.statuses = xmalloc(n * sizeof *b.statuses);
    b.indices = xmalloc(n * sizeof *b.indices);
    for (int round = 0; round < 20; round++) {
        one_batch(&b);
        team_barrier(t);
        if (t->index == 0 && round == 9)
            early = memory_allocated();
    }
    /* 10 rounds of 2000 receives that were not given back would be 7 MB; MPI may still grow a little */
    if (t->index == 0)
        EXPECT(memory_allocated() < early + 4000000);
    team_barrier(t);
    free(b.in);
    free(b.out);
    free(b.handles);
    free(b.names);
    free(b.statuses);
    free(b.indices);
}

/* ---- Truncation ---------------------------------------------------------------------------- */

/* The second of three messages is longer than its receive, by one byte or by far. */
static void truncated(team_t *t, int shift, int bytes, int room, int ahead)
{
    int to = (t->rank + shift) % t->size, from = (t->rank + t->size - shift) % t->size, rc;
    char *out = xmalloc((size_t)bytes), *in = xmalloc(3 * (size_t)bytes);
    ep_request sends[3], receives[3];
    ep_status got[3], sent[3];
    fill(out, (size_t)bytes, (unsigned)t->rank);
    memset(in, 0x77, 3 * (size_t)bytes);
    for (int step = 0; step < 2; step++) {
        for (int i = 0; i < 3 && step != ahead; i++)
            EXPECT_OK(ep_isend(out, bytes, MPI_BYTE, to, 1, t->comm, &sends[i]));
        for (int i = 0; i < 3 && step == ahead; i++)
            EXPECT_OK(ep_irecv(in + (size_t)i * (size_t)bytes, i == 1 ? room : bytes, MPI_BYTE, from, 1,
                               t->comm, &receives[i]));
        team_barrier(t);
    }
    rc = ep_waitall(3, receives, got);
    EXPECT_EQ(rc, MPI_ERR_IN_STATUS);
    for (int i = 0; i < 3; i++) {
        EXPECT_EQ(got[i].MPI_ERROR, i == 1 ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
        EXPECT_EQ(got[i].MPI_SOURCE, from);
        EXPECT_EQ(got[i].MPI_TAG, 1);
        EXPECT_FILLED(in + (size_t)i * (size_t)bytes, (size_t)(i == 1 ? room : bytes), (unsigned)from);
    }
    for (int i = room; i < bytes; i++)
        if (!EXPECT_EQ(in[bytes + i], 0x77))
            break;
    EXPECT_OK(ep_waitall(3, sends, sent));
    free(out);
    free(in);
}

static void truncation(team_t *t, void *arg)
{
    static const int sizes[] = {4, 64, 1000, 10000, 65536, 70000, 1 << 20};
    (void)arg;
    int step = t->size > 4 ? t->size / 4 : 1;
    for (int shift = 0; shift < t->size; shift += step)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes - (step > 1); i++)
            for (int ahead = 0; ahead < 2; ahead++) {
                truncated(t, shift, sizes[i], sizes[i] - 1, ahead);
                truncated(t, shift, sizes[i], sizes[i] / 3, ahead);
                truncated(t, shift, sizes[i], 0, ahead);
            }
}

/* A receive that fails in a blocking call; the next message is untouched. */
static void truncation_blocking(team_t *t, void *arg)
{
    int to = (t->rank + 1) % t->size, from = (t->rank + t->size - 1) % t->size;
    int out[4] = {1, 2, 3, 4}, in[4] = {0};
    ep_status status;
    ep_request sends[2];
    (void)arg;
    EXPECT_OK(ep_isend(out, 4, MPI_INT, to, 8, t->comm, &sends[0]));
    EXPECT_OK(ep_issend(out, 2, MPI_INT, to, 8, t->comm, &sends[1]));
    EXPECT_RC(ep_recv(in, 2, MPI_INT, from, 8, t->comm, &status), MPI_ERR_TRUNCATE);
    EXPECT_EQ(in[0] * 10 + in[1], 12);
    EXPECT_EQ(in[2], 0);
    EXPECT_OK(ep_recv(in, 4, MPI_INT, from, 8, t->comm, &status));
    EXPECT_EQ(status.MPI_SOURCE, from);
    EXPECT_OK(ep_waitall(2, sends, EP_STATUSES_IGNORE));
}

static const harness_test tests[] = {{"many", many, NULL},
                                     {"truncation", truncation, NULL},
                                     {"truncation_blocking", truncation_blocking, NULL}};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "law8_requests", tests);
}
