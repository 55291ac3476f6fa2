/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * shortcut.c: a receive may take what is at the head of its inbox at once, but only what it would get if it were posted and the
 * inbox were worked through.
 *
 * What an endpoint sends to itself comes in the order of sending, so a model knows of each operation what it finds: messages
 * that no receive wanted, and receives that no message has come for, on several communicators that share one inbox.
 */
#include "pairs.h"
#include <stdlib.h>
#include <string.h>

enum {
    COMMS = 3,
    TAGS = 3,
    MAIL_MAX = 700,
    POSTS_MAX = 12,
    SENDS_MAX = 700,
    ROOM = 2400,
    GUARD = 16,
    BURST = 300
};

typedef struct {
    int comm, tag, n;
    unsigned key;
} mail;

typedef struct {
    int comm, source, tag, room; /* as the receive has them */
    ep_request request;
    mail got; /* of a matched one */
    int matched;
    unsigned char *buf;
} post;

typedef struct {
    team_t *t;
    ep_comm comm[COMMS];
    mail mail[MAIL_MAX]; /* not received, in the order of sending */
    int mails;
    post post[POSTS_MAX]; /* in the order of posting; matched ones stay until they are waited for */
    int posts;
    ep_request send[SENDS_MAX];
    unsigned char *out, *in; /* room for SENDS_MAX messages, for one */
    int lends;               /* EP_EAGER=0: a send may wait for its receive */
    int sends;
    unsigned keys;
    MPI_Datatype every_second; /* one byte of two */
} world;

static int suits(int comm, int tag, const mail *m)
{
    return m->comm == comm && (tag == MPI_ANY_TAG || tag == m->tag);
}

/* Index of the message that such a receive gets, or -1. */
static int mail_for(const world *w, int comm, int tag)
{
    for (int i = 0; i < w->mails; i++)
        if (suits(comm, tag, &w->mail[i]))
            return i;
    return -1;
}

/* The posted receive that gets it, or NULL. */
static post *post_for(world *w, const mail *m)
{
    for (int i = 0; i < w->posts; i++)
        if (!w->post[i].matched && suits(w->post[i].comm, w->post[i].tag, m))
            return &w->post[i];
    return NULL;
}

static mail take_mail(world *w, int i)
{
    mail m = w->mail[i];
    memmove(&w->mail[i], &w->mail[i + 1], (size_t)(--w->mails - i) * sizeof m);
    return m;
}

/* What the model says that happens with a message that is sent now. */
static void model_send(world *w, mail m)
{
    post *p = post_for(w, &m);
    if (p) {
        p->matched = 1;
        p->got = m;
    } else {
        w->mail[w->mails++] = m;
    }
}

/* A receive into `buf` ended with rc and status: it got m, or as much of it as it had room for. */
static int expect_mail(world *w, const mail *m, int room, int rc, const ep_status *s,
                       const unsigned char *buf)
{
    int n = m->n <= room ? m->n : room, count = -1;
    int ok = EXPECT_RC(rc, m->n <= room ? MPI_SUCCESS : MPI_ERR_TRUNCATE) & EXPECT_EQ(s->MPI_TAG, m->tag);
    ok &= EXPECT_EQ(s->MPI_SOURCE, w->t->rank);
    EXPECT_OK(ep_get_count(s, MPI_BYTE, &count));
    ok &= EXPECT_EQ(count, n) & EXPECT_FILLED(buf, (size_t)n, m->key);
    for (int i = n; i < room + GUARD && ok; i++)
        ok &= EXPECT_EQ(buf[i], 0x77);
    return ok;
}

static int some_bytes(team_t *t)
{
    static const int usual[] = {0, 1, 3, 4, 7, 8, 15, 16, 31, 32};
    int kind = random_below(&t->random, 10);
    return kind < 7   ? usual[random_below(&t->random, 10)]
           : kind < 9 ? random_below(&t->random, 120)
                      : random_below(&t->random, ROOM);
}

static int some_tag(team_t *t, int wildcard)
{
    return wildcard && random_below(&t->random, 3) == 0 ? MPI_ANY_TAG : random_below(&t->random, TAGS);
}

static int some_source(team_t *t)
{
    return random_below(&t->random, 2) ? MPI_ANY_SOURCE : t->rank;
}

/* ---- operations; 0: something was wrong ---- */

