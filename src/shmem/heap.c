/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The calls of the symmetric heap. Each has one reduction, which is its barrier, too: it compares what the PEs ask for, and
 * tells all of them whether one cannot. So the books (heap_block.h) of all PEs go on being the same, also after an error.
 *
 *   malloc, calloc   take a block, (zero it,) agree; release it if they do not
 *   free             agree; release the block
 *   realloc          agree; have the block in its place, or take one, copy, barrier, release the old one
 */
#include <stdlib.h>
#include <string.h>

#include "shmem/heap_block.h"
#include "shmem/pe.h"

/* Of offsets and of addresses in every mapping (map.c). */
_Static_assert((size_t)HEAP_ALIGN_MOST == (size_t)SEGMENT_ALIGN,
               "heaps begin at a multiple of the greatest alignment");

enum heap_kind { HEAP_MALLOC = 1, HEAP_CALLOC, HEAP_REALLOC, HEAP_FREE };
static const char *const kind_names[] = {
    [HEAP_MALLOC] = "shmem_malloc or shmem_align",
    [HEAP_CALLOC] = "shmem_calloc",
    [HEAP_REALLOC] = "shmem_realloc",
    [HEAP_FREE] = "shmem_free",
};

/* Can this PE do it? The worst of all counts. */
enum heap_state { HEAP_GOOD, HEAP_NO_BOOKS, HEAP_WRONG };

struct heap_call {
    const char *name;
    enum heap_kind kind;
    enum heap_state state;
    size_t bytes;
    size_t place; /* alignment of what is new, offset of a block that there is */
};

/* What is reduced, by MPI_MAX: the smallest values come as the largest of the negative ones. */
enum { WORD_STATE, WORD_KIND, WORD_BYTES = 3, WORD_PLACE = 5, WORDS = 7 };

static int64_t heap_word(size_t n)
{
    return n < INT64_MAX ? (int64_t)n : INT64_MAX;
}

/* After a disagreement: the first PE that has each of the extremes. */
static int heap_who(struct shmem_pe *pe, const int64_t mine[WORDS], const int64_t all[WORDS],
                    int64_t who[WORDS])
{
    int64_t me[WORDS];
    for (int i = 0; i < WORDS; i++)
        me[i] = mine[i] == all[i] ? pe->reach.me : INT64_MAX;
    return ep_allreduce(me, who, WORDS, MPI_INT64_T, MPI_MIN, pe->comm);
}

/* An error if PEs call different functions, or with different arguments. */
static int heap_compare(struct shmem_pe *pe, const struct heap_call *c, const int64_t all[WORDS],
                        const int64_t who[WORDS])
{
    int word = WORD_KIND;
    while (word < WORDS && all[word] == -all[word + 1])
        word += 2;
    if (word == WORDS)
        return 0;
    int64_t least = -all[word + 1], most = all[word];
    int low = (int)who[word + 1], high = (int)who[word];
    if (word == WORD_KIND)
        return pe_error(pe, c->name, MPI_ERR_OTHER,
                        "mismatched: PE %d is in %s, PE %d in %s; all PEs call the functions of the "
                        "symmetric heap in one order",
                        low, kind_names[least], high, kind_names[most]);
    if (word == WORD_BYTES)
        return pe_error(pe, c->name, MPI_ERR_ARG,
                        "mismatched sizes: %lld bytes in PE %d, %lld bytes in PE %d", (long long)least, low,
                        (long long)most, high);
    if (c->kind == HEAP_MALLOC || c->kind == HEAP_CALLOC)
        return pe_error(pe, c->name, MPI_ERR_ARG, "mismatched alignments: %lld in PE %d, %lld in PE %d",
                        (long long)least, low, (long long)most, high);
    return pe_error(
        pe, c->name, MPI_ERR_ARG,
        "mismatched blocks: PE %d gives the one at offset %lld of the heap, PE %d the one at %lld", low,
        (long long)least, high, (long long)most);
}

/* All PEs are in this call, and what they have put is complete. 0: they all make it, and can. The error of an argument
 * that is wrong in this PE is the caller's to raise. */
