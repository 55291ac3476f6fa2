/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll/check/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coll/operator.h"

/* ---- operators ---- */

int check_record_operator(MPI_Op op)
{
    enum arith_op code = arith_op_of(op);
    return code != ARITH_OPS ? (int)code : ARITH_OPS + operator_commutes(op);
}

const char *check_record_operator_name(int number)
{
    if (number < ARITH_OPS)
        return arith_op_name((enum arith_op)number);
    return number == ARITH_OPS ? "user operator" : "commutative user operator";
}

/* ---- records ---- */

static uint64_t block_size(const struct blocks *b)
{
    if (b->form == FORM_NONE)
        return CHECK_RECORD_NOTHING;
    return b->form >= FORM_VARYING ? CHECK_RECORD_VARYING : block_bytes(b, 0);
}

/* Blocks of types of their own are not looked into. */
static struct family family_of_blocks(const struct blocks *b)
{
    return b->form == FORM_NONE || b->form >= FORM_TYPED ? (struct family){0}
                                                         : type_makeup(b->type, b->mpi).family;
}

/* Block r, of elements with this signature if it is FORM_VARYING. */
static struct portion portion_of(const struct blocks *b, int r, struct signature_sum element)
{
    struct span s = block_at(b, r);
    if (b->form != FORM_VARYING)
        element = type_makeup(s.type, s.mpi).signature;
    return (struct portion){span_bytes(&s), signature_times(element, s.count).s};
}

static struct signature signature_of_blocks(const struct blocks *b)
{
    if (block_size(b) >= CHECK_RECORD_VARYING)
        return (struct signature){0};
    return portion_of(b, 0, (struct signature_sum){0}).signature;
}

static int root_of(const struct ep_comm_s *view, int root)
{
    if (root == MPI_PROC_NULL)
        return CHECK_RECORD_NO_ROOT;
    return root == MPI_ROOT ? view_union_rank(view) : root + view->peer_base;
}

/* FNV-1a of the bytes for each rank. */
static uint64_t hash_counts(const struct coll_args *p)
{
    uint64_t h = 14695981039346656037u;
    for (int r = 0; p->call.counts && r < p->view->size; r++)
        h = (h ^ (uint64_t)p->call.counts[r] * p->call.send.type->size) * 1099511628211u;
    return h;
}

/* Who does not take part needs none. */
static int operation_of(const struct call *call)
{
    return call->kind < COLL_REDUCE || call->root == MPI_PROC_NULL ? CHECK_RECORD_NO_OPERATOR
                                                                   : check_record_operator(call->op);
}

static struct check_record check_record_of(const struct coll_args *p)
{
    const struct call *call = &p->call;
    struct check_record c = {.kind = (int)call->kind,
                             .rank = view_union_rank(p->view),
                             .root = root_of(p->view, call->root),
                             .said = call->root,
                             .operation = operation_of(call),
                             .given = family_of_blocks(&call->send),
                             .taken = family_of_blocks(&call->recv),
                             .give = block_size(&call->send),
                             .take = block_size(&call->recv),
                             .gives = signature_of_blocks(&call->send),
                             .takes = signature_of_blocks(&call->recv)};
    snprintf(c.name, sizeof c.name, "%s", call->name);
    if (call->kind == COLL_REDUCE_SCATTER)
        c.counts = hash_counts(p);
    return c;
}

static size_t check_record_bytes(const struct check_record *c, int peers)
{
    int varying = (c->give == CHECK_RECORD_VARYING) + (c->take == CHECK_RECORD_VARYING);
    return sizeof *c + (size_t)varying * (size_t)peers * sizeof(struct portion);
}

static char *put_portions(char *to, const struct blocks *b, int peers)
{
    struct signature_sum element = {0};
    if (b->form == FORM_VARYING)
        element = type_makeup(b->type, b->mpi).signature;
    for (int r = 0; r < peers; r++, to += sizeof(struct portion)) {
        struct portion p = portion_of(b, r, element);
        memcpy(to, &p, sizeof p);
    }
    return to;
}

static char *put_check_record(char *to, const struct coll_args *p)
{
    struct check_record c = check_record_of(p);
    memcpy(to, &c, sizeof c);
    to += sizeof c;
    if (c.give == CHECK_RECORD_VARYING)
        to = put_portions(to, &p->call.send, p->view->peers);
    if (c.take == CHECK_RECORD_VARYING)
        to = put_portions(to, &p->call.recv, p->view->peers);
    return to;
}

char *check_records_of(const struct op *o, size_t *bytes)
{
    *bytes = 0;
    for (int i = 0; i < o->n; i++) {
        struct check_record c = check_record_of(o->args[i]);
        *bytes += check_record_bytes(&c, o->args[i]->view->peers);
    }
    char *all = malloc(*bytes), *at = all;
    for (int i = 0; i < o->n && all; i++)
        at = put_check_record(at, o->args[i]);
    if (!all)
        *bytes = 0;
    return all;
}
