/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Intrusive hash table: what is in it brings its link. It doubles when it fills, so that looking up and removing cost the same
 * however much there is; without memory for that it just gets slower. All zero is an empty one. Of one thread at a time.
 */
#ifndef EP_BASE_TABLE_H
#define EP_BASE_TABLE_H

#include <stddef.h>
#include <stdint.h>

struct table_link {
    struct table_link *next;
    uint64_t key;
};

struct table {
    struct table_link **chain; /* NULL: the only one is `one` */
    struct table_link *one;
    uint64_t mask, count; /* chains - 1 */
};

/* Several may have one key. */
void table_add(struct table *t, struct table_link *l, uint64_t key);
/* l is in it. */
void table_remove(struct table *t, struct table_link *l);

/* Keys need not be random. */
static inline struct table_link **table_chain(struct table *t, uint64_t key)
{
    return t->chain ? &t->chain[(key * 0x9e3779b97f4a7c15u >> 32) & t->mask] : &t->one;
}

/* l or the next behind it that has the key, or NULL. */
static inline struct table_link *table_next(struct table_link *l, uint64_t key)
{
    while (l && l->key != key)
        l = l->next;
    return l;
}

/* The newest with that key, or NULL; older ones are table_next(l->next, key). */
static inline struct table_link *table_find(struct table *t, uint64_t key)
{
    struct table_link *l = *table_chain(t, key);
    while (l && l->key != key)
        l = l->next;
    return l;
}

#endif
