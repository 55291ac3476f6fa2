/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * random_oracle.c: random traffic of every mode, size, wildcard, probe, cancel and truncation between all
 * endpoints at once, compared with an oracle. EP_TEST_SEED repeats a run.
 *
 * MPI leaves open which source a wildcard gets, and nothing else: so the oracle has one queue per source,
 * takes the receives in the order of posting with the source that each really got, and says which message
 * it must be. It catches what the tests of single laws do not combine: overtaking between modes (eager and
 * by rendezvous, near and far, probed and posted), a cancelled receive that swallowed a message, statuses and bytes
 * that belong to another message.
 */
#include "harness.h"
#include "oracle.h"
#include <stdlib.h>
#include <string.h>

enum { TAGS = 5, LONGEST = 150000, WINDOW = 24, MOST_PER_STREAM = 40, BSEND_MOST = 900 };

/* A message as planned: both sides know it from the seed. */
typedef struct {
    int tag, bytes, mode;
    unsigned key;
} plan;

typedef struct {
    plan messages[MOST_PER_STREAM];
    int count;
} stream;

enum {
    MODE_ISEND,
    MODE_ISSEND,
    MODE_SEND,
    MODE_IBSEND,
    MODE_PERSISTENT,
    MODE_PERSISTENT_SYNC,
    MODE_FREED,
    MODES
};

typedef struct {
    ep_request request;
    char *buf;
} outgoing;

typedef struct {
    ep_request request; /* while open */
    ep_message message; /* between mprobe and mrecv */
    int source, tag, room;
    char *buf;
    int open, persistent, cancelled;
    int probed; /* bytes that a probe announced, or -1 */
    int rc;
    ep_status status;
} incoming;

typedef struct {
    team_t *t;
    uint64_t *random;
    stream *out, *in; /* by peer */
    int *out_next;
    outgoing *sends;
    int to_send, sent;
    incoming *records; /* in the order of posting */
    int record_count, record_room;
    int to_receive, received, open, open_any;
} game;

static void plan_stream(stream *s, uint64_t seed, int from, int to)
{
    uint64_t state = seed + (uint64_t)from * 7919 + (uint64_t)to * 104729;
    s->count = random_below(&state, MOST_PER_STREAM + 1);
    for (int i = 0; i < s->count; i++) {
        static const int most[20] = {1,    65,   65,   65,   65,   65,   65,   65,    1100,  1100,
                                     1100, 1100, 1100, 9000, 9000, 9000, 9000, 70000, 70000, LONGEST};
        plan *m = &s->messages[i];
        m->tag = random_below(&state, TAGS);
        m->bytes = random_below(&state, most[random_below(&state, 20)]);
        m->mode = random_below(&state, MODES);
        m->key = (unsigned)random_next(&state);
    }
}

/* Up to how many bytes a standard send never waits for its receiver. Between processes it may be for MPI to say, and 1 KiB
 * is below what any MPI sends eagerly. */
static int eager_limit(const team_t *t, int peer)
{
    const char *setting = getenv("EP_EAGER");
    int limit = setting ? atoi(setting) : 65536;
    return team_near(t, peer) || limit < 1024 ? limit : 1024;
}

