/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * law1_post_order.c: matching happens when a receive is posted and when a message arrives, never at wait.
 *
 * late_waits catches an engine that matches at wait or test (receives waited out of order swap their
 * messages). matcher catches one that puts wildcards and exact receives into separate queues and forgets
 * which was posted first, that searches hash bins in another order than arrival, or that loses or swaps
 * entries of one key when its table grows: rank 0 directs all endpoints, so that the order of arrivals is
 * known, and compares every match with a linear oracle, for queues of 1 to 3000 entries. (Among sources ep
 * serves a wildcard in the order of arrival, which is more than MPI asks for.)
 */
#include "harness.h"
#include "oracle.h"
#include <stdlib.h>
#include <string.h>

#define DEPTH 8

static void wait_backwards(ep_request *requests, const int *got, int from)
{
    for (int i = DEPTH - 1; i >= 0; i--) {
        ep_status status;
        EXPECT_OK(ep_wait(&requests[i], &status));
        EXPECT_EQ(got[i], i);
        EXPECT_EQ(status.MPI_SOURCE, from);
        EXPECT_EQ(status.MPI_TAG, 5);
    }
}

/* forms & 1, & 2: every second receive has a wildcard source, tag */
static void late_wait(team_t *t, int shift, int forms, int post_first)
{
    int to = (t->rank + shift) % t->size, from = (t->rank + t->size - shift) % t->size;
    int got[DEPTH], sent[DEPTH];
    ep_request receives[DEPTH], sends[DEPTH];
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < DEPTH && round == !post_first; i++) {
            int wild = i % 2;
            EXPECT_OK(ep_irecv(&got[i], 1, MPI_INT, wild && forms & 1 ? MPI_ANY_SOURCE : from,
                               wild && forms & 2 ? MPI_ANY_TAG : 5, t->comm, &receives[i]));
        }
        for (int i = 0; i < DEPTH && round == post_first; i++) {
            sent[i] = i;
            EXPECT_OK(ep_isend(&sent[i], 1, MPI_INT, to, 5, t->comm, &sends[i]));
        }
        team_barrier(t);
    }
    wait_backwards(receives, got, from);
    EXPECT_OK(ep_waitall(DEPTH, sends, EP_STATUSES_IGNORE));
    team_barrier(t);
}

static void late_waits(team_t *t, void *arg)
{
    (void)arg;
    for (int shift = 0; shift < t->size; shift++)
        for (int forms = 0; forms < 4; forms++)
            for (int post_first = 0; post_first < 2; post_first++)
                late_wait(t, shift, forms, post_first);
}

/* ---- matcher ------------------------------------------------------------------------------- */

enum { MOST = 15000, RUN = 16, TAG_COMMAND = 30000, TAG_MARKER = 30001 };

/* What rank 0 tells a sender: send the ids first.. with these tags, then a marker if wanted.
 * count < 0: end. */
typedef struct {
    int count, first, marker;
    int tags[RUN];
} command;
#define COMMAND_INTS ((int)(sizeof(command) / sizeof(int)))

/* An endpoint's sends of one round; kept until its end, so that no send has to wait for its receive. */
typedef struct {
    ep_request *requests;
    int *ids;
    int count;
} outbox;

typedef struct {
    ep_request request;
    int got, want; /* ids of messages; want < 0: not matched */
    int waited;
} receive;

typedef struct {
    int source, tag;
} message;

typedef struct {
    team_t *t;
    oracle oracle;
    outbox self;
    receive *receives;
    message *messages;
    int posted, sent;
    int tags, stride, wild; /* number of tags, distance between them, percent of wildcards of each kind */
} director;

