/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Claims of all endpoints go to process 0, its verdict to all.
 *
 *   round 0   numbers of bytes of the claims    far step
 *   round 1   the claims                        far step
 *   round 2   the verdict                       far step
 *
 * Then, or at once where there is but one process, the operation gets its real plan. That may make MPI's collective
 * calls, so this plan is called ordered: it keeps the operation in the queue.
 */
#include "coll/check.h"

#include <stdlib.h>
#include <string.h>

#include "coll/claim.h"

struct check {
    struct verdict *verdict; /* NULL: no memory, and the operation has failed, as the messages say */
    char *own;               /* claims; the same */
    uint64_t own_bytes;
    char **claims; /* process 0: of each process; the same */
    uint64_t *bytes;
};
_Static_assert(sizeof(struct check) <= OP_STATE, "it is in the operation");

static void prepare(struct op *o)
{
    struct check *k = op_state(o);
    size_t n = (size_t)o->comm->nproc, bytes;
    bool first = o->comm->proc == 0;
    k->verdict = reserve_calloc(sizeof *k->verdict);
    k->own = claims_of(o, &bytes);
    k->own_bytes = bytes;
    if (first && (k->claims = reserve_calloc(n * (sizeof *k->claims + sizeof *k->bytes)))) {
        k->bytes = (uint64_t *)(void *)(k->claims + n);
        k->claims[0] = k->own;
    }
    if (!k->verdict || !k->own || (first && !k->claims))
        op_fail(o, MPI_ERR_NO_MEM);
}

static void end(struct op *o)
{
    struct check *k = o->state;
    for (int p = 1; k->claims && p < o->comm->nproc; p++)
        free(k->claims[p]);
    free(k->own);
    reserve_free(k->claims);
    reserve_free(k->verdict);
    o->state = NULL;
}

/* ---- messages ---- */

static void send_to_first(struct op *o, const void *data, size_t bytes)
{
    exchange_send(o, 0, span_packed(data, bytes));
}

/* Process 0, in rounds 0 and 1. Without room for what comes it gets nothing, and fails. */
static void collect_from(struct op *o, struct check *k, int p)
{
    if (!k->claims) {
        exchange_recv(o, p, span_packed(NULL, 0));
        return;
    }
    if (o->round == 0) {
        exchange_recv(o, p, span_packed(&k->bytes[p], sizeof k->bytes[p]));
        return;
    }
    if (k->bytes[p] > 0 && !k->claims[p] && !(k->claims[p] = malloc(k->bytes[p])))
        op_fail(o, MPI_ERR_NO_MEM);
    exchange_recv(o, p, span_packed(k->claims[p], k->claims[p] ? k->bytes[p] : 0));
}

static void collect(struct op *o, struct check *k)
{
    if (o->comm->proc != 0 && o->round == 0)
        send_to_first(o, &k->own_bytes, sizeof k->own_bytes);
    else if (o->comm->proc != 0)
        send_to_first(o, k->own, k->own_bytes);
    for (int p = 1; o->comm->proc == 0 && p < o->comm->nproc; p++)
        collect_from(o, k, p);
}

static void spread(struct op *o, struct check *k)
{
    struct span verdict = span_packed(k->verdict, k->verdict ? sizeof *k->verdict : 0);
    if (o->comm->proc != 0)
        exchange_recv(o, 0, verdict);
    for (int p = 1; o->comm->proc == 0 && p < o->comm->nproc; p++)
        exchange_send(o, p, verdict);
}

static void far(struct op *o)
{
    struct check *k = o->state;
    if (o->round < 2)
        collect(o, k);
    else
        spread(o, k);
}

/* ---- rounds ---- */

static bool refuse(struct op *o, const struct verdict *v)
{
    op_fail(o, v->rc);
    for (int i = 0; i < o->n; i++)
        o->part[i]->why = strdup(v->text);
    return false;
}

static bool go_on(struct op *o)
{
    if (o->part[0]->call.kind == COLL_NOTHING)
        return false;
    end(o);
    return op_go_on(o, plan_for(o));
}

static bool advance(struct op *o)
{
    bool alone = o->comm->nproc == 1;
    if (o->round == 0)
        prepare(o);
    struct check *k = o->state;
    if (o->comm->proc == 0 && (alone || o->round == 2) && !op_failed(o))
        claims_judge(o->comm, k->claims, k->verdict);
    if ((alone || o->round == 3) && op_failed(o))
        return false;
    if (alone || o->round == 3)
        return k->verdict->rc ? refuse(o, k->verdict) : go_on(o);
    o->wants_far = true;
    return true;
}

const struct plan plan_check = {
    .name = "check",
    .advance = advance,
    .far = far,
    .end = end,
    .ordered = true,
};
