/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * law3_order.c: no message overtakes another one of its sender.
 *
 * Catches an engine in which several threads take messages out of MPI, or out of an inbox and its overflow
 * list, and hand them to the matcher without one lock around both steps; one where a wildcard receive looks
 * at the hash bins in the wrong order; and mprobe that takes a message but leaves its place to an older
 * one. 100,000 messages between all endpoints, each with its number in its stream; receives are waited out
 * of order.
 */
#include "harness.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { TAGS = 4, WINDOW = 64, MESSAGES = 100000 };

/* What receives of one phase name: nothing, the tag, the source, both, both only for odd tags; or mprobe. */
typedef enum { FORM_ANY, FORM_TAG, FORM_SOURCE, FORM_EXACT, FORM_MIXED, FORM_MPROBE, FORMS } form;

typedef struct {
    int source, number; /* tag is number % TAGS */
} item;

typedef struct {
    team_t *t;
    form form;
    int each, total; /* messages from each endpoint, and in all */
    item *out, *in;  /* in: in the order of posting */
    ep_request *sends, *receives;
    ep_status *statuses;
    int sent, posted, open, completed;
    int window[WINDOW]; /* the receives that are posted and not complete */
} stream;

static void wanted(const stream *s, int n, int *source, int *tag)
{
    int who = n % s->t->size, name = n / s->t->size % TAGS;
    int any_source = s->form == FORM_ANY || s->form == FORM_TAG || s->form == FORM_MPROBE ||
                     (s->form == FORM_MIXED && name % 2 == 0);
    int any_tag = s->form == FORM_ANY || s->form == FORM_SOURCE || s->form == FORM_MPROBE;
    *source = any_source ? MPI_ANY_SOURCE : who;
    *tag = any_tag ? MPI_ANY_TAG : name;
}

static void send_some(stream *s)
{
    int burst = 1 + random_below(&s->t->random, 24);
    for (; burst && s->sent < s->total; burst--, s->sent++) {
        int n = s->sent, dest = (n + s->t->rank) % s->t->size, number = n / s->t->size;
        s->out[n] = (item){s->t->rank, number};
        EXPECT_OK(ep_isend(&s->out[n], 2, MPI_INT, dest, number % TAGS, s->t->comm, &s->sends[n]));
    }
}

static void post_one(stream *s)
{
    int n = s->posted, source, tag, flag = 1;
    wanted(s, n, &source, &tag);
    if (s->form == FORM_MPROBE) {
        ep_message message;
        EXPECT_OK(ep_improbe(source, tag, s->t->comm, &flag, &message, EP_STATUS_IGNORE));
        if (flag)
            EXPECT_OK(ep_imrecv(&s->in[n], 2, MPI_INT, &message, &s->receives[n]));
    } else {
        EXPECT_OK(ep_irecv(&s->in[n], 2, MPI_INT, source, tag, s->t->comm, &s->receives[n]));
    }
    if (flag) {
        s->window[s->open++] = n;
        s->posted++;
    }
}

static void complete_one(stream *s)
{
    int k, n, flag = 1;
    if (!s->open)
        return;
    k = random_below(&s->t->random, s->open);
    n = s->window[k];
    if (s->sent == s->total && random_below(&s->t->random, 8) == 0)
        EXPECT_OK(ep_wait(&s->receives[n], &s->statuses[n]));
    else
        EXPECT_OK(ep_test(&s->receives[n], &flag, &s->statuses[n]));
    if (flag) {
        s->window[k] = s->window[--s->open];
        s->completed++;
    }
}

/* The messages of each source, or of each source and tag where receives name the tag, must be in the order of
 * posting. */
static void check_order(const stream *s)
{
    int size = s->t->size, bad = 0;
    int *next = xmalloc((size_t)size * TAGS * sizeof *next);
    memset(next, 0, (size_t)size * TAGS * sizeof *next);
    for (int n = 0; n < s->total && !bad; n++) {
        item got = s->in[n];
        int source, tag, name = got.number % TAGS;
        wanted(s, n, &source, &tag);
        bad |= !EXPECT(got.source >= 0 && got.source < size && got.number >= 0 && got.number < s->each);
        if (bad)
            break;
        int *expected = &next[got.source * TAGS + (tag == MPI_ANY_TAG ? 0 : name)];
        int place = tag == MPI_ANY_TAG ? got.number : got.number / TAGS;
        bad |= !EXPECT_EQ(place, *expected);
        bad |= !EXPECT_EQ(s->statuses[n].MPI_SOURCE, got.source);
        bad |= !EXPECT_EQ(s->statuses[n].MPI_TAG, name);
        bad |= !EXPECT(source == MPI_ANY_SOURCE || source == got.source);
        bad |= !EXPECT(tag == MPI_ANY_TAG || tag == name);
        ++*expected;
    }
    free(next);
}

