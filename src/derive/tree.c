/* SPDX-License-Identifier: BSD-3-Clause */
#include "derive/tree.h"

#include <assert.h>
#include <string.h>

#include "p2p/p2p.h"

void tree_gather(struct tree *t, void *data, const size_t offset[])
{
    t->phase = TREE_UP;
    t->rc = data || t->rc ? t->rc : MPI_ERR_NO_MEM;
    t->bit = 1;
    t->data = data;
    t->offset = offset;
}

void tree_allgather(struct tree *t, void *data, const size_t offset[])
{
    tree_gather(t, data, offset);
    t->to_all = true;
}

/* The lowest bit of the own position; above all for the root. */
static int tree_lowest_bit(const struct tree *t)
{
    int bit = 1;
    while (bit < t->n && !(t->me & bit))
        bit <<= 1;
    return bit;
}

void tree_bcast(struct tree *t, void *data, size_t bytes)
{
    t->phase = t->me == 0 ? TREE_DOWN_GIVE : TREE_DOWN_GET;
    t->rc = data || t->rc ? t->rc : MPI_ERR_NO_MEM;
    t->bit = tree_lowest_bit(t);
    t->data = data;
    t->bytes = bytes;
}

/* That endpoints called different functions all have to know alike, whatever else is wrong: they go no further, while those that
 * know only of other errors still vote (leaders.h). */
static void tree_note(struct tree *t, int rc)
{
    if (t->rc == MPI_SUCCESS || rc == MPI_ERR_ARG)
        t->rc = rc;
}

/* False: not now; to be called again. */
static bool tree_give(struct tree *t, int to, size_t begin, size_t end)
{
    assert(!t->pending && begin <= end);
    struct send s = {.view = t->view, .dest = t->rank_of(t->arg, to), .tag = t->tag, .mode = MODE_STANDARD};
    if (t->data && t->rc == MPI_SUCCESS) {
        s.data = span_packed(t->data + begin, end - begin);
        if (end - begin <= NOTICE_MAX)
            return send_notice(&s, &t->pending);
        if (send_begin(&s, &t->pending))
            return true;
        tree_note(t, MPI_ERR_NO_MEM);
    }
    t->told = t->rc ? t->rc : MPI_ERR_NO_MEM;
    s.data = span_packed(&t->told, sizeof t->told);
    return send_notice(&s, &t->pending);
}

/* The same. What has no room for an error comes into t->told. */
static bool tree_get(struct tree *t, int from, size_t begin, size_t end)
{
    assert(!t->pending && begin <= end);
    struct recv v = {.view = t->view,
                     .data = t->data && end > begin ? span_packed(t->data + begin, end - begin)
                                                    : span_packed(&t->told, sizeof t->told),
                     .source = t->rank_of(t->arg, from),
                     .tag = t->tag};
    t->wanted = end - begin;
    if (!(t->pending = recv_request_kept(&v)))
        return false;
    recv_start(t->pending);
    return true;
}

/* Positions below `from` + bit, at most all. */
static size_t tree_end_of(const struct tree *t, int from)
{
    if (!t->offset)
        return 0;
    return t->offset[from + t->bit < t->n ? from + t->bit : t->n];
}

/* Children's pieces first, the nearest child first; then everything to the parent. */
static bool go_up(struct tree *t)
{
    int child = t->me + t->bit;
    if (t->bit >= t->n) {
        t->phase = TREE_IDLE;
    } else if (t->me & t->bit) {
        if (!tree_give(t, t->me - t->bit, t->offset ? t->offset[t->me] : 0, tree_end_of(t, t->me)))
            return false;
        t->phase = TREE_IDLE;
    } else {
        if (child < t->n && !tree_get(t, child, t->offset ? t->offset[child] : 0, tree_end_of(t, child)))
            return false;
        t->bit <<= 1;
    }
    return true;
}

static bool go_down(struct tree *t)
{
    int bit = t->bit >> 1;
    if (bit > 0 && t->me + bit < t->n && !tree_give(t, t->me + bit, 0, t->bytes))
        return false;
    t->bit = bit;
    if (bit == 0)
        t->phase = TREE_IDLE;
    return true;
}

static bool get_down(struct tree *t)
{
    if (!tree_get(t, t->me - t->bit, 0, t->bytes))
        return false;
    t->phase = TREE_DOWN_GIVE;
    return true;
}

/* What a message that came means: an error has as many bytes as no data have. */
static int tree_error_of(const struct tree *t)
{
    const struct ep_request_s *r = t->pending;
    int told;
    if (r->out.error == MPI_SUCCESS && r->out.arrived == sizeof told) {
        memcpy(&told, request_data(r)->buf, sizeof told);
        return told;
    }
    if (!t->data)
        return MPI_ERR_NO_MEM;
    if (r->out.error == MPI_ERR_TRUNCATE)
        return MPI_ERR_ARG;
    return r->out.error || r->out.arrived == t->wanted ? r->out.error : MPI_ERR_ARG;
}

/* True unless a message is still under way. */
static bool tree_settle(struct tree *t)
{
    endpoint_assert_held(t->view->endpoint);
    if (!t->pending)
        return true;
    if (!request_is_done(t->pending))
        return false;
    tree_note(t, t->pending->kind == REQUEST_RECV ? tree_error_of(t) : t->pending->out.error);
    request_release(t->pending);
    t->pending = NULL;
    return true;
}

bool tree_step(struct tree *t)
{
    endpoint_assert_held(t->view->endpoint);
    t->starved = false;
    while (!t->starved && tree_settle(t)) {
        if (t->phase == TREE_IDLE && !t->to_all)
            return true;
        if (t->phase == TREE_IDLE) {
            t->to_all = false;
            tree_bcast(t, t->data, t->offset ? t->offset[t->n] : 0);
        }
        t->starved = t->phase == TREE_UP ? !go_up(t) : t->phase == TREE_DOWN_GET ? !get_down(t) : !go_down(t);
    }
    return false;
}

/* Whoever gives memory back notifies nobody. */
static bool tree_over(struct wait *w)
{
    struct tree *t = w->arg;
    bool over = tree_step(t);
    w->policy = t->starved ? POLICY_ELSEWHERE : POLICY_MESSAGE;
    return over;
}

int tree_run(struct tree *t)
{
    struct wait w = {.done = tree_over, .arg = t, .greedy = true};
    endpoint_lock(t->view->endpoint);
    wait_until(t->view->endpoint, &w);
    endpoint_unlock(t->view->endpoint);
    return t->rc;
}
