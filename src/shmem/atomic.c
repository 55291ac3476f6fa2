/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Atomic memory operations (OpenSHMEM 1.5, 9.8). Whoever reaches the memory does one atomic instruction. Far ones are carried out in
 * the target's process by the windows' code, which for one element of 4 or 8 bytes is the same instruction (docs/rma.md,
 * Accumulates); so near and far ones are atomic with each other.
 */
#include "shmem/amo.h"
#include "shmem/pe.h"

/* ---- by windows ---- */

static MPI_Op amo_mpi_op(enum shmem_amo op)
{
    switch (op) {
    case SHMEM_FETCH:
        return MPI_NO_OP;
    case SHMEM_ADD:
        return MPI_SUM;
    case SHMEM_AND:
        return MPI_BAND;
    case SHMEM_OR:
        return MPI_BOR;
    case SHMEM_XOR:
        return MPI_BXOR;
    default:
        return MPI_REPLACE;
    }
}

/* old: where what was there goes, by the next flush; NULL: nobody wants it. w and cond may go: they are in the message when the call
 * returns (docs/rma.md: accumulates are never native). */
static void amo_far(struct shmem_pe *pe, const struct shmem_place *at, enum shmem_amo op, size_t width, const union word *w,
                    const union word *cond, void *old)
{
    MPI_Datatype type = width == 4 ? MPI_UINT32_T : MPI_UINT64_T;
    if (op == SHMEM_CSWAP)
        ep_compare_and_swap(w, cond, old, type, at->pe, at->offset, at->window);
    else if (old)
        ep_fetch_and_op(w, old, type, at->pe, at->offset, amo_mpi_op(op), at->window);
    else
        ep_accumulate(w, 1, type, at->pe, at->offset, 1, type, amo_mpi_op(op), at->window);
    add_relaxed(&pe->begun, 1);
}

/* ---- the calls ---- */

static const char *amo_argument(enum shmem_amo op)
{
    return op == SHMEM_FETCH ? "source" : "dest";
}

static bool amo_is_aligned(struct shmem_pe *pe, enum shmem_amo op, const void *target, size_t width, const char *call)
{
    if (likely((uintptr_t)target % width == 0))
        return true;
    pe_error(pe, call, MPI_ERR_ARG, "argument %s is %p, which is no address of an object of %zu bytes", amo_argument(op), target,
             width);
    return false;
}

static bool amo_find(struct shmem_pe *pe, shmem_ctx_t ctx, enum shmem_amo op, const void *target, size_t width, int member,
                     const char *call, struct shmem_place *at)
{
    return pe && amo_is_aligned(pe, op, target, width, call) &&
           place_find(pe, ctx, target, width, member, amo_argument(op), call, at);
}

uint64_t ep_shmem_atomic(shmem_ctx_t ctx, enum shmem_amo op, void *target, uint64_t value, uint64_t cond, size_t width, int member,
                         const char *call)
{
    struct shmem_pe *pe = pe_here(call);
    union word w = amo_word(value, width), was = amo_word(cond, width), old = {.w8 = 0};
    struct shmem_place at;
    if (!amo_find(pe, ctx, op, target, width, member, call, &at))
        return 0;
    if (likely(at.direct)) {
        old = amo_here(op, width, at.direct, w, was);
        if (op == SHMEM_FETCH || op == SHMEM_CSWAP)
            ep_shmem_looked();
        return amo_value(old, width);
    }
    amo_far(pe, &at, op, width, &w, &was, op == SHMEM_SET ? NULL : &old);
    if (op != SHMEM_SET)
        ep_win_flush(at.pe, at.window);
    return amo_value(old, width);
}

void ep_shmem_atomic_nbi(shmem_ctx_t ctx, enum shmem_amo op, void *result, void *target, uint64_t value, uint64_t cond,
                         size_t width, int member, const char *call)
{
    struct shmem_pe *pe = pe_here(call);
    union word w = amo_word(value, width), was = amo_word(cond, width);
    struct shmem_place at;
    if (!amo_find(pe, ctx, op, target, width, member, call, &at))
        return;
    if (unlikely(!at.direct)) {
        amo_far(pe, &at, op, width, &w, &was, result);
        return;
    }
    w = amo_here(op, width, at.direct, w, was);
    move_bytes(result, &w, width);
}