/* They have ended or will when their messages are received. Some short ones are of a type with gaps. */
static int send_one(world *w, mail m)
{
    if (w->mails == MAIL_MAX || w->sends == SENDS_MAX)
        return 1;
    unsigned char *out = w->out + (size_t)w->sends * ROOM;
    int gaps = m.n <= 32 && random_below(&w->t->random, 4) == 0;
    fill(out, (size_t)m.n, m.key);
    for (int i = m.n - 1; i > 0 && gaps; i--)
        out[2 * i] = out[i];
    model_send(w, m);
    return EXPECT_OK(ep_isend(out, m.n, gaps ? w->every_second : MPI_BYTE, w->t->rank, m.tag, w->comm[m.comm],
                              &w->send[w->sends++]));
}

static int do_send(world *w)
{
    team_t *t = w->t;
    return send_one(w, (mail){random_below(&t->random, COMMS), some_tag(t, 0), some_bytes(t), ++w->keys});
}

/* More than the ring of an inbox has lines for. */
static int do_burst(world *w)
{
    team_t *t = w->t;
    mail m = {random_below(&t->random, COMMS), some_tag(t, 0), 8, 0};
    int ok = 1;
    for (int i = 0; i < BURST && ok; i++) {
        m.key = ++w->keys;
        ok = send_one(w, m);
    }
    return ok;
}

static int do_receive(world *w)
{
    team_t *t = w->t;
    int comm = random_below(&t->random, COMMS), tag = some_tag(t, 1), i = mail_for(w, comm, tag);
    int room = random_below(&t->random, 8) ? ROOM : some_bytes(t);
    ep_status s = {0};
    if (i < 0)
        return 1;
    mail m = take_mail(w, i);
    memset(w->in, 0x77, (size_t)room + GUARD);
    int rc = ep_recv(w->in, room, MPI_BYTE, some_source(t), tag, w->comm[comm], &s);
    return expect_mail(w, &m, room, rc, &s, w->in);
}

static int do_derived_receive(world *w)
{
    team_t *t = w->t;
    int comm = random_below(&t->random, COMMS), tag = some_tag(t, 1), i = mail_for(w, comm, tag);
    ep_status s = {0};
    if (i < 0)
        return 1;
    mail m = take_mail(w, i);
    memset(w->in, 0x77, 2 * ROOM + GUARD);
    int rc = ep_recv(w->in, ROOM, w->every_second, some_source(t), tag, w->comm[comm], &s);
    for (int k = 0; k < ROOM; k++)
        w->in[k] = w->in[2 * k];
    memset(w->in + ROOM, 0x77, GUARD);
    return expect_mail(w, &m, ROOM, rc, &s, w->in);
}

static int do_post(world *w)
{
    team_t *t = w->t;
    if (w->posts == POSTS_MAX)
        return 1;
    post *p = &w->post[w->posts++];
    p->comm = random_below(&t->random, COMMS);
    p->tag = some_tag(t, 1);
    p->room = random_below(&t->random, 8) ? ROOM : some_bytes(t);
    memset(p->buf, 0x77, (size_t)p->room + GUARD);
    int i = mail_for(w, p->comm, p->tag);
    p->matched = i >= 0;
    if (i >= 0)
        p->got = take_mail(w, i);
    return EXPECT_OK(
        ep_irecv(p->buf, p->room, MPI_BYTE, some_source(t), p->tag, w->comm[p->comm], &p->request));
}

static void forget_post(world *w, int i)
{
    post p = w->post[i];
    memmove(&w->post[i], &w->post[i + 1], (size_t)(--w->posts - i) * sizeof p);
    w->post[w->posts] = p; /* its buffer is for the next */
}

/* Wait for a receive that has its message; test one that has not, or cancel it. */
static int do_complete(world *w)
{
    team_t *t = w->t;
    ep_status s = {0};
    int flag = 0, ok = 1;
    if (w->posts == 0)
        return 1;
    int i = random_below(&t->random, w->posts);
    post *p = &w->post[i];
    if (p->matched) {
        int rc = ep_wait(&p->request, &s);
        ok = expect_mail(w, &p->got, p->room, rc, &s, p->buf);
    } else if (random_below(&t->random, 2)) {
        return EXPECT_OK(ep_test(&p->request, &flag, &s)) & EXPECT(!flag);
    } else {
        EXPECT_OK(ep_cancel(&p->request));
        EXPECT_OK(ep_wait(&p->request, &s));
        EXPECT_OK(ep_test_cancelled(&s, &flag));
        ok = EXPECT(flag);
    }
    forget_post(w, i);
    return ok;
}