static void obey(team_t *t, outbox *out, const command *c)
{
    for (int i = 0; i < c->count; i++) {
        out->ids[out->count] = c->first + i;
        EXPECT_OK(
            ep_isend(&out->ids[out->count], 1, MPI_INT, 0, c->tags[i], t->comm, &out->requests[out->count]));
        out->count++;
    }
    if (c->marker) {
        out->ids[out->count] = -1;
        EXPECT_OK(
            ep_isend(&out->ids[out->count], 1, MPI_INT, 0, TAG_MARKER, t->comm, &out->requests[out->count]));
        out->count++;
    }
}

static void outbox_open(outbox *out)
{
    out->requests = xmalloc(2 * MOST * sizeof *out->requests);
    out->ids = xmalloc(2 * MOST * sizeof *out->ids);
    out->count = 0;
}

static void outbox_close(outbox *out)
{
    EXPECT_OK(ep_waitall(out->count, out->requests, EP_STATUSES_IGNORE));
    free(out->requests);
    free(out->ids);
}

static void serve(team_t *t)
{
    outbox out;
    command c;
    outbox_open(&out);
    for (;;) {
        if (!EXPECT_OK(ep_recv(&c, COMMAND_INTS, MPI_INT, 0, TAG_COMMAND, t->comm, EP_STATUS_IGNORE)) ||
            c.count < 0)
            break;
        obey(t, &out, &c);
    }
    outbox_close(&out);
}

static void tell(director *d, int rank, const command *c)
{
    if (rank == d->t->rank && c->count >= 0)
        obey(d->t, &d->self, c);
    else if (rank != d->t->rank)
        EXPECT_OK(ep_send(c, COMMAND_INTS, MPI_INT, rank, TAG_COMMAND, d->t->comm));
}

static void finish(director *d, int r)
{
    receive *x = &d->receives[r];
    ep_status status;
    int cancelled = 0;
    EXPECT_OK(ep_wait(&x->request, &status));
    EXPECT_OK(ep_test_cancelled(&status, &cancelled));
    EXPECT_EQ(cancelled, x->want < 0);
    x->waited = 1;
    if (cancelled || x->want < 0)
        return;
    EXPECT_EQ(x->got, x->want);
    EXPECT_EQ(status.MPI_SOURCE, d->messages[x->want].source);
    EXPECT_EQ(status.MPI_TAG, d->messages[x->want].tag);
}

/* Returns when the engine must have matched the messages: the last one's receive is complete; or it is
 * unexpected, so that no posted receive takes any tag from this source, and a marker sent after it came. */
static void arrive(director *d, int count)
{
    team_t *t = d->t;
    int source = random_below(&t->random, t->size), last = -1;
    command c = {.count = count, .first = d->sent};
    for (int i = 0; i < count; i++) {
        int tag = random_below(&t->random, d->tags) * d->stride;
        c.tags[i] = tag;
        d->messages[d->sent] = (message){source, tag};
        last = oracle_arrive(&d->oracle, source, tag, d->sent);
        if (last >= 0)
            d->receives[last].want = d->sent;
        d->sent++;
    }
    c.marker = last < 0;
    tell(d, source, &c);
    if (last >= 0)
        finish(d, last);
    else
        EXPECT_OK(ep_recv(&c.first, 1, MPI_INT, source, TAG_MARKER, t->comm, EP_STATUS_IGNORE));
}

static void post(director *d, int source, int tag)
{
    receive *r = &d->receives[d->posted];
    *r = (receive){.got = -1};
    r->want = oracle_post(&d->oracle, source, tag, d->posted);
    EXPECT_OK(ep_irecv(&r->got, 1, MPI_INT, source, tag, d->t->comm, &r->request));
    d->posted++;
}

static void post_random(director *d)
{
    uint64_t *random = &d->t->random;
    int source = random_below(random, d->t->size), tag = random_below(random, d->tags) * d->stride;
    post(d, random_below(random, 100) < d->wild ? MPI_ANY_SOURCE : source,
         random_below(random, 100) < d->wild ? MPI_ANY_TAG : tag);
}

