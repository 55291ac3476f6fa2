/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Model of pieces: src/coll/small/pieces.h, and the rounds of address_reduce.c. N members make CALLS calls, each of ROUNDS rounds, in the
 * last of which the last member has no piece. One may find an error at any time: then it takes no more and writes no more.
 *
 *   here         in pieces.c, address_reduce.c
 *   begin        pieces_begin, and the slot of the call
 *   write        share_reduce into piece_room
 *   put_next     piece_put
 *   take         share_take: a piece is looked at when the copy begins, and when it ends
 *   finish       address_finish
 *
 * All that is relied on are messages: what is written before a release is seen behind the acquire of it, and nobody needs a
 * store to be seen before a later load of his. So stores are seen at once here. What is overwritten before it
 * is read, or read before it is written, fails an assertion; a wait without end is an invalid end state.
 *
 * VARIANT THREE            three members, one call
 * MUTANT ONE_HALF          all pieces go where the first does
 * MUTANT PUTS_AHEAD        a member does not take pieces before it puts its next
 * MUTANT RETURNS_EARLY     nobody waits at the end for who reads him
 * MUTANT LATE_RESET        the pieces of the call begin to count after the slot is posted
 * MUTANT GIVES_UP          who has found an error puts no more
 * MUTANT WRITES_ON         who has found an error goes on to write
 */
#ifdef THREE
#define N 3
#define CALLS 1
#else
#define N 2
#define CALLS 2
#endif
#define ROUNDS 4

byte number[N]; /* of the slot */
byte put[N], finished[N];
byte half[N * 2];
bool failed[N];

#define tag(k, q) ((k) * 16 + (q) + 1)
#define has_piece(i, q) ((q) < ROUNDS - 1 || (i) < N - 1)
#ifdef ONE_HALF
#define at(i, q) ((i) * 2)
#else
#define at(i, q) ((i) * 2 + (q) % 2)
#endif

inline begin(me, k)
{
#ifndef LATE_RESET
    put[me] = 0;
#endif
    failed[me] = false;
    number[me] = k + 1;
#ifdef LATE_RESET
    put[me] = 0;
#endif
}

/* All slots are known before. */
inline learn(i, k)
{
    do
    :: i == N -> break
    :: i < N -> number[i] >= k + 1; i++
    od;
    i = 0
}

inline put_next(me, k, q, bad)
{
    if
    :: bad = true
    :: true
    fi;
#ifdef WRITES_ON
    half[at(me, q)] = tag(k, q);
#else
    if
    :: bad
    :: !bad && has_piece(me, q) -> half[at(me, q)] = tag(k, q)
    :: !bad && !has_piece(me, q)
    fi;
#endif
#ifdef GIVES_UP
    if
    :: bad
    :: !bad -> put[me] = q + 1
    fi
#else
    failed[me] = bad;
    put[me] = q + 1
#endif
}

/* What was looked at is relied on if its owner has not failed; and if it failed later, it has written no more. */
inline take_one(i, k, q, bad)
{
    if
    :: bad || !has_piece(i, q)
    :: !bad && has_piece(i, q) ->
        put[i] > q;
        if
        :: failed[i] -> bad = true
        :: !failed[i] ->
            assert(half[at(i, q)] == tag(k, q));
            assert(half[at(i, q)] == tag(k, q))
        fi
    fi
}

inline take(me, i, k, q, bad)
{
    do
    :: i == N -> break
    :: atomic { i == me -> i++ }
    :: i < N && i != me -> take_one(i, k, q, bad); i++
    od;
    i = 0
}

inline finish(me, i, k)
{
    finished[me] = k + 1;
#ifndef RETURNS_EARLY
    do
    :: i == N -> break
    :: i < N -> finished[i] >= k + 1; i++
    od;
    i = 0
#endif
}

active [N] proctype member()
{
    byte k, q, i;
    bool bad;
    do
    :: k == CALLS -> break
    :: k < CALLS ->
        begin(_pid, k);
        learn(i, k);
        do
        :: q == ROUNDS -> break
        :: q < ROUNDS ->
            put_next(_pid, k, q, bad);
#ifdef PUTS_AHEAD
            if
            :: q > 0 -> take(_pid, i, k, q - 1, bad)
            :: q == 0
            fi;
#else
            take(_pid, i, k, q, bad);
#endif
            q++
        od;
#ifdef PUTS_AHEAD
        take(_pid, i, k, ROUNDS - 1, bad);
#endif
        finish(_pid, i, k);
        q = 0; bad = false;
        k++
    od
}
