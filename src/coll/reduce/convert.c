/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions with an operator of the user's take derived datatypes, and endpoints of one process may describe
 * equal elements in different ways: with other gaps, or with data that begin elsewhere. Algorithms know one
 * layout for a process (flow_type).
 *
 * A buffer of another layout gets a stand-in: memory of the flow's layout, into which the endpoint's data are
 * copied before the first round, and from which its results are copied when the operation is over, while
 * datatypes of all are still held. Calls whose data are not equal are refused; nothing has been written then.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coll/algorithms.h"
#include "coll/reduce/flow.h"
#include "datatype/datatype.h"

/* In place of the buffers of one endpoint. */
struct stand_in {
    struct stand_in *next;
    struct span result, user; /* to be copied when the operation is over; no elements: nothing */
    _Alignas(CACHE_LINE) char memory[];
};

/* What a flow is made of: elements like those of the endpoint with index `like`. */
struct standard {
    const struct flow *flow;
    struct span element;
    int like;
};

static struct standard standard_of(const struct op *o, const struct flow *f)
{
    return (struct standard){f, flow_type(o, f), f->nin > 0 ? f->in : f->out};
}

/* ---- what cannot be ---- */

/* Elements of a flow that are in a buffer: those an endpoint contributes, or a result. */
static size_t elements_of(const struct op *o, const struct flow *f, int args, bool contributes)
{
    if (contributes || op_kind(o) != COLL_REDUCE_SCATTER)
        return f->count;
    return flow_block(o, f, o->args[args]->view->rank);
}

static bool has_other_numbers(const struct blocks *b, const struct standard *s, size_t n)
{
    if (b->type == s->element.type)
        return false;
    struct makeup mine = type_makeup(b->type, b->mpi), its = type_makeup(s->element.type, s->element.mpi);
    return signature_differs(signature_times(mine.signature, b->count).s,
                             signature_times(its.signature, n).s);
}

/* For all endpoints of the process. */
static int convert_refuse(struct op *o, const struct standard *s, int args, const struct blocks *b, size_t n)
{
    const struct coll_args *a = o->args[s->like], *p = o->args[args];
    size_t bytes = s->element.type->size;
    char text[192];
    int rc = b->type->size == bytes && b->count != n ? MPI_ERR_COUNT : MPI_ERR_TYPE;
    snprintf(text, sizeof text,
             "endpoint %d gave %zu elements of %zu bytes to %s, endpoint %d of the same process %zu of %zu "
             "bytes%s",
             a->view->rank, n, bytes, a->call.name, p->view->rank, b->count, b->type->size,
             rc == MPI_ERR_TYPE && b->type->size == bytes ? " that are other kinds of numbers" : "");
    for (int i = 0; i < o->n; i++)
        if (!o->args[i]->why)
            o->args[i]->why = strdup(text);
    return rc;
}

/* ---- stand-ins ---- */

static struct stand_in *convert_make(struct op *o, const struct shape *shape, size_t n)
{
    struct stand_in *x = aligned_alloc(CACHE_LINE, sizeof *x + shape_bytes(shape, n));
    if (!x)
        return NULL;
    *x = (struct stand_in){.next = o->stand_ins};
    return o->stand_ins = x;
}

/* In place of a buffer; no datatypes but the buffer's address and that of what stands for it too change. */
static int convert_replace(struct op *o, const struct standard *s, int args, bool contributes, size_t n)
{
    struct call *c = &o->args[args]->call;
    struct blocks *b = contributes ? &c->send : &c->recv;
    struct shape shape = shape_of(&s->element);
    struct span user = block_at(b, 0);
    bool in_place = c->in_place;
    struct stand_in *x = convert_make(o, &shape, n);
    if (!x)
        return MPI_ERR_NO_MEM;
    struct span own = shape_span(&shape, shape_place(&shape, x->memory, n), 0, n);
    if (!contributes || in_place) {
        x->user = block_at(&c->recv, 0);
        x->result = own;
    }
    b->buf = own.buf;
    if (in_place)
        c->recv.buf = own.buf;
    return contributes ? copy_typed(&user, &own, span_bytes(&own)) : MPI_SUCCESS;
}

static int convert_fit(struct op *o, const struct standard *s, int args, bool contributes)
{
    const struct call *c = &o->args[args]->call;
    const struct blocks *b = contributes ? &c->send : &c->recv;
    size_t n = elements_of(o, s->flow, args, contributes);
    const struct type *t = s->element.type;
    if (b->form == FORM_NONE)
        return MPI_SUCCESS;
    bool alike = type_lies_like(b->type, b->mpi, s->element.type, s->element.mpi);
    if (b->count * b->type->size != n * t->size || has_other_numbers(b, s, n))
        return convert_refuse(o, s, args, b, n);
    if (alike || n * t->size == 0 || (!contributes && c->in_place))
        return MPI_SUCCESS;
    return convert_replace(o, s, args, contributes, n);
}

static int fit_flow(struct op *o, const struct flow *f)
{
    struct standard s = standard_of(o, f);
    int rc = MPI_SUCCESS;
    if (f->nin == 0 && f->nout == 0)
        return rc;
    for (int i = f->in; i < f->in + f->nin && rc == MPI_SUCCESS; i++)
        rc = convert_fit(o, &s, i, true);
    for (int i = f->out; i < f->out + f->nout && rc == MPI_SUCCESS; i++)
        rc = convert_fit(o, &s, i, false);
    return rc;
}

int convert_begin(struct op *o)
{
    struct flow f[2];
    int flows = flows_of(o, f), rc = MPI_SUCCESS;
    for (int i = 0; i < flows && rc == MPI_SUCCESS; i++)
        rc = fit_flow(o, &f[i]);
    return rc;
}

int convert_end(struct op *o, int rc)
{
    for (struct stand_in *x; (x = o->stand_ins); free(x)) {
        o->stand_ins = x->next;
        if (rc == MPI_SUCCESS && x->user.count > 0)
            rc = copy_typed(&x->result, &x->user, span_bytes(&x->user));
    }
    return rc;
}