/* Start one message; never blocks. */
static void send_one(game *g)
{
    int peer = random_below(g->random, g->t->size);
    while (g->out_next[peer] == g->out[peer].count)
        peer = (peer + 1) % g->t->size;
    const plan *m = &g->out[peer].messages[g->out_next[peer]++];
    outgoing *o = &g->sends[g->sent++];
    ep_comm comm = g->t->comm;
    int mode = m->mode;
    *o = (outgoing){EP_REQUEST_NULL, xmalloc((size_t)m->bytes)};
    fill(o->buf, (size_t)m->bytes, m->key);
    if ((mode == MODE_SEND && m->bytes > eager_limit(g->t, peer)) || (mode == MODE_IBSEND && m->bytes > BSEND_MOST))
        mode = MODE_ISEND;
    switch (mode) {
    case MODE_ISSEND:
        EXPECT_OK(ep_issend(o->buf, m->bytes, MPI_BYTE, peer, m->tag, comm, &o->request));
        break;
    case MODE_SEND:
        EXPECT_OK(ep_send(o->buf, m->bytes, MPI_BYTE, peer, m->tag, comm));
        memset(o->buf, 0xee, (size_t)m->bytes);
        break;
    case MODE_IBSEND:
        EXPECT_OK(ep_ibsend(o->buf, m->bytes, MPI_BYTE, peer, m->tag, comm, &o->request));
        break;
    case MODE_PERSISTENT:
    case MODE_PERSISTENT_SYNC:
        EXPECT_OK((mode == MODE_PERSISTENT ? ep_send_init : ep_ssend_init)(o->buf, m->bytes, MPI_BYTE, peer,
                                                                           m->tag, comm, &o->request));
        EXPECT_OK(ep_start(&o->request));
        break;
    default:
        EXPECT_OK(ep_isend(o->buf, m->bytes, MPI_BYTE, peer, m->tag, comm, &o->request));
        if (mode == MODE_FREED)
            EXPECT_OK(ep_request_free(&o->request));
    }
}

static incoming *new_record(game *g, int source, int tag)
{
    if (g->record_count == g->record_room) {
        int room = g->record_room ? 2 * g->record_room : 256;
        incoming *records = xmalloc((size_t)room * sizeof *records);
        if (g->record_count)
            memcpy(records, g->records, (size_t)g->record_count * sizeof *records);
        free(g->records);
        g->records = records;
        g->record_room = room;
    }
    incoming *r = &g->records[g->record_count++];
    int room = random_below(g->random, 6) ? LONGEST : random_below(g->random, 3000);
    *r = (incoming){.source = source,
                    .tag = tag,
                    .room = room,
                    .probed = -1,
                    .open = 1,
                    .request = EP_REQUEST_NULL,
                    .message = EP_MESSAGE_NULL};
    r->buf = xmalloc((size_t)r->room);
    g->open++;
    g->open_any += source == MPI_ANY_SOURCE && tag == MPI_ANY_TAG;
    return r;
}

static void post(game *g, int source, int tag)
{
    incoming *r = new_record(g, source, tag);
    r->persistent = random_below(g->random, 8) == 0;
    if (r->persistent) {
        EXPECT_OK(ep_recv_init(r->buf, r->room, MPI_BYTE, source, tag, g->t->comm, &r->request));
        EXPECT_OK(ep_start(&r->request));
    } else {
        EXPECT_OK(ep_irecv(r->buf, r->room, MPI_BYTE, source, tag, g->t->comm, &r->request));
    }
}

/* r is complete, with rc and status. */
static void close_record(game *g, incoming *r)
{
    EXPECT_OK(ep_test_cancelled(&r->status, &r->cancelled));
    if (r->persistent)
        EXPECT_OK(ep_request_free(&r->request));
    EXPECT(r->request == EP_REQUEST_NULL);
    r->open = 0;
    g->open--;
    g->open_any -= r->source == MPI_ANY_SOURCE && r->tag == MPI_ANY_TAG;
    g->received += !r->cancelled;
}

static void pattern(game *g, int *source, int *tag)
{
    *source = random_below(g->random, 3) ? random_below(g->random, g->t->size) : MPI_ANY_SOURCE;
    *tag = random_below(g->random, 3) ? random_below(g->random, TAGS) : MPI_ANY_TAG;
}

static void probe_and_receive(game *g)
{
    int source, tag, flag;
    ep_status status;
    pattern(g, &source, &tag);
    EXPECT_OK(ep_iprobe(source, tag, g->t->comm, &flag, &status));
    if (!flag)
        return;
    incoming *r = new_record(g, status.MPI_SOURCE, status.MPI_TAG);
    EXPECT_OK(ep_get_count(&status, MPI_BYTE, &r->probed));
    EXPECT(source == MPI_ANY_SOURCE || source == status.MPI_SOURCE);
    EXPECT(tag == MPI_ANY_TAG || tag == status.MPI_TAG);
    if (random_below(g->random, 2)) {
        EXPECT_OK(ep_irecv(r->buf, r->room, MPI_BYTE, r->source, r->tag, g->t->comm, &r->request));
    } else {
        r->rc = ep_recv(r->buf, r->room, MPI_BYTE, r->source, r->tag, g->t->comm, &r->status);
        close_record(g, r);
    }
}

