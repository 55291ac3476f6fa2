/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * shmem: OpenSHMEM 1.5 without its types. The library libep_shmem has the typed functions, made from a table
 * (src/shmem/binding); they turn types into widths and call these. `call` is the name of the function that the program called,
 * for messages: a string that lasts. An error is raised on the world of the calling PE (its MPI_COMM_WORLD), so that a handler
 * that the program sets there gets it; where it returns, the call has had no effect, and gives 0 or NULL unless said otherwise.
 */
#ifndef EP_SHMEM_SHMEM_H
#define EP_SHMEM_SHMEM_H

#include <ep.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <shmem_types.h>

/* ---- what binding and engine share ---- */

/*
 * A PE, as far as the fast path has to know it. heap, data: this PE's symmetric memory. heap_of, data_of: by PE, where this process
 * reaches the same memory of others by load and store; NULL: it does not. Constant from shmem_init to shmem_finalize; before and after,
 * sizes and npes are 0, so that nothing is found there.
 */
struct shmem_reach {
    char *heap, *data;
    size_t heap_bytes, data_bytes;
    char *const *heap_of, *const *data_of;
    int me, npes;
};

/* The calling thread's PE; NULL until its first call. (In the library's static TLS: dropin/rank.c.) */
extern EP_PUBLIC _Thread_local struct shmem_reach *ep_shmem_here __attribute__((tls_model("initial-exec")));

/* Where `bytes` (> 0) at address `at` of this PE's symmetric memory are on PE pe (of the world). NULL: not by load and store, or an
 * argument is wrong; then the functions below have the rest. */
static inline char *shmem_reach(const struct shmem_reach *r, const void *at, size_t bytes, int pe)
{
    if (__builtin_expect(!r || (unsigned)pe >= (unsigned)r->npes, 0))
        return NULL;
    size_t offset = (size_t)((const char *)at - r->heap);
    if (__builtin_expect(offset < r->heap_bytes && bytes <= r->heap_bytes - offset, 1))
        return r->heap_of[pe] ? r->heap_of[pe] + offset : NULL;
    offset = (size_t)((const char *)at - r->data);
    if (offset < r->data_bytes && bytes <= r->data_bytes - offset)
        return r->data_of[pe] ? r->data_of[pe] + offset : NULL;
    return NULL;
}

/* ---- setup (init.c, query.c) ---- */

/* 0, or not 0 after an error. provided may be NULL. Collective. */
EP_PUBLIC int ep_shmem_init(int requested, int *provided, const char *call);
EP_PUBLIC void ep_shmem_finalize(const char *call);
EP_PUBLIC _Noreturn void ep_shmem_global_exit(int status);
EP_PUBLIC int ep_shmem_my_pe(const char *call); /* -1 after an error */
EP_PUBLIC int ep_shmem_n_pes(const char *call);
EP_PUBLIC void ep_shmem_query_thread(int *provided, const char *call);
EP_PUBLIC int ep_shmem_pe_accessible(int pe, const char *call);
EP_PUBLIC int ep_shmem_addr_accessible(const void *address, int pe, const char *call);
EP_PUBLIC void *ep_shmem_ptr(const void *address, int pe, const char *call);

/* ---- symmetric heap (heap.c): collective but for the order of threads ---- */

enum shmem_alloc { SHMEM_ALLOC_ZERO = 1 }; /* bits */
/* align 0: for any type. Of 0 bytes: NULL, and no synchronisation. */
EP_PUBLIC void *ep_shmem_malloc(size_t bytes, size_t align, long hints, int bits, const char *call);
EP_PUBLIC void *ep_shmem_calloc(size_t count, size_t size, const char *call);
EP_PUBLIC void *ep_shmem_realloc(void *ptr, size_t bytes, const char *call);
EP_PUBLIC void ep_shmem_free(void *ptr, const char *call);

