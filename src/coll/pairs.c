/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll/pairs.h"

static bool has_root(enum coll_kind kind)
{
    return kind == COLL_BCAST || kind == COLL_GATHER || kind == COLL_SCATTER;
}

static int find_root(const struct op *o)
{
    if (!has_root(o->args[0]->call.kind))
        return -1;
    for (int i = 0; i < o->n; i++) {
        const struct coll_args *p = o->args[i];
        if (p->call.root == MPI_ROOT)
            return view_union_rank(p->view);
        if (p->call.root >= 0)
            return p->call.root + p->view->peer_base;
    }
    return -1;
}

void pairs_init(struct pairs *p, const struct op *o)
{
    int unused;
    p->op = o;
    p->kind = o->args[0]->call.kind;
    p->root = find_root(o);
    p->root_proc = p->root >= 0 ? rankmap_proc(&o->comm->map, p->root, &unused) : -1;
    p->lower = o->comm->inter ? o->comm->group[0]->size : 0;
}

static bool other_side(const struct pairs *p, int a, int b)
{
    return p->lower == 0 || (a < p->lower) != (b < p->lower);
}

bool pairs_sends(const struct pairs *p, int rank)
{
    if (!has_root(p->kind))
        return true;
    if (p->root < 0)
        return false;
    return p->kind == COLL_GATHER ? other_side(p, rank, p->root) : rank == p->root;
}

bool pairs_receives(const struct pairs *p, int rank)
{
    if (!has_root(p->kind))
        return true;
    if (p->root < 0)
        return false;
    return p->kind == COLL_GATHER ? rank == p->root : other_side(p, rank, p->root);
}

static bool in_place(const struct pairs *p, int rank)
{
    int index;
    return p->kind == COLL_BCAST || (p->kind != COLL_ALLTOALL && comm_is_near(p->op->comm, rank, &index) &&
                                     p->op->args[index]->call.in_place);
}

bool pairs_has(const struct pairs *p, int from, int to)
{
    return pairs_sends(p, from) && pairs_receives(p, to) && other_side(p, from, to) &&
           (from != to || !in_place(p, from));
}
