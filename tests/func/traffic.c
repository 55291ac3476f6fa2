/* SPDX-License-Identifier: BSD-3-Clause */
/* traffic.c: see traffic.h. Every kind of message has its own tag, so that one who is ahead disturbs nobody. */
#include "traffic.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
    TAG_GATHER = 32001,
    TAG_MEET,
    TAG_PAIRS,
    TAG_ANY,
    TAG_PROBE,
    TAG_MPROBE,
    TAG_LARGE,
    TAG_SSEND,
    TAG_PERSISTENT,
    TAG_TYPE,
    LARGE = 70000
};

/* What a message between two peers says. */
typedef struct {
    int from, to, what;
} word;

typedef struct {
    team_t *t;
    ep_comm comm;
    const int *peers;
    int n, rank;
    ep_request *requests; /* 2 n */
    ep_status *statuses;  /* 2 n */
    word *in, *out;       /* n each */
} traffic_state;

int find(const int list[], int n, int value)
{
    for (int i = 0; i < n; i++)
        if (list[i] == value)
            return i;
    return -1;
}

int in_order(int size, const int colors[], const int keys[], int color, int members[])
{
    int n = 0;
    for (int r = 0; r < size; r++) {
        int at = n;
        if (colors[r] != color)
            continue;
        for (; at > 0 && keys[members[at - 1]] > keys[r]; at--)
            members[at] = members[at - 1];
        members[at] = r;
        n++;
    }
    return n;
}

int peers_of(ep_comm comm)
{
    int inter = 0, n = 0;
    EXPECT_OK(ep_comm_test_inter(comm, &inter));
    if (inter)
        EXPECT_OK(ep_comm_remote_size(comm, &n));
    else
        EXPECT_OK(ep_comm_size(comm, &n));
    return n;
}

void gather(ep_comm comm, const int *mine, int n, int *all)
{
    int peers = peers_of(comm);
    ep_request *requests = xmalloc(2 * (size_t)peers * sizeof *requests);
    for (int i = 0; i < peers; i++) {
        EXPECT_OK(ep_irecv(all + i * n, n, MPI_INT, i, TAG_GATHER, comm, &requests[i]));
        EXPECT_OK(ep_isend(mine, n, MPI_INT, i, TAG_GATHER, comm, &requests[peers + i]));
    }
    EXPECT_OK(ep_waitall(2 * peers, requests, EP_STATUSES_IGNORE));
    free(requests);
}

void meet(ep_comm comm)
{
    int peers = peers_of(comm);
    ep_request *requests = xmalloc(2 * (size_t)peers * sizeof *requests);
    for (int round = 0; round < 2; round++) { /* in the second the other group tells of one's own */
        for (int i = 0; i < peers; i++) {
            EXPECT_OK(ep_irecv(NULL, 0, MPI_INT, i, TAG_MEET, comm, &requests[i]));
            EXPECT_OK(ep_isend(NULL, 0, MPI_INT, i, TAG_MEET, comm, &requests[peers + i]));
        }
        EXPECT_OK(ep_waitall(2 * peers, requests, EP_STATUSES_IGNORE));
    }
    free(requests);
}

/* ---- Members ---- */

static int expect_group(ep_group world, ep_group group, const int want[], int n)
{
    int size = -1, ranks[TRAFFIC_MAX], got[TRAFFIC_MAX], ok;
    ok = EXPECT_OK(ep_group_size(group, &size)) && EXPECT_EQ(size, n);
    for (int i = 0; i < n; i++)
        ranks[i] = i;
    if (!ok || !EXPECT_OK(ep_group_translate_ranks(group, n, ranks, world, got)))
        return 0;
    for (int i = 0; ok && i < n; i++)
        ok = EXPECT_EQ(got[i], want[i]);
    return ok;
}

static int expect_groups(const team_t *t, ep_comm comm, const int own[], int n, const int other[], int m)
{
    ep_group world = EP_GROUP_NULL, group = EP_GROUP_NULL;
    int ok = EXPECT_OK(ep_comm_group(t->comm, &world)) && EXPECT_OK(ep_comm_group(comm, &group)), rank = -1;
    if (!ok)
        return 0;
    ok = expect_group(world, group, own, n);
    EXPECT_OK(ep_group_rank(group, &rank));
    ok &= EXPECT_EQ(rank, find(own, n, t->rank));
    EXPECT_OK(ep_group_free(&group));
    if (other && EXPECT_OK(ep_comm_remote_group(comm, &group))) {
        ok &= expect_group(world, group, other, m);
        EXPECT_OK(ep_group_rank(group, &rank));
        ok &= EXPECT_EQ(rank, MPI_UNDEFINED);
        EXPECT_OK(ep_group_free(&group));
    }
    EXPECT_OK(ep_group_free(&world));
    return ok;
}

