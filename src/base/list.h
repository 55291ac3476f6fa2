/* SPDX-License-Identifier: BSD-3-Clause */
/* Intrusive doubly linked queue: add at both ends, remove anywhere. */
#ifndef EP_BASE_LIST_H
#define EP_BASE_LIST_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>

struct node {
    struct node *next, *prev;
};

struct list {
    struct node *first, *last;
};

static inline void list_append(struct list *l, struct node *n)
{
    assert(!l->first == !l->last);
    n->next = NULL;
    n->prev = l->last;
    if (l->last)
        l->last->next = n;
    else
        l->first = n;
    l->last = n;
}

static inline void list_prepend(struct list *l, struct node *n)
{
    n->prev = NULL;
    n->next = l->first;
    if (l->first)
        l->first->prev = n;
    else
        l->last = n;
    l->first = n;
}

/* Behind `after`, or in front of all if that is NULL. */
static inline void list_insert(struct list *l, struct node *after, struct node *n)
{
    assert(!after || (after->next ? after->next->prev : l->last) == after);
    if (!after) {
        list_prepend(l, n);
    } else if (!after->next) {
        list_append(l, n);
    } else {
        n->prev = after;
        n->next = after->next;
        after->next->prev = n;
        after->next = n;
    }
}

static inline void list_remove(struct list *l, struct node *n)
{
    assert((n->prev ? n->prev->next : l->first) == n);
    assert((n->next ? n->next->prev : l->last) == n);
    if (n->prev)
        n->prev->next = n->next;
    else
        l->first = n->next;
    if (n->next)
        n->next->prev = n->prev;
    else
        l->last = n->prev;
}

static inline struct node *list_pop(struct list *l)
{
    struct node *n = l->first;
    if (n)
        list_remove(l, n);
    return n;
}

/* The same with a head of one word, for what there is much of: first->prev is the last one. */
struct chain {
    struct node *first;
};

static inline void chain_append(struct chain *c, struct node *n)
{
    n->next = NULL;
    if (c->first) {
        assert(!c->first->prev->next);
        n->prev = c->first->prev;
        n->prev->next = n;
        c->first->prev = n;
    } else {
        c->first = n->prev = n;
    }
}

static inline void chain_remove(struct chain *c, struct node *n)
{
    assert(n == c->first ? !n->prev->next : n->prev->next == n);
    if (n == c->first)
        c->first = n->next;
    else
        n->prev->next = n->next;
    struct node *behind = n->next ? n->next : c->first; /* NULL: n was the only one */
    if (behind)
        behind->prev = n->prev;
}

#endif
