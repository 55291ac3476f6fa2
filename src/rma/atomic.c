/* SPDX-License-Identifier: BSD-3-Clause */
#include "rma/atomic.h"

#include <string.h>


struct stripes process_stripes;

void stripes_init(struct stripes *s)
{
    for (int i = 0; i < STRIPES; i++)
        lock_init(&s->stripe[i].lock, LOCK_STRIPE);
}

__attribute__((constructor)) static void stripes_start(void)
{
    stripes_init(&process_stripes);
}

/* ---- types and operators ---- */

static inline bool atomic_fill(struct atom *a, const struct arith_type *t, uint16_t code, enum arith_op op,
                               MPI_Op mpi_op)
{
    if (op == ARITH_OPS || !arith_is_defined(t, op))
        return false;
    *a = (struct atom){t, t->kernels[op], code, (uint8_t)op, t->size, t->mpi, mpi_op};
    return true;
}

int atom_find(MPI_Datatype basic, MPI_Op op, struct atom *a)
{
    uint16_t code;
    const struct arith_type *t = arith_type_of(basic, &code);
    if (!t)
        return MPI_ERR_TYPE;
    return atomic_fill(a, t, code, arith_op_of(op), op) ? MPI_SUCCESS : MPI_ERR_OP;
}

bool atom_of_codes(uint16_t type, uint8_t op, struct atom *a)
{
    const struct arith_type *t = arith_type(type);
    return t && op < ARITH_OPS &&
           atomic_fill(a, t, type, (enum arith_op)op, arith_op_handle((enum arith_op)op));
}

bool atom_can_swap(MPI_Datatype basic)
{
    uint16_t code;
    const struct arith_type *t = arith_type_of(basic, &code);
    if (!t)
        return false;
    return t->group == ARITH_C_INTEGER || t->group == ARITH_FORTRAN_INTEGER || t->group == ARITH_LOGICAL ||
           t->group == ARITH_MULTI_LANGUAGE || t->group == ARITH_BYTE;
}

/* The processor does it at once. As elements lie one behind the other, the first tells for all. */
static inline bool atomic_is_word(const struct atom *a, const char *at)
{
    size_t bytes = a->size;
    return !a->of->gaps && bytes <= 8 && (bytes & (bytes - 1)) == 0 && ((uintptr_t)at & (bytes - 1)) == 0;
}

/* ---- elements in buffers ---- */

static bool atomic_has_gaps(const struct arith_type *items)
{
    return items && items->gaps;
}

size_t atom_data(const struct arith_type *items, size_t bytes)
{
    return atomic_has_gaps(items)
               ? bytes / items->size * (size_t)(items->part[0].width + items->part[1].width)
               : bytes;
}

void atom_read(const struct arith_type *items, struct type_iter *from, char *to, size_t bytes)
{
    if (likely(!atomic_has_gaps(items))) {
        type_iter_read(from, to, bytes);
        return;
    }
    memset(to, 0, bytes);
    for (char *end = to + bytes; to < end; to += items->size)
        for (int k = 0; k < items->parts; k++)
            type_iter_read(from, to + items->part[k].offset, items->part[k].width);
}

void atom_write(const struct arith_type *items, struct type_iter *to, const char *from, size_t bytes)
{
    if (likely(!atomic_has_gaps(items))) {
        type_iter_write(to, from, bytes);
        return;
    }
    for (const char *end = from + bytes; from < end; from += items->size)
        for (int k = 0; k < items->parts; k++)
            type_iter_write(to, from + items->part[k].offset, items->part[k].width);
}

/* ---- stripes ---- */

/* second: NULL if one is enough. */
struct atomic_held {
    struct lock *first, *second;
};

static inline uintptr_t atomic_distance(const struct arena *where, const char *at)
{
    return (uintptr_t)at - (uintptr_t)where->origin;
}

/* Memory of different targets often lies at distances that are powers of two: hence the product. */
static inline struct lock *stripe_of(const struct arena *where, uintptr_t cell)
{
    return &where->stripes->stripe[(uint64_t)cell * 0x9e3779b97f4a7c15u >> 56].lock;
}
_Static_assert(STRIPES == 1 << (64 - 56), "stripe_of");

/* Those of [at, at + bytes), which is in two cells at most. */
static inline struct atomic_held atomic_hold(const struct arena *where, const char *at, size_t bytes)
{
    uintptr_t from = atomic_distance(where, at) / CELL, to = (atomic_distance(where, at) + bytes - 1) / CELL;
    struct atomic_held h = {stripe_of(where, from), NULL};
    if (unlikely(to != from)) {
        struct lock *other = stripe_of(where, to);
        h.second = other > h.first ? other : other < h.first ? h.first : NULL;
        h.first = other < h.first ? other : h.first;
    }
    lock_acquire(h.first);
    if (unlikely(h.second))
        lock_acquire(h.second);
    return h;
}

static inline void let_go(struct atomic_held h)
{
    if (unlikely(h.second))
        lock_release(h.second);
    lock_release(h.first);
}

/* ---- one C11 atomic operation for each element ---- */

/* What the processor has no instruction for: try until nobody came between. */
static inline union word word_combine(const struct atom *a, size_t bytes, char *at, union word operand)
{
    union word seen = word_load(bytes, at), next;
    do {
        next = seen;
        a->kernel(operand.bytes, next.bytes, 1);
        chaos_point();
    } while (!word_cas(bytes, at, &seen, next));
    return seen;
}

