/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pieces: how results that several members of other processes get go there (address_reduce.c). Each member has two halves
 * of what is its part of the segment. In one call it puts piece after piece there, piece q in half q % 2, and others copy them out. What
 * only one member reads, and what nobody has just computed, goes better by a copy that the kernel makes (docs/collectives.md).
 *
 * A call has rounds. In round q a member takes the pieces q of those it reads, and says so: `read`.
 *
 *   word          written by   order                                read by
 *   put           the owner    0 before its slot of the call; then  its readers, after the slot: acquire
 *                              release: pieces that are there
 *   half q % 2    the owner    before put is q + 1                  its readers, after that
 *   slot.failed   the owner    the same; relaxed                    the same
 *   read          the owner    0 before read_call; then release:    those it reads; acquire
 *                              rounds it has finished
 *   read_call     the owner    release: k + 1, in call k            the same, before read
 *
 * No piece is read too early: who reads put has seen the owner's slot of this call, and so a put of this call, or of a later
 * one; of a later one there is none, since the owner ends a call when all its readers have finished it (address_finish), and for
 * the same reason the halves are free when a call begins. No piece is overwritten too early: piece q is written when
 * each reader has read q - 1 at least in this call, which is round q - 2 and all before, or has finished the call. If read_call is
 * k + 1 and read is of a later call, then the reader has finished call k.
 *
 * Waiting ends. All post before they wait. A member puts piece q at the latest between its rounds q - 1 and q, and at the earliest
 * after its round q - 2. Consider a member of those that have come to the fewest rounds, say it has finished those before q. If it waits
 * for put of another, that one has finished those before q, too, and so has put piece q or is about to, and if that waits, it is for a read
 * of q at most, which all have said. The same holds if the member waits to put piece q or q + 1. Who ends before others has said
 * so (`finished`). Whoever finds an error goes on with its rounds, and reads no more; so all others find what they wait for, and `failed`
 * says what became of it. tests/spin/pieces.pml is the model, of members that bring different numbers of pieces, too.
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

/* Where the own next piece goes; waits until it may be written. */
char *piece_room(struct pieces *p);
/* It is there. */
void piece_put(struct pieces *p);

/* Piece q of who has a place; waits until it is there. NULL: there is an error. */
const char *piece_await(struct pieces *p, int place, uint64_t q);

/* This one has read the first q pieces of those that it reads. */
void pieces_read(struct pieces *p, uint64_t q);

#endif