static int heap_agree(struct shmem_pe *pe, const struct heap_call *c)
{
    int64_t bytes = heap_word(c->bytes), place = heap_word(c->place), all[WORDS], who[WORDS];
    const int64_t mine[WORDS] = {c->state, c->kind, -(int64_t)c->kind, bytes, -bytes, place, -place};
    pe_quiet(pe);
    int rc = ep_allreduce(mine, all, WORDS, MPI_INT64_T, MPI_MAX, pe->comm);
    if (rc)
        return rc;
    bool same = all[1] == -all[2] && all[3] == -all[4] && all[5] == -all[6];
    if (likely(same && all[WORD_STATE] == HEAP_GOOD))
        return 0;
    if (same && all[WORD_STATE] == HEAP_NO_BOOKS)
        return MPI_ERR_NO_MEM;
    rc = heap_who(pe, mine, all, who);
    if (rc || c->state == HEAP_WRONG)
        return rc ? rc : MPI_ERR_ARG;
    if (all[WORD_STATE] == HEAP_WRONG)
        return pe_error(pe, c->name, MPI_ERR_ARG, "an argument is wrong in PE %d", (int)who[WORD_STATE]);
    return heap_compare(pe, c, all, who);
}

/* ---- new blocks ---- */

/* A program may go on without the memory, which it learns by NULL; where accesses are checked an error says why. */
static void heap_exhausted(struct shmem_pe *pe, const struct heap_call *c)
{
    if (!pe->checks)
        return;
    if (c->bytes > pe->reach.heap_bytes)
        pe_error(pe, c->name, MPI_ERR_NO_MEM,
                 "%zu bytes asked for, which is more than the symmetric heap has: %zu bytes "
                 "(SHMEM_SYMMETRIC_SIZE)",
                 c->bytes, pe->reach.heap_bytes);
    else
        pe_error(pe, c->name, MPI_ERR_NO_MEM,
                 "the symmetric heap is exhausted: %zu bytes asked for, the largest free space has %zu "
                 "of its %zu bytes (SHMEM_SYMMETRIC_SIZE)",
                 c->bytes, heap_largest(pe->heap), pe->reach.heap_bytes);
}

static void heap_no_books(struct shmem_pe *pe, const struct heap_call *c)
{
    if (pe->checks)
        pe_error(pe, c->name, MPI_ERR_NO_MEM, "a PE has no memory for the books of the symmetric heap");
}

static void heap_bad_align(struct shmem_pe *pe, const struct heap_call *c)
{
    pe_error(pe, c->name, MPI_ERR_ARG, "alignment %zu: it must be a power of two, and at most %d", c->place,
             (int)HEAP_ALIGN_MOST);
}

static void *heap_new(struct shmem_pe *pe, struct heap_call *c)
{
    size_t offset = HEAP_NOWHERE;
    if ((c->place & (c->place - 1)) != 0 || c->place > HEAP_ALIGN_MOST)
        c->state = HEAP_WRONG;
    else if (!heap_reserve(pe->heap))
        c->state = HEAP_NO_BOOKS;
    else
        offset = heap_take(pe->heap, c->bytes, c->place);
    char *block = offset == HEAP_NOWHERE ? NULL : pe->reach.heap + offset;
    if (block && c->kind == HEAP_CALLOC)
        memset(block, 0, c->bytes);
    int rc = heap_agree(pe, c);
    if (rc && block)
        heap_release(pe->heap, offset);
    if (rc && c->state == HEAP_WRONG)
        heap_bad_align(pe, c);
    else if (rc == MPI_ERR_NO_MEM)
        heap_no_books(pe, c);
    else if (!rc && !block)
        heap_exhausted(pe, c);
    return rc ? NULL : block;
}

void *ep_shmem_malloc(size_t bytes, size_t align, long hints, int bits, const char *call)
{
    (void)hints; /* every block is as near to all PEs as it can be */
    struct shmem_pe *pe = pe_here(call);
    if (!pe || bytes == 0)
        return NULL;
    enum heap_kind kind = bits & SHMEM_ALLOC_ZERO ? HEAP_CALLOC : HEAP_MALLOC;
    struct heap_call c = {.name = call, .kind = kind, .bytes = bytes, .place = align};
    return heap_new(pe, &c);
}

void *ep_shmem_calloc(size_t count, size_t size, const char *call)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes))
        bytes = SIZE_MAX; /* which no heap has */
    return ep_shmem_malloc(bytes, 0, 0, SHMEM_ALLOC_ZERO, call);
}

/* ---- blocks that there are ---- */