static inline union word word_do(const struct atom *a, size_t bytes, char *at, union word operand)
{
    switch (a->op) {
    case ARITH_NO_OP:
        return word_load(bytes, at);
    case ARITH_REPLACE:
        return word_swap(bytes, at, operand);
    case ARITH_BAND:
        return word_and(bytes, at, operand);
    case ARITH_BOR:
        return word_or(bytes, at, operand);
    case ARITH_BXOR:
        return word_xor(bytes, at, operand);
    case ARITH_SUM:
        return a->of->parts == 1 && arith_is_integer(&a->of->part[0]) ? word_add(bytes, at, operand)
                                                                      : word_combine(a, bytes, at, operand);
    default:
        return word_combine(a, bytes, at, operand);
    }
}

/* Inlined once for each number of bytes. */
static inline __attribute__((always_inline)) void words_do(const struct atom *a, size_t bytes, char *at,
                                                           const char *operand, char *old, size_t length)
{
    for (size_t i = 0; i < length; i += bytes) {
        union word w = {.w8 = 0};
        if (a->op != ARITH_NO_OP)
            memcpy(w.bytes, operand + i, bytes);
        w = word_do(a, bytes, at + i, w);
        if (old)
            memcpy(old + i, w.bytes, bytes);
    }
}

static inline void any_words_do(const struct atom *a, char *at, const char *operand, char *old, size_t length)
{
    if (a->size == 8)
        words_do(a, 8, at, operand, old, length);
    else if (a->size == 4)
        words_do(a, 4, at, operand, old, length);
    else if (a->size == 2)
        words_do(a, 2, at, operand, old, length);
    else
        words_do(a, 1, at, operand, old, length);
}

/* ---- plain loads and stores ---- */

/* What lies between the parts stays. */
static void atomic_copy(const struct arith_type *t, char *to, const char *from, size_t length)
{
    if (likely(!t->gaps)) {
        move_bytes(to, from, length);
        return;
    }
    for (size_t i = 0; i < length; i += t->size)
        for (int k = 0; k < t->parts; k++)
            memcpy(to + i + t->part[k].offset, from + i + t->part[k].offset, t->part[k].width);
}

static void plain_do(const struct atom *a, char *at, const char *operand, char *old, size_t length)
{
    if (old)
        atomic_copy(a->of, old, at, length);
    chaos_point();
    if (a->op == ARITH_REPLACE)
        atomic_copy(a->of, at, operand, length);
    else if (a->op != ARITH_NO_OP)
        a->kernel(operand, at, length / a->size);
}

/* ---- */

/* Bytes of the next piece of a run. */
static inline size_t atomic_piece(const struct arena *where, const struct atom *a, const char *at,
                                  size_t left)
{
    size_t here = CELL - atomic_distance(where, at) % CELL, whole = (here + a->size - 1) / a->size * a->size;
    return left <= ATOM_WHOLE || left < whole ? left : whole;
}

void atom_apply(const struct atom *a, const struct arena *where, char *at, const char *operand, char *old,
                size_t count)
{
    bool words = atomic_is_word(a, at);
    if (likely(words && count == 1)) {
        struct lock *stripe = stripe_of(where, atomic_distance(where, at) / CELL);
        lock_acquire(stripe);
        any_words_do(a, at, operand, old, a->size);
        lock_release(stripe);
        return;
    }
    words &= where->c11;
    for (size_t left = count * a->size, n; left > 0; left -= n) {
        n = atomic_piece(where, a, at, left);
        struct atomic_held h = atomic_hold(where, at, n);
        if (words)
            any_words_do(a, at, operand, old, n);
        else
            plain_do(a, at, operand, old, n);
        let_go(h);
        at += n;
        operand = operand ? operand + n : NULL;
        old = old ? old + n : NULL;
    }
}

/* Inlined as above: a copy of so many bytes as a variable says is slow, and so is loading what it stored. */
static inline __attribute__((always_inline)) void word_exchange(size_t bytes, char *at, const char *compare,
                                                                const char *desired, char *old)
{
    union word seen = {.w8 = 0}, w = {.w8 = 0};
    memcpy(seen.bytes, compare, bytes);
    memcpy(w.bytes, desired, bytes);
    word_cas(bytes, at, &seen, w);
    memcpy(old, seen.bytes, bytes);
}

static inline void any_word_exchange(const struct atom *a, char *at, const char *compare, const char *desired,
                                     char *old)
{
    if (a->size == 8)
        word_exchange(8, at, compare, desired, old);
    else if (a->size == 4)
        word_exchange(4, at, compare, desired, old);
    else if (a->size == 2)
        word_exchange(2, at, compare, desired, old);
    else
        word_exchange(1, at, compare, desired, old);
}

void atom_swap(const struct atom *a, const struct arena *where, char *at, const char *compare,
               const char *desired, char *old)
{
    if (likely(atomic_is_word(a, at))) {
        struct lock *stripe = stripe_of(where, atomic_distance(where, at) / CELL);
        lock_acquire(stripe);
        any_word_exchange(a, at, compare, desired, old);
        lock_release(stripe);
    } else {
        struct atomic_held h = atomic_hold(where, at, a->size);
        memcpy(old, at, a->size);
        chaos_point();
        if (memcmp(old, compare, a->size) == 0)
            memcpy(at, desired, a->size);
        let_go(h);
    }
}
