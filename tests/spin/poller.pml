/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Model of the hand-over of polling: src/p2p/progress/wait.h, wait.c (wait_until, wait_sleep_once), poller.c. Each waiting
 * thread has an endpoint, and so an event count, of its own; each waits once.
 *
 *   here          in wait.c, poller.c
 *   thread        wait_until; a round either polls (far_poll) or goes on to sleep (wait_sleep_once)
 *   take          poller_take, and what the poller does: poll until its own wait is over
 *   resign        poller_resign: there is nothing to poll for any more
 *   prepare ..    evcount_prepare, the second look with poller_wanted, evcount_wait
 *   leave         poller_leave, notifying endpoint after endpoint until a sleeper woke
 *   notify        evcount_notify, evcount_notify_slow (see evcount.pml)
 *   far_active    far_active()
 *
 * What ends the wait of thread i is chosen at the start: NEAR, somebody changes done[i] and notifies; FAR, a
 * message that MPI holds and any thread's poll takes out (then done[i] and a notification); AFTER, the next thread
 * does it when its own wait is over. `comms` frees the last communicator that reaches other processes and
 * makes another one: meanwhile far_active is false, and waits for something far begin only after that. There
 * are no time limits on sleeps. A wait that does not end, above all because all sleep and nobody polls, is an
 * invalid end state.
 *
 * The leaver's store of 0 to the place is delayed (leaving) until `memory` lets it through, or a heavy fence
 * of a sleeper does, or the leaver's own FUTEX_WAKE: the chain needs that whom it woke finds the place free,
 * and the kernel has a full barrier between the caller's stores and its look for sleepers (on x86 the
 * compare-and-swap before it is one too). All else is sequentially consistent here; for the rest of evcount.h's
 * pattern see evcount.pml.
 *
 * VARIANT COMMS             with `comms`, and two threads instead of three
 * MUTANT LEAVES_SILENTLY    a poller that leaves notifies nobody
 * MUTANT NOTIFIES_FIRST      it notifies before it clears the place
 * MUTANT STOPS_ANYWAY       the chain ends at the first event count whose bit is set, asleep or not
 * MUTANT KEEPS_IT           a woken thread whose wait is over does not notify the next
 * MUTANT NO_SECOND_LOOK     a sleeper does not look at the place after it announced itself
 * MUTANT NO_FENCE           a sleeper's fence does not reach the leaver's store
 * MUTANT WAKE_UNORDERED     the woken thread may still see the leaver in the place
 * MUTANT SLEEPS_AS_POLLER   the poller goes to sleep with the place when there is nothing to poll for
 */
#ifdef SLEEPS_AS_POLLER
#define COMMS
#endif
#ifdef COMMS
#define N 2
#else
#define N 3
#endif
#define MAX 3
#define NOBODY N
#define OUTSIDE (N + 1)

mtype = { NEAR, FAR, AFTER };

mtype event[MAX];
bool done[MAX];
bool far[MAX];           /* the message is in MPI */
bool far_active = true;
byte place = NOBODY;
bool leaving;          /* the store of NOBODY by the thread in the place is under way */
byte word[MAX];          /* the event counts */
bool asleep[MAX];
bool far_begins;       /* waits for far messages, and those, may begin */

#define far_any (far[0] || far[1] || far[2])

/* The leaver's store becomes visible. */
inline pass()
{
    d_step {
        if
        :: leaving -> leaving = false; place = NOBODY
        :: else
        fi
    }
}

/* woke: a thread was asleep. Load and compare-and-swap are one step: if it failed, somebody else rang. */
inline notify(me, i, woke)
{
    if
    :: atomic { word[i] & 1 -> word[i] = ((word[i] & 6) + 2) & 7 }; /* modulo 8 is enough here */
       atomic { /* FUTEX_WAKE */
#ifndef WAKE_UNORDERED
           if
           :: place == me -> pass()
           :: else
           fi;
#endif
            woke = asleep[i]; asleep[i] = false };
#ifdef STOPS_ANYWAY
       woke = true
#endif
    :: atomic { !(word[i] & 1) -> woke = false }
    fi
}

