/* SPDX-License-Identifier: BSD-3-Clause */
#include "comm/handle.h"

#include <assert.h>
#include <stdlib.h>

#include "base/base.h"

/* MIN_FREE: so many numbers must be free before the oldest of them is used again. */
enum { HANDLE_FIRST_ROOM = 256, MIN_FREE = 1024, MAX_ROOM = HANDLE_LAST - HANDLE_FIRST + 1 };

struct handle_place {
    void *object; /* NULL while the number is free */
    int kind;
    int next_free; /* 0: the last one */
};

/* A number's place is what it is above HANDLE_FIRST. A queue of free ones runs through the places. */
static struct {
    struct lock lock; /* guards all of it and the fields that objects keep their numbers in */
    struct handle_place *places;
    int room, used; /* places below HANDLE_CONSTANTS stay empty */
    int oldest_free, newest_free, nfree;
} table = {.lock = LOCK_FREE(HANDLES), .used = HANDLE_CONSTANTS};

static int handle_grow(void)
{
    lock_assert_held(&table.lock);
    int room = table.room ? 2 * table.room : HANDLE_FIRST_ROOM;
    if (room > MAX_ROOM)
        return 0;
    struct handle_place *places = realloc(table.places, (size_t)room * sizeof *places);
    if (!places)
        return 0;
    table.places = places;
    table.room = room;
    return table.used++;
}

static int handle_take_free(void)
{
    lock_assert_held(&table.lock);
    assert(table.nfree > 0);
    int place = table.oldest_free;
    table.oldest_free = table.places[place].next_free;
    table.nfree--;
    return place;
}

/* A place nobody has, or 0. */
static int take_place(void)
{
    lock_assert_held(&table.lock);
    if (table.nfree > MIN_FREE)
        return handle_take_free();
    if (table.used < table.room)
        return table.used++;
    int place = handle_grow();
    return place || table.nfree == 0 ? place : handle_take_free();
}

MPI_Fint handle_number(enum handle_kind kind, void *object, MPI_Fint *kept)
{
    assert(object);
    lock_acquire(&table.lock);
    int place;
    if (!*kept && (place = take_place()) != 0) {
        table.places[place] = (struct handle_place){object, kind, 0};
        *kept = HANDLE_FIRST + place;
    }
    MPI_Fint number = *kept;
    lock_release(&table.lock);
    return number;
}

void *handle_find(enum handle_kind kind, MPI_Fint number)
{
    void *object = NULL;
    lock_acquire(&table.lock);
    int place = number >= HANDLE_FIRST ? number - HANDLE_FIRST : 0;
    if (place >= HANDLE_CONSTANTS && place < table.used && table.places[place].kind == (int)kind)
        object = table.places[place].object;
    lock_release(&table.lock);
    return object;
}

void handle_drop(MPI_Fint number)
{
    if (!number)
        return;
    int place = number - HANDLE_FIRST;
    lock_acquire(&table.lock);
    assert(place >= HANDLE_CONSTANTS && place < table.used && table.places[place].object);
    table.places[place].object = NULL;
    table.places[place].next_free = 0;
    if (table.nfree++ == 0)
        table.oldest_free = place;
    else
        table.places[table.newest_free].next_free = place;
    table.newest_free = place;
    lock_release(&table.lock);
}
