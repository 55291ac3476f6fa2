/* SPDX-License-Identifier: BSD-3-Clause */
#include "comm/handle.h"

#include <stdlib.h>

#include "base/base.h"

/* FIRST_NUMBER: those below belong to constants. MIN_FREE: so many numbers must be free before the oldest
 * of them is used again. */
enum { FIRST_NUMBER = 16, FIRST_ROOM = 256, MIN_FREE = 1024 };

struct place {
    void *object; /* NULL while the number is free */
    int kind;
    int next_free; /* 0: the last one */
};

/* A queue of free numbers runs through the places. */
static struct {
    struct lock lock; /* guards all of it and the fields that objects keep their numbers in */
    struct place *places;
    int room, used; /* places below FIRST_NUMBER stay empty */
    int oldest_free, newest_free, nfree;
} table = {.used = FIRST_NUMBER};

static int grow(void)
{
    int room = table.room ? 2 * table.room : FIRST_ROOM;
    struct place *places = realloc(table.places, (size_t)room * sizeof *places);
    if (!places)
        return 0;
    table.places = places;
    table.room = room;
    return table.used++;
}

static int take_free(void)
{
    int number = table.oldest_free;
    table.oldest_free = table.places[number].next_free;
    table.nfree--;
    return number;
}

/* A number nobody has, or 0. */
static int take_number(void)
{
    if (table.nfree > MIN_FREE)
        return take_free();
    if (table.used < table.room)
        return table.used++;
    int number = grow();
    return number || table.nfree == 0 ? number : take_free();
}

MPI_Fint handle_number(enum handle_kind kind, void *object, MPI_Fint *kept)
{
    lock_acquire(&table.lock);
    int number = *kept;
    if (!number && (number = take_number()) != 0) {
        table.places[number] = (struct place){object, kind, 0};
        *kept = number;
    }
    lock_release(&table.lock);
    return number;
}

void *handle_find(enum handle_kind kind, MPI_Fint number)
{
    void *object = NULL;
    lock_acquire(&table.lock);
    if (number >= FIRST_NUMBER && number < table.used && table.places[number].kind == (int)kind)
        object = table.places[number].object;
    lock_release(&table.lock);
    return object;
}

void handle_drop(MPI_Fint number)
{
    if (!number)
        return;
    lock_acquire(&table.lock);
    table.places[number].object = NULL;
    table.places[number].next_free = 0;
    if (table.nfree++ == 0)
        table.oldest_free = number;
    else
        table.places[table.newest_free].next_free = number;
    table.newest_free = number;
    lock_release(&table.lock);
}
