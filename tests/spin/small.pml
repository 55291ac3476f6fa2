/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Model of the flag slots: src/coll/small/flag_slots.h, flag_slots.c. N endpoints make CALLS small calls; what each is,
 * is chosen at the start: in call k all post and read all (kind ALL), or one posts and the others read it. With STAGED it
 * is also chosen whether the data of call k are in the slots or on stages, which have one part here.
 *
 *   here         in flag_slots.h, flag_slots.c
 *   await        small_await, small_await_slow; waiting longer before it sleeps is a matter of scheduling
 *   post         small_slot with small_wait_free, small_post
 *   read         small_read
 *   stage        small_stage: `part` is what lies there, `parted` flag_owner.staged
 *   tell         small_tell, flag_slots_notify
 *   known        flag_owner.known, set by small_wait_free and small_met_all
 *
 * The rings have 2 slots, and finished calls are published after every second one. Stores to flag_slot.number
 * and column.finished are delayed (number_store, finished_store): an endpoint has one of them under way at
 * a time, and goes on meanwhile; `memory` makes it visible, or a heavy fence of a sleeper. What is written
 * into a slot beforehand is visible at once, the worst for those who still read it. The event count is one bit and
 * notifies in one step, for the rest of it see evcount.pml. A sleeper counts itself anew for each sleep. A slot
 * that is overwritten before it is read, or read before it is written, fails an assertion; a wait without
 * end is an invalid end state.
 *
 * VARIANT RINGS            three endpoints that wait without going to sleep
 * VARIANT SLEEPERS            three endpoints that go to sleep, one call
 * VARIANT STAGED           two endpoints that wait without going to sleep, with stages
 * MUTANT STAGE_NO_WAIT     stages are written without waiting for readers
 * MUTANT STAGE_SILENT      who has finished a call with stages does not publish that at once
 * MUTANT NO_WAIT           slots are written without waiting for readers
 * MUTANT KNOWS_TOO_MUCH    who has met all takes this call for finished by all, too
 * MUTANT MEETS_ALWAYS      who has read one takes it that all have come
 * MUTANT TELLS_RARELY      finished calls are published after every third one
 * MUTANT SILENT            who publishes finished calls notifies nobody
 * MUTANT NO_FENCE          the sleeper's fence does not reach the notifier's store
 * MUTANT NO_SECOND_LOOK    a sleeper does not look again after it announced itself
 * MUTANT AWAITS_LATE       a sleeper announces itself before it says whom it awaits
 */
#ifdef MEETS_ALWAYS
#define RINGS
#endif
#ifdef AWAITS_LATE
#define SLEEPERS
#endif
#if defined(STAGE_NO_WAIT) || defined(STAGE_SILENT)
#define STAGED
#endif
#if defined(SLEEPERS)
#define N 3
#define CALLS 1
#elif defined(STAGED)
#define N 2
#define CALLS 4
#elif defined(RINGS)
#define N 3
#define CALLS 3
#else
#define N 2
#define CALLS 4
#endif
#define RING 2
#ifdef TELLS_RARELY
#define PUBLISH 3
#else
#define PUBLISH 2
#endif
#define ALL N

byte kind[CALLS];           /* ALL, or who posts */
byte number[N * RING];      /* of the slots, as others see it */
byte data[N * RING];        /* the call they are of */
byte finished[N];           /* as others see it */
byte number_store[N];       /* under way, 0 if none */
byte finished_store[N];
byte known[N];
#ifdef STAGED
bool staged[CALLS];
byte part[N];               /* the call that lies on the stage */
byte parted[N];             /* one more than that, as its owner knows */
#endif
byte sleepers, awaits[N];
bool noticed[N], asleep[N];

#define at(i, k) ((i) * RING + (k) % RING)
#if defined(STAGED) && !defined(STAGE_SILENT)
#define is_published(k) ((k) % PUBLISH == 0 || staged[(k) - 1])
#else
#define is_published(k) ((k) % PUBLISH == 0)
#endif
#define posted(i, k) (number[at(i, k)] >= (k) + 1)

inline drain(i)
{
    d_step {
        if
        :: number_store[i] > 0 -> number[at(i, number_store[i] - 1)] = number_store[i]; number_store[i] = 0
        :: finished_store[i] > 0 -> finished[i] = finished_store[i]; finished_store[i] = 0
        :: else
        fi
    }
}