/* ---- memory access (access.c, strided.c). pe: of the context's team ---- */

EP_PUBLIC void ep_shmem_put(shmem_ctx_t ctx, void *dest, const void *source, size_t bytes, int pe, bool nbi, const char *call);
EP_PUBLIC void ep_shmem_get(shmem_ctx_t ctx, void *dest, const void *source, size_t bytes, int pe, bool nbi, const char *call);
/* Strides in elements of `width` bytes; >= 1. */
EP_PUBLIC void ep_shmem_iput(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems,
                             size_t width, int pe, const char *call);
EP_PUBLIC void ep_shmem_iget(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems,
                             size_t width, int pe, const char *call);
EP_PUBLIC void ep_shmem_put_signal(shmem_ctx_t ctx, void *dest, const void *source, size_t bytes, uint64_t *sig, uint64_t signal,
                                   int sig_op, int pe, bool nbi, const char *call);
EP_PUBLIC uint64_t ep_shmem_signal_fetch(const uint64_t *sig, const char *call);

/* ---- atomic memory operations (atomic.c) ---- */

enum shmem_amo { SHMEM_FETCH, SHMEM_SET, SHMEM_SWAP, SHMEM_CSWAP, SHMEM_ADD, SHMEM_AND, SHMEM_OR, SHMEM_XOR };
/* The old value, which SET does not give. width: 4 or 8; values are the low bytes' bits. cond: of CSWAP. */
EP_PUBLIC uint64_t ep_shmem_atomic(shmem_ctx_t ctx, enum shmem_amo op, void *target, uint64_t value, uint64_t cond, size_t width,
                                   int pe, const char *call);
/* The old value goes to *result (width bytes), at the latest at the next quiet. */
EP_PUBLIC void ep_shmem_atomic_nbi(shmem_ctx_t ctx, enum shmem_amo op, void *result, void *target, uint64_t value, uint64_t cond,
                                   size_t width, int pe, const char *call);

/* A fetch, also of a signal, or a compare-and-swap that changed nothing: programs repeat them until another PE, which may need this
 * core, has come. */
EP_PUBLIC void ep_shmem_looked(void);

/* ---- order (order.c) ---- */

EP_PUBLIC void ep_shmem_fence(shmem_ctx_t ctx, const char *call);
EP_PUBLIC void ep_shmem_quiet(shmem_ctx_t ctx, const char *call);
EP_PUBLIC void ep_shmem_pe_quiet(shmem_ctx_t ctx, const int *pes, size_t npes, const char *call);

/* ---- waiting (wait.c): for words of this PE's symmetric memory ---- */

enum shmem_word { SHMEM_I16, SHMEM_U16, SHMEM_I32, SHMEM_U32, SHMEM_I64, SHMEM_U64 };
/* Blocks until *ivar cmp value (SHMEM_CMP_...); gives the value that it saw then. */
EP_PUBLIC uint64_t ep_shmem_wait(const volatile void *ivar, enum shmem_word word, int cmp, uint64_t value, const char *call);
EP_PUBLIC int ep_shmem_test(const volatile void *ivar, enum shmem_word word, int cmp, uint64_t value, const char *call);

enum shmem_which { SHMEM_WHICH_ALL, SHMEM_WHICH_ANY, SHMEM_WHICH_SOME };
struct shmem_words {
    const volatile void *ivars;
    enum shmem_word word;
    size_t n;
    const int *status; /* NULL, or not 0 where a word does not count */
    int cmp;
    const void *values; /* one, or n of them */
    bool vector;
};
/* ALL: waits for all, gives 0; a test gives 1 or 0. ANY: gives the index; SIZE_MAX: nothing is to be waited for, or, in a
 * test, nothing holds. SOME: gives how many hold, and their indices. */
EP_PUBLIC size_t ep_shmem_wait_many(const struct shmem_words *w, enum shmem_which which, size_t *indices, bool test,
                                    const char *call);

