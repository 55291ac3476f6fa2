/* SPDX-License-Identifier: BSD-3-Clause */
#include "comm/handle.h"

#include <assert.h>
#include <stdlib.h>

enum { MIN_FREE = 1024 }; /* so many numbers must be free before the oldest of them is used again */

struct handle_words handle_words;

/* A queue of free ones runs through the places. */
static struct {
    struct lock lock; /* guards all but what handle_find reads */
    int room, used;
    int oldest_free, newest_free, nfree; /* newest_free: of no meaning if there are none */
    int runs_used;
} table = {.lock = LOCK_FREE(HANDLES), .used = HANDLE_CONSTANTS};

static bool handle_grow(void)
{
    lock_assert_held(&table.lock);
    _Atomic uintptr_t *chunk =
        table.room < HANDLE_CHUNK * HANDLE_CHUNKS ? calloc(HANDLE_CHUNK, sizeof *chunk) : NULL;
    if (!chunk)
        return false;
    store_release(&handle_words.chunks[table.room / HANDLE_CHUNK], chunk);
    table.room += HANDLE_CHUNK;
    return true;
}

static int handle_take_free(void)
{
    lock_assert_held(&table.lock);
    assert(table.nfree > 0);
    int place = table.oldest_free;
    table.oldest_free = (int)(load_relaxed(handle_word(HANDLE_FIRST + place)) / HANDLE_KINDS);
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
    assert(object && (uintptr_t)object % HANDLE_KINDS == 0);
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
    if (!number && table.runs_used < HANDLE_RUNS) {
        number = HANDLE_FIRST_USE + table.runs_used * HANDLE_USES;
        store_release(&handle_words.runs[table.runs_used++], word);
    } else if (!number) {
        number = handle_place(word);
    }
    store_release(kept, number);
    lock_release(&table.lock);
    return number;
}

void handle_drop(MPI_Fint number)
{
    if (!number)
        return;
    lock_acquire(&table.lock);
    assert(number < HANDLE_FIRST_USE && load_relaxed(handle_word(number)) % HANDLE_KINDS != HANDLE_FREE);
    int place = number - HANDLE_FIRST;
    if (table.nfree++ == 0)
        table.oldest_free = place;
    else
        store_relaxed(handle_word(HANDLE_FIRST + table.newest_free),
                      (uintptr_t)place * HANDLE_KINDS | HANDLE_FREE);
    store_relaxed(handle_word(number), (uintptr_t)HANDLE_FREE);
    table.newest_free = place;
    lock_release(&table.lock);
}