/* c's block is the one that begins at ptr. */
static void heap_name_block(struct shmem_pe *pe, struct heap_call *c, const void *ptr)
{
    size_t offset = (size_t)((const char *)ptr - pe->reach.heap);
    if (offset < pe->reach.heap_bytes && heap_at(pe->heap, offset).begin == offset)
        c->place = offset;
    else
        c->state = HEAP_WRONG;
}

/* Why it is none. */
static void heap_bad_block(struct shmem_pe *pe, const struct heap_call *c, const void *ptr)
{
    const struct shmem_reach *r = &pe->reach;
    size_t offset = (size_t)((const char *)ptr - r->heap);
    if ((size_t)((const char *)ptr - r->data) < r->data_bytes) {
        pe_error(pe, c->name, MPI_ERR_ARG,
                 "ptr is a static or global variable, no block of the symmetric heap");
        return;
    }
    if (offset >= r->heap_bytes) {
        pe_error(pe, c->name, MPI_ERR_ARG, "ptr is not in the symmetric heap of this PE");
        return;
    }
    struct heap_place p = heap_at(pe->heap, offset);
    if (p.begin == HEAP_NOWHERE)
        pe_error(pe, c->name, MPI_ERR_ARG,
                 "ptr is at offset %zu of the symmetric heap, where no block is: freed before, or never "
                 "allocated",
                 offset);
    else
        pe_error(pe, c->name, MPI_ERR_ARG, "ptr is %zu bytes behind the beginning of a block of %zu bytes",
                 offset - p.begin, p.asked);
}

void ep_shmem_free(void *ptr, const char *call)
{
    struct shmem_pe *pe = pe_here(call);
    if (!pe || !ptr)
        return;
    struct heap_call c = {.name = call, .kind = HEAP_FREE};
    heap_name_block(pe, &c, ptr);
    int rc = heap_agree(pe, &c);
    if (!rc)
        heap_release(pe->heap, c.place);
    else if (c.state == HEAP_WRONG)
        heap_bad_block(pe, &c, ptr);
}

/* The PEs have agreed, so all of them come to the same end. */
static void *heap_grow(struct shmem_pe *pe, const struct heap_call *c, void *ptr)
{
    struct heap *h = pe->heap;
    if (heap_resize(h, c->place, c->bytes))
        return ptr;
    size_t offset = heap_take(h, c->bytes, 0);
    if (offset == HEAP_NOWHERE) {
        heap_exhausted(pe, c);
        return NULL;
    }
    char *block = pe->reach.heap + offset;
    size_t had = heap_at(h, c->place).asked;
    memcpy(block, ptr, had < c->bytes ? had : c->bytes);
    heap_release(h, c->place);
    return ep_barrier(pe->comm) ? NULL : block;
}

void *ep_shmem_realloc(void *ptr, size_t bytes, const char *call)
{
    struct shmem_pe *pe = pe_here(call);
    if (!pe)
        return NULL;
    if (ptr && bytes == 0) {
        ep_shmem_free(ptr, call);
        return NULL;
    }
    if (!ptr)
        return ep_shmem_malloc(bytes, 0, 0, 0, call);
    struct heap_call c = {.name = call, .kind = HEAP_REALLOC, .bytes = bytes};
    heap_name_block(pe, &c, ptr);
    if (c.state == HEAP_GOOD && !heap_reserve(pe->heap))
        c.state = HEAP_NO_BOOKS;
    int rc = heap_agree(pe, &c);
    if (!rc)
        return heap_grow(pe, &c, ptr);
    if (c.state == HEAP_WRONG)
        heap_bad_block(pe, &c, ptr);
    else if (rc == MPI_ERR_NO_MEM)
        heap_no_books(pe, &c);
    return NULL;
}

/* ---- begin, end ---- */

bool heap_begin(struct shmem_pe *pe)
{
    pe->heap = malloc(sizeof *pe->heap);
    return pe->heap && heap_open(pe->heap, pe->reach.heap_bytes);
}

void heap_end(struct shmem_pe *pe)
{
    if (pe->heap)
        heap_close(pe->heap);
    free(pe->heap);
    pe->heap = NULL;
}

bool heap_has(struct shmem_pe *pe, const void *at, size_t bytes)
{
    size_t offset = (size_t)((const char *)at - pe->reach.heap);
    struct heap_place p = heap_at(pe->heap, offset);
    return p.begin != HEAP_NOWHERE && offset - p.begin <= p.asked && bytes <= p.asked - (offset - p.begin);
}
