/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Order and completion (OpenSHMEM 1.5, 9.10, 9.6). What is reached by load and store is complete when its call returns, so a fence
 * is one of the processor's, and quiet is the one that also keeps later loads behind earlier stores. Operations of windows are
 * flushed by both: puts that MPI carries out are in no order. One flush is for all contexts.
 */
#include "shmem/pe.h"

void pe_quiet(struct shmem_pe *pe)
{
    uint64_t begun = load_relaxed(&pe->begun);
    if (unlikely(begun != load_acquire(&pe->flushed))) {
        if (pe->heap_window)
            ep_win_flush_all(pe->heap_window);
        if (pe->data_window)
            ep_win_flush_all(pe->data_window);
        store_release(&pe->flushed, begun); /* perhaps fewer than another thread has just said: then one flushes again */
    }
    atomic_thread_fence(memory_order_seq_cst);
}

/* SHMEM_CTX_INVALID: nothing is to be done, which is no error (9.11.1, 9.11.2). */
static bool order_may(struct shmem_pe *pe, shmem_ctx_t ctx, const char *call)
{
    return pe && ctx != SHMEM_CTX_INVALID && (ctx == SHMEM_CTX_DEFAULT || context_team(pe, ctx, call) != SHMEM_TEAM_INVALID);
}

void ep_shmem_fence(shmem_ctx_t ctx, const char *call)
{
    struct shmem_pe *pe = pe_here(call);
    if (!order_may(pe, ctx, call))
        return;
    if (likely(pe->direct))
        atomic_thread_fence(memory_order_acq_rel);
    else
        pe_quiet(pe);
}

void ep_shmem_quiet(shmem_ctx_t ctx, const char *call)
{
    struct shmem_pe *pe = pe_here(call);
    if (order_may(pe, ctx, call))
        pe_quiet(pe);
}

/* Operations to other PEs may be completed, too. */
void ep_shmem_pe_quiet(shmem_ctx_t ctx, const int *pes, size_t npes, const char *call)
{
    struct shmem_pe *pe = pe_here(call);
    if (!order_may(pe, ctx, call))
        return;
    shmem_team_t team = context_team(pe, ctx, call);
    for (size_t i = 0; i < npes; i++) {
        if (team_world_pe(pe, team, pes[i], call) < 0)
            return;
    }
    if (npes > 0)
        pe_quiet(pe);
}

/* ---- put with signal ---- */

static bool signal_is_right(struct shmem_pe *pe, const uint64_t *sig, int sig_op, const char *call)
{
    if (likely((sig_op == SHMEM_SIGNAL_SET || sig_op == SHMEM_SIGNAL_ADD) && (uintptr_t)sig % sizeof *sig == 0))
        return true;
    if (sig_op != SHMEM_SIGNAL_SET && sig_op != SHMEM_SIGNAL_ADD)
        pe_error(pe, call, MPI_ERR_ARG, "argument sig_op is %d: neither SHMEM_SIGNAL_SET nor SHMEM_SIGNAL_ADD", sig_op);
    else
        pe_error(pe, call, MPI_ERR_ARG, "argument sig_addr is %p: it is not aligned", (const void *)sig);
    return false;
}

/* What comes before, near or far, is complete at its target or is ordered by the release. */
static void signal_give(char *sig, uint64_t signal, int sig_op)
{
    if (sig_op == SHMEM_SIGNAL_SET)
        __atomic_store_n((uint64_t *)(void *)sig, signal, __ATOMIC_RELEASE);
    else
        __atomic_fetch_add((uint64_t *)(void *)sig, signal, __ATOMIC_RELEASE);
}

/* The signal comes after the data: near ones as a releasing store behind the others; else the data are complete first. */
void ep_shmem_put_signal(shmem_ctx_t ctx, void *dest, const void *source, size_t bytes, uint64_t *sig, uint64_t signal, int sig_op,
                         int member, bool nbi, const char *call)
{
    struct shmem_pe *pe = pe_here(call);
    struct shmem_place to, at;
    if (!pe || !signal_is_right(pe, sig, sig_op, call) || !place_find(pe, ctx, sig, sizeof *sig, member, "sig_addr", call, &at) ||
        (bytes > 0 && !place_find(pe, ctx, dest, bytes, member, "dest", call, &to)))
        return;
    if (bytes > 0 && likely(to.direct)) {
        move_bytes(to.direct, source, bytes);
    } else if (bytes > 0) {
        ep_shmem_put(ctx, dest, source, bytes, member, nbi, call);
        ep_win_flush(to.pe, to.window);
    }
    if (likely(at.direct))
        signal_give(at.direct, signal, sig_op);
    else
        ep_shmem_atomic(ctx, sig_op == SHMEM_SIGNAL_SET ? SHMEM_SET : SHMEM_ADD, sig, signal, 0, sizeof *sig, member, call);
}

uint64_t ep_shmem_signal_fetch(const uint64_t *sig, const char *call)
{
    struct shmem_pe *pe = pe_here(call);
    if (!pe || !pe_is_symmetric(pe, sig, sizeof *sig, "sig_addr", call))
        return 0;
    ep_shmem_looked();
    return __atomic_load_n(sig, __ATOMIC_ACQUIRE);
}
