/* SPDX-License-Identifier: BSD-3-Clause */
/* test_tree.c: what the processes of a tree know in the end, of which some have no memory and some an error. Messages go through a
 * table; all processes are in one thread. */
#include "derive/tree.h"

#include <string.h>

#include "p2p/port.h"
#include "unit.h"

enum { MOST = 9, PIECE = 64 };

struct message {
    char bytes[MOST * PIECE];
    size_t n;
    bool full;
};

static struct message table[MOST][MOST]; /* from, to */
static struct tree trees[MOST];
static struct ep_comm_s views[MOST];
static struct ep_request_s requests[MOST];
static struct port port = {.lock = LOCK_FREE(PORT)}; /* all processes' */
static int peers[MOST];

ep_request __wrap_send_request(const struct send *s);
int __wrap_send_start(ep_request r);
ep_request __wrap_recv_request(const struct recv *v);
void __wrap_recv_start(ep_request r);
void __wrap_request_release(ep_request r);

static ep_request request_for(ep_comm view, enum request_kind kind, struct span data, int peer)
{
    int me = (int)(view - views);
    ep_request r = &requests[me];
    memset(r, 0, sizeof *r);
    r->kind = kind;
    r->data = data;
    peers[me] = peer;
    return r;
}

ep_request __wrap_send_request(const struct send *s)
{
    return request_for(s->view, REQUEST_SEND, s->data, s->dest);
}

int __wrap_send_start(ep_request r)
{
    struct message *m = &table[r - requests][peers[r - requests]];
    ck_assert(!m->full);
    m->n = r->data.count;
    memcpy(m->bytes, r->data.buf, m->n);
    m->full = true;
    store_relaxed(&r->word, DONE);
    return MPI_SUCCESS;
}

ep_request __wrap_recv_request(const struct recv *v)
{
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
    memcpy(r->data.buf, m->bytes, outcome_receive(&r->out, peers[me], 0, m->n, r->data.count));
    store_relaxed(&r->word, DONE);
}

static int rank_of(const void *arg, int position)
{
    (void)arg;
    return position;
}

static void run(int n)
{
    port_lock(&port);
    for (int left = n, looks = 0; left > 0; looks++) {
        ck_assert_int_lt(looks, 1000);
        left = 0;
        for (int p = 0; p < n; p++) {
            receive(p);
            left += !tree_step(&trees[p]);
        }
    }
    port_unlock(&port);
}

/* Gather and broadcast among n, one with error rc and one that is poor; what they all know. */
static void exchange(int n, int wrong, int rc, int poor)
{
    static char data[MOST][MOST * PIECE];
    size_t offset[MOST + 1];
    for (int p = 0; p <= n; p++)
        offset[p] = (size_t)p * PIECE;
    for (int p = 0; p < n; p++) {
        views[p].port = &port;
        trees[p] = (struct tree){
            .view = &views[p], .n = n, .me = p, .rank_of = rank_of, .rc = p == wrong ? rc : MPI_SUCCESS};
        tree_gather(&trees[p], p == poor ? NULL : data[p], p == poor ? NULL : offset);
    }
    run(n);
    for (int p = 0; p < n; p++)
        tree_bcast(&trees[p], trees[p].data, trees[p].data ? offset[n] : 0);
    run(n);
    int want = wrong >= 0 ? rc : poor >= 0 ? MPI_ERR_NO_MEM : MPI_SUCCESS;
    for (int p = 0; p < n; p++)
        ck_assert_int_eq(trees[p].rc, want);
}

/* Whatever else is wrong, all know that functions differ. */
START_TEST(all_know)
{
    for (int n = 1; n <= MOST; n++)
        for (int poor = -1; poor < n; poor++) {
            exchange(n, -1, MPI_SUCCESS, poor);
            for (int wrong = 0; wrong < n; wrong++)
                exchange(n, wrong, MPI_ERR_ARG, poor);
        }
}
END_TEST

int main(void)
{
    const TTest *tests[] = {all_know};
    return UNIT_MAIN("tree", tests);
}