/* The message must not go to an earlier receive, or the call would wait for ever. */
static int do_sendrecv(world *w)
{
    team_t *t = w->t;
    mail m = {random_below(&t->random, COMMS), some_tag(t, 0), some_bytes(t), ++w->keys};
    int tag = some_tag(t, 1), i = mail_for(w, m.comm, tag),
        room = random_below(&t->random, 8) ? ROOM : some_bytes(t);
    unsigned char *out = w->out + (size_t)w->sends * ROOM;
    ep_status s = {0};
    if (w->mails == MAIL_MAX || w->sends == SENDS_MAX ||
        (i < 0 && (post_for(w, &m) || !suits(m.comm, tag, &m))))
        return 1;
    if (i >= 0 && !post_for(w, &m) && (m.n > 32 || w->lends))
        return 1; /* it might wait for a receive */
    mail got = i >= 0 ? take_mail(w, i) : m;
    if (i >= 0)
        model_send(w, m);
    fill(out, (size_t)m.n, m.key);
    memset(w->in, 0x77, (size_t)room + GUARD);
    int rc = ep_sendrecv(out, m.n, MPI_BYTE, t->rank, m.tag, w->in, room, MPI_BYTE, some_source(t), tag,
                         w->comm[m.comm], &s);
    return expect_mail(w, &got, room, rc, &s, w->in);
}

/* After it what was in the inbox is in the queues. Then it may be received as a matched message. */
static int do_probe(world *w)
{
    team_t *t = w->t;
    int comm = random_below(&t->random, COMMS), tag = some_tag(t, 1), i = mail_for(w, comm, tag), flag = -1;
    ep_status s = {0};
    ep_message message;
    if (random_below(&t->random, 2)) {
        EXPECT_OK(ep_iprobe(some_source(t), tag, w->comm[comm], &flag, &s));
        return EXPECT_EQ(flag, i >= 0) && (i < 0 || EXPECT_EQ(s.MPI_TAG, w->mail[i].tag));
    }
    EXPECT_OK(ep_improbe(some_source(t), tag, w->comm[comm], &flag, &message, &s));
    if (!EXPECT_EQ(flag, i >= 0) || i < 0)
        return flag == (i >= 0);
    mail m = take_mail(w, i);
    memset(w->in, 0x77, ROOM + GUARD);
    int rc = ep_mrecv(w->in, ROOM, MPI_BYTE, &message, &s);
    return expect_mail(w, &m, ROOM, rc, &s, w->in);
}

/* Receive all that was sent, send what was asked for. */
static void finish(world *w)
{
    ep_status s = {0};
    while (w->mails > 0) {
        mail m = take_mail(w, 0);
        memset(w->in, 0x77, ROOM + GUARD);
        int rc = ep_recv(w->in, ROOM, MPI_BYTE, MPI_ANY_SOURCE, m.tag, w->comm[m.comm], &s);
        if (!expect_mail(w, &m, ROOM, rc, &s, w->in))
            return;
    }
    EXPECT_OK(ep_waitall(w->sends, w->send, EP_STATUSES_IGNORE));
    w->sends = 0;
    while (w->posts > 0) {
        post *p = &w->post[0];
        if (!p->matched) {
            mail m = {p->comm, p->tag == MPI_ANY_TAG ? 0 : p->tag, 0, ++w->keys};
            model_send(w, m);
            EXPECT_OK(ep_send(NULL, 0, MPI_BYTE, w->t->rank, m.tag, w->comm[m.comm]));
        }
        int rc = ep_wait(&p->request, &s);
        if (!expect_mail(w, &p->got, p->room, rc, &s, p->buf))
            return;
        forget_post(w, 0);
    }
}

static int step(world *w)
{
    int kind = random_below(&w->t->random, 40);
    return kind < 14                             ? do_send(w)
           : kind < 24                           ? do_receive(w)
           : kind < 27                           ? do_post(w)
           : kind < 33                           ? do_complete(w)
           : kind < 36                           ? do_sendrecv(w)
           : kind < 37                           ? do_derived_receive(w)
           : kind < 39                           ? do_probe(w)
           : random_below(&w->t->random, 8) == 0 ? do_burst(w)
                                                 : 1;
}