/* One of the messages that wait, asked for by its exact name or by a wildcard that may get another one. */
static void post_waiting(director *d)
{
    oracle_list *waiting = &d->oracle.unexpected;
    oracle_item m = waiting->items[random_below(&d->t->random, waiting->count)];
    int form = random_below(&d->t->random, 4);
    post(d, form & 1 ? MPI_ANY_SOURCE : m.source, form & 2 ? MPI_ANY_TAG : m.tag);
}

static int room_left(const director *d)
{
    return d->posted < MOST / 3 && d->sent < MOST / 3;
}

static void grow(director *d, const oracle_list *l, int length, int posts_percent)
{
    while (l->count < length && room_left(d)) {
        if (random_below(&d->t->random, 100) < posts_percent)
            post_random(d);
        else
            arrive(d, 1 + random_below(&d->t->random, RUN));
    }
}

static void wait_in_random_order(director *d)
{
    int *order = xmalloc(((size_t)d->posted + 1) * sizeof *order);
    for (int i = 0; i < d->posted; i++) {
        int k = random_below(&d->t->random, i + 1);
        order[i] = order[k];
        order[k] = i;
    }
    for (int i = 0; i < d->posted; i++)
        if (!d->receives[order[i]].waited)
            finish(d, order[i]);
    free(order);
}

/* Half of the receives that wait are cancelled, also from the middle of their queue; the rest are served. */
static void settle_posted(director *d)
{
    oracle_list *l = &d->oracle.posted;
    while (l->count) {
        int i = random_below(&d->t->random, l->count);
        oracle_item r = l->items[i];
        if (random_below(&d->t->random, 2)) {
            EXPECT_OK(ep_cancel(&d->receives[r.id].request));
            oracle_remove(l, i);
        } else {
            int source = r.source == MPI_ANY_SOURCE ? d->t->rank : r.source;
            int tag = r.tag == MPI_ANY_TAG ? 0 : r.tag;
            command c = {.count = 1, .first = d->sent, .tags = {tag}};
            d->messages[d->sent] = (message){source, tag};
            int got = oracle_arrive(&d->oracle, source, tag, d->sent);
            d->receives[got].want = d->sent++;
            tell(d, source, &c);
            finish(d, got);
        }
    }
}

static void direct(director *d, int length, int unexpected)
{
    d->posted = d->sent = 0;
    d->receives = xmalloc(MOST * sizeof *d->receives);
    d->messages = xmalloc(MOST * sizeof *d->messages);
    outbox_open(&d->self);
    grow(d, unexpected ? &d->oracle.unexpected : &d->oracle.posted, length, unexpected ? 10 : 97);
    for (int i = 0; i < 300 && room_left(d); i++)
        if (random_below(&d->t->random, 2))
            post_random(d);
        else
            arrive(d, 1 + random_below(&d->t->random, 3));
    while (d->oracle.unexpected.count)
        post_waiting(d);
    settle_posted(d);
    wait_in_random_order(d);
    for (int rank = 0; rank < d->t->size; rank++)
        tell(d, rank, &(command){.count = -1});
    outbox_close(&d->self);
    oracle_release(&d->oracle);
    free(d->receives);
    free(d->messages);
}

static void matcher(team_t *t, void *arg)
{
    static const int lengths[] = {1, 2, 5, 30, 200, 1000, 3000};
    static const struct {
        int tags, stride;
    } names[] = {{3, 1}, {6000, 1}, {117, 256}};
    director d = {.t = t};
    (void)arg;
    for (int i = 0; i < 7 - (harness_slowness() > 1); i++)
        for (int form = 0; form < 6; form++) {
            d.tags = names[form / 2].tags;
            d.stride = names[form / 2].stride;
            d.wild = 5 * random_below(&t->random, 8);
            if (t->rank == 0)
                direct(&d, lengths[i], form % 2);
            else
                serve(t);
            team_barrier(t);
        }
}

static const harness_test tests[] = {{"late_waits", late_waits, NULL}, {"matcher", matcher, NULL}};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "law1_post_order", tests);
}
