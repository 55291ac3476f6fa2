/* SPDX-License-Identifier: BSD-3-Clause */
#include "io/collective.h"

#include <errno.h>
#include <stdlib.h>

#include "io/plan.h"

/* ---- what is brought ---- */

/* Without memory for a walk, the endpoint moves its data by itself, and says then what is wrong. */
static void come_with(struct file_coming *c, size_t pos, const struct span *data)
{
    ep_file f = c->file;
    struct type_iter memory;
    c->part = (struct file_part){&f->layout, *data, pos, span_bytes(data)};
    c->claim.block = f->hints.collective_buffer;
    c->claim.alone =
        f->atomic || !f->layout.sorted || type_iter_span(&memory, data, TYPE_DATA) != MPI_SUCCESS;
    if (f->layout.map->bytes == 0)
        c->part.bytes = 0;
    if (c->part.bytes == 0)
        return;
    file_layout_bounds(&f->layout, pos, c->part.bytes, &c->claim.from, &c->claim.to);
    c->claim.bytes = c->part.bytes;
    c->claim.pieces = file_part_pieces(&c->part);
}

/* ---- merged ---- */

/* All endpoints of the process, of whom each has a domain. */
static void collective_merged(struct file_coming *c, struct file_outcome *o)
{
    ep_file f = c->file;
    int n = f->file->comm->nlocal, index = f->view->index;
    struct file_merge m = {.file = f->file,
                           .writes = c->writes,
                           .vector = c->plan.vector,
                           .source = malloc((size_t)n * sizeof *m.source),
                           .n = n,
                           .kept = &f->buffer,
                           .room = (size_t)c->plan.block,
                           .eof = INT64_MAX};
    int64_t from, to;
    if (!m.source)
        o->worst.error = ENOMEM;
    for (int64_t k = 0; !o->worst.error && file_plan_block(&c->plan, index, k, &from, &to); k++) {
        const struct file_coming *other = c;
        for (int i = 0; i < n; i++, other = other->next)
            if (!file_part_source(&other->part, from, to, &m.source[i]))
                m.error = ENOMEM;
        if (!m.error)
            file_merge_run(&m);
        file_outcome_add(o, &m);
    }
    free(m.source);
}

/* ---- the call ---- */

static void collective_alone(struct file_coming *c, struct file_access *a, struct file_outcome *o)
{
    a->data = c->part.data;
    file_access_run(a);
    o->worst.error = a->error;
}

/* Bytes that were read before the end of the file. */
static size_t collective_moved(const struct file_coming *c, const struct file_access *a,
                               const struct file_outcome *o)
{
    const struct file_part *p = &c->part;
    if (c->plan.way == FILE_ALONE)
        return a->moved;
    if (o->worst.error)
        return 0;
    if (o->worst.eof == INT64_MAX || p->bytes == 0)
        return p->bytes;
    size_t before = file_layout_data_before(p->layout, o->worst.eof);
    return before <= p->pos ? 0 : before - p->pos < p->bytes ? before - p->pos : p->bytes;
}

int file_access_at_all(struct where w, ep_file file, bool writes, int told, int64_t offset,
                       const struct span *data, ep_status *status)
{
    struct file_coming c = {.file = file, .writes = writes};
    struct file_access a = {.file = file, .writes = writes};
    struct file_outcome o = {.worst = {.eof = INT64_MAX}};
    if (!told)
        told = file_access_check(w, file, writes, offset, data);
    if (!told)
        come_with(&c, a.pos = file_bytes_at(file, offset), data);
    int rc = file_plan_make(w, &c, told);
    if (rc != MPI_SUCCESS)
        return rc;
    if (c.plan.way == FILE_ALONE)
        collective_alone(&c, &a, &o);
    else if (c.plan.way == FILE_MERGED)
        collective_merged(&c, &o);
    else
        rc = file_exchange(w, &c, &o);
    rc = file_plan_end(w, &o, rc);
    if (rc != MPI_SUCCESS)
        return rc;
    a.moved = collective_moved(&c, &a, &o);
    a.error = (int)o.worst.error;
    return file_access_tell(w, &a, status);
}

int file_access_next_all(struct where w, ep_file file, bool writes, int told, const struct span *data,
                         ep_status *status)
{
    int64_t etypes = told ? 0 : (int64_t)(span_bytes(data) / file->layout.etype->size);
    return file_access_at_all(w, file, writes, told, add_relaxed(&file->position, etypes), data, status);
}