/* far_poll, if there is something: the message's receive is done, notify. */
inline poll(me, j, woke)
{
    atomic {
        if
        :: far_any ->
            if
            :: far[0] -> j = 0
            :: far[1] -> j = 1
            :: far[2] -> j = 2
            fi;
            far[j] = false;
            done[j] = true;
            notify(me, j, woke);
            j = 0;
            woke = false
        :: !far_any
        fi
    }
}

/* The calling thread's fence and membarrier. */
inline heavy_fence()
{
#ifdef NO_FENCE
    skip
#else
    pass()
#endif
}

#define is_poller(me) (place == me && !leaving) /* as it sees it itself */

inline leave(me, j, woke)
{
#if defined(NOTIFIES_FIRST)
    woke = !(place == me || place == NOBODY);
#elif defined(KEEPS_IT)
    atomic { woke = !is_poller(me); leaving = leaving || !woke };
#else
    atomic { woke = (place != NOBODY && !is_poller(me)); leaving = leaving || is_poller(me) };
#endif
#ifndef LEAVES_SILENTLY
    do
    :: woke || j == N -> break
    :: !woke && j < N -> notify(me, j, woke); j++
    od;
#endif
#ifdef NOTIFIES_FIRST
    atomic { leaving = leaving || is_poller(me) };
#endif
    atomic { j = 0; woke = false }
}

proctype thread(byte me)
{
    byte j, ticket;
    bool woke, slept;
    event[me] != FAR || far_begins;
    do
    :: atomic { done[me] -> ticket = 0; break }
    :: atomic { !done[me] ->
           ticket = 0;
           poll(me, j, woke);
           if
           :: done[me] -> break
           :: !done[me] -> slept = true
           fi
       };
        /* take */
        if
        :: far_active ->
            if
            :: atomic { place == me || place == NOBODY -> leaving = false; place = me }
            :: atomic { place != me && place != NOBODY -> goto prepare }
            fi;
            atomic { far_any || done[me] || !far_active -> goto turn }
        :: !far_active
        fi;
#ifndef SLEEPS_AS_POLLER
        /* resign */
        if
        :: is_poller(me) -> leave(me, j, woke)
        :: !is_poller(me)
        fi;
#endif
prepare:
        atomic { word[me] = word[me] | 1; ticket = word[me] };
        heavy_fence();
        if
        :: done[me]
        :: !done[me] ->
#ifndef NO_SECOND_LOOK
            if
            :: far_active ->
                if
                :: place == NOBODY -> goto turn
                :: place != NOBODY
                fi
            :: !far_active
            fi;
#endif
            atomic { /* FUTEX_WAIT */
                if
                :: word[me] == ticket -> asleep[me] = true
                :: else
                fi
            };
            !asleep[me]
        fi;
turn:
        skip
    od;
    if
    :: slept -> leave(me, j, woke)
    :: !slept
    fi;
    /* what depends on this thread */
    atomic {
        if
        :: me > 0 && event[me - 1] == AFTER -> done[me - 1] = true; notify(me, me - 1, woke)
        :: else
        fi
    }
}

proctype cause(byte i)
{
    bool woke;
    atomic {
        if
        :: event[i] == NEAR -> done[i] = true; notify(OUTSIDE, i, woke); woke = false
        :: event[i] == FAR && far_begins -> far[i] = true
        :: event[i] == AFTER
        fi
    }
}

#ifdef COMMS
proctype comms()
{
    far_active = false;
    far_active = true;
    far_begins = true
}
#endif

proctype memory()
{
end:
    do
    :: atomic { leaving -> leaving = false; place = NOBODY }
    od
}

init {
    atomic {
        byte i;
        do
        :: i == N -> break
        :: i < N ->
            if
            :: event[i] = NEAR
            :: event[i] = FAR
            :: i + 1 < N -> event[i] = AFTER
            fi;
            i++
        od;
#ifdef COMMS
        run comms();
#else
        far_begins = true;
#endif
        run memory();
        i = 0;
        do
        :: i == N -> break
        :: i < N -> run thread(i); run cause(i); i++
        od;
        i = 0
    }
}
