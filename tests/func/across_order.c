/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * across_order.c: messages of every length between endpoints of all processes come whole and in their order.
 *
 * Catches: overtaking where a short message, one in a descriptor and one that stays with its sender follow each other, or one
 * that found the ring full; sends forgotten at home; eager sends that wait for their receiver because the way is full, which
 * hangs programs that receive in another order than they send.
 */
#include "across.h"

enum { TAGS = 3, LONGEST = 150000, HEAD = 3 * (int)sizeof(int) };

static int shared; /* through memory */

/* ---- numbered messages ---- */

typedef struct {
    int from, number, length;
} head;

/* A length now of this kind, now of that. */
static int some_length(uint64_t *random)
{
    switch (random_below(random, 12)) {
    case 0:
        return HEAD + 65000 + random_below(random, 1100); /* around the limit */
    case 1:
        return HEAD + 66000 + random_below(random, LONGEST - 67000);
    case 2:
    case 3:
        return HEAD + 1000 + random_below(random, 4000);
    case 4:
    case 5:
        return HEAD + random_below(random, 1050);
    default:
        return HEAD + random_below(random, 60);
    }
}

static void compose(char *buf, int from, int number, int length)
{
    head h = {from, number, length};
    fill(buf, (size_t)length, (unsigned)(from * 7919 + number));
    memcpy(buf, &h, sizeof h);
}

/* The message in buf is the next one of its sender. */
static int check(char *buf, const ep_status *status, int next[], int size)
{
    head h;
    int count = -1;
    memcpy(&h, buf, sizeof h);
    EXPECT_OK(ep_get_count(status, MPI_BYTE, &count));
    if (!EXPECT(h.from >= 0 && h.from < size) || !EXPECT_EQ(count, h.length))
        return 0;
    EXPECT_EQ(status->MPI_SOURCE, h.from);
    EXPECT_EQ(h.number, next[h.from]);
    next[h.from] = h.number + 1;
    char *same = xmalloc((size_t)h.length);
    compose(same, h.from, h.number, h.length);
    int ok = EXPECT(memcmp(same, buf, (size_t)h.length) == 0);
    free(same);
    return ok;
}

/* ---- everybody to everybody ---- */

/* What is sent to other processes is received there: the sums of all endpoints. */
static void expect_balance(const team_t *t)
{
    const char *names[] = {"sent_far", "received_far", "sent_far_bytes", "received_far_bytes"};
    MPI_Count mine[4], sum[4];
    for (int i = 0; i < 4; i++) {
        int number = -1;
        EXPECT_OK(ep_counter_find(names[i], &number));
        EXPECT_OK(ep_counter_read(t->comm, number, &mine[i]));
    }
    EXPECT_OK(ep_allreduce(mine, sum, 4, MPI_COUNT, MPI_SUM, t->comm));
    EXPECT_EQ(sum[0], sum[1]);
    EXPECT_EQ(sum[2], sum[3]);
    EXPECT(sum[0] > 0 || t->processes == 1);
}

/* Each sends `rounds` messages to everyone, without waiting for any, and takes all of its own with wildcards. */
static void everybody(team_t *t, void *arg)
{
    int rounds = (t->size > 8 ? 10 : 60) / harness_slowness() + 4, n = rounds * t->size, synchronous;
    char **out = xmalloc((size_t)n * sizeof *out), *in = xmalloc(LONGEST);
    int *next = calloc((size_t)t->size, sizeof *next);
    ep_request *sends = xmalloc((size_t)n * sizeof *sends);
    ep_status status;
    (void)arg;
    for (int i = 0; i < n; i++) {
        int length = some_length(&t->random), to = (t->rank + i) % t->size;
        out[i] = xmalloc((size_t)length);
        compose(out[i], t->rank, i / t->size, length);
        synchronous = random_below(&t->random, 8) == 0;
        EXPECT_OK(
            (synchronous ? ep_issend : ep_isend)(out[i], length, MPI_BYTE, to, i % TAGS, t->comm, &sends[i]));
    }
    for (int i = 0; i < n; i++) {
        EXPECT_OK(ep_recv(in, LONGEST, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, t->comm, &status));
        if (!check(in, &status, next, t->size))
            break;
    }
    EXPECT_OK(ep_waitall(n, sends, EP_STATUSES_IGNORE));
    expect_balance(t);
    for (int i = 0; i < n; i++)
        free(out[i]);
    free(sends);
    free(next);
    free(in);
    free(out);
}

