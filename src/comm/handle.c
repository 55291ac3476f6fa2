/* SPDX-License-Identifier: BSD-3-Clause */
#include "comm/handle.h"

#include <assert.h>
#include <stdlib.h>

/* MIN_FREE: so many numbers must be free before the oldest of them is used again. */
enum {
    CHUNK_PLACES = 4096,
    MOST_CHUNKS = (HANDLE_FIRST_USE - HANDLE_FIRST) / CHUNK_PLACES,
    RUNS = (HANDLE_LAST - HANDLE_FIRST_USE + 1) / HANDLE_USES,
    MIN_FREE = 1024
};

/* In the lower bits of a word: the kind of an object, whose address is the rest; or the rest is the next free place. 0: never used. */
enum { KINDS = 8, KIND_FREE = KINDS - 1 };
_Static_assert((int)HANDLE_WIN < (int)KIND_FREE, "kinds have room in a word");

/* A number's place is what it is above HANDLE_FIRST; those below HANDLE_CONSTANTS stay empty. A queue of free ones runs through the
 * places. */
static struct {
    struct lock lock;                                 /* guards all but what handle_find reads */
    _Atomic(_Atomic uintptr_t *) chunks[MOST_CHUNKS]; /* release handle_grow, acquire handle_word */
    int room, used;
    int oldest_free, newest_free, nfree; /* newest_free: of no meaning if there are none */
    int runs_used;
    _Atomic uintptr_t runs[RUNS]; /* release handle_number_first, acquire handle_word */
} table = {.lock = LOCK_FREE(HANDLES), .used = HANDLE_CONSTANTS};

/* The word of that number; NULL: there is none. */
static _Atomic uintptr_t *handle_word(MPI_Fint number)
{
    if (number >= HANDLE_FIRST_USE)
        return number <= HANDLE_LAST ? &table.runs[(number - HANDLE_FIRST_USE) / HANDLE_USES] : NULL;
    if (number < HANDLE_FIRST + HANDLE_CONSTANTS)
        return NULL;
    int place = number - HANDLE_FIRST;
    _Atomic uintptr_t *chunk = load_acquire(&table.chunks[place / CHUNK_PLACES]);
    return chunk ? &chunk[place % CHUNK_PLACES] : NULL;
}

static bool handle_grow(void)
{
    lock_assert_held(&table.lock);
    _Atomic uintptr_t *chunk =
        table.room < CHUNK_PLACES * MOST_CHUNKS ? calloc(CHUNK_PLACES, sizeof *chunk) : NULL;
    if (!chunk)
        return false;
    store_release(&table.chunks[table.room / CHUNK_PLACES], chunk);
    table.room += CHUNK_PLACES;
    return true;
}

static int handle_take_free(void)
{
    lock_assert_held(&table.lock);
    assert(table.nfree > 0);
    int place = table.oldest_free;
    table.oldest_free = (int)(load_relaxed(handle_word(HANDLE_FIRST + place)) / KINDS);
    table.nfree--;
    return place;
}

/* A place nobody has, or 0. */
static int take_place(void)
{
    lock_assert_held(&table.lock);
    if (table.nfree > MIN_FREE)
        return handle_take_free();
    if (table.used < table.room || handle_grow())
        return table.used++;
    return table.nfree == 0 ? 0 : handle_take_free();
}

static uintptr_t word_of(enum handle_kind kind, void *object)
{
    assert(object && (uintptr_t)object % KINDS == 0);
    return (uintptr_t)object | kind;
}

/* A number with a place of its own; 0 without memory. */
static MPI_Fint handle_place(uintptr_t word)
{
    int place = take_place();
    if (place)
        store_release(handle_word(HANDLE_FIRST + place), word);
    return place ? HANDLE_FIRST + place : 0;
}

MPI_Fint handle_number(enum handle_kind kind, void *object, MPI_Fint *kept)
{
    lock_acquire(&table.lock);
    if (!*kept)
        *kept = handle_place(word_of(kind, object));
    MPI_Fint number = *kept;
    lock_release(&table.lock);
    return number;
}

MPI_Fint handle_number_first(enum handle_kind kind, void *object, _Atomic MPI_Fint *kept)
{
    uintptr_t word = word_of(kind, object);
    lock_acquire(&table.lock);
    MPI_Fint number = load_relaxed(kept);
    if (!number && table.runs_used < RUNS) {
        number = HANDLE_FIRST_USE + table.runs_used * HANDLE_USES;
        store_release(&table.runs[table.runs_used++], word);
    } else if (!number) {
        number = handle_place(word);
    }
    store_release(kept, number);
    lock_release(&table.lock);
    return number;
}

void *handle_find(enum handle_kind kind, MPI_Fint number)
{
    _Atomic uintptr_t *place = handle_word(number);
    uintptr_t word = place ? load_acquire(place) : KIND_FREE;
    return word % KINDS == kind ? (void *)(word - kind) : NULL;
}

void handle_drop(MPI_Fint number)
{
    if (!number)
        return;
    lock_acquire(&table.lock);
    assert(number < HANDLE_FIRST_USE && load_relaxed(handle_word(number)) % KINDS != KIND_FREE);
    int place = number - HANDLE_FIRST;
    if (table.nfree++ == 0)
        table.oldest_free = place;
    else
        store_relaxed(handle_word(HANDLE_FIRST + table.newest_free), (uintptr_t)place * KINDS | KIND_FREE);
    store_relaxed(handle_word(number), (uintptr_t)KIND_FREE);
    table.newest_free = place;
    lock_release(&table.lock);
}
