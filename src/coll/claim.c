/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll/claim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coll/operator.h"

/* ---- operators ---- */

int claim_operator(MPI_Op op)
{
    enum arith_op code = arith_op_of(op);
    return code != ARITH_OPS ? (int)code : ARITH_OPS + operator_commutes(op);
}

const char *claim_operator_name(int number)
{
    if (number < ARITH_OPS)
        return arith_op_name((enum arith_op)number);
    return number == ARITH_OPS ? "user operator" : "commutative user operator";
}

/* ---- claims ---- */

static uint64_t block_size(const struct blocks *b)
{
    if (b->form == FORM_NONE)
        return CLAIM_NOTHING;
    return b->form >= FORM_VARYING ? CLAIM_VARYING : block_bytes(b, 0);
}

/* Blocks of types of their own are not looked into. */
static struct family family_of_blocks(const struct blocks *b)
{
    return b->form == FORM_NONE || b->form >= FORM_TYPED ? (struct family){0} : type_makeup(b->type, b->mpi).family;
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
    if (block_size(b) >= CLAIM_VARYING)
        return (struct signature){0};
    return portion_of(b, 0, (struct signature_sum){0}).signature;
}

static int root_of(const struct ep_comm_s *view, int root)
{
    if (root == MPI_PROC_NULL)
        return CLAIM_NO_ROOT;
    return root == MPI_ROOT ? view_union_rank(view) : root + view->peer_base;
}

/* FNV-1a of the bytes for each rank. */
static uint64_t hash_counts(const struct part *p)
{
    uint64_t h = 14695981039346656037u;
    for (int r = 0; p->call.counts && r < p->view->size; r++)
        h = (h ^ (uint64_t)p->call.counts[r] * p->call.send.type->size) * 1099511628211u;
    return h;
}

/* Who does not take part needs none. */
static int operation_of(const struct call *call)
{
    return call->kind < COLL_REDUCE || call->root == MPI_PROC_NULL ? CLAIM_NO_OPERATOR
                                                                   : claim_operator(call->op);
}

static struct claim claim_of(const struct part *p)
{
    const struct call *call = &p->call;
    struct claim c = {.kind = (int)call->kind,
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

static size_t claim_bytes(const struct claim *c, int peers)
{
    int varying = (c->give == CLAIM_VARYING) + (c->take == CLAIM_VARYING);
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

static char *put_claim(char *to, const struct part *p)
{
    struct claim c = claim_of(p);
    memcpy(to, &c, sizeof c);
    to += sizeof c;
    if (c.give == CLAIM_VARYING)
        to = put_portions(to, &p->call.send, p->view->peers);
    if (c.take == CLAIM_VARYING)
        to = put_portions(to, &p->call.recv, p->view->peers);
    return to;
}

char *claims_of(const struct op *o, size_t *bytes)
{
    *bytes = 0;
    for (int i = 0; i < o->n; i++) {
        struct claim c = claim_of(o->part[i]);
        *bytes += claim_bytes(&c, o->part[i]->view->peers);
    }
    char *all = malloc(*bytes), *at = all;
    for (int i = 0; i < o->n && all; i++)
        at = put_claim(at, o->part[i]);
    if (!all)
        *bytes = 0;
    return all;
}