int expect_members(const team_t *t, ep_comm comm, const int own[], int n, const int other[], int m)
{
    int rank = -1, size = -1, inter = -1, remote = -1, ok;
    ok = EXPECT(comm != EP_COMM_NULL) && EXPECT_OK(ep_comm_rank(comm, &rank)) &&
         EXPECT_OK(ep_comm_size(comm, &size)) && EXPECT_OK(ep_comm_test_inter(comm, &inter));
    if (!ok)
        return 0;
    ok &= EXPECT_EQ(size, n);
    ok &= EXPECT_EQ(rank, find(own, n, t->rank));
    ok &= EXPECT_EQ(inter, other != NULL);
    if (ok && other)
        ok &= EXPECT_OK(ep_comm_remote_size(comm, &remote)) && EXPECT_EQ(remote, m);
    return ok && (t->comm == EP_COMM_NULL || expect_groups(t, comm, own, n, other, m));
}

/* ---- Messages ---- */

static void say_to_all(traffic_state *k, int tag, int synchronous)
{
    for (int step = 0; step < k->n; step++) {
        int i = (k->rank + step) % k->n;
        k->out[i] = (word){k->t->rank, k->peers[i], tag};
        EXPECT_OK((synchronous ? ep_issend : ep_isend)(&k->out[i], 3, MPI_INT, i, tag, k->comm,
                                                       &k->requests[k->n + i]));
    }
}

static void all_said(traffic_state *k)
{
    EXPECT_OK(ep_waitall(k->n, k->requests + k->n, EP_STATUSES_IGNORE));
}

static void expect_word(const traffic_state *k, const word *w, const ep_status *s, int source, int tag)
{
    int count = -1;
    if (source != MPI_ANY_SOURCE)
        EXPECT_EQ(s->MPI_SOURCE, source);
    EXPECT_EQ(s->MPI_TAG, tag);
    EXPECT_OK(ep_get_count(s, MPI_INT, &count));
    EXPECT_EQ(count, 3);
    if (!EXPECT(s->MPI_SOURCE >= 0 && s->MPI_SOURCE < k->n))
        return;
    EXPECT_EQ(w->from, k->peers[s->MPI_SOURCE]);
    EXPECT_EQ(w->to, k->t->rank);
    EXPECT_EQ(w->what, tag);
}

static void all_pairs(traffic_state *k)
{
    for (int i = 0; i < k->n; i++)
        EXPECT_OK(ep_irecv(&k->in[i], 3, MPI_INT, i, TAG_PAIRS, k->comm, &k->requests[i]));
    say_to_all(k, TAG_PAIRS, 0);
    EXPECT_OK(ep_waitall(2 * k->n, k->requests, k->statuses));
    for (int i = 0; i < k->n; i++)
        expect_word(k, &k->in[i], &k->statuses[i], i, TAG_PAIRS);
}

static void any_source(traffic_state *k)
{
    int seen[TRAFFIC_MAX] = {0};
    say_to_all(k, TAG_ANY, 1);
    for (int i = 0; i < k->n; i++) {
        word w = {-1, -1, -1};
        ep_status s = {.MPI_SOURCE = -1};
        EXPECT_OK(ep_recv(&w, 3, MPI_INT, MPI_ANY_SOURCE, TAG_ANY, k->comm, &s));
        expect_word(k, &w, &s, MPI_ANY_SOURCE, TAG_ANY);
        if (s.MPI_SOURCE >= 0 && s.MPI_SOURCE < k->n)
            EXPECT_EQ(seen[s.MPI_SOURCE]++, 0);
    }
    all_said(k);
}

static void probed(traffic_state *k)
{
    say_to_all(k, TAG_PROBE, 0);
    for (int i = k->n - 1; i >= 0; i--) {
        word w = {-1, -1, -1};
        ep_status s = {.MPI_SOURCE = -1};
        EXPECT_OK(ep_probe(i, MPI_ANY_TAG, k->comm, &s));
        EXPECT_EQ(s.MPI_SOURCE, i);
        EXPECT_EQ(s.MPI_TAG, TAG_PROBE);
        EXPECT_OK(ep_recv(&w, 3, MPI_INT, i, MPI_ANY_TAG, k->comm, &s));
        expect_word(k, &w, &s, i, TAG_PROBE);
    }
    all_said(k);
}

