/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Model of the flags of OpenSHMEM's collectives: src/shmem/sync.h, sync.c, direct.c. N members make CALLS calls; what each is,
 * is chosen at the start.
 *
 *   here         in sync.h, direct.c
 *   line         sync_line with sync_await_room
 *   read         sync_read
 *   arrive       sync_arrive with sync_release, sync_await_release
 *   finish       sync_finish
 *   put          alltoall_put: what goes into others' memory before a meeting, which is of kind ALL or ROUND
 *   ALL          what all bring to all in a flat team: posted by all, read by all
 *   SHORT        a short broadcast: the root posts it and goes on
 *   LONG         a long one: the root posts a place and waits until all have read what is there
 *   ROUND        all post, and come to a round; the last at a node of the tree reads what is under it, the last of all leaves
 *                a result
 *
 * Rings have 2 lines, the tree is of radix 2: members 0 and 1 under a node, it and the node of member 2 under the uppermost. All
 * that is relied on are messages: what is written before a release is seen behind the acquire of it, and nobody needs a
 * store to be seen before a later load of his. So stores are seen at once here. What is overwritten before it
 * is read, or read before it is written, fails an assertion; a wait without end is an invalid end state.
 *
 * VARIANT THREE            three members, three calls
 * MUTANT NO_WAIT           lines are written without waiting for readers
 * MUTANT KNOWS_TOO_MUCH    who has met all takes this call for finished by all, too
 * MUTANT MEETS_ALWAYS      who has read a root's line takes it that all have come
 * MUTANT ROOT_LEAVES       the root of a long broadcast does not wait for readers
 * MUTANT READS_LATE        a member finishes a call before it has read
 * MUTANT GOES_ON           who is not the last does not wait for the release of a round
 * MUTANT RELEASES_EARLY    the last releases the round before it leaves the result
 * MUTANT PUTS_LATE         a member comes to a meeting before it has put what it has for the others
 */
#ifdef MEETS_ALWAYS
#define THREE
#endif
#ifdef THREE
#define N 3
#define CALLS 3
#else
#define N 2
#define CALLS 4
#endif
#define RING 2
#define ALL 0
#define SHORT 1
#define LONG 2
#define ROUND 3

byte kind[CALLS], root[CALLS];
byte number[N * RING], data[N * RING]; /* of lines; data: the call they are of */
byte source[N];                        /* what a place leads to: the call it is of */
byte completed[N], known[N];
byte arrived[N], upper;                /* level 0: of members 0 and 2; the uppermost */
byte partial[N];                       /* the round that it is of */
byte released, result;
byte puts[CALLS];                      /* members whose blocks are in all memories */

#define at(i, k) ((i) * RING + (k) % RING)

inline await_completed(me, i, least)
{
    do
    :: i == N -> break
    :: atomic { i == me -> i++ }
    :: i < N && i != me -> completed[i] >= least; i++
    od;
    i = 0
}

inline post(me, i, k)
{
#ifndef NO_WAIT
    if
    :: k - known[me] >= RING ->
        await_completed(me, i, k - RING + 1);
        known[me] = k - RING + 1
    :: k - known[me] < RING
    fi;
#endif
    data[at(me, k)] = k;
    number[at(me, k)] = k + 1
}

inline read(i, k)
{
    number[at(i, k)] >= k + 1;
    atomic {
        assert(number[at(i, k)] == k + 1);
        assert(data[at(i, k)] == k)
    }
}

inline read_all(me, i, k)
{
    do
    :: i == N -> break
    :: atomic { i == me -> i++ }
    :: i < N && i != me -> read(i, k); i++
    od;
    i = 0
}

inline finish(me, k)
{
    completed[me] = k + 1
}

/* Under the node of member f: 0 and 1, or 2 alone. */
#define under(f) ((f) == 0 -> 2 : 1)
#define first(me) ((me) / 2 * 2)

inline fold(f, k, r)
{
    read(f, k);
    if
    :: f == 0 -> read(1, k)
    :: f != 0
    fi;
    partial[f] = r + 1
}

inline release(r)
{
#ifdef RELEASES_EARLY
    released = r + 1;
    result = r + 1
#else
    result = r + 1;
    released = r + 1
#endif
}

inline arrive(me, k, r, last)
{
    atomic {
        arrived[first(me)]++;
        last = (arrived[first(me)] == (r + 1) * under(first(me)))
    };
    if
    :: last -> fold(first(me), k, r)
    :: !last
    fi;
#if N > 2
    if
    :: last ->
        atomic {
            upper++;
            last = (upper == (r + 1) * 2)
        }
    :: !last
    fi;
    if
    :: last -> atomic { assert(partial[0] == r + 1); assert(partial[2] == r + 1) }
    :: !last
    fi;
#endif
    if
    :: last -> release(r)
    :: !last ->
#ifndef GOES_ON
        released >= r + 1;
        assert(result == r + 1)
#else
        skip
#endif
    fi;
    atomic { last = false; r++ }
}

inline broadcast(me, i, k)
{
    if
    :: root[k] == me ->
        if
        :: kind[k] == LONG -> source[me] = k
        :: kind[k] == SHORT
        fi;
        post(me, i, k);
        finish(me, k);
        if
        :: kind[k] == LONG ->
#ifndef ROOT_LEAVES
            await_completed(me, i, k + 1);
            known[me] = k + 1;
#endif
            source[me] = CALLS /* it is the program's again */
        :: kind[k] == SHORT
        fi
    :: root[k] != me ->
#ifdef READS_LATE
        finish(me, k);
#endif
        read(root[k], k);
        if
        :: kind[k] == LONG -> assert(source[root[k]] == k)
        :: kind[k] == SHORT
        fi;
#ifdef MEETS_ALWAYS
        known[me] = k;
#endif
        finish(me, k)
    fi
}

proctype member(byte me)
{
    byte i, k, r;
    bool last;
    do
    :: k == CALLS -> break
    :: k < CALLS ->
        if
        :: kind[k] == ALL || kind[k] == ROUND ->
#ifndef PUTS_LATE
            puts[k]++;
#endif
            post(me, i, k);
            if
            :: kind[k] == ALL -> read_all(me, i, k)
            :: kind[k] == ROUND -> arrive(me, k, r, last)
            fi;
#ifdef PUTS_LATE
            puts[k]++;
#endif
            assert(puts[k] == N);
#ifdef KNOWS_TOO_MUCH
            known[me] = k + 1;
#else
            known[me] = k;
#endif
            finish(me, k)
        :: kind[k] == SHORT || kind[k] == LONG -> broadcast(me, i, k)
        fi;
        k++
    od
}

init {
    atomic {
        byte k;
        do
        :: k == CALLS -> break
        :: k < CALLS ->
            if
            :: kind[k] = ALL
            :: kind[k] = SHORT
            :: kind[k] = LONG
            :: kind[k] = ROUND
            fi;
            if
            :: root[k] = 0
            :: root[k] = N - 1
            fi;
            k++
        od;
        k = 0;
        do
        :: k == N -> break
        :: k < N -> run member(k); k++
        od;
        k = 0
    }
}