static void one_form(team_t *t, form f)
{
    stream s = {.t = t, .form = f};
    int each = MESSAGES / harness_slowness() / FORMS / (t->size * t->size) + TAGS;
    s.each = each - each % TAGS;
    s.total = s.each * t->size;
    size_t total = (size_t)s.total;
    s.out = xmalloc(total * sizeof *s.out);
    s.in = xmalloc(total * sizeof *s.in);
    s.sends = xmalloc(total * sizeof *s.sends);
    s.receives = xmalloc(total * sizeof *s.receives);
    s.statuses = xmalloc(total * sizeof *s.statuses);
    while (s.sent < s.total || s.completed < s.total) {
        send_some(&s);
        for (int i = random_below(&t->random, WINDOW); i > 0 && s.open < WINDOW && s.posted < s.total; i--)
            post_one(&s);
        for (int i = random_below(&t->random, WINDOW); i > 0; i--)
            complete_one(&s);
    }
    EXPECT_OK(ep_waitall(s.total, s.sends, EP_STATUSES_IGNORE));
    check_order(&s);
    free(s.out);
    free(s.in);
    free(s.sends);
    free(s.receives);
    free(s.statuses);
    team_barrier(t);
}

static void overtaking(team_t *t, void *arg)
{
    (void)arg;
    for (form f = 0; f < FORMS; f++)
        one_form(t, f);
}

/* ---- Two threads receive on one endpoint ------------------------------------------------------ */

typedef struct {
    team_t *t;
    int each, turns, probing;
    atomic_int *seen; /* [source][number] */
} sharer;

/* A thread posts a receive when its last one is complete, so what it gets from one source must ascend. */
static void *take_turns(void *arg)
{
    sharer *h = arg;
    team_t *t = h->t;
    int *last = xmalloc((size_t)t->size * sizeof *last);
    team_adopt(t);
    for (int i = 0; i < t->size; i++)
        last[i] = -1;
    for (int i = 0; i < h->turns; i++) {
        item got = {-1, -1};
        if (h->probing) {
            ep_message message;
            EXPECT_OK(ep_mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, t->comm, &message, EP_STATUS_IGNORE));
            EXPECT_OK(ep_mrecv(&got, 2, MPI_INT, &message, EP_STATUS_IGNORE));
        } else {
            EXPECT_OK(ep_recv(&got, 2, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, t->comm, EP_STATUS_IGNORE));
        }
        if (!EXPECT(got.source >= 0 && got.source < t->size && got.number >= 0 && got.number < h->each))
            break;
        EXPECT(got.number > last[got.source]);
        last[got.source] = got.number;
        EXPECT_EQ(atomic_fetch_add(&h->seen[got.source * h->each + got.number], 1), 0);
    }
    free(last);
    return NULL;
}

static void shared_endpoint(team_t *t, void *arg)
{
    int each = 2 * (2000 / harness_slowness() / t->size + 1), total = each * t->size;
    atomic_int *seen = xmalloc((size_t)total * sizeof *seen);
    item *out = xmalloc((size_t)total * sizeof *out);
    ep_request *sends = xmalloc((size_t)total * sizeof *sends);
    sharer mine = {t, each, total / 2, 0, seen}, other = {t, each, total / 2, 1, seen};
    pthread_t thread;
    (void)arg;
    for (int i = 0; i < total; i++)
        atomic_init(&seen[i], 0);
    EXPECT_EQ(pthread_create(&thread, NULL, take_turns, &other), 0);
    for (int i = 0; i < total; i++) {
        out[i] = (item){t->rank, i / t->size};
        EXPECT_OK(ep_isend(&out[i], 2, MPI_INT, i % t->size, 0, t->comm, &sends[i]));
    }
    take_turns(&mine);
    pthread_join(thread, NULL);
    EXPECT_OK(ep_waitall(total, sends, EP_STATUSES_IGNORE));
    for (int i = 0; i < total; i++)
        EXPECT_EQ(atomic_load(&seen[i]), 1);
    free(seen);
    free(out);
    free(sends);
}

static const harness_test tests[] = {{"overtaking", overtaking, NULL},
                                     {"shared_endpoint", shared_endpoint, NULL}};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "law3_order", tests);
}
