/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/disjoint.h"

#include <stdlib.h>

/* What a block covers; of a type with gaps only the address counts. */
struct stretch {
    uintptr_t begin, end;
    const struct type *gaps; /* the type with gaps, or NULL */
    bool sent;
};

/* So many need no memory, and qsort needs none for them. */
enum { DISJOINT_FEW = 30 };

static bool stretch_of(const struct side *s, int block, struct stretch *out)
{
    struct span b = block_at(s->blocks, block);
    if (b.count == 0 || b.type->size == 0)
        return false;
    out->gaps = b.type->contiguous ? NULL : b.type;
    out->begin = (uintptr_t)b.buf + (uintptr_t)(b.type->contiguous ? b.type->lb : 0);
    out->end = out->begin + (b.type->contiguous ? span_bytes(&b) : 1);
    return true;
}

/* From the lowest to the highest. False: there is nothing. */
static bool disjoint_bounds(const struct side *s, uintptr_t *begin, uintptr_t *end)
{
    struct stretch t;
    *begin = UINTPTR_MAX;
    *end = 0;
    for (int k = 0; k < s->n; k++)
        if (stretch_of(s, k, &t)) {
            *begin = t.begin < *begin ? t.begin : *begin;
            *end = t.end > *end ? t.end : *end;
        }
    return *begin < *end;
}

static size_t disjoint_add(struct stretch *list, size_t n, const struct side *s, bool sent)
{
    for (int k = 0; k < s->n; k++)
        if ((!s->is_used || s->is_used(s->arg, k)) && stretch_of(s, k, &list[n]))
            list[n++].sent = sent;
    return n;
}

static int disjoint_compare(const void *x, const void *y)
{
    const struct stretch *a = x, *b = y;
    uintptr_t first = a->begin, second = b->begin;
    if (first == second) { /* those of one type beside each other */
        first = (uintptr_t)a->gaps;
        second = (uintptr_t)b->gaps;
    }
    return (first > second) - (first < second);
}

/* In the order of their beginnings one overlaps an earlier one of the other side if that one with the highest end does. */
static bool disjoint_sweep(const struct stretch *list, size_t n)
{
    uintptr_t reached[2] = {0, 0};
    for (size_t i = 0; i < n; i++) {
        const struct stretch *s = &list[i];
        if (s->gaps) {
            if (i > 0 && s[-1].gaps == s->gaps && s[-1].begin == s->begin && s[-1].sent != s->sent)
                return true;
            continue;
        }
        if (s->begin < reached[!s->sent])
            return true;
        reached[s->sent] = s->end > reached[s->sent] ? s->end : reached[s->sent];
    }
    return false;
}

bool sides_overlap(const struct side *send, const struct side *recv)
{
    uintptr_t from, from_end, to, to_end;
    if (!disjoint_bounds(send, &from, &from_end) || !disjoint_bounds(recv, &to, &to_end) || from >= to_end ||
        to >= from_end)
        return false;
    struct stretch few[DISJOINT_FEW], *list = few;
    size_t n = (size_t)send->n + (size_t)recv->n;
    if (n > DISJOINT_FEW && !(list = malloc(n * sizeof *list)))
        return false;
    n = disjoint_add(list, disjoint_add(list, 0, send, true), recv, false);
    qsort(list, n, sizeof *list, disjoint_compare);
    bool found = disjoint_sweep(list, n);
    if (list != few)
        free(list);
    return found;
}
