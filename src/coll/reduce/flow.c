/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll/reduce/flow.h"

int seat_from(const struct comm *c, int proc, int rank)
{
    int a = 0, b = rankmap_count(&c->map, proc);
    while (a < b) {
        int middle = a + (b - a) / 2;
        if (rankmap_rank(&c->map, proc, middle) < rank)
            a = middle + 1;
        else
            b = middle;
    }
    return a;
}

/* Elements that an endpoint's call is about. */
static size_t count_of(const struct coll_args *p, bool contributes)
{
    const struct call *c = &p->call;
    if (c->kind != COLL_REDUCE_SCATTER)
        return contributes ? c->send.count : c->recv.count;
    if (!c->counts)
        return c->recv.count * (size_t)p->view->size;
    size_t sum = 0;
    for (int r = 0; r < p->view->size; r++)
        sum += (size_t)c->counts[r];
    return sum;
}

static void set_root(const struct op *o, struct flow *f, int root)
{
    int index;
    f->root = root;
    f->nout = comm_is_near(o->comm, root, &index);
    f->out = index;
}

static void set_count(const struct op *o, struct flow *f)
{
    if (f->nin > 0)
        f->count = count_of(o->args[f->in], true);
    else if (f->nout > 0)
        f->count = count_of(o->args[f->out], false);
}

/* From the group of one side to the other. */
static struct flow flow_across(const struct op *o, int side)
{
    const struct ep_comm_s *v = o->args[0]->view;
    int lower = view_side(v) ? v->peers : v->size, upper = view_side(v) ? v->size : v->peers;
    int border = seat_from(o->comm, o->comm->proc, lower); /* the first part of the upper group */
    struct flow f = {.n = lower, .nin = border, .out_base = lower, .out_n = upper, .root = -1};
    f.out = border;
    f.nout = o->n - border;
    if (side == 1)
        f = (struct flow){.base = lower,
                          .n = upper,
                          .in = border,
                          .nin = o->n - border,
                          .out_n = lower,
                          .nout = border,
                          .root = -1};
    return f;
}

/* Reduce to the root of the other group: of which direction, somebody must know. */
static int flow_to_root(const struct op *o, struct flow *f)
{
    for (int i = 0; i < o->n; i++) {
        const struct coll_args *p = o->args[i];
        if (p->call.root == MPI_PROC_NULL)
            continue;
        bool is_root = p->call.root == MPI_ROOT;
        *f = flow_across(o, is_root ? !view_side(p->view) : view_side(p->view));
        set_root(o, f, is_root ? view_union_rank(p->view) : p->call.root + p->view->peer_base);
        set_count(o, f);
        return 1;
    }
    return 0;
}

int flows_of(const struct op *o, struct flow f[2])
{
    const struct call *c = &o->args[0]->call;
    if (o->comm->inter) {
        if (c->kind == COLL_REDUCE)
            return flow_to_root(o, f);
        for (int side = 0; side < 2; side++) {
            f[side] = flow_across(o, side);
            set_count(o, &f[side]);
        }
        return 2;
    }
    int n = o->comm->map.size;
    f[0] = (struct flow){.n = n, .nin = o->n, .out_n = n, .nout = o->n, .root = -1};
    if (c->kind == COLL_REDUCE)
        set_root(o, f, c->root);
    set_count(o, f);
    return 1;
}

struct span flow_type(const struct op *o, const struct flow *f)
{
    const struct blocks *b = f->nin > 0 ? &o->args[f->in]->call.send : &o->args[f->out]->call.recv;
    return (struct span){NULL, 0, b->type, b->mpi};
}

MPI_Op flow_op(const struct op *o, const struct flow *f)
{
    return o->args[f->nin > 0 ? f->in : f->out]->call.op;
}

size_t flow_block(const struct op *o, const struct flow *f, int rank)
{
    const struct call *c = &o->args[f->out]->call;
    return c->counts ? (size_t)c->counts[rank] : c->recv.count;
}
