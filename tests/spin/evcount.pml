/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Model of the event count: src/crt/evcount.h, evcount.c. Two sleepers on one event count, two notifiers.
 *
 *   here         in evcount.c, evcount.h
 *   sleeper      wait loop around evcount_prepare, look again, evcount_wait (wait_sleep_once in p2p/progress/wait.c, sleep_on in
 *                cond.c)
 *   notifier       a release store to the condition, then evcount_notify and evcount_notify_slow
 *   heavy_fence  heavy_fence: a full fence, then membarrier, which drains the notifiers one after the other
 *   light_fence  nothing, or with VARIANT FENCES (evcount_fence_needed) a full fence
 *
 * Sleeper i waits until cond[i] has counted to 1, sleeper 0 then also to 2; notifier i counts. Stores are
 * delayed as on the weakest machine that matters: stored[i] counts stores of notifier i to cond[i] that nobody
 * else sees yet (`memory` makes them visible whenever it likes), and no read-modify-write of the notifier
 * drains them, since its compare-and-swap is relaxed. The sleeper's fetch-or is acquire and release but no
 * fence: with load- and store-exclusive (AArch64) later loads may come before its store part. So it is a load
 * (ticket), and a store that is pending until it drains; if the word changed meanwhile, the store-exclusive
 * fails and the sleeper starts again. A futex call compares and goes to sleep, or wakes, in one step. A lost
 * wake-up is an invalid end state.
 *
 * VARIANT FENCES         real fences on both sides instead of membarrier
 * MUTANT NO_FENCE        neither side has a fence
 * MUTANT NO_MEMBARRIER   the sleeper has its own fence only
 * MUTANT NOTIFIER_ALONE    the notifier has a fence, the sleeper none
 * MUTANT NO_SECOND_LOOK  the sleeper does not look again after it announced itself
 * MUTANT CLEARS_ONLY     a notification clears the bit and does not count up
 * MUTANT WAKES_ONE       a notification wakes one sleeper only
 */
#define ROUNDS(i) (2 - (i))

byte word;        /* bit 0: somebody sleeps; the rest counts notifications */
byte cond[2];     /* as others see it */
byte stored[2];   /* stores under way to it */
bool pending[2];  /* sleeper i's fetch-or has loaded (ticket) and not yet stored */
byte ticket[2];   /* with bit 0 set */
byte before[2];   /* what the fetch-or loaded */
bool asleep[2];

inline drain_notifier(i) { d_step { cond[i] = cond[i] + stored[i]; stored[i] = 0 } }

#define storable(i) (pending[i] && word == before[i])
inline store_word(i) { d_step { word = ticket[i]; pending[i] = false } }

/* The store part is done, or failed: then the whole read-modify-write again. */
inline drain_sleeper(i)
{
    atomic {
        if
        :: !pending[i]
        :: storable(i) -> store_word(i)
        :: pending[i] && word != before[i] -> goto prepare
        fi
    }
}

inline heavy_fence(i)
{
    skip;
#if !defined(NO_FENCE) && !defined(NOTIFIER_ALONE)
    drain_sleeper(i);
#if !defined(FENCES) && !defined(NO_MEMBARRIER)
    drain_notifier(0);
    drain_notifier(1);
#endif
#endif
    skip
}

inline light_fence(i)
{
#if defined(FENCES) || defined(NOTIFIER_ALONE)
    drain_notifier(i)
#else
    skip
#endif
}

active [2] proctype sleeper()
{
    byte want = 1;
    do
    :: cond[_pid] >= want ->
        if
        :: want == ROUNDS(_pid) -> break
        :: else -> want++
        fi
    :: cond[_pid] < want ->
prepare:
        atomic { before[_pid] = word; ticket[_pid] = word | 1; pending[_pid] = true };
        heavy_fence(_pid);
        if
#ifndef NO_SECOND_LOOK
        :: cond[_pid] >= want
        :: cond[_pid] < want ->
#else
        :: true ->
#endif
            drain_sleeper(_pid);
            atomic { /* FUTEX_WAIT */
                if
                :: word == ticket[_pid] -> asleep[_pid] = true
                :: else
                fi
            };
            !asleep[_pid]
        fi;
        drain_sleeper(_pid);
        atomic { ticket[_pid] = 0; before[_pid] = 0 } /* fewer states */
    od
}

active [2] proctype notifier()
{
    byte w, rounds, me = _pid - 2;
    do
    :: rounds == ROUNDS(me) -> break
    :: else ->
        stored[me]++;
        light_fence(me);
        w = word;
        do
        :: !(w & 1) -> break
        :: w & 1 ->
            if
            :: atomic { word == w ->
#ifdef CLEARS_ONLY
                word = w & 254
#else
                word = (w & 254) + 2
#endif
               };
               d_step { /* FUTEX_WAKE */
                   if
#ifdef WAKES_ONE
                   :: asleep[0] -> asleep[0] = false
                   :: !asleep[0] -> asleep[1] = false
#else
                   :: true -> asleep[0] = false; asleep[1] = false
#endif
                   fi
               };
               break
            :: atomic { word != w -> w = word }
            fi
        od;
        atomic { rounds++; w = 0 }
    od
}

/* What is under way arrives at some time. */
active proctype memory()
{
end:
    do
    :: d_step { stored[0] > 0 -> stored[0]--; cond[0]++ }
    :: d_step { stored[1] > 0 -> stored[1]--; cond[1]++ }
    :: d_step { storable(0) -> word = ticket[0]; pending[0] = false }
    :: d_step { storable(1) -> word = ticket[1]; pending[1] = false }
    od
}