static void world_open(world *w, team_t *t)
{
    w->t = t;
    w->comm[0] = t->comm;
    for (int i = 1; i < COMMS; i++) {
        EXPECT_OK(ep_comm_dup(t->comm, &w->comm[i]));
        EXPECT_OK(ep_comm_set_errhandler(w->comm[i], EP_ERRORS_RETURN));
    }
    for (int i = 0; i < POSTS_MAX; i++)
        w->post[i].buf = xmalloc(ROOM + GUARD);
    w->out = xmalloc((size_t)SENDS_MAX * ROOM);
    w->lends = getenv("EP_EAGER") && atoi(getenv("EP_EAGER")) < 32;
    w->in = xmalloc(2 * ROOM + GUARD);
    MPI_Type_create_resized(MPI_BYTE, 0, 2, &w->every_second);
    MPI_Type_commit(&w->every_second);
}

static void world_close(world *w)
{
    MPI_Type_free(&w->every_second);
    free(w->in);
    free(w->out);
    for (int i = 0; i < POSTS_MAX; i++)
        free(w->post[i].buf);
    for (int i = 1; i < COMMS; i++)
        EXPECT_OK(ep_comm_free(&w->comm[i]));
}

/* ---- tests ---- */

/* In short histories little lies about, so that most receives may be short. */
static void as_the_model(team_t *t, void *arg)
{
    world *w = xmalloc(sizeof *w);
    int rounds = 500 / harness_slowness(), ok = 1;
    (void)arg;
    memset(w, 0, sizeof *w);
    world_open(w, t);
    for (int i = 0; i < rounds && ok; i++) {
        for (int steps = random_below(&t->random, i % 4 ? 12 : 150); steps > 0 && ok; steps--)
            ok = step(w);
        if (ok)
            finish(w);
        ok &= w->mails == 0 && w->posts == 0 && w->sends == 0;
    }
    EXPECT(ok);
    world_close(w);
    free(w);
    team_barrier(t);
}

/* One step at a time, without chance: who comes first in each of the cases. */
static void by_hand(team_t *t, void *arg)
{
    int out[4] = {10, 11, 12, 13}, in[4] = {0};
    ep_comm other;
    ep_request r, sends[6]; /* EP_EAGER=0 */
    ep_status s;
    (void)arg;
    EXPECT_OK(ep_comm_dup(t->comm, &other));
    EXPECT_OK(
        ep_isend(&out[0], 1, MPI_INT, t->rank, 1, other, &sends[0])); /* another communicator's at the head */
    EXPECT_OK(ep_isend(&out[1], 1, MPI_INT, t->rank, 1, t->comm, &sends[1]));
    EXPECT_OK(ep_recv(&in[1], 1, MPI_INT, t->rank, 1, t->comm, EP_STATUS_IGNORE));
    EXPECT_OK(ep_recv(&in[0], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, other, EP_STATUS_IGNORE));
    EXPECT_EQ(in[0], 10);
    EXPECT_EQ(in[1], 11);
    EXPECT_OK(ep_isend(&out[2], 1, MPI_INT, t->rank, 2, t->comm, &sends[2])); /* an unexpected one first */
    EXPECT_OK(ep_probe(t->rank, 2, t->comm, &s));
    EXPECT_OK(ep_isend(&out[3], 1, MPI_INT, t->rank, 2, t->comm, &sends[3]));
    EXPECT_OK(ep_recv(&in[2], 1, MPI_INT, t->rank, 2, t->comm, EP_STATUS_IGNORE));
    EXPECT_OK(ep_recv(&in[3], 1, MPI_INT, t->rank, MPI_ANY_TAG, t->comm, EP_STATUS_IGNORE));
    EXPECT_EQ(in[2], 12);
    EXPECT_EQ(in[3], 13);
    EXPECT_OK(ep_irecv(&in[0], 1, MPI_INT, MPI_ANY_SOURCE, 3, t->comm, &r)); /* a posted receive first */
    EXPECT_OK(ep_isend(&out[1], 1, MPI_INT, t->rank, 3, t->comm, &sends[4]));
    EXPECT_OK(ep_isend(&out[2], 1, MPI_INT, t->rank, 3, t->comm, &sends[5]));
    EXPECT_OK(ep_recv(&in[1], 1, MPI_INT, t->rank, 3, t->comm, EP_STATUS_IGNORE));
    EXPECT_OK(ep_wait(&r, EP_STATUS_IGNORE));
    EXPECT_EQ(in[0], 11);
    EXPECT_EQ(in[1], 12);
    EXPECT_OK(ep_waitall(6, sends, EP_STATUSES_IGNORE));
    EXPECT_OK(ep_comm_free(&other));
}

