/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Put and get (OpenSHMEM 1.5, 9.5). Memory that is reached by load and store is copied by the caller, also by the nonblocking
 * forms, which are then complete when they return. The rest goes by windows: a put has left its source when it returns, what is
 * got has come, and nonblocking forms are completed by quiet.
 */
#include "shmem/pe.h"

/* ---- where ---- */

static bool place_in_range(struct shmem_pe *pe, shmem_ctx_t ctx, int member, const char *call, struct shmem_place *place)
{
    place->pe = member;
    if (unlikely(ctx != SHMEM_CTX_DEFAULT)) {
        shmem_team_t team = context_team(pe, ctx, call);
        place->pe = team == SHMEM_TEAM_INVALID ? -1 : team_world_pe(pe, team, member, call);
        return place->pe >= 0;
    }
    if (likely((unsigned)member < (unsigned)pe->reach.npes))
        return true;
    pe_error(pe, call, MPI_ERR_RANK, "argument pe is %d: there are PEs 0 to %d", member, pe->reach.npes - 1);
    return false;
}

static bool range_within(const char *at, size_t bytes, const char *base, size_t size)
{
    size_t offset = (size_t)(at - base);
    return offset < size && bytes <= size - offset;
}

/* In no symmetric memory, or beyond its end. */
static bool place_refuse(struct shmem_pe *pe, const void *at, size_t bytes, const char *argument, const char *call)
{
    const struct shmem_reach *r = &pe->reach;
    const char *from = at;
    size_t offset = (size_t)(from - r->heap);
    if (offset < r->heap_bytes)
        pe_error(pe, call, MPI_ERR_ARG, "argument %s is %p with %zu bytes, of which the symmetric heap has %zu", argument, at,
                 bytes, r->heap_bytes - offset);
    else if ((size_t)(from - r->data) < r->data_bytes)
        pe_error(pe, call, MPI_ERR_ARG, "argument %s is %p with %zu bytes, of which the static variables have %zu", argument, at,
                 bytes, r->data_bytes - (size_t)(from - r->data));
    else
        pe_error(pe, call, MPI_ERR_ARG,
                 "argument %s is %p, which is not symmetric: neither in the heap (%p, %zu bytes) nor a static variable that is "
                 "not const (%p, %zu bytes)",
                 argument, at, (void *)r->heap, r->heap_bytes, (void *)r->data, r->data_bytes);
    return false;
}

static bool place_is_allocated(struct shmem_pe *pe, const void *at, size_t bytes, const char *argument, const char *call)
{
    if (likely(!pe->checks) || !range_within(at, bytes, pe->reach.heap, pe->reach.heap_bytes) || heap_has(pe, at, bytes))
        return true;
    pe_error(pe, call, MPI_ERR_ARG,
             "argument %s is %p with %zu bytes: not in a block that shmem_malloc gave, or in one that is freed", argument, at,
             bytes);
    return false;
}

bool pe_is_symmetric(struct shmem_pe *pe, const void *at, size_t bytes, const char *argument, const char *call)
{
    const struct shmem_reach *r = &pe->reach;
    if (unlikely(!range_within(at, bytes, r->heap, r->heap_bytes) && !range_within(at, bytes, r->data, r->data_bytes)))
        return place_refuse(pe, at, bytes, argument, call);
    return place_is_allocated(pe, at, bytes, argument, call);
}

bool place_find(struct shmem_pe *pe, shmem_ctx_t ctx, const void *at, size_t bytes, int member, const char *argument,
                const char *call, struct shmem_place *place)
{
    const struct shmem_reach *r = &pe->reach;
    if (unlikely(!place_in_range(pe, ctx, member, call, place)))
        return false;
    place->direct = shmem_reach(r, at, bytes, place->pe);
    if (unlikely(!place->direct || pe->checks) && !pe_is_symmetric(pe, at, bytes, argument, call))
        return false;
    bool in_heap = range_within(at, bytes, r->heap, r->heap_bytes);
    place->window = in_heap ? pe->heap_window : pe->data_window;
    place->offset = (const char *)at - (in_heap ? r->heap : r->data);
    return true;
}

/* ---- by windows: pieces whose sizes are int ---- */

enum { ACCESS_PIECE = 1 << 30 };

static void put_far(struct shmem_pe *pe, const struct shmem_place *to, const char *source, size_t bytes)
{
    for (size_t at = 0, n; at < bytes; at += n) {
        n = bytes - at < ACCESS_PIECE ? bytes - at : ACCESS_PIECE;
        ep_put(source + at, (int)n, MPI_BYTE, to->pe, to->offset + (MPI_Aint)at, (int)n, MPI_BYTE, to->window);
    }
    add_relaxed(&pe->begun, 1);
}

static void get_far(struct shmem_pe *pe, char *dest, const struct shmem_place *from, size_t bytes)
{
    for (size_t at = 0, n; at < bytes; at += n) {
        n = bytes - at < ACCESS_PIECE ? bytes - at : ACCESS_PIECE;
        ep_get(dest + at, (int)n, MPI_BYTE, from->pe, from->offset + (MPI_Aint)at, (int)n, MPI_BYTE, from->window);
    }
    add_relaxed(&pe->begun, 1);
}

/* ---- the calls ---- */

void ep_shmem_put(shmem_ctx_t ctx, void *dest, const void *source, size_t bytes, int member, bool nbi, const char *call)
{
    struct shmem_pe *pe = pe_here(call);
    struct shmem_place to;
    if (!pe || bytes == 0 || !place_find(pe, ctx, dest, bytes, member, "dest", call, &to))
        return;
    if (likely(to.direct)) {
        move_bytes(to.direct, source, bytes);
        return;
    }
    put_far(pe, &to, source, bytes);
    if (!nbi)
        ep_win_flush_local(to.pe, to.window);
}

void ep_shmem_get(shmem_ctx_t ctx, void *dest, const void *source, size_t bytes, int member, bool nbi, const char *call)
{
    struct shmem_pe *pe = pe_here(call);
    struct shmem_place from;
    if (!pe || bytes == 0 || !place_find(pe, ctx, source, bytes, member, "source", call, &from))
        return;
    if (likely(from.direct)) {
        move_bytes(dest, from.direct, bytes);
        return;
    }
    get_far(pe, dest, &from, bytes);
    if (!nbi)
        ep_win_flush_local(from.pe, from.window);
}