/* ---- contexts and teams (context.c, team.c) ---- */

EP_PUBLIC int ep_shmem_ctx_create(shmem_team_t team, long options, shmem_ctx_t *ctx, const char *call); /* not 0: it has none */
EP_PUBLIC void ep_shmem_ctx_destroy(shmem_ctx_t ctx, const char *call);
EP_PUBLIC int ep_shmem_ctx_get_team(shmem_ctx_t ctx, shmem_team_t *team, const char *call);

EP_PUBLIC int ep_shmem_team_my_pe(shmem_team_t team, const char *call); /* -1: SHMEM_TEAM_INVALID */
EP_PUBLIC int ep_shmem_team_n_pes(shmem_team_t team, const char *call);
EP_PUBLIC int ep_shmem_team_get_config(shmem_team_t team, long mask, shmem_team_config_t *config, const char *call);
EP_PUBLIC int ep_shmem_team_translate_pe(shmem_team_t source, int pe, shmem_team_t dest, const char *call);
EP_PUBLIC int ep_shmem_team_split_strided(shmem_team_t parent, int start, int stride, int size,
                                          const shmem_team_config_t *config, long mask, shmem_team_t *team, const char *call);
EP_PUBLIC int ep_shmem_team_split_2d(shmem_team_t parent, int xrange, const shmem_team_config_t *xconfig, long xmask,
                                     shmem_team_t *xteam, const shmem_team_config_t *yconfig, long ymask, shmem_team_t *yteam,
                                     const char *call);
EP_PUBLIC void ep_shmem_team_destroy(shmem_team_t team, const char *call);
/* The team of an active set, made at its first use and kept; its members call this. SHMEM_TEAM_INVALID after an error. */
EP_PUBLIC shmem_team_t ep_shmem_active_set(int start, int log_stride, int size, const char *call);

/* ---- collectives (coll.c): 0, or not 0 after an error; all are complete at this PE when they return ---- */

/* complete: all memory updates of this PE are, first (shmem_barrier), which a sync leaves out. */
EP_PUBLIC int ep_shmem_sync(shmem_team_t team, bool complete, const char *call);
/* at_root: the root's dest gets them, too. */
EP_PUBLIC int ep_shmem_broadcast(shmem_team_t team, void *dest, const void *source, size_t bytes, int root, bool at_root,
                                 const char *call);
/* bytes may differ between PEs. */
EP_PUBLIC int ep_shmem_collect(shmem_team_t team, void *dest, const void *source, size_t bytes, const char *call);
EP_PUBLIC int ep_shmem_fcollect(shmem_team_t team, void *dest, const void *source, size_t bytes, const char *call);
/* bytes: for each PE. */
EP_PUBLIC int ep_shmem_alltoall(shmem_team_t team, void *dest, const void *source, size_t bytes, const char *call);
EP_PUBLIC int ep_shmem_alltoalls(shmem_team_t team, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems,
                                 size_t width, const char *call);
enum shmem_reduce { SHMEM_REDUCE_AND, SHMEM_REDUCE_OR, SHMEM_REDUCE_XOR, SHMEM_REDUCE_MIN, SHMEM_REDUCE_MAX, SHMEM_REDUCE_SUM,
                    SHMEM_REDUCE_PROD };
/* type: of MPI, one that has the operation there or is a complex one. dest may be source. */
EP_PUBLIC int ep_shmem_reduce(shmem_team_t team, void *dest, const void *source, size_t nreduce, MPI_Datatype type,
                              enum shmem_reduce op, const char *call);

/* ---- locks (lock.c) ---- */

EP_PUBLIC void ep_shmem_set_lock(long *lock, const char *call);
EP_PUBLIC void ep_shmem_clear_lock(long *lock, const char *call);
EP_PUBLIC int ep_shmem_test_lock(long *lock, const char *call); /* 0: it is this PE's now */

#endif
