/* SPDX-License-Identifier: BSD-3-Clause */
/* Compare and swap (MPI 11.3.4). */
#include <string.h>

#include "rma/transfer.h"

static int swap_message(const struct access_call *a, const struct reach *r, const struct atom *atom,
                        const void *compare)
{
    struct pending_get *w = pending_get_into(a, &a->result, NULL, atom->size, NULL);
    if (!w)
        return no_memory(a);
    struct am_short m = {
        .am = {.head = {.id = AM_SWAP, .op = atom->op, .pair = {[AM_TYPE] = (uint8_t)atom->type}},
               .offset = r->offset}};
    size_t apart = am_swap_apart(atom->size);
    memcpy(apart ? (char *)m.data : m.am.compare, compare, atom->size);
    memcpy(m.data + apart, a->origin.buf, atom->size);
    channel_send_short_surely(a->win, a->target, &m, apart + atom->size, w);
    return MPI_SUCCESS;
}

int rma_compare_and_swap(const struct access_call *a, const void *compare)
{
    struct atom atom;
    struct reach r;
    if (!atom_can_swap(a->remote.mpi) || atom_find(a->remote.mpi, MPI_REPLACE, &atom))
        return raise_error(a->w, MPI_ERR_TYPE,
                           "datatype must be a predefined integer, logical, multi-language or byte type");
    int rc = reach(a, TYPE_ITEMS, &r);
    if (rc != MPI_SUCCESS)
        return rc;
    if (!r.to->direct)
        return swap_message(a, &r, &atom, compare);
    atom_swap(&atom, &a->win->window->arena, r.to->base + r.offset, compare, a->origin.buf, a->result.buf);
    return MPI_SUCCESS;
}
