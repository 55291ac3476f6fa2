/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Model of pieces: src/coll/small/pieces.h. N members make CALLS calls. In each every member brings up to MOST pieces, and
 * reads those of all others; or member 0 alone brings some, and others do not even post. One may find an error at any time, and then
 * reads no more.
 *
 *   here         in pieces.c, address_reduce.c
 *   begin        pieces_begin, and the slot of the call
 *   room         piece_room
 *   put_next     piece_put; two before the first round
 *   take         share_take: a piece is looked at when the copy begins, and when it ends
 *   finish       address_finish
 *
 * All that is relied on are messages: what is written before a release is seen behind the acquire of it, and nobody needs a
 * store to be seen before a later load of his. So stores are seen at once here. What is overwritten before it
 * is read, or read before it is written, fails an assertion; a wait without end is an invalid end state.
 *
 * VARIANT THREE            three members, one call
 * MUTANT NO_ROOM           pieces are written without waiting for readers
 * MUTANT ANY_CALL          what was read is looked at without the call that it is of
 * MUTANT RETURNS_EARLY     nobody waits at the end for who reads him
 * MUTANT LATE_RESET        the pieces of the call begin to count after the slot is posted
 * MUTANT ONE_HALF          all pieces go where the first does
 * MUTANT SAYS_NOTHING      who has found an error does not say what he has passed over
 */
#ifdef THREE
#define N 3
#define CALLS 1
#define MOST 3
#else
#define N 2
#define CALLS 2
#define MOST 4
#endif
#define ALL 99

byte length[N * CALLS]; /* as the slot of the call says */
byte number[N];         /* of that slot */
bool alone[CALLS];      /* member 0 brings something, nobody else */
byte put[N], has_read[N], read_call[N], finished[N];
byte half[N * 2];

#define len(i, k) length[(i) * CALLS + (k)]
#define tag(k, q) ((k) * 16 + (q) + 1)
#ifdef ONE_HALF
#define at(i, q) ((i) * 2)
#else
#define at(i, q) ((i) * 2 + (q) % 2)
#endif

#ifdef ANY_CALL
#define is_read(i, k, q) (finished[i] >= (k) + 1 || has_read[i] >= (q))
#else
#define is_read(i, k, q) (finished[i] >= (k) + 1 || (read_call[i] == (k) + 1 && has_read[i] >= (q)))
#endif

inline begin(me, k)
{
    if
    :: me != 0
#ifndef THREE
    :: !alone[k] -> len(me, k) = 1
#endif
    :: !alone[k] || me == 0 -> len(me, k) = MOST
    fi;
#ifndef LATE_RESET
    put[me] = 0;
#endif
    has_read[me] = 0;
    read_call[me] = k + 1;
    if
    :: alone[k] && me != 0
    :: else -> number[me] = k + 1
    fi;
#ifdef LATE_RESET
    put[me] = 0;
#endif
}

/* Until all others have read all pieces but the last. */
inline room(me, i, k, next)
{
#ifdef NO_ROOM
    i = 0
#else
    do
    :: i == N -> break
    :: atomic { i == me -> i++ }
    :: i < N && i != me && (next < 2 || is_read(i, k, next - 1)) -> i++
    od;
    i = 0
#endif
}

inline put_next(me, i, k, next)
{
    if
    :: next < len(me, k) ->
        room(me, i, k, next);
        half[at(me, next)] = tag(k, next);
        next++;
        put[me] = next
    :: next >= len(me, k)
    fi
}

inline take_one(i, k, q, failed, any)
{
    (alone[k] && i != 0) || number[i] >= k + 1;
    if
    :: q < len(i, k) ->
        any = true;
        if
        :: failed
        :: !failed ->
            put[i] > q;
            assert(half[at(i, q)] == tag(k, q));
            assert(half[at(i, q)] == tag(k, q))
        :: failed = true
        fi
    :: q >= len(i, k)
    fi
}

inline take(me, i, k, q, failed, any)
{
    any = false;
    do
    :: i == N -> break
    :: atomic { i == me -> i++ }
    :: i < N && i != me -> take_one(i, k, q, failed, any); i++
    od;
    i = 0;
#ifdef SAYS_NOTHING
    if
    :: failed
    :: !failed -> has_read[me] = (any -> q + 1 : ALL)
    fi
#else
    has_read[me] = (any -> q + 1 : ALL)
#endif
}

inline finish(me, i, k)
{
    finished[me] = k + 1;
#ifndef RETURNS_EARLY
    do
    :: i == N -> break
    :: atomic { i == me -> i++ }
    :: i < N && i != me && (len(me, k) == 0 || finished[i] >= k + 1) -> i++
    od;
    i = 0
#endif
}

init
{
    byte k;
    atomic {
        do
        :: k == CALLS -> break
        :: k < CALLS ->
            if
            :: alone[k] = true
            :: alone[k] = false
            fi;
            k++
        od;
        k = 0;
        do
        :: k == N -> break
        :: k < N -> run member(k); k++
        od
    }
}

proctype member(byte me)
{
    byte k, q, i, next;
    bool failed, any;
    do
    :: k == CALLS -> break
    :: k < CALLS ->
        begin(me, k);
        put_next(me, i, k, next);
        put_next(me, i, k, next);
        do
        :: true ->
            take(me, i, k, q, failed, any);
            if
            :: next < len(me, k) -> any = true
            :: next >= len(me, k)
            fi;
            put_next(me, i, k, next);
            q++;
            if
            :: !any -> break
            :: any
            fi
        od;
        finish(me, i, k);
        q = 0; next = 0; failed = false;
        k++
    od
}
