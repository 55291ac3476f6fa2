/* SPDX-License-Identifier: BSD-3-Clause */
#include "io/access.h"

#include <errno.h>

#include "io/fault.h"

/* Both walks of t. */
static void access_walk(struct file_access *a, struct file_transfer *t)
{
    if (type_iter_span(&t->memory, &a->data, TYPE_DATA) != MPI_SUCCESS)
        t->error = ENOMEM;
    else if (t->left > 0 && !file_layout_walk(&a->file->layout, &t->place, a->pos, t->left))
        t->left = 0; /* nothing to be read: file_access_check */
}

static struct file_transfer access_transfer(const struct file_access *a)
{
    ep_file f = a->file;
    bool writes = a->writes;
    return (struct file_transfer){
        .file = f->file,
        .writes = writes,
        .sieves = writes ? f->file->sieves && f->hints.sieve_write != FILE_DISABLE
                         : f->hints.sieve_read != FILE_DISABLE,
        .locks = writes && f->file->sieves && !f->atomic,
        .room = writes ? f->hints.write_buffer : f->hints.read_buffer,
        .left = span_bytes(&a->data),
        .kept = &f->buffer,
    };
}

void file_access_run(struct file_access *a)
{
    ep_file f = a->file;
    struct file_transfer t = access_transfer(a);
    struct file_range range;
    access_walk(a, &t);
    bool locks = f->atomic && t.left > 0 && !t.error;
    if (locks) {
        file_layout_bounds(&f->layout, a->pos, t.left, &range.from, &range.to);
        t.error = file_range_lock(&f->file->ranges, f->file->fd, &range, a->writes);
        locks = !t.error;
    }
    if (!t.error)
        file_transfer_run(&t);
    if (locks)
        file_range_unlock(&f->file->ranges, f->file->fd, &range);
    a->moved = t.moved;
    a->error = t.error;
}

int file_access_tell(struct where w, const struct file_access *a, ep_status *status)
{
    if (status)
        *status = (ep_status){MPI_ANY_SOURCE, MPI_ANY_TAG, status->MPI_ERROR, false, (MPI_Count)a->moved};
    if (likely(!a->error))
        return MPI_SUCCESS;
    return file_raise(w, a->error, a->file->file->name, a->writes ? "written" : "read");
}

int file_access_check(struct where w, ep_file file, bool writes, int64_t offset, const struct span *data)
{
    const struct file_layout *l = &file->layout;
    size_t n = span_bytes(data);
    if (unlikely(!file_layout_reaches(l, offset, n)))
        return raise_error(w, MPI_ERR_ARG,
                           "%zu bytes from etype %lld of the view on are beyond the end of any file", n,
                           (long long)offset);
    if (unlikely(writes && n > 0 && l->map->bytes == 0))
        return raise_error(w, MPI_ERR_ARG, "the view has no data, so %zu bytes have no place", n);
    return MPI_SUCCESS;
}

int file_access_at(struct where w, ep_file file, bool writes, int64_t offset, const struct span *data,
                   ep_status *status)
{
    int rc = file_access_check(w, file, writes, offset, data);
    if (unlikely(rc))
        return rc;
    struct file_access a = {file, writes, file_bytes_at(file, offset), *data, 0, 0};
    file_access_run(&a);
    return file_access_tell(w, &a, status);
}

int file_access_next(struct where w, ep_file file, bool writes, const struct span *data, ep_status *status)
{
    int64_t etypes = (int64_t)(span_bytes(data) / file->layout.etype->size);
    return file_access_at(w, file, writes, add_relaxed(&file->position, etypes), data, status);
}
