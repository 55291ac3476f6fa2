/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Model of a descriptor's owners: src/net/descriptor.h, descriptor.c, defer.c, src/p2p/far/shm_send.c, wire_take.c, wire_end.c. Two
 * threads of a process send to a peer, in which two threads receive.
 *
 *   here            there
 *   thread          wire_send_now, wire_send (submit), then a wait, wire_cancel, or neither (ep_request_free)
 *   push            push and try with send_eager or send_late: under the peer's lock, but for wire_send_now. Where it finds no descriptor,
 *                   or no room in the ring, the message waits in the list (join)
 *   get, put        net_descriptor_get, net_descriptor_put; pop_free, under the heap's lock
 *   collect         net_descriptors_collect: what is `back` one by one. The list itself is in returned.pml
 *   withdraw        net_descriptor_withdraw
 *   poller          net_shm_tend: collect; at last end of wire_end.c with is_awaited
 *   flusher         net_flush. Both block where the C code would come again until something changes
 *   receiver        match.c's search, which asks net_arrival_withdrawn; match, claim and receive of wire_take.c, or drop
 *
 * A message is LATE (its data stay with the sender: it is complete when the descriptor comes back), EAGER (they are in the
 * descriptor) or APART (in memory of the process that is freed when the descriptor comes back: expected, of no owner). Every
 * look at a descriptor is one of LOOK, which fails if it is someone else's: FREE, SENDER's, RECEIVER's, or BACK and not yet
 * collected. Other assertions: a request is completed once, data are read while they are there, `out` is never less than
 * nothing, the end waits for all that is expected. At the end (judge) each message was delivered, dropped or withdrawn, once;
 * each descriptor is free or back. A send that never completes is an invalid end state.
 *
 * Memory is sequentially consistent here: what is written before a note is pushed, or a descriptor returned, is released
 * with it; `state` changes by compare-and-swap only; all else that two threads of the sender write is under a lock.
 *
 * MUTANT TO_FIRST         withdraw reads `to` before it knows that the owner is not done
 * MUTANT DONE_UNLOCKED    withdraw asks whether the owner is done before it has the lock
 * MUTANT PUT_FIRST        a descriptor that comes back is put before its owner is told
 * MUTANT WITHDRAW_STORED  the sender stores WITHDRAWN instead of compare-and-swap
 * MUTANT CLAIM_STORED     the receiver stores CLAIMED instead of compare-and-swap
 * MUTANT CLAIM_IGNORED    the receiver takes what its claim did not get
 * MUTANT DROP_UNCLAIMED   what is dropped is returned without a claim
 * MUTANT TOLD_AGAIN       the owner of a withdrawn one is told when it comes back, too
 * MUTANT COUNTED_AGAIN    a withdrawn one that comes back is still expected
 * MUTANT OUT_FIRST        the end looks at `out` before it looks at `behind`
 */
#define MESSAGES 2
#define HEAP 1
#define NONE 255

mtype = { OPEN, CLAIMED, WITHDRAWN };
mtype = { FREE, SENDER, RECEIVER, BACK };
mtype = { LATE, EAGER, APART };

bool peer_lock, heap_lock, behind;
bool was_full;        /* the ring, of others' messages: once */
short out;
byte finished;

mtype state[HEAP];
byte owner[HEAP];     /* message, or NONE */
bool expected[HEAP];
mtype holder[HEAP];
byte content[HEAP];   /* the message that it is of */

mtype kind[MESSAGES];
byte descriptor[MESSAGES];
bool done[MESSAGES], delivered[MESSAGES], dropped[MESSAGES], cancelled[MESSAGES];

chan waiting = [MESSAGES] of { byte };
chan ring = [1] of { byte, byte };
chan back = [HEAP] of { byte };

#define LOOK(d, who) assert(holder[d] == who)

inline lock(l) { atomic { !l -> l = true } }
inline unlock(l) { l = false }

inline complete(m) { atomic { assert(!done[m]); done[m] = true } }

inline count_out(n) { atomic { out = out + n; assert(out >= 0) } }

inline put(d)
{
    LOOK(d, SENDER);
    if
    :: expected[d] -> count_out(-1)
    :: else
    fi;
    atomic { !heap_lock -> LOOK(d, SENDER); holder[d] = FREE; content[d] = NONE }
}