/* Blocking sends of all to one endpoint after the other. */
static void to_one(team_t *t, void *arg)
{
    int rounds = 200 / harness_slowness() / t->size + 3;
    char *buf = xmalloc(LONGEST);
    ep_status status;
    (void)arg;
    for (int root = 0; root < t->size; root += 1 + t->size / 4) {
        int *next = calloc((size_t)t->size, sizeof *next);
        for (int i = 0; t->rank == root && i < rounds * (t->size - 1); i++) {
            EXPECT_OK(ep_recv(buf, LONGEST, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, t->comm, &status));
            if (!check(buf, &status, next, t->size))
                break;
        }
        for (int i = 0; t->rank != root && i < rounds; i++) {
            int length = some_length(&t->random);
            compose(buf, t->rank, i, length);
            EXPECT_OK((i % 7 == 6 ? ep_ssend : ep_send)(buf, length, MPI_BYTE, root, i % TAGS, t->comm));
        }
        team_barrier(t);
        free(next);
    }
    free(buf);
}

/* ---- more than the way holds ---- */

/* Both send without looking, so that the ring overflows and sends stay at home; every now and then one that is not short. */
static void pair_flood(team_t *t, int partner, void *arg)
{
    int n = 3000 / harness_slowness() + 200;
    int *next = calloc((size_t)t->size, sizeof *next);
    char **out = xmalloc((size_t)n * sizeof *out), *in = xmalloc(LONGEST);
    ep_request *sends = xmalloc((size_t)n * sizeof *sends);
    ep_status status;
    (void)arg;
    for (int i = 0; i < n; i++) {
        int length =
            i % 100 == 99 ? some_length(&t->random) : HEAD + random_below(&t->random, i % 10 ? 60 : 1100);
        out[i] = xmalloc((size_t)length);
        compose(out[i], t->rank, i, length);
        EXPECT_OK((i % 400 == 399 ? ep_issend : ep_isend)(out[i], length, MPI_BYTE, partner, 0, t->comm,
                                                          &sends[i]));
    }
    for (int i = 0; i < n; i++) {
        EXPECT_OK(ep_recv(in, LONGEST, MPI_BYTE, i % 2 ? partner : MPI_ANY_SOURCE, 0, t->comm, &status));
        if (!check(in, &status, next, t->size))
            break;
    }
    EXPECT_OK(ep_waitall(n, sends, EP_STATUSES_IGNORE));
    for (int i = 0; i < n; i++)
        free(out[i]);
    free(sends);
    free(in);
    free(out);
    free(next);
}

static void flood(team_t *t, void *arg)
{
    for_pairs(t, pair_flood, arg);
}

/* Eager sends end though their receiver waits for a later one: many times what the ring and the parcels hold. */
static void one_way(team_t *t, int length, int n)
{
    int last = t->size - 1;
    char *buf = xmalloc((size_t)length);
    if (t->rank == 0) {
        for (int i = 0; i < n; i++) {
            fill(buf, (size_t)length, (unsigned)i);
            EXPECT_OK(ep_send(buf, length, MPI_BYTE, last, 1, t->comm));
        }
        say(t, last, 2);
    } else if (t->rank == last) {
        hear(t, 0, 2);
        for (int i = 0; i < n; i++) {
            EXPECT_OK(ep_recv(buf, length, MPI_BYTE, 0, 1, t->comm, EP_STATUS_IGNORE));
            EXPECT_FILLED(buf, (size_t)length, (unsigned)i);
        }
    }
    free(buf);
    team_barrier(t);
}

static void eager(team_t *t, void *arg)
{
    static const int lengths[] = {0, 32, 33, 1000, 1040, 1041, 5000};
    (void)arg;
    for (int i = 0; shared && i < 7; i++)
        if (lengths[i] <= across_setting("EP_EAGER", 65536))
            one_way(t, lengths[i], 3000 / harness_slowness());
    if (shared && across_setting("EP_EAGER", 65536) == 65536)
        one_way(t, 65536, harness_slowness() > 1 ? 50 : 600);
}

static void eager_never_waits(void)
{
    shared = across_by_memory();
    team_run(eager, NULL);
}

static const harness_test tests[] = {
    {"everybody to everybody", everybody, NULL},
    {"everybody to one", to_one, NULL},
    {"flood", flood, NULL},
    {"eager sends never wait", NULL, eager_never_waits},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "across_order", tests);
}