inline heavy_fence()
{
    atomic {
        skip;
#ifndef NO_FENCE
        drain(0);
        drain(1);
#if N > 2
        drain(2);
#endif
#endif
    }
}

#if defined(RINGS) || defined(STAGED)
#define await(me, i, condition) condition
#define tell(me, i) skip
#else
inline await(me, i, condition)
{
    do
    :: condition -> break
    :: !(condition) ->
#ifndef AWAITS_LATE
        awaits[me] = i;
#endif
        sleepers++;
        noticed[me] = true;
        heavy_fence();
        if
#ifndef NO_SECOND_LOOK
        :: condition
        :: !(condition) ->
#else
        :: true ->
#endif
#ifdef AWAITS_LATE
            awaits[me] = i;
#endif
            atomic { /* FUTEX_WAIT */
                if
                :: noticed[me] -> asleep[me] = true
                :: else
                fi
            };
            !asleep[me]
        fi;
        sleepers--
    od
}

inline tell(me, i)
{
    if
    :: sleepers > 0 ->
        do
        :: atomic { i == N -> i = 0; break }
        :: atomic { i < N && awaits[i] != me -> i++ }
        :: i < N && awaits[i] == me ->
            atomic {
                if
                :: noticed[i] -> noticed[i] = false; asleep[i] = false
                :: else
                fi;
                i++
            }
        od
    :: sleepers == 0
    fi
}
#endif

inline wait_free(me, i, k, wanted, least)
{
    least = k;
    do
    :: i == N -> break
    :: i == me -> i++
    :: i < N && i != me ->
        await(me, i, finished[i] >= wanted);
        atomic {
            if
            :: finished[i] < least -> least = finished[i]
            :: else
            fi;
            i++
        }
    od;
    atomic { known[me] = least; i = 0; least = 0 }
}

inline post(me, i, k, least)
{
#ifndef NO_WAIT
    if
    :: k - known[me] >= RING -> wait_free(me, i, k, k - RING + 1, least)
    :: k - known[me] < RING
    fi;
#endif
#ifdef STAGED
    if
    :: staged[k] ->
#ifndef STAGE_NO_WAIT
        if
        :: parted[me] > known[me] -> wait_free(me, i, k, parted[me], least)
        :: parted[me] <= known[me]
        fi;
#endif
        part[me] = k;
        parted[me] = k + 1
    :: !staged[k]
    fi;
#endif
    data[at(me, k)] = k;
    d_step { drain(me); number_store[me] = k + 1 };
    tell(me, i)
}

inline read(me, i, k)
{
    await(me, i, posted(i, k));
    atomic {
        assert(number[at(i, k)] == k + 1);
        assert(data[at(i, k)] == k)
    }
#ifdef STAGED
    assert(!staged[k] || part[i] == k)
#endif

}

inline read_all(me, i, k)
{
    do
    :: i == N -> break
    :: atomic { i == me -> i++ }
    :: i < N && i != me -> read(me, i, k); i++
    od;
    i = 0
}

proctype endpoint(byte me)
{
    byte i, k, least;
    do
    :: k == CALLS -> break
    :: k < CALLS ->
        if
        :: kind[k] == ALL ->
            post(me, i, k, least);
            read_all(me, i, k);
#ifdef KNOWS_TOO_MUCH
            known[me] = k + 1
#else
            known[me] = k
#endif
        :: kind[k] == me -> post(me, i, k, least)
        :: kind[k] != ALL && kind[k] != me ->
            i = kind[k];
            read(me, i, k);
            i = 0;
#ifdef MEETS_ALWAYS
            known[me] = k
#endif
        fi;
        k++;
        if
        :: is_published(k) ->
            d_step { drain(me); finished_store[me] = k };
#ifndef SILENT
            tell(me, i)
#endif
        :: !is_published(k)
        fi
    od
}

proctype memory()
{
    byte i;
end:
    do
    :: number_store[0] + finished_store[0] > 0 -> drain(0)
    :: number_store[1] + finished_store[1] > 0 -> drain(1)
#if N > 2
    :: number_store[2] + finished_store[2] > 0 -> drain(2)
#endif
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
            :: kind[k] = 0
            :: kind[k] = 1
#if N > 2
            :: kind[k] = 2
#endif
            fi;
#ifdef STAGED
            if
            :: staged[k] = true
            :: true
            fi;
#endif
            k++
        od;
        k = 0;
        run memory();
        do
        :: k == N -> break
        :: k < N -> run endpoint(k); k++
        od;
        k = 0
    }
}