static void matching_probe(game *g)
{
    int source, tag, flag;
    ep_message message;
    ep_status status;
    pattern(g, &source, &tag);
    EXPECT_OK(ep_improbe(source, tag, g->t->comm, &flag, &message, &status));
    if (!flag)
        return;
    incoming *r = new_record(g, source, tag);
    r->message = message;
    EXPECT_OK(ep_get_count(&status, MPI_BYTE, &r->probed));
}

static void receive_probed(game *g, incoming *r)
{
    if (random_below(g->random, 2)) {
        EXPECT_OK(ep_imrecv(r->buf, r->room, MPI_BYTE, &r->message, &r->request));
    } else {
        r->rc = ep_mrecv(r->buf, r->room, MPI_BYTE, &r->message, &r->status);
        close_record(g, r);
    }
    EXPECT(r->message == EP_MESSAGE_NULL);
}

static incoming *random_open(game *g)
{
    int i = g->record_count ? random_below(g->random, g->record_count) : 0;
    for (int n = 0; n < g->record_count; n++, i = (i + 1) % g->record_count)
        if (g->records[i].open)
            return &g->records[i];
    return NULL;
}

static void advance(game *g)
{
    incoming *r = random_open(g);
    int flag = 1;
    if (!r)
        return;
    if (r->message != EP_MESSAGE_NULL) {
        receive_probed(g, r);
        return;
    }
    r->rc = ep_test(&r->request, &flag, &r->status);
    if (flag)
        close_record(g, r);
}

static void cancel_one(game *g)
{
    incoming *r = random_open(g);
    if (!r || r->message != EP_MESSAGE_NULL || r->probed >= 0)
        return;
    EXPECT_OK(ep_cancel(&r->request));
    r->rc = ep_wait(&r->request, &r->status);
    close_record(g, r);
}

/* Wait: a receive of anything is posted, and messages are still to come, so some receive must complete;
 * except that they may all be in our hands already, probed. */
static void block(game *g)
{
    ep_request requests[2 * WINDOW];
    incoming *which[2 * WINDOW];
    ep_status status;
    int n = 0, index = -1, rc;
    for (int i = 0; i < g->record_count && n < 2 * WINDOW; i++)
        if (g->records[i].open) {
            if (g->records[i].message != EP_MESSAGE_NULL) {
                receive_probed(g, &g->records[i]);
                return;
            }
            which[n] = &g->records[i];
            requests[n++] = g->records[i].request;
        }
    rc = ep_waitany(n, requests, &index, &status);
    if (!EXPECT(index >= 0 && index < n))
        return;
    which[index]->rc = rc;
    which[index]->status = status;
    which[index]->request = requests[index];
    close_record(g, which[index]);
}

static void step(game *g)
{
    int dice = random_below(g->random, 100), source, tag;
    if (dice < 30 && g->sent < g->to_send) {
        send_one(g);
    } else if (dice < 50 && g->open < WINDOW) {
        pattern(g, &source, &tag);
        post(g, source, tag);
    } else if (dice < 58 && g->open < WINDOW) {
        probe_and_receive(g);
    } else if (dice < 66 && g->open < WINDOW) {
        matching_probe(g);
    } else if (dice < 68) {
        cancel_one(g);
    } else if (g->open >= WINDOW && !g->open_any) {
        post(g, MPI_ANY_SOURCE, MPI_ANY_TAG);
    } else if (dice < 80 && g->sent == g->to_send && g->open_any && g->received < g->to_receive) {
        block(g);
    } else {
        advance(g);
    }
}

