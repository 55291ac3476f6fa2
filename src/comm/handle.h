/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Numbers for handles (MPI 17.2.4): one table for the whole process. An object gets its number when it is
 * first asked for and gives it back when it goes. Numbers are used again as late as can be, so that a stale
 * one is noticed.
 *
 * They are numbers that no MPI underneath has, so that one that gets there by mistake is refused: Open MPI's are
 * small indices, MPICH's have one of the two highest bits, and where these are not looked at, others below name
 * a kind of object that there is none of. The first ones are the constants'; the null handles' is the very first.
 *
 * Requests come and go with each message. Their memory is type-stable (base/pool.h): a request in new memory gets HANDLE_USES
 * numbers, of which each use of that memory has the next one, so nothing is looked up to number it or to take the number back. Whoever
 * finds one looks whether its number is still that.
 *
 *   what                      who writes it, and who may read it
 *   a place, or a run         the object and its kind in one word, or that it is free: handle_number and handle_number_use publish it
 *                             (release) before the number is given to anybody, handle_drop frees it; handle_find (acquire) without a
 *                             lock. Who has a number from a correct program has got it after that, so finds the object as it was
 *                             then; a stale number finds nothing, or a later object, which is the caller's mistake as ever
 *   the chunks of places      handle_grow, under the lock (release); handle_word (acquire). They never move
 *   the queue of free places  under the lock
 *   *kept of a use            its first number under the lock (release), so that two who ask at once get one; then whoever ends a
 *                             use, of whom there is one, and who has the object alone (relaxed). Whoever reads it has the handle
 */
#ifndef EP_COMM_HANDLE_H
#define EP_COMM_HANDLE_H

#include <ep.h>

#include "base/base.h"

enum handle_kind {
    HANDLE_COMM,
    HANDLE_GROUP,
    HANDLE_REQUEST,
    HANDLE_MESSAGE,
    HANDLE_ERRHANDLER,
    HANDLE_WIN,
    HANDLE_FILE
};

/* HANDLE_FIRST_USE: that and what is above are numbers of uses. */
enum {
    HANDLE_FIRST = 0x38000000,
    HANDLE_CONSTANTS = 16,
    HANDLE_FIRST_USE = 0x39000000,
    HANDLE_LAST = 0x3bffffff,
    HANDLE_USES = 1024
};

/* Of a constant, whose value is less than HANDLE_CONSTANTS. */
static inline MPI_Fint handle_of_constant(const void *constant)
{
    return HANDLE_FIRST + (MPI_Fint)(uintptr_t)constant;
}

/* The number of object, which is kept in *kept (0: none yet; only this function writes it). 0 without
 * memory. */
MPI_Fint handle_number(enum handle_kind kind, void *object, MPI_Fint *kept);

/* In the lower bits of a word: the kind of an object, whose address is the rest; or the rest is the next free place. 0: never used. */
enum { HANDLE_KINDS = 8, HANDLE_FREE = HANDLE_KINDS - 1 };
_Static_assert((int)HANDLE_FILE < (int)HANDLE_FREE, "kinds have room in a word");

/* A number's place is what it is above HANDLE_FIRST; those below HANDLE_CONSTANTS stay empty. */
enum {
    HANDLE_CHUNK = 4096, /* places */
    HANDLE_CHUNKS = (HANDLE_FIRST_USE - HANDLE_FIRST) / HANDLE_CHUNK,
    HANDLE_RUNS = (HANDLE_LAST - HANDLE_FIRST_USE + 1) / HANDLE_USES
};
extern __attribute__((visibility("hidden"))) struct handle_words {
    _Atomic(_Atomic uintptr_t *) chunks[HANDLE_CHUNKS]; /* release handle_grow, acquire handle_word */
    _Atomic uintptr_t runs[HANDLE_RUNS];                /* release handle_number_first, acquire handle_find */
} handle_words;

/* The word of that number; NULL: there is none. In line, as each call of Fortran looks for some. */
static inline _Atomic uintptr_t *handle_word(MPI_Fint number)
{
    uint32_t place = (uint32_t)number - HANDLE_FIRST,
             run = ((uint32_t)number - HANDLE_FIRST_USE) / HANDLE_USES;
    if (run < HANDLE_RUNS)
        return &handle_words.runs[run];
    if (place >= HANDLE_FIRST_USE - HANDLE_FIRST)
        return NULL;
    _Atomic uintptr_t *chunk = load_acquire(&handle_words.chunks[place / HANDLE_CHUNK]);
    return chunk ? &chunk[place % HANDLE_CHUNK] : NULL;
}

/* NULL if the number stands for nothing, or for an object of another kind. One of a use: for whatever the memory is used now. */
static inline void *handle_find(enum handle_kind kind, MPI_Fint number)
{
    _Atomic uintptr_t *place = handle_word(number);
    uintptr_t word = place ? load_acquire(place) : HANDLE_FREE;
    return word % HANDLE_KINDS == kind ? (void *)(word - kind) : NULL;
}

/* The object of that number goes. 0 is allowed. */
void handle_drop(MPI_Fint number);

/* ---- numbers of uses ---- */

/* Out of line: there is none yet. */
MPI_Fint handle_number_first(enum handle_kind kind, void *object, _Atomic MPI_Fint *kept);

/* The number of this use of object's memory, which is kept in *kept (0 when the memory is new). 0 without memory. */
static inline MPI_Fint handle_number_use(enum handle_kind kind, void *object, _Atomic MPI_Fint *kept)
{
    MPI_Fint number = load_acquire(kept);
    return likely(number) ? number : handle_number_first(kind, object, kept);
}

/* The use ends. */
static inline void handle_end_use(_Atomic MPI_Fint *kept)
{
    MPI_Fint number = load_relaxed(kept);
    if (likely(number == 0))
        return;
    if (unlikely(number < HANDLE_FIRST_USE)) {
        handle_drop(number);
        number = 0;
    } else {
        number = (number & ~(HANDLE_USES - 1)) | ((number + 1) & (HANDLE_USES - 1));
    }
    store_relaxed(kept, number);
}

#endif
