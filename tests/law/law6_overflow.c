/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * law6_overflow.c: 20,000 messages that nobody asked for yet, of many sizes, then received in reverse, in
 * random order and by wildcards.
 *
 * Catches an inbox that drops messages when its ring is full or lets those in the ring overtake those in
 * the overflow list, and matching that puts an exact and a wildcard view of the queue out of step when
 * entries leave from its middle.
 */
#include "harness.h"
#include <stdlib.h>
#include <string.h>

enum { MESSAGES = 20000, LONGEST = 100000, SLIDE = 997, FEW_TAGS = 7 };

typedef enum { IN_REVERSE, AT_RANDOM, BY_TAG_FROM_ANY, BY_SOURCE_ANY_TAG, BY_ANYTHING, ORDERS } order;

typedef struct {
    team_t *t;
    order order;
    int each, total;
    int receiver;
    char **contents; /* per sender: the bytes that its messages are slices of */
    char *in;
} flood;

static int bytes_of(int source, int k)
{
    uint64_t state = (uint64_t)source << 32 | (uint64_t)k;
    int lot = random_below(&state, 1000);
    int most = lot < 700 ? 65 : lot < 900 ? 1025 : lot < 995 ? 8193 : LONGEST;
    return random_below(&state, most);
}

static int tag_of(const flood *f, int k)
{
    return f->order <= AT_RANDOM ? k : k % FEW_TAGS;
}

static int sender(const flood *f, int n)
{
    int s = n % (f->t->size - 1);
    return s + (s >= f->receiver);
}

static const char *slice(const flood *f, int source, int k)
{
    return f->contents[source] + k % SLIDE;
}

static void send_all(const flood *f, ep_request *requests)
{
    for (int k = 0; k < f->each; k++)
        EXPECT_OK(ep_isend(slice(f, f->t->rank, k), bytes_of(f->t->rank, k), MPI_BYTE, f->receiver,
                           tag_of(f, k), f->t->comm, &requests[k]));
}

static int receive(const flood *f, int source, int tag, ep_status *status)
{
    int count = -1;
    EXPECT_OK(ep_recv(f->in, LONGEST, MPI_BYTE, source, tag, f->t->comm, status));
    EXPECT_OK(ep_get_count(status, MPI_BYTE, &count));
    return count;
}

static int is_message(const flood *f, int source, int k, int count, const ep_status *status)
{
    return EXPECT_EQ(count, bytes_of(source, k)) & EXPECT_EQ(status->MPI_SOURCE, source) &
           EXPECT_EQ(status->MPI_TAG, tag_of(f, k)) &
           EXPECT(!memcmp(f->in, slice(f, source, k), (size_t)count));
}

static void receive_by_name(const flood *f)
{
    int *names = xmalloc((size_t)f->total * sizeof *names);
    ep_status status;
    for (int i = 0; i < f->total; i++) {
        int k = f->order == AT_RANDOM ? random_below(&f->t->random, i + 1) : i;
        names[i] = names[k];
        names[k] = i;
    }
    for (int i = f->total - 1; i >= 0; i--) {
        int source = sender(f, names[i]), k = names[i] / (f->t->size - 1);
        int count = receive(f, source, tag_of(f, k), &status);
        if (!is_message(f, source, k, count, &status))
            break;
    }
    free(names);
}

/* The next of its stream: of its source, or of its source and tag. */
static void receive_by_wildcard(const flood *f)
{
    size_t streams = (size_t)f->t->size * FEW_TAGS;
    int *taken = xmalloc(streams * sizeof *taken);
    memset(taken, 0, streams * sizeof *taken);
    for (int i = 0; i < f->total; i++) {
        /* last sender and last tag first, so that most of the queue has to be passed over */
        int k = f->each - 1 - i / (f->t->size - 1), want = f->order == BY_TAG_FROM_ANY;
        int source = f->order == BY_SOURCE_ANY_TAG ? sender(f, (f->total - 1 - i) / f->each) : MPI_ANY_SOURCE;
        ep_status status = {.MPI_SOURCE = -1, .MPI_TAG = -1};
        int count = receive(f, source, want ? tag_of(f, k) : MPI_ANY_TAG, &status);
        if (!EXPECT(status.MPI_SOURCE >= 0 && status.MPI_SOURCE < f->t->size && status.MPI_TAG >= 0 &&
                    status.MPI_TAG < FEW_TAGS))
            break;
        int *next = &taken[status.MPI_SOURCE * FEW_TAGS + (want ? status.MPI_TAG : 0)];
        k = want ? status.MPI_TAG + FEW_TAGS * *next : *next;
        ++*next;
        if (!is_message(f, status.MPI_SOURCE, k, count, &status))
            break;
    }
    free(taken);
}

static void one_order(flood *f)
{
    team_t *t = f->t;
    ep_request *requests = xmalloc((size_t)f->each * sizeof *requests);
    int flag = 1;
    if (t->rank != f->receiver)
        send_all(f, requests);
    team_barrier(t);
    if (t->rank == f->receiver && f->order <= AT_RANDOM)
        receive_by_name(f);
    else if (t->rank == f->receiver)
        receive_by_wildcard(f);
    if (t->rank != f->receiver)
        EXPECT_OK(ep_waitall(f->each, requests, EP_STATUSES_IGNORE));
    team_barrier(t);
    EXPECT_OK(ep_iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, t->comm, &flag, EP_STATUS_IGNORE));
    EXPECT_EQ(flag, 0);
    team_barrier(t);
    free(requests);
}

static void unexpected(team_t *t, void *arg)
{
    flood f = {.t = t, .each = MESSAGES / harness_slowness() / (t->size - 1)};
    (void)arg;
    f.total = f.each * (t->size - 1);
    f.in = xmalloc(LONGEST);
    f.contents = xmalloc((size_t)t->size * sizeof *f.contents);
    for (int i = 0; i < t->size; i++) {
        f.contents[i] = xmalloc(LONGEST + SLIDE);
        fill(f.contents[i], LONGEST + SLIDE, (unsigned)i);
    }
    for (f.order = 0; f.order < ORDERS; f.order++) {
        f.receiver = f.order % 2 ? t->size - 1 : 0;
        one_order(&f);
    }
    for (int i = 0; i < t->size; i++)
        free(f.contents[i]);
    free(f.contents);
    free(f.in);
}

static const harness_test tests[] = {{"unexpected", unexpected, NULL}};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "law6_overflow", tests);
}