/* Each receive, in the order of posting, has the first message of its source that it accepts. */
static void replay(game *g)
{
    oracle_list *queues = xmalloc((size_t)g->t->size * sizeof *queues);
    memset(queues, 0, (size_t)g->t->size * sizeof *queues);
    for (int s = 0; s < g->t->size; s++)
        for (int k = 0; k < g->in[s].count; k++)
            oracle_append(&queues[s], (oracle_item){s, g->in[s].messages[k].tag, k});
    for (int i = 0; i < g->record_count; i++) {
        const incoming *r = &g->records[i];
        int source = r->status.MPI_SOURCE, count = -1;
        if (r->cancelled)
            continue;
        if (!EXPECT(source >= 0 && source < g->t->size) ||
            !EXPECT(r->source == MPI_ANY_SOURCE || r->source == source))
            break;
        int at = oracle_find(&queues[source], r->source, r->tag);
        if (!EXPECT(at >= 0))
            break;
        const plan *m = &g->in[source].messages[queues[source].items[at].id];
        oracle_remove(&queues[source], at);
        EXPECT_RC(r->rc, m->bytes > r->room ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
        EXPECT_EQ(r->status.MPI_TAG, m->tag);
        if (r->probed >= 0)
            EXPECT_EQ(r->probed, m->bytes);
        if (m->bytes <= r->room) {
            EXPECT_OK(ep_get_count(&r->status, MPI_BYTE, &count));
            EXPECT_EQ(count, m->bytes);
        }
        if (!EXPECT_FILLED(r->buf, (size_t)(m->bytes <= r->room ? m->bytes : r->room), m->key))
            break;
    }
    for (int s = 0; s < g->t->size; s++) {
        EXPECT_EQ(queues[s].count, 0);
        free(queues[s].items);
    }
    free(queues);
}

static void play(game *g)
{
    while (g->sent < g->to_send || g->received < g->to_receive)
        step(g);
    while (g->open) { /* all messages are received, so nothing is left that these could have got */
        incoming *r = random_open(g);
        EXPECT(r->message == EP_MESSAGE_NULL);
        EXPECT_OK(ep_cancel(&r->request));
        r->rc = ep_wait(&r->request, &r->status);
        close_record(g, r);
        EXPECT_EQ(r->cancelled, 1);
    }
    for (int i = 0; i < g->sent; i++) {
        int persistent = g->sends[i].request != EP_REQUEST_NULL;
        EXPECT_OK(ep_wait(&g->sends[i].request, EP_STATUS_IGNORE));
        persistent &= g->sends[i].request != EP_REQUEST_NULL;
        if (persistent)
            EXPECT_OK(ep_request_free(&g->sends[i].request));
    }
}

static void one_round(team_t *t, uint64_t seed)
{
    game g = {.t = t, .random = &t->random};
    size_t n = (size_t)t->size;
    int space = t->size * MOST_PER_STREAM * (BSEND_MOST + EP_BSEND_OVERHEAD), size = 0;
    void *bsend_buffer = xmalloc((size_t)space), *detached = NULL;
    g.out = xmalloc(n * sizeof *g.out);
    g.in = xmalloc(n * sizeof *g.in);
    g.out_next = xmalloc(n * sizeof *g.out_next);
    memset(g.out_next, 0, n * sizeof *g.out_next);
    for (int i = 0; i < t->size; i++) {
        plan_stream(&g.out[i], seed, t->rank, i);
        plan_stream(&g.in[i], seed, i, t->rank);
        g.to_send += g.out[i].count;
        g.to_receive += g.in[i].count;
    }
    g.sends = xmalloc((size_t)g.to_send * sizeof *g.sends);
    EXPECT_OK(ep_buffer_attach(bsend_buffer, space));
    play(&g);
    EXPECT_OK(ep_buffer_detach(&detached, &size));
    EXPECT(detached == bsend_buffer && size == space);
    team_barrier(t); /* now the sends that were given up are received too */
    replay(&g);
    for (int i = 0; i < g.sent; i++)
        free(g.sends[i].buf);
    for (int i = 0; i < g.record_count; i++)
        free(g.records[i].buf);
    free(g.sends);
    free(g.records);
    free(g.out);
    free(g.in);
    free(g.out_next);
    free(bsend_buffer);
}

static void traffic(team_t *t, void *arg)
{
    int rounds = 12 / harness_slowness() + 2;
    (void)arg;
    for (int i = 0; i < rounds; i++)
        one_round(t, harness_seed() * 1000 + (uint64_t)i);
}

static const harness_test tests[] = {{"traffic", traffic, NULL}};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "random_oracle", tests);
}