static void matching_probed(traffic_state *k)
{
    say_to_all(k, TAG_MPROBE, 0);
    for (int i = 0; i < k->n; i++) {
        word w = {-1, -1, -1};
        ep_status s = {.MPI_SOURCE = -1}, received = {.MPI_SOURCE = -1};
        ep_message m = EP_MESSAGE_NULL;
        for (int flag = 0; !flag;) {
            if (i % 2)
                flag = !EXPECT_OK(ep_improbe(MPI_ANY_SOURCE, TAG_MPROBE, k->comm, &flag, &m, &s)) || flag;
            else
                flag = EXPECT_OK(ep_mprobe(MPI_ANY_SOURCE, TAG_MPROBE, k->comm, &m, &s)) || 1;
        }
        EXPECT_OK(ep_mrecv(&w, 3, MPI_INT, &m, &received));
        EXPECT_EQ(received.MPI_SOURCE, s.MPI_SOURCE);
        expect_word(k, &w, &received, MPI_ANY_SOURCE, TAG_MPROBE);
    }
    all_said(k);
}

/* Blocking synchronous sends against posted receives. */
static void synchronous(traffic_state *k)
{
    for (int i = 0; i < k->n; i++)
        EXPECT_OK(ep_irecv(&k->in[i], 3, MPI_INT, i, TAG_SSEND, k->comm, &k->requests[i]));
    for (int step = 0; step < k->n; step++) {
        int i = (k->rank + step) % k->n;
        k->out[i] = (word){k->t->rank, k->peers[i], TAG_SSEND};
        EXPECT_OK(ep_ssend(&k->out[i], 3, MPI_INT, i, TAG_SSEND, k->comm));
    }
    EXPECT_OK(ep_waitall(k->n, k->requests, k->statuses));
    for (int i = 0; i < k->n; i++)
        expect_word(k, &k->in[i], &k->statuses[i], i, TAG_SSEND);
}

static unsigned key_of(int from, int to)
{
    return 1000u * (unsigned)from + (unsigned)to;
}

static void large(traffic_state *k)
{
    char *in = xmalloc((size_t)k->n * LARGE), *out = xmalloc((size_t)k->n * LARGE);
    for (int i = 0; i < k->n; i++) {
        fill(out + i * LARGE, LARGE, key_of(k->t->rank, k->peers[i]));
        EXPECT_OK(ep_isend(out + i * LARGE, LARGE, MPI_BYTE, i, TAG_LARGE, k->comm, &k->requests[k->n + i]));
    }
    for (int i = k->n - 1; i >= 0; i--)
        EXPECT_OK(ep_irecv(in + i * LARGE, LARGE, MPI_BYTE, i, TAG_LARGE, k->comm, &k->requests[i]));
    EXPECT_OK(ep_waitall(2 * k->n, k->requests, EP_STATUSES_IGNORE));
    for (int i = 0; i < k->n; i++)
        EXPECT_FILLED(in + i * LARGE, LARGE, key_of(k->peers[i], k->t->rank));
    free(in);
    free(out);
}

static void persistent(traffic_state *k)
{
    for (int i = 0; i < k->n; i++) {
        EXPECT_OK(ep_recv_init(&k->in[i], 3, MPI_INT, i, TAG_PERSISTENT, k->comm, &k->requests[i]));
        EXPECT_OK(ep_send_init(&k->out[i], 3, MPI_INT, i, TAG_PERSISTENT, k->comm, &k->requests[k->n + i]));
    }
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < k->n; i++)
            k->out[i] = (word){k->t->rank, k->peers[i], round};
        EXPECT_OK(ep_startall(2 * k->n, k->requests));
        EXPECT_OK(ep_waitall(2 * k->n, k->requests, k->statuses));
        for (int i = 0; i < k->n; i++) {
            EXPECT_EQ(k->in[i].from, k->peers[i]);
            EXPECT_EQ(k->in[i].to, k->t->rank);
            EXPECT_EQ(k->in[i].what, round);
            EXPECT_EQ(k->statuses[i].MPI_SOURCE, i);
        }
    }
    for (int i = 0; i < 2 * k->n; i++)
        EXPECT_OK(ep_request_free(&k->requests[i]));
}

/* Every second int of a field arrives as a block. */
static void typed(traffic_state *k)
{
    int(*in)[5] = xmalloc((size_t)k->n * sizeof *in), field[9];
    MPI_Datatype strided;
    MPI_Type_vector(5, 1, 2, MPI_INT, &strided);
    MPI_Type_commit(&strided);
    for (int i = 0; i < 9; i++)
        field[i] = i % 2 ? -1 : 100 * k->t->rank + i;
    for (int i = 0; i < k->n; i++) {
        EXPECT_OK(ep_irecv(in[i], 5, MPI_INT, i, TAG_TYPE, k->comm, &k->requests[i]));
        EXPECT_OK(ep_isend(field, 1, strided, i, TAG_TYPE, k->comm, &k->requests[k->n + i]));
    }
    EXPECT_OK(ep_waitall(2 * k->n, k->requests, EP_STATUSES_IGNORE));
    for (int i = 0; i < k->n; i++)
        for (int j = 0; j < 5; j++)
            EXPECT_EQ(in[i][j], 100 * k->peers[i] + 2 * j);
    MPI_Type_free(&strided);
    free(in);
}