inline tell(d, m)
{
    if
    :: m != NONE && state[d] == WITHDRAWN ->
#ifdef TOLD_AGAIN
        complete(m);
#endif
#ifndef COUNTED_AGAIN
        expected[d] = false
#endif
    :: m != NONE && state[d] != WITHDRAWN -> complete(m)
    :: m == NONE
    fi
}

/* come_back, each */
inline collect(d, m)
{
    do
    :: atomic { back?d -> LOOK(d, BACK); holder[d] = SENDER; m = owner[d] };
#ifdef PUT_FIRST
        if
        :: m != NONE && state[d] != WITHDRAWN -> put(d); complete(m)
        :: else -> tell(d, m); put(d)
        fi
#else
        tell(d, m);
        put(d)
#endif
    :: empty(back) -> break
    od;
    atomic { d = NONE; m = NONE }
}

inline pop_free(d)
{
    atomic {
        !heap_lock;
        d = 0;
        do
        :: d == HEAP -> d = NONE; break
        :: d < HEAP && holder[d] == FREE -> holder[d] = SENDER; break
        :: d < HEAP && holder[d] != FREE -> d++
        od
    }
}

/* d: NONE without success */
inline push(d, p, m)
{
    pop_free(d);
    if
    :: d == NONE && nempty(back) -> collect(d, p); pop_free(d)
    :: d != NONE || empty(back)
    fi;
    if
    :: d == NONE
    :: d != NONE ->
        d_step {
            LOOK(d, SENDER);
            state[d] = OPEN;
            content[d] = m;
            owner[d] = (kind[m] == LATE -> m : NONE);
            expected[d] = (kind[m] != EAGER);
            out = out + expected[d];
            descriptor[m] = (kind[m] == LATE -> d : NONE)
        };
        if
        :: atomic { ring!d, m -> LOOK(d, SENDER); holder[d] = RECEIVER };
            if
            :: kind[m] != LATE -> complete(m)
            :: kind[m] == LATE
            fi
        :: !was_full -> was_full = true; descriptor[m] = NONE; put(d); d = NONE
        fi
    fi
}

inline submit(d, p, m)
{
    lock(peer_lock);
    if
    :: empty(waiting) -> push(d, p, m)
    :: nempty(waiting) -> d = NONE
    fi;
    if
    :: d == NONE -> waiting!m; behind = true
    :: d != NONE
    fi;
    unlock(peer_lock)
}

inline left()
{
    if
    :: empty(waiting) -> behind = false
    :: nempty(waiting)
    fi
}

inline withdraw(d, m, mine)
{
#ifdef DONE_UNLOCKED
    mine = !done[m];
#endif
    lock(heap_lock);
#ifdef TO_FIRST
    assert(content[d] == m);
#endif
#ifndef DONE_UNLOCKED
    mine = !done[m];
#endif
    if
    :: mine ->
        assert(content[d] == m);
#ifdef WITHDRAW_STORED
        mine = (state[d] == OPEN);
        if
        :: mine -> state[d] = WITHDRAWN
        :: else
        fi
#else
        atomic {
            mine = (state[d] == OPEN);
            if
            :: mine -> state[d] = WITHDRAWN
            :: else
            fi
        }
#endif
    :: else
    fi;
    assert(!mine || content[d] == m); /* `to` */
    unlock(heap_lock);
    if
    :: mine -> count_out(-1)
    :: else
    fi
}

inline cancel(d, m, mine)
{
    lock(peer_lock);
    mine = false;
    if
    :: done[m]
    :: !done[m] && descriptor[m] != NONE -> d = descriptor[m]; withdraw(d, m, mine)
    :: !done[m] && descriptor[m] == NONE -> waiting??eval(m); left(); mine = true
    fi;
    unlock(peer_lock);
    if
    :: mine -> cancelled[m] = true; complete(m)
    :: else
    fi
}

proctype thread(byte m)
{
    byte d = NONE, p = NONE;
    bool mine;
    if
    :: kind[m] != LATE && !behind -> push(d, p, m) /* wire_send_now */
    :: kind[m] == LATE || behind
    fi;
    if
    :: d == NONE ->
        submit(d, p, m);
        if
        :: done[m]
        :: cancel(d, m, mine); done[m]
        :: true
        fi
    :: d != NONE
    fi;
    finished++
}

