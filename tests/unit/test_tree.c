/* SPDX-License-Identifier: BSD-3-Clause */
/* test_tree.c: what the processes of a tree know in the end, of which some have no memory and some an error. Messages go through a
 * table; all processes are in one thread. */
#include "derive/tree.h"

#include <string.h>

#include "p2p/endpoint.h"
#include "unit.h"

enum { MOST = 9, PIECE = 64, LARGE = MOST * PIECE, HELD = 3, LOOKS = 1000 };

struct message {
    char bytes[LARGE];
    size_t n;
    bool full;
};

static struct message table[MOST][MOST]; /* from, to */
static struct tree trees[MOST];
static struct ep_comm_s views[MOST];
static union {
    struct ep_request_s head;
    struct request_send send;
    struct request_recv recv;
} requests[MOST];
static struct endpoint endpoint = {.lock = LOCK_FREE(ENDPOINT)}; /* all processes' */
static int peers[MOST];
static int starved = -1; /* it has no memory for requests, */
static int held;         /* and what goes without is held up so often */
static bool at_once;     /* what is gathered is broadcast in the same operation */

bool __wrap_send_begin(const struct send *s, ep_request *request);
bool __wrap_send_notice(const struct send *s, ep_request *request);
ep_request __wrap_recv_request_kept(const struct recv *v);
void __wrap_recv_start(ep_request r);
void __wrap_request_release(ep_request r);

static ep_request request_for(ep_comm view, enum request_kind kind, struct span data, int peer)
{
    int me = (int)(view - views);
    ep_request r = &requests[me].head;
    memset(&requests[me], 0, sizeof requests[me]);
    r->kind = kind;
    *request_data(r) = data;
    peers[me] = peer;
    return r;
}

static void put(const struct send *s)
{
    struct message *m = &table[s->view - views][s->dest];
    ck_assert(!m->full);
    m->n = s->data.count;
    memcpy(m->bytes, s->data.buf, m->n);
    m->full = true;
}

bool __wrap_send_begin(const struct send *s, ep_request *request)
{
    *request = NULL;
    if (s->view - views == starved)
        return false;
    put(s);
    *request = request_for(s->view, REQUEST_SEND, s->data, s->dest);
    store_relaxed(&(*request)->word, DONE);
    return true;
}

bool __wrap_send_notice(const struct send *s, ep_request *request)
{
    ck_assert_uint_le(s->data.count, NOTICE_MAX);
    if (__wrap_send_begin(s, request))
        return true;
    if (held++ % HELD > 0)
        return false;
    put(s);
    return true;
}

ep_request __wrap_recv_request_kept(const struct recv *v)
{
    int me = (int)(v->view - views);
    if (me == starved && !table[v->source][me].full)
        return NULL;
    return request_for(v->view, REQUEST_RECV, v->data, v->source);
}

void __wrap_recv_start(ep_request r)
{
    (void)r;
}

void __wrap_request_release(ep_request r)
{
    (void)r;
}

static void receive(int me)
{
    ep_request r = trees[me].pending;
    struct message *m = r ? &table[peers[me]][me] : NULL;
    if (!r || request_is_done(r) || !m->full)
        return;
    m->full = false;
    memcpy(request_data(r)->buf, m->bytes,
           outcome_receive(&r->out, peers[me], 0, m->n, request_data(r)->count));
    store_relaxed(&r->word, DONE);
}

static int rank_of(const void *arg, int position)
{
    (void)arg;
    return position;
}

static void run(int n)
{
    endpoint_lock(&endpoint);
    for (int left = n, looks = 0; left > 0; looks++) {
        ck_assert_int_lt(looks, LOOKS);
        left = 0;
        for (int p = 0; p < n; p++) {
            receive(p);
            left += !tree_step(&trees[p]);
        }
    }
    endpoint_unlock(&endpoint);
}

/* Gather pieces and broadcast `bytes` of them among n, one with error rc and one that is poor. */
static void exchange(int n, size_t piece, size_t bytes, int wrong, int rc, int poor)
{
    static char data[MOST][LARGE];
    size_t offset[MOST + 1];
    for (int p = 0; p <= n; p++)
        offset[p] = (size_t)p * piece;
    for (int p = 0; p < n; p++) {
        memset(data[p], 0, sizeof data[p]);
        memset(data[p] + offset[p], p + 1, piece);
        views[p].endpoint = &endpoint;
        trees[p] = (struct tree){
            .view = &views[p], .n = n, .me = p, .rank_of = rank_of, .rc = p == wrong ? rc : MPI_SUCCESS};
        (at_once ? tree_allgather : tree_gather)(&trees[p], p == poor ? NULL : data[p],
                                                 p == poor ? NULL : offset);
    }
    run(n);
    for (int p = 0; p < n && !at_once; p++)
        tree_bcast(&trees[p], trees[p].data, trees[p].data ? bytes : 0);
    run(n);
    for (int p = 0; p < n; p++)
        for (size_t i = 0; i < bytes && trees[p].rc == MPI_SUCCESS; i++)
            ck_assert_int_eq(data[p][i], (int)(i / piece) + 1);
}

static void all_have(int n, int rc)
{
    for (int p = 0; p < n; p++)
        ck_assert_int_eq(trees[p].rc, rc);
}

/* Whatever else is wrong, all know that functions differ; and no error is taken for data, however few they are. */
static void know(int n, size_t piece, int poor)
{
    exchange(n, piece, (size_t)n * piece, -1, MPI_SUCCESS, poor);
    all_have(n, poor >= 0 ? MPI_ERR_NO_MEM : MPI_SUCCESS);
    for (int wrong = 0; wrong < n; wrong++) {
        exchange(n, piece, (size_t)n * piece, wrong, MPI_ERR_ARG, poor);
        all_have(n, MPI_ERR_ARG);
    }
}

START_TEST(all_know)
{
    static const size_t pieces[] = {0, TREE_GRAIN, PIECE};
    starved = -1;
    for (int n = 1; n <= MOST; n++)
        for (int poor = -1; poor < n; poor++)
            for (size_t i = 0; i < 2 * sizeof pieces / sizeof pieces[0]; i++) {
                at_once = i % 2;
                know(n, pieces[i / 2], poor);
            }
    at_once = false;
}
END_TEST

/* The same where one has no memory for requests: no error becomes another one on its way. */
START_TEST(starved_pass_on)
{
    for (int n = 2; n <= MOST; n++)
        for (starved = 0; starved < n; starved++)
            for (int wrong = 0; wrong < n; wrong++) {
                exchange(n, PIECE, (size_t)n * PIECE, wrong, MPI_ERR_ARG, -1);
                all_have(n, MPI_ERR_ARG);
            }
}
END_TEST

/* What is decided by few bytes all learn, or all know of an error. */
START_TEST(decided_alike)
{
    for (int n = 2; n <= MOST; n++)
        for (starved = 0; starved < n; starved++) {
            exchange(n, TREE_GRAIN, TREE_GRAIN, -1, MPI_SUCCESS, -1);
            all_have(n, MPI_SUCCESS);
            exchange(n, PIECE, TREE_GRAIN, -1, MPI_SUCCESS, -1);
            all_have(n, trees[0].rc);
        }
}
END_TEST

int main(void)
{
    const TTest *tests[] = {all_know, starved_pass_on, decided_alike};
    return UNIT_MAIN("tree", tests);
}