/* Short messages of all to all, received by source and tag, by source, and by tag. Nobody can be more than a round ahead of
 * those that he hears from, so each receive has one message that it can get. */
static void crowd(team_t *t, ep_comm comm, int peers)
{
    ep_request *sends = xmalloc(sizeof *sends * (size_t)(peers + 1));
    int rounds = 250 / harness_slowness() / (t->size > 8 ? 10 : 1);
    for (int i = 0; i < rounds; i++) {
        for (int p = 0; p < peers; p++)
            EXPECT_OK(ep_isend(&i, 1, MPI_INT, p, i % 2, comm, &sends[p]));
        for (int k = 0; k < peers; k++) {
            int source = i % 3 == 2 ? MPI_ANY_SOURCE : (k + t->rank) % peers, got = -1;
            ep_status s = {.MPI_SOURCE = -99};
            EXPECT_OK(ep_recv(&got, 1, MPI_INT, source, i % 3 == 1 ? MPI_ANY_TAG : i % 2, comm, &s));
            EXPECT_EQ(got, i);
            EXPECT_EQ(s.MPI_TAG, i % 2);
            EXPECT(source == s.MPI_SOURCE ||
                   (source == MPI_ANY_SOURCE && s.MPI_SOURCE >= 0 && s.MPI_SOURCE < peers));
        }
        EXPECT_OK(ep_waitall(peers, sends, EP_STATUSES_IGNORE));
    }
    free(sends);
}

static void among_all(team_t *t, void *arg)
{
    (void)arg;
    crowd(t, t->comm, t->size);
}

/* Ranks there are those of the other group. */
static void between_groups(team_t *t, void *arg)
{
    int half = t->size / 2, lower = t->rank < half, got = -1, peer = lower ? t->rank : t->rank - half;
    ep_comm local, inter;
    ep_status s;
    (void)arg;
    EXPECT_OK(ep_comm_split(t->comm, lower, t->rank, &local));
    EXPECT_OK(ep_intercomm_create(local, 0, t->comm, lower ? half : 0, 5, &inter));
    crowd(t, inter, lower ? t->size - half : half);
    if (peer < half) {
        EXPECT_OK(ep_sendrecv(&t->rank, 1, MPI_INT, peer, 6, &got, 1, MPI_INT, peer, 6, inter, &s));
        EXPECT_EQ(got, peer + (lower ? half : 0));
        EXPECT_EQ(s.MPI_SOURCE, peer);
    }
    EXPECT_OK(ep_comm_free(&inter));
    EXPECT_OK(ep_comm_free(&local));
}

/* Around a ring, where the last receive comes from far or is of nobody. */
static void around(team_t *t, void *arg)
{
    int right = (t->rank + 1) % t->size, left = (t->rank + t->size - 1) % t->size, token = t->rank, got;
    ep_status s;
    (void)arg;
    for (int i = 1; i <= 2 * t->size; i++) {
        EXPECT_OK(ep_sendrecv(&token, 1, MPI_INT, right, i, &got, 1, MPI_INT, left, i, t->comm, &s));
        EXPECT_EQ(got, (t->rank + 2 * t->size - i) % t->size);
        EXPECT_EQ(s.MPI_SOURCE, left);
        token = got;
    }
    EXPECT_OK(ep_sendrecv(&token, 1, MPI_INT, t->rank + 1 < t->size ? right : MPI_PROC_NULL, 0, &got, 1,
                          MPI_INT, t->rank > 0 ? left : MPI_PROC_NULL, 0, t->comm, &s));
    EXPECT_EQ(s.MPI_SOURCE, t->rank > 0 ? left : MPI_PROC_NULL);
}

static const harness_test tests[] = {
    {"by hand", by_hand, NULL},     {"as the model", as_the_model, NULL},
    {"among all", among_all, NULL}, {"between groups", between_groups, NULL},
    {"around", around, NULL},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "shortcut", tests);
}
