/* SPDX-License-Identifier: BSD-3-Clause */
#include "rma/atomic.h"

#include "rma/atomic_shape.h"
#include "rma/atomic_word.h"

struct stripes process_stripes;

/* The processor does it at once. As elements lie one behind the other, the first tells for all. */
static bool is_word(const struct shape *s, const char *at)
{
    size_t bytes = s->size;
    return !s->gaps && bytes <= 8 && (bytes & (bytes - 1)) == 0 && ((uintptr_t)at & (bytes - 1)) == 0;
}

/* ---- free of locks ---- */

/* What the processor has no instruction for: try until nobody came between. */
static inline union word word_combine(const struct shape *s, enum operator op, size_t bytes, char *at,
                                      union word operand)
{
    union word seen = word_load(bytes, at), next;
    do {
        next = seen;
        shape_combine(s, op, next.bytes, operand.bytes);
        chaos_point();
    } while (!word_cas(bytes, at, &seen, next));
    return seen;
}

static inline union word word_do(const struct shape *s, enum operator op, size_t bytes, char *at,
                                 union word operand)
{
    switch (op) {
    case OPERATOR_NO_OP:
        return word_load(bytes, at);
    case OPERATOR_REPLACE:
        return word_swap(bytes, at, operand);
    case OPERATOR_BAND:
        return word_and(bytes, at, operand);
    case OPERATOR_BOR:
        return word_or(bytes, at, operand);
    case OPERATOR_BXOR:
        return word_xor(bytes, at, operand);
    case OPERATOR_SUM:
        return s->parts == 1 && part_is_integer(&s->part[0]) ? word_add(bytes, at, operand)
                                                             : word_combine(s, op, bytes, at, operand);
    default:
        return word_combine(s, op, bytes, at, operand);
    }
}

/* Inlined once for each number of bytes. */
static inline __attribute__((always_inline)) void words_do(const struct shape *s, enum operator op,
                                                           size_t bytes, char *at, const char *operand,
                                                           char *old, size_t count)
{
    for (size_t i = 0; i < count * bytes; i += bytes) {
        union word w = {.w8 = 0};
        if (op != OPERATOR_NO_OP)
            memcpy(w.bytes, operand + i, bytes);
        w = word_do(s, op, bytes, at + i, w);
        if (old)
            memcpy(old + i, w.bytes, bytes);
    }
}

/* ---- striped ---- */

static struct lock *stripe_of(const struct arena *where, const char *at)
{
    size_t distance = (size_t)((uintptr_t)at - (uintptr_t)where->origin);
    return &where->stripes->stripe[distance / 16 % STRIPES].lock;
}

static void striped_do(const struct shape *s, enum operator op, char *at, const char *operand, char *old)
{
    if (old)
        shape_copy(s, old, at);
    chaos_point();
    if (op == OPERATOR_REPLACE)
        shape_copy(s, at, operand);
    else if (op != OPERATOR_NO_OP)
        shape_combine(s, op, at, operand);
}

/* ---- */

void atom_apply(const struct atom *a, const struct arena *where, char *at, const char *operand, char *old,
                size_t count)
{
    const struct shape *s = item_shape_of(a->type);
    size_t bytes = s->size;
    if (!is_word(s, at)) {
        for (size_t i = 0; i < count * bytes; i += bytes) {
            struct lock *stripe = stripe_of(where, at + i);
            lock_acquire(stripe);
            striped_do(s, a->op, at + i, operand ? operand + i : NULL, old ? old + i : NULL);
            lock_release(stripe);
        }
    } else if (bytes == 8) {
        words_do(s, a->op, 8, at, operand, old, count);
    } else if (bytes == 4) {
        words_do(s, a->op, 4, at, operand, old, count);
    } else if (bytes == 2) {
        words_do(s, a->op, 2, at, operand, old, count);
    } else {
        words_do(s, a->op, 1, at, operand, old, count);
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

void atom_swap(const struct atom *a, const struct arena *where, char *at, const char *compare,
               const char *desired, char *old)
{
    const struct shape *s = item_shape_of(a->type);
    if (is_word(s, at)) {
        if (s->size == 8)
            word_exchange(8, at, compare, desired, old);
        else if (s->size == 4)
            word_exchange(4, at, compare, desired, old);
        else if (s->size == 2)
            word_exchange(2, at, compare, desired, old);
        else
            word_exchange(1, at, compare, desired, old);
        return;
    }
    struct lock *stripe = stripe_of(where, at);
    lock_acquire(stripe);
    memcpy(old, at, s->size);
    chaos_point();
    if (memcmp(old, compare, s->size) == 0)
        memcpy(at, desired, s->size);
    lock_release(stripe);
}
