/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/table.h"

#include <assert.h>
#include <stdlib.h>

enum { FIRST_CHAINS = 16 };

static void table_push(struct table_link **chain, struct table_link *l)
{
    l->next = *chain;
    *chain = l;
}

static void table_reverse(struct table_link **chain)
{
    struct table_link *l = *chain, *next;
    *chain = NULL;
    for (; l; l = next) {
        next = l->next;
        table_push(chain, l);
    }
}

/* What has one key stays in its order: pushed from the oldest on. */
static void move_all(struct table *to, struct table_link **chain)
{
    struct table_link *next;
    table_reverse(chain);
    for (struct table_link *l = *chain; l; l = next) {
        next = l->next;
        table_push(table_chain(to, l->key), l);
    }
}

static void table_grow(struct table *t)
{
    uint64_t n = t->chain ? 2 * (t->mask + 1) : FIRST_CHAINS;
    struct table more = {.chain = calloc(n, sizeof(struct table_link *)), .mask = n - 1, .count = t->count};
    if (!more.chain)
        return;
    for (uint64_t i = 0; i <= t->mask; i++)
        move_all(&more, t->chain ? &t->chain[i] : &t->one);
    free(t->chain);
    *t = more;
}

void table_add(struct table *t, struct table_link *l, uint64_t key)
{
    assert((t->mask & (t->mask + 1)) == 0);
    if (t->count > t->mask)
        table_grow(t);
    t->count++;
    l->key = key;
    table_push(table_chain(t, key), l);
}

void table_remove(struct table *t, struct table_link *l)
{
    assert(t->count > 0);
    struct table_link **at = table_chain(t, l->key);
    while (*at != l)
        at = &(*at)->next;
    *at = l->next;
    t->count--;
}
