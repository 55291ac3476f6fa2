/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Model of the list of returned descriptors: src/net/shm.h (`returned`), net_descriptor_return and net_descriptors_collect of
 * src/net/descriptor.c. Receivers of two processes return descriptors, two threads of their owner collect them; one that came
 * back is sent again, to either, so it may be in the list anew while someone is about to push on it (ABA).
 *
 *   here         there
 *   receiver     net_descriptor_return: load of `returned`, stores of rc and next, compare-and-swap
 *   collector    net_descriptors_collect: look, exchange, then one after the other: next is read, come_back
 *
 * What a receiver stores to rc and next of a descriptor, relaxed, is under way (unseen) until `memory` lets others see it, or
 * its compare-and-swap does, a release; the receiver itself sees it at once. The collector's exchange is an acquire. The ring
 * in which notes of descriptors go out is a release and acquire, too: send hands over without delay. Places are numbers from
 * 1, 0 is none. Assertions: who collects a descriptor finds it BACK, with the rc that its receiver gave. A descriptor that is
 * lost is one that does not come back: at the end (judge) all are with their owner.
 *
 * MUTANT RELAXED       the compare-and-swap is no release
 * MUTANT STORED        a receiver stores its descriptor instead of compare-and-swap
 * MUTANT NEXT_ONCE     next is not stored again when the compare-and-swap has failed
 * MUTANT NEXT_LATE     next is stored behind the compare-and-swap
 * MUTANT LOADED        a collector loads the list and then stores 0
 * MUTANT ONE_AT_A_TIME a collector takes the first alone, by compare-and-swap with its next: ABA
 * MUTANT NEXT_AFTER    a collector reads next after the descriptor has come back
 */
#define HEAP 3
#define TURNS 5 /* returns, of all */

mtype = { SENDER, RECEIVER, BACK };

byte returned;
byte next[HEAP + 1], rc[HEAP + 1];                 /* as others see it */
byte unseen_next[HEAP + 1], unseen_rc[HEAP + 1];   /* as its receiver has stored it */
bool unseen[HEAP + 1];                             /* they differ */
mtype holder[HEAP + 1];
byte given_rc[HEAP + 1];
byte returns;

chan ring = [HEAP] of { byte };

inline send(d)
{
    atomic {
        holder[d] = RECEIVER;
        ring!d
    }
}

inline drain(d)
{
    d_step {
        if
        :: unseen[d] -> next[d] = unseen_next[d]; rc[d] = unseen_rc[d]; unseen[d] = false
        :: else
        fi
    }
}

active [2] proctype receiver()
{
    byte d, newest;
end:
    do
    :: atomic { ring?d -> newest = returned; given_rc[d] = 1 + _pid; unseen_rc[d] = 1 + _pid; unseen[d] = true };
#ifdef NEXT_ONCE
        atomic { unseen_next[d] = newest; unseen[d] = true };
#endif
again:
#if !defined(NEXT_ONCE) && !defined(NEXT_LATE)
        atomic { unseen_next[d] = newest; unseen[d] = true };
#endif
#ifdef STORED
        atomic { drain(d); holder[d] = BACK; returned = d };
#else
        if
        :: atomic {
               returned == newest ->
               assert(holder[d] == RECEIVER);
#ifndef RELAXED
               drain(d);
#endif
               holder[d] = BACK;
               returned = d
           }
        :: atomic { returned != newest -> newest = returned; goto again }
        fi;
#endif
#ifdef NEXT_LATE
        d_step { unseen_next[d] = newest; next[d] = newest };
#endif
        atomic { d = 0; newest = 0 }
    od
}

/* come_back, and perhaps another message goes out with it */
inline come_back(d)
{
    atomic {
        assert(holder[d] == BACK);
        assert(rc[d] == given_rc[d]);
        holder[d] = SENDER;
        if
        :: returns < TURNS - HEAP -> returns++; send(d)
        :: else
        fi
    }
}

active [2] proctype collector()
{
    byte d, following;
end:
    do
    :: returned != 0 ->
#ifdef ONE_AT_A_TIME
        d = returned;
        if
        :: d != 0 ->
            following = next[d];
            if
            :: atomic { returned == d -> returned = following }; come_back(d)
            :: returned != d
            fi
        :: d == 0
        fi;
#else
#ifdef LOADED
        d = returned;
        returned = 0;
#else
        atomic { d = returned; returned = 0 };
#endif
        do
        :: d == 0 -> break
        :: d != 0 ->
#ifdef NEXT_AFTER
            come_back(d);
            following = next[d];
#else
            following = next[d];
            come_back(d);
#endif
            atomic { d = following; following = 0 }
        od;
#endif
        atomic { d = 0; following = 0 }
    od
}

/* What is under way arrives at some time. */
active proctype memory()
{
end:
    do
    :: atomic { unseen[1] -> drain(1) }
    :: atomic { unseen[2] -> drain(2) }
    :: atomic { unseen[3] -> drain(3) }
    od
}

/* Runs when nothing else can. */
active proctype judge()
{
    timeout;
    assert(returned == 0 && empty(ring));
    assert(holder[1] == SENDER && holder[2] == SENDER && holder[3] == SENDER);
    assert(returns == TURNS - HEAP)
}

init { atomic { send(1); send(2); send(3) } }