void traffic(team_t *t, ep_comm comm, const int peers[], int depth)
{
    traffic_state k = {.t = t, .comm = comm, .peers = peers, .n = peers_of(comm)};
    size_t n = (size_t)k.n;
    EXPECT_OK(ep_comm_rank(comm, &k.rank));
    if (!EXPECT(k.n >= 1 && k.n <= TRAFFIC_MAX))
        return;
    k.requests = xmalloc(2 * n * sizeof *k.requests);
    k.statuses = xmalloc(2 * n * sizeof *k.statuses);
    k.in = xmalloc(n * sizeof *k.in);
    k.out = xmalloc(n * sizeof *k.out);
    all_pairs(&k);
    if (depth == TRAFFIC_LONG) {
        any_source(&k);
        probed(&k);
        matching_probed(&k);
        synchronous(&k);
        large(&k);
        persistent(&k);
        typed(&k);
    }
    free(k.requests);
    free(k.statuses);
    free(k.in);
    free(k.out);
}

/* ---- Several communicators ---- */

/* One message, in one of three ways. */
static void take_any(ep_comm comm, int how, word *w, ep_status *s)
{
    ep_message m;
    if (how == 0) {
        EXPECT_OK(ep_recv(w, 3, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, s));
    } else if (how == 1) {
        EXPECT_OK(ep_probe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, s));
        EXPECT_OK(ep_recv(w, 3, MPI_INT, s->MPI_SOURCE, s->MPI_TAG, comm, s));
    } else if (EXPECT_OK(ep_mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &m, s))) {
        EXPECT_OK(ep_mrecv(w, 3, MPI_INT, &m, s));
    }
}

static void take_all(team_t *t, ep_comm comm, int which, const int peers[], int n)
{
    int seen[TRAFFIC_MAX] = {0}, flag = -1;
    for (int i = 0; i < n; i++) {
        word w = {-1, -1, -1};
        ep_status s = {.MPI_SOURCE = -1};
        take_any(comm, (i + t->rank) % 3, &w, &s);
        EXPECT_EQ(w.what, which);
        EXPECT_EQ(w.to, t->rank);
        if (EXPECT(s.MPI_SOURCE >= 0 && s.MPI_SOURCE < n)) {
            EXPECT_EQ(w.from, peers[s.MPI_SOURCE]);
            EXPECT_EQ(seen[s.MPI_SOURCE]++, 0);
        }
    }
    EXPECT_OK(ep_iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &flag, EP_STATUS_IGNORE));
    EXPECT_EQ(flag, 0);
}

void expect_apart(team_t *t, ep_comm comms[], int n)
{
    int(*peers)[TRAFFIC_MAX] = xmalloc((size_t)n * sizeof *peers),
    *sizes = xmalloc((size_t)n * sizeof *sizes);
    size_t room = (size_t)n * TRAFFIC_MAX;
    word *words = xmalloc(room * sizeof *words);
    ep_request *requests = xmalloc(room * sizeof *requests);
    int sent = 0;
    for (int c = 0; c < n; c++) {
        sizes[c] = comms[c] == EP_COMM_NULL ? 0 : peers_of(comms[c]);
        if (sizes[c])
            gather(comms[c], &t->rank, 1, peers[c]);
    }
    team_barrier(t); /* no message of gather is under way when wildcards are used */
    for (int c = 0; c < n; c++)
        for (int i = 0; i < sizes[c]; i++, sent++) {
            words[sent] = (word){t->rank, peers[c][i], c};
            EXPECT_OK(ep_isend(&words[sent], 3, MPI_INT, i, 7, comms[c], &requests[sent]));
        }
    team_barrier(t);
    for (int c = n - 1; c >= 0; c--)
        if (comms[c] != EP_COMM_NULL)
            take_all(t, comms[c], c, peers[c], sizes[c]);
    EXPECT_OK(ep_waitall(sent, requests, EP_STATUSES_IGNORE));
    team_barrier(t);
    free(peers);
    free(sizes);
    free(words);
    free(requests);
}

/* ---- Two threads of one endpoint ---- */

typedef struct {
    void *(*fn)(void *);
    void *arg;
    ep_request done;
} companion;

static void *accompany(void *arg)
{
    companion *c = arg;
    c->fn(c->arg);
    EXPECT_OK(ep_grequest_complete(c->done));
    return NULL;
}

void side_by_side(void *(*fn)(void *), void *mine, void *another)
{
    companion c = {fn, another, pending_request()};
    ep_request done = c.done; /* wait sets its argument */
    pthread_t thread;
    if (!EXPECT_EQ(pthread_create(&thread, NULL, accompany, &c), 0))
        return;
    fn(mine);
    EXPECT_OK(ep_wait(&done, EP_STATUS_IGNORE));
    pthread_join(thread, NULL);
}
