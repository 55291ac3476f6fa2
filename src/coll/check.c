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
    struct verdict verdict;
    uint64_t *bytes; /* of each process's claims */
    char *claims[];  /* process 0: of each process; else the own in [own] */
};

static bool prepare(struct op *o)
{
    const struct comm *c = o->comm;
    size_t n = (size_t)c->nproc, bytes;
    struct check *k = reserve_calloc(sizeof *k + n * (sizeof *k->claims + sizeof *k->bytes));
    if (!k)
        return false;
    k->bytes = (uint64_t *)(void *)(k->claims + n);
    k->claims[c->proc] = claims_of(o, &bytes);
    k->bytes[c->proc] = bytes;
    o->state = k;
    if (!k->claims[c->proc]) /* the messages say so */
        op_fail(o, MPI_ERR_NO_MEM);
    return true;
}

static void end(struct op *o)
{
    struct check *k = o->state;
    for (int p = 0; k && p < o->comm->nproc; p++)
        free(k->claims[p]);
    reserve_free(k);
    o->state = NULL;
}

/* ---- messages ---- */

static void send_to_first(struct op *o, const void *data, size_t bytes)
{
    exchange_send(o, 0, span_packed(data, bytes));
}

static void collect(struct op *o, struct check *k)
{
    int me = o->comm->proc;
    if (me != 0 && o->round == 0)
        send_to_first(o, &k->bytes[me], sizeof k->bytes[me]);
    else if (me != 0)
        send_to_first(o, k->claims[me], k->bytes[me]);
    for (int p = 1; me == 0 && p < o->comm->nproc; p++) {
        bool room = true;
        if (o->round == 1 && k->bytes[p] > 0)
            room = (k->claims[p] = malloc(k->bytes[p])) != NULL;
        if (!room)
            op_fail(o, MPI_ERR_NO_MEM);
        if (o->round == 0)
            exchange_recv(o, p, span_packed(&k->bytes[p], sizeof k->bytes[p]));
        else
            exchange_recv(o, p, span_packed(k->claims[p], room ? k->bytes[p] : 0));
    }
}

static void spread(struct op *o, struct check *k)
{
    struct span verdict = span_packed(&k->verdict, sizeof k->verdict);
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
    if (o->round == 0 && !prepare(o)) {
        op_fail(o, MPI_ERR_NO_MEM);
        return false;
    }
    struct check *k = o->state;
    if (o->comm->proc == 0 && (alone || o->round == 2) && !op_failed(o))
        claims_judge(o->comm, k->claims, &k->verdict);
    if ((alone || o->round == 3) && op_failed(o))
        return false;
    if (alone || o->round == 3)
        return k->verdict.rc ? refuse(o, &k->verdict) : go_on(o);
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
