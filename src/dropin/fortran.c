/* SPDX-License-Identifier: BSD-3-Clause */
/* What of the Fortran bindings (src/fortran) is common to the images of a rank. */
#include "api/api.h"
#include "dropin/rank.h"

_Static_assert(EP_HANDLE_FIRST == HANDLE_FIRST, "images know where numbers begin");

int ep_fortran_error(ep_comm comm, const char *call, int error_class, const char *text)
{
    ep_comm view = comm == EP_COMM_NULL ? NULL : view_of(comm);
    return raise_error((struct where){view ? view : thread_world(), call}, error_class, "%s", text);
}

ep_comm ep_fortran_comm_of_win(ep_win win)
{
    return win_is_live(win) ? win->view : EP_COMM_NULL;
}

bool ep_fortran_is_named(MPI_Datatype datatype)
{
    struct type *type = foreign_type_is_sound(datatype) ? type_find(datatype) : NULL;
    return type && type->named;
}

MPI_Fint ep_fortran_comm_coming(ep_comm comm)
{
    return view_number(comm);
}

size_t ep_fortran_size(MPI_Datatype datatype)
{
    struct type *type = foreign_type_is_sound(datatype) ? type_find(datatype) : NULL;
    return type ? type->size : 0;
}

/* ---- blocks ---- */

static struct lock blocks_lock = LOCK_FREE(FORTRAN);
/* Of images that no rank has: programs that make their endpoints themselves. Under blocks_lock. */
static struct ep_fortran_block *of_process;

static struct ep_fortran_block **fortran_blocks(void)
{
    lock_assert_held(&blocks_lock);
    struct mpi_rank *rank = ep_rank_bound();
    return rank ? &rank->fortran : &of_process;
}

void ep_fortran_add(struct ep_fortran_block *block)
{
    uintptr_t first = (uintptr_t)block->begin, end = first + block->bytes;
    lock_acquire(&blocks_lock);
    struct ep_fortran_block **all = fortran_blocks();
    if (*all) {
        uintptr_t first_before = load_relaxed(&(*all)->first), end_before = load_relaxed(&(*all)->end);
        first = first_before < first ? first_before : first;
        end = end_before > end ? end_before : end;
    }
    block->next = *all;
    *all = block;
    for (struct ep_fortran_block *b = block; b; b = b->next) {
        store_relaxed(&b->first, first);
        store_relaxed(&b->end, end);
    }
    lock_release(&blocks_lock);
}

void ep_fortran_remove(struct ep_fortran_block *block)
{
    lock_acquire(&blocks_lock);
    struct ep_fortran_block **at = fortran_blocks();
    while (*at && *at != block)
        at = &(*at)->next;
    if (*at)
        *at = block->next;
    lock_release(&blocks_lock);
}

MPI_Fint *ep_fortran_sentinels(MPI_Fint *own)
{
    if (own)
        return own;
    lock_acquire(&blocks_lock);
    const struct ep_fortran_block *last = *fortran_blocks();
    lock_release(&blocks_lock);
    return last ? (MPI_Fint *)(void *)last->begin : NULL;
}

ptrdiff_t ep_fortran_place(const void *p)
{
    ptrdiff_t place = -1;
    lock_acquire(&blocks_lock);
    for (const struct ep_fortran_block *b = *fortran_blocks(); b && place < 0; b = b->next)
        if ((uintptr_t)p - (uintptr_t)b->begin < b->bytes)
            place = (const char *)p - b->begin;
    lock_release(&blocks_lock);
    return place;
}
