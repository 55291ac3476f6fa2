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

MPI_Fint ep_fortran_request_number(ep_request request)
{
    assert(request);
    MPI_Fint number = load_acquire(&request->fortran);
    return likely(number) ? number : ep_request_c2f(request);
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

/* Of images that no rank has: programs that make their endpoints themselves. */
static struct fortran_blocks of_process = {.lock = LOCK_FREE(FORTRAN)};

static struct fortran_blocks *fortran_blocks(void)
{
    struct mpi_rank *rank = ep_rank_bound();
    return rank ? &rank->fortran : &of_process;
}

void ep_fortran_add(struct ep_fortran_block *block)
{
    struct fortran_blocks *blocks = fortran_blocks();
    uintptr_t first = (uintptr_t)block->begin, end = first + block->bytes;
    lock_acquire(&blocks->lock);
    if (blocks->all) {
        uintptr_t first_before = load_relaxed(&blocks->all->first),
                  end_before = load_relaxed(&blocks->all->end);
        first = first_before < first ? first_before : first;
        end = end_before > end ? end_before : end;
    }
    block->next = blocks->all;
    blocks->all = block;
    for (struct ep_fortran_block *b = block; b; b = b->next) {
        store_relaxed(&b->first, first);
        store_relaxed(&b->end, end);
    }
    lock_release(&blocks->lock);
}

void ep_fortran_remove(struct ep_fortran_block *block)
{
    struct fortran_blocks *blocks = fortran_blocks();
    lock_acquire(&blocks->lock);
    struct ep_fortran_block **at = &blocks->all;
    while (*at && *at != block)
        at = &(*at)->next;
    if (*at)
        *at = block->next;
    lock_release(&blocks->lock);
}

MPI_Fint *ep_fortran_sentinels(MPI_Fint *own)
{
    struct fortran_blocks *blocks = fortran_blocks();
    if (own)
        return own;
    lock_acquire(&blocks->lock);
    const struct ep_fortran_block *last = blocks->all;
    lock_release(&blocks->lock);
    return last ? (MPI_Fint *)(void *)last->begin : NULL;
}

ptrdiff_t ep_fortran_place(const void *p)
{
    struct fortran_blocks *blocks = fortran_blocks();
    ptrdiff_t place = -1;
    lock_acquire(&blocks->lock);
    for (const struct ep_fortran_block *b = blocks->all; b && place < 0; b = b->next)
        if ((uintptr_t)p - (uintptr_t)b->begin < b->bytes)
            place = (const char *)p - b->begin;
    lock_release(&blocks->lock);
    return place;
}
