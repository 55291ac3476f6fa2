/* SPDX-License-Identifier: BSD-3-Clause */
#include "io/plan.h"

/* Bytes of a piece from which on nobody gains by others moving it, from which on messages between processes
 * cost more than they save, and from which on it is not copied together with others. A domain has at least so
 * many bytes, at a page. */
enum {
    PLAN_ALONE = 256 << 10,
    PLAN_MERGED = 32 << 10,
    PLAN_VECTOR = 2 << 10,
    PLAN_DOMAIN = 64 << 10,
    PLAN_PAGE = 4096
};
/* A range with so much more than the data is not worth being looked through. */
enum { PLAN_SPARSE = 16 };

/* Everybody's, or a process's. */
struct claims_sum {
    int64_t from, to;
    uint64_t bytes, pieces;
    bool alone;   /* one of them says so */
    bool in_turn; /* each behind the one before */
};

static void claims_add(struct claims_sum *sum, const struct file_claim *c)
{
    sum->alone |= c->alone;
    if (c->from == c->to)
        return;
    if (sum->bytes > 0)
        sum->in_turn &= c->from >= sum->to;
    sum->from = sum->bytes == 0 || c->from < sum->from ? c->from : sum->from;
    sum->to = sum->bytes == 0 || c->to > sum->to ? c->to : sum->to;
    sum->bytes += c->bytes;
    sum->pieces += c->pieces;
}

/* By rank, so that all find the same. */
static struct claims_sum claims_of(const struct leaders *p, int only)
{
    struct claims_sum sum = {.in_turn = true};
    for (int proc = 0; proc < p->n; proc++)
        for (int v = 0; v < p->n; v++)
            for (int i = 0; p->proc[v] == proc && (only < 0 || only == proc) && i < p->count[v]; i++)
                claims_add(&sum, leaders_item(p, v, i));
    return sum;
}

/* Are the ranges of the processes one behind the other? */
static bool processes_in_turn(const struct leaders *p)
{
    struct claims_sum all = {.in_turn = true};
    for (int proc = 0; proc < p->n; proc++) {
        struct claims_sum one = claims_of(p, proc);
        struct file_claim c = {.from = one.from, .to = one.to, .bytes = one.bytes};
        claims_add(&all, &c);
    }
    return all.in_turn;
}

static enum file_way plan_way(const struct leaders *p, const struct claims_sum *all)
{
    uint64_t piece = all->pieces ? all->bytes / all->pieces : 0;
    if (all->alone || all->in_turn || piece >= PLAN_ALONE ||
        (uint64_t)(all->to - all->from) / PLAN_SPARSE > all->bytes)
        return FILE_ALONE;
    return p->n == 1 || piece >= PLAN_MERGED || processes_in_turn(p) ? FILE_MERGED : FILE_TWO_PHASE;
}

static struct file_plan plan_of(const struct leaders *p)
{
    struct claims_sum all = claims_of(p, -1), mine = claims_of(p, p->comm->proc);
    struct file_plan plan = {.way = plan_way(p, &all)};
    const struct claims_sum *range = plan.way == FILE_TWO_PHASE ? &all : &mine;
    int64_t n = plan.way == FILE_TWO_PHASE ? p->comm->map.size : p->comm->nlocal;
    plan.vector = range->pieces > 0 && range->bytes / range->pieces >= PLAN_VECTOR;
    plan.from = range->from / PLAN_PAGE * PLAN_PAGE;
    plan.to = range->to;
    plan.domain = (range->to - plan.from + n - 1) / n;
    plan.domain = plan.domain < PLAN_DOMAIN ? PLAN_DOMAIN : plan.domain;
    plan.domain = (plan.domain + PLAN_PAGE - 1) / PLAN_PAGE * PLAN_PAGE;
    plan.block = (int64_t)((const struct file_claim *)leaders_item(p, 0, 0))->block;
    return plan;
}

static struct file_coming *coming_of(const struct gather_slot *s)
{
    return (struct file_coming *)(uintptr_t)s->extra;
}

static void plan_act(struct leaders *p, void *unused)
{
    const struct gather_slot *first = p->gather->first;
    const struct file_coming *c = coming_of(first);
    (void)unused;
    int rc = leaders_vote(p, leaders_exchange(p, sizeof(struct file_claim), 0), false);
    if (rc != MPI_SUCCESS) {
        file_fail(p, rc, "", c->file->file->name, c->writes ? "written" : "read");
        return;
    }
    struct file_plan plan = plan_of(p);
    for (struct gather_slot *s = p->gather->first; s; s = s->next) {
        coming_of(s)->plan = plan;
        coming_of(s)->next = coming_of(s->next ? s->next : first);
    }
}

int file_plan_make(struct where w, struct file_coming *c, int told)
{
    struct gather_slot s = {
        .view = w.view, .data = &c->claim, .extra = c, .rc = told, .raised = told != MPI_SUCCESS};
    struct whole call = {.slot = &s, .act = plan_act};
    return whole_call(w, &call);
}

bool file_plan_block(const struct file_plan *p, int d, int64_t round, int64_t *from, int64_t *to)
{
    int64_t begin = p->from + d * p->domain, end = begin + p->domain;
    end = end < p->to ? end : p->to;
    *from = begin + round * p->block;
    *to = *from + p->block < end ? *from + p->block : end;
    return *from < *to;
}

/* ---- the end ---- */

static struct file_outcome *outcome_of(const struct gather_slot *s)
{
    return (struct file_outcome *)(uintptr_t)s->extra;
}

void file_outcome_add(struct file_outcome *o, const struct file_merge *m)
{
    o->worst.eof = m->eof < o->worst.eof ? m->eof : o->worst.eof;
    o->worst.error = m->error ? m->error : o->worst.error;
}

static void end_act(struct leaders *p, void *unused)
{
    int64_t eof = INT64_MAX, error = 0;
    (void)unused;
    int rc = leaders_vote(p, leaders_exchange(p, sizeof outcome_of(p->gather->first)->worst, 0), false);
    for (int v = 0; v < p->n && rc == MPI_SUCCESS; v++)
        for (int i = 0; i < p->count[v]; i++) {
            const int64_t *worst = leaders_item(p, v, i);
            eof = worst[0] < eof ? worst[0] : eof;
            error = worst[1] ? worst[1] : error;
        }
    for (struct gather_slot *s = p->gather->first; s; s = s->next) {
        outcome_of(s)->worst.eof = eof;
        outcome_of(s)->worst.error = error;
    }
    if (rc != MPI_SUCCESS)
        leaders_fail(p, rc, NULL);
}

int file_plan_end(struct where w, struct file_outcome *o, int told)
{
    struct gather_slot s = {
        .view = w.view, .data = &o->worst, .extra = o, .rc = told, .raised = told != MPI_SUCCESS};
    struct whole call = {.slot = &s, .act = end_act};
    return whole_call(w, &call);
}