/* What is_awaited reads in two steps. */
inline look_awaited(awaited)
{
#ifdef OUT_FIRST
    awaited = (out > 0);
    awaited = (awaited || behind)
#else
    awaited = behind;
    awaited = (awaited || out > 0)
#endif
}

proctype poller()
{
    byte d = NONE, p = NONE;
    bool awaited, looked;
    do
    :: nempty(back) -> collect(d, p)
    :: finished == MESSAGES && (!looked || (!behind && out == 0)) ->
        look_awaited(awaited);
        if
        :: !awaited -> break
        :: awaited -> looked = true
        fi
    od;
    /* the end of MPI: nothing of what is expected is left behind */
    assert(empty(waiting));
    assert(!(holder[0] == RECEIVER && expected[0] && state[0] != WITHDRAWN))
}

/* net_flush, by the poller or by the thread that is there for it */
proctype flusher()
{
    byte d = NONE, p = NONE, m;
end:
    do
    :: nempty(waiting) && nfull(ring) && (holder[0] == FREE || nempty(back)) ->
        lock(peer_lock);
        if
        :: waiting?<m> ->
            push(d, p, m);
            if
            :: d != NONE -> waiting?eval(m); left()
            :: d == NONE
            fi
        :: empty(waiting)
        fi;
        unlock(peer_lock);
        atomic { d = NONE; p = NONE; m = 0 }
    od
}

inline claim(d, got)
{
#ifdef CLAIM_STORED
    got = (state[d] != WITHDRAWN);
    if
    :: got -> state[d] = CLAIMED
    :: else
    fi
#else
    atomic {
        LOOK(d, RECEIVER);
        got = (state[d] != WITHDRAWN);
        if
        :: got -> state[d] = CLAIMED
        :: else
        fi
    }
#endif
}

inline give_back(d) { atomic { LOOK(d, RECEIVER); holder[d] = BACK; back!d } }

inline drop(d, m, got)
{
#ifndef DROP_UNCLAIMED
    claim(d, got);
#endif
    atomic { got = (state[d] != WITHDRAWN); dropped[m] = got };
    give_back(d)
}

#define DATA_ARE_THERE(d, m) assert(holder[d] == RECEIVER && content[d] == m && (kind[m] != LATE || !done[m]))

inline receive(d, m)
{
    DATA_ARE_THERE(d, m);
    atomic { DATA_ARE_THERE(d, m); assert(!delivered[m]); delivered[m] = true };
    give_back(d)
}

active [1] proctype receiver()
{
    byte d, m;
    bool got;
end:
    do
    :: ring?d, m ->
        LOOK(d, RECEIVER);
        if
        :: state[d] == WITHDRAWN -> drop(d, m, got)
        :: true -> /* a receive, or a matching probe and its receive */
            claim(d, got);
#ifdef CLAIM_IGNORED
            got = true;
#endif
            if
            :: got -> receive(d, m)
            :: got -> claim(d, got); assert(got); receive(d, m)
            :: !got -> drop(d, m, got)
            fi
        :: true -> drop(d, m, got)
        fi;
        atomic { d = 0; m = 0; got = false }
    od
}

/* Runs when nothing else can. */
proctype judge()
{
    byte m;
    timeout;
    assert(finished == MESSAGES);
    do
    :: m == MESSAGES -> break
    :: else ->
        assert(done[m] && delivered[m] + dropped[m] + cancelled[m] == 1);
        m++
    od;
    assert(holder[0] == FREE || holder[0] == BACK);
    assert(out == 0)
}

init {
    atomic {
        byte m;
        do
        :: m == MESSAGES -> break
        :: else -> descriptor[m] = NONE; m++
        od;
        m = 0;
        kind[0] = LATE;
        if
        :: kind[1] = LATE
        :: kind[1] = EAGER
        :: kind[1] = APART
        fi;
        holder[0] = FREE;
        state[0] = OPEN;
        owner[0] = NONE;
        content[0] = NONE;
        run thread(0);
        run thread(1);
        run poller();
        run flusher();
        run judge()
    }
}
