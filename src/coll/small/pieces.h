/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pieces: how results that several members of other processes get go there (address_reduce.c). Each member has two halves
 * of what is its part of the segment. In one call it puts piece after piece there, piece q in half q % 2, and others copy them out. What
 * only one member reads, and what nobody has just computed, goes better by a copy that the kernel makes (docs/collectives.md).
 *
 * A call has rounds. In round q each member puts its piece q, and then takes the pieces q of all; every round but the last has a piece of
 * each.
 *
 *   word          written by   order                                read by
 *   put           the owner    0 before its slot of the call; then  all, after the slot: acquire
 *                              release: pieces that are there
 *   half q % 2    the owner    before put is q + 1                  all, after that
 *   slot.failed   the owner    the same; relaxed                    the same
 *
 * No piece is read too early: who reads put has seen the owner's slot of this call, and so a put of this call, or of a later
 * one; of a later one there is none, since a call ends when all have finished it (address_finish), and for the same reason the halves are
 * free when a call begins. No piece is overwritten too early: who writes piece q has taken the pieces q - 1 of all, which they put after
 * they had taken pieces q - 2, what was in that half. Who has found an error takes no more, and writes no more.
 *
 * Waiting ends. All post before they wait. Consider a member of those that have come to the fewest rounds, say q. It waits for a piece q
 * of another, who has come to round q, too, and puts that piece before it waits for any. Whoever finds an error goes on with its rounds, so
 * that all others find what they wait for, and `failed` says what became of it; the next to see it is who waits for a piece of that
 * member's. tests/spin/pieces.pml is the model.
 */
#ifndef EP_COLL_PIECES_H
#define EP_COLL_PIECES_H

#include "coll/small/small.h"

/* One call of one member. */
struct pieces {
    struct small_call *t;
    uint64_t put; /* the own pieces so far */
};

/* Are there readers enough for what each member sends? */
static inline bool pieces_are_for(const struct small_call *t)
{
    return t->flag_slots->pieces && t->flag_slots->n > 2;
}

/* The most bytes of a piece. */
size_t pieces_half(const struct small_call *t);

/* Before the own slot is posted. */
void pieces_begin(struct pieces *p, struct small_call *t);

/* Where the own next piece goes. */
char *piece_room(const struct pieces *p);
/* It is there. */
void piece_put(struct pieces *p);

/* Piece q of who has a place; waits until it is there. NULL: there is an error. */
const char *piece_await(struct pieces *p, int place, uint64_t q);

#endif
