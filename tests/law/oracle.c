/* SPDX-License-Identifier: BSD-3-Clause */
/* oracle.c: see oracle.h. */
#include "oracle.h"
#include "harness.h"
#include <stdlib.h>
#include <string.h>

static int accepts(int source, int tag, oracle_item message)
{
    return (source == MPI_ANY_SOURCE || source == message.source) &&
           (tag == MPI_ANY_TAG || tag == message.tag);
}

void oracle_append(oracle_list *l, oracle_item item)
{
    if (l->count == l->room) {
        int room = l->room ? 2 * l->room : 64;
        oracle_item *items = xmalloc((size_t)room * sizeof *items);
        if (l->count)
            memcpy(items, l->items, (size_t)l->count * sizeof *items);
        free(l->items);
        l->items = items;
        l->room = room;
    }
    l->items[l->count++] = item;
}

void oracle_remove(oracle_list *l, int index)
{
    l->count--;
    memmove(l->items + index, l->items + index + 1, (size_t)(l->count - index) * sizeof *l->items);
}

int oracle_find(const oracle_list *l, int source, int tag)
{
    for (int i = 0; i < l->count; i++)
        if (accepts(source, tag, l->items[i]))
            return i;
    return -1;
}

int oracle_arrive(oracle *o, int source, int tag, int id)
{
    oracle_item message = {source, tag, id};
    for (int i = 0; i < o->posted.count; i++) {
        oracle_item receive = o->posted.items[i];
        if (!accepts(receive.source, receive.tag, message))
            continue;
        oracle_remove(&o->posted, i);
        return receive.id;
    }
    oracle_append(&o->unexpected, message);
    return -1;
}

int oracle_post(oracle *o, int source, int tag, int id)
{
    int i = oracle_find(&o->unexpected, source, tag);
    if (i < 0) {
        oracle_append(&o->posted, (oracle_item){source, tag, id});
        return -1;
    }
    id = o->unexpected.items[i].id;
    oracle_remove(&o->unexpected, i);
    return id;
}

void oracle_release(oracle *o)
{
    free(o->posted.items);
    free(o->unexpected.items);
    memset(o, 0, sizeof *o);
}
