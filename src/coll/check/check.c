/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Records of all endpoints go to process 0, its result to all.
 *
 *   round 0   numbers of bytes of the records    far step
 *   round 1   the records                        far step
 *   round 2   the result's class               far step
 *   round 3   of an error, its text             far step
 *
 * Then, or at once where there is but one process, the operation gets its real algorithm. That may make MPI's
 * collective calls, so this algorithm is called ordered: it keeps the operation in the queue.
 *
 * All go on, or nobody does, whatever fails and wherever. Who fails in rounds 0 and 1 sends nothing in its
 * messages, and process 0, whose records are not complete then, decides for an error. The class that process
 * 0 decides for is known to it alone until round 2 sends it, to each process in full: such a message is never
 * replaced by an empty one, nor is it given up; without memory it is left for later (exchange_tell,
 * exchange_hear), and that ends, since a message so short needs at most one of the requests that the endpoint
 * keeps. So each process gets the class, and it is the operation's result, in place of what may have failed
 * there meanwhile. In round 3 nothing is decided any more: where the text does not come the error has none.
 */
#include "coll/algorithms.h"

#include <stdlib.h>
#include <string.h>

#include "coll/check/check.h"

struct check {
    int rc;                            /* the result's class, from round 2 on */
    struct check_result *check_result; /* process 0, and in others if rc is an error. NULL: no memory */
    char *own; /* records. NULL: the same, and the operation has failed, as the messages say */
    uint64_t own_bytes;
    char **check_records; /* process 0: of each process; the same */
    uint64_t *bytes;
};
_Static_assert(sizeof(struct check) <= OP_STATE, "it is in the operation");

static void check_prepare(struct op *o)
{
    struct check *k = op_state(o);
    size_t n = (size_t)o->comm->nproc, bytes;
    bool first = o->comm->proc == 0;
    k->rc = MPI_ERR_NO_MEM;
    k->own = check_records_of(o, &bytes);
    k->own_bytes = bytes;
    if (first)
        k->check_result = reserve_calloc(sizeof *k->check_result);
    if (first && (k->check_records = reserve_calloc(n * (sizeof *k->check_records + sizeof *k->bytes)))) {
        k->bytes = (uint64_t *)(void *)(k->check_records + n);
        k->check_records[0] = k->own;
    }
    if (!k->own || (first && (!k->check_result || !k->check_records)))
        op_fail(o, MPI_ERR_NO_MEM);
}

static void check_finish(struct op *o)
{
    struct check *k = o->state;
    for (int p = 1; k->check_records && p < o->comm->nproc; p++)
        free(k->check_records[p]);
    free(k->own);
    reserve_free(k->check_records);
    reserve_free(k->check_result);
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
    if (!k->check_records) {
        exchange_recv(o, p, span_packed(NULL, 0));
        return;
    }
    if (o->round == 0) {
        exchange_recv(o, p, span_packed(&k->bytes[p], sizeof k->bytes[p]));
        return;
    }
    if (k->bytes[p] > 0 && !k->check_records[p] && !(k->check_records[p] = malloc(k->bytes[p])))
        op_fail(o, MPI_ERR_NO_MEM);
    exchange_recv(o, p, span_packed(k->check_records[p], k->check_records[p] ? k->bytes[p] : 0));
}

static void check_collect(struct op *o, struct check *k)
{
    if (o->comm->proc != 0 && o->round == 0)
        send_to_first(o, &k->own_bytes, sizeof k->own_bytes);
    else if (o->comm->proc != 0)
        send_to_first(o, k->own, k->own_bytes);
    for (int p = 1; o->comm->proc == 0 && p < o->comm->nproc; p++)
        collect_from(o, k, p);
}

static void spread_class(struct op *o, struct check *k)
{
    struct span rc = span_packed(&k->rc, sizeof k->rc);
    if (o->comm->proc != 0)
        exchange_hear(o, 0, rc);
    for (int p = 1; o->comm->proc == 0 && p < o->comm->nproc; p++)
        exchange_tell(o, p, rc);
}

/* An operation that has failed sends none. */
static void spread_text(struct op *o, struct check *k)
{
    struct span text = span_packed(k->check_result ? k->check_result->text : NULL,
                                   k->check_result ? sizeof k->check_result->text : 0);
    if (o->comm->proc != 0)
        exchange_hear(o, 0, text);
    for (int p = 1; o->comm->proc == 0 && p < o->comm->nproc; p++)
        exchange_send(o, p, text);
}

static void check_far(struct op *o)
{
    struct check *k = o->state;
    if (o->round < 2)
        check_collect(o, k);
    else if (o->round == 2)
        spread_class(o, k);
    else
        spread_text(o, k);
}

/* ---- rounds ---- */

/* What came of the records is in process 0. */
static void check_evaluate(struct op *o, struct check *k)
{
    k->rc = load_relaxed(&o->rc);
    if (k->rc != MPI_SUCCESS)
        return;
    check_records_compare(o->comm, k->check_records, k->check_result);
    k->rc = k->check_result->rc;
}

static bool check_refuse(struct op *o, const struct check *k)
{
    op_agree(o, k->rc);
    for (int i = 0; i < o->n && k->check_result && k->check_result->text[0]; i++)
        o->args[i]->why = strdup(k->check_result->text);
    return false;
}

static bool check_go_on(struct op *o)
{
    op_agree(o, MPI_SUCCESS);
    if (o->args[0]->call.kind == COLL_NOTHING)
        return false;
    check_finish(o);
    return op_go_on(o, algorithm_for(o));
}

static bool check_advance(struct op *o)
{
    bool alone = o->comm->nproc == 1;
    if (o->round == 0)
        check_prepare(o);
    struct check *k = o->state;
    if (o->comm->proc == 0 && (alone || o->round == 2))
        check_evaluate(o, k);
    if ((alone || o->round == 3) && k->rc == MPI_SUCCESS)
        return check_go_on(o);
    if (alone || o->round == 4)
        return check_refuse(o, k);
    if (o->round == 3 && o->comm->proc != 0)
        k->check_result = reserve_calloc(sizeof *k->check_result);
    o->wants_far = true;
    return true;
}

const struct coll_algorithm algorithm_check = {
    .name = "check",
    .advance = check_advance,
    .far = check_far,
    .end = check_finish,
    .ordered = true,
};
