/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Model of a send by rendezvous: src/p2p/rndv.h, rndv.c, and the word of its request: request.h, request.c.
 *
 *   here           in the C code
 *   sender         wait_request / p2p_test with rndv_help and rndv_buffer, rndv_cancel, request_release
 *                  (also early: ep_request_free)
 *   receiver       rndv_match (maybe), then rndv_claim and rndv_receive, or rndv_drop; then its own wait with
 *                  rndv_jobs, or leaves that to `helper`, and request_release of the receive
 *   helper         another thread on the receiver's endpoint: rndv_jobs
 *   copy_chunks    copy_chunks: the counters are one step each, a copy is two (begin and end)
 *   complete       request_complete, release_peer request_release_peer, complete_peer request_complete_peer
 *
 * Chosen at the start: synchronous or not (only the latter may be buffered), large (copied together) or not.
 * LOOK(s) stands for every access to a request and fails once that is recycled. A buffer's content may be
 * copied only while its owner leaves it alone: the sender's until it saw DONE, the receiver's until it saw
 * recv_done. Each word is one atomic object with release and acquire order, and what goes with a value of the
 * rndv word is written before it; nobody stores to one word and then relies on what another one says. So
 * sequential consistency is enough. At the end (check): both are complete, the send is recycled once, and
 * either every chunk was copied once, or the whole delivered once, or nothing and the message was withdrawn
 * (then, and only then, the outcome says cancelled) or dropped.
 *
 * MUTANT PEER_EARLY       the receiver gives PEER up before it copies its chunks
 * MUTANT PEER_AT_OPENING  PEER is given up when the chunks are published
 * MUTANT LAST_TAKEN       whoever takes the last chunk completes, chunks_left or not
 * MUTANT BUFFER_STORED    the sender stores BUFFERED instead of compare-and-swap
 * MUTANT WITHDRAW_STORED  the sender stores WITHDRAWN instead of compare-and-swap
 * MUTANT CANCELLED_FIRST  the sender sets `cancelled` before it knows that it withdrew the message
 * MUTANT CLAIM_STORED     the receiver stores CLAIMED instead of compare-and-swap
 * MUTANT DONE_FIRST       the send is done before the sender's copy is published
 * MUTANT RELEASE_BLINDLY  a done request is recycled by its user whether PEER is set or not
 */
#define CHUNKS 2
#define DONE 1
#define USER 2
#define PEER 4

mtype = { OPEN, MATCHED, CLAIMED, TOGETHER, BUFFERED, WITHDRAWN };

bool sync, large;

/* the send request */
mtype rndv = OPEN;
byte word = USER | PEER;
bool cancelled, outcome_cancelled, send_recycled;
byte next_chunk, chunks_left;
bool copy_exists;

/* the receive request; the receiver holds USER until it is done */
bool recv_done, recv_recycled, dropped;
byte job; /* 1: in the endpoint's list of jobs */

bool send_buffer_free, recv_buffer_free; /* their owners go on to use them */
byte copied[CHUNKS], delivered;

#define LOOK(who) assert(!who##_recycled)

inline recycle() { d_step { LOOK(send); send_recycled = true } }

/* What the C code reads before, it reads before; the last access is the change of the word. */
inline complete(old)
{
    LOOK(send);
    outcome_cancelled = cancelled; /* parent_with_outcome */
    atomic { LOOK(send); assert(!(word & DONE)); old = word; word = word | DONE };
    if
    :: !(old & (USER | PEER)) -> recycle()
    :: else
    fi;
    old = 0
}

inline complete_peer(old)
{
    LOOK(send);
    outcome_cancelled = cancelled;
    atomic { LOOK(send); assert(!(word & DONE) && (word & PEER)); old = word; word = word - PEER + DONE };
    if
    :: !(old & USER) -> recycle()
    :: else
    fi;
    old = 0
}

inline release_peer(old)
{
    atomic { LOOK(send); assert(word & PEER); old = word; word = word & (DONE | USER) };
    if
    :: (old & DONE) && !(old & USER) -> recycle()
    :: else
    fi;
    old = 0
}

inline release_user(old)
{
    atomic { LOOK(send); old = word };
    if
#ifdef RELEASE_BLINDLY
    :: old & DONE -> recycle()
    :: !(old & DONE) ->
#else
    :: old == (DONE | USER) -> recycle() /* no atomic needed */
    :: old != (DONE | USER) ->
#endif
        atomic { LOOK(send); old = word; word = word & (DONE | PEER) };
        if
        :: (old & DONE) && !(old & PEER) -> recycle()
        :: else
        fi
    fi;
    old = 0
}

inline complete_receive() { d_step { LOOK(recv); assert(!recv_done); recv_done = true } }

inline begin_copy() { assert(!send_buffer_free && !recv_buffer_free) }
inline end_copy() { assert(!send_buffer_free && !recv_buffer_free) }

inline copy_chunks(i, left, old)
{
    do
    :: atomic { LOOK(send); i = next_chunk; next_chunk = (i < CHUNKS -> i + 1 : i) };
       if
       :: i >= CHUNKS -> break
       :: i < CHUNKS
       fi;
       LOOK(send);
       begin_copy();
       atomic { end_copy(); copied[i]++ };
#ifdef LAST_TAKEN
       atomic { left = (i == CHUNKS - 1 -> 1 : 0) };
#else
       atomic { LOOK(send); left = chunks_left; chunks_left-- };
#endif
       if
       :: left == 1 -> complete_receive(); complete(old); break
       :: left != 1
       fi
    od;
    atomic { i = 0; left = 0 }
}

proctype sender()
{
    byte i, left, old;
    bool tried;
    mtype state;
    do
    :: word & DONE -> /* the acquire load */
        LOOK(send);
        break
    :: rndv == TOGETHER && !(word & DONE) -> /* rndv_help */
        copy_chunks(i, left, old)
    :: !sync && !copy_exists -> /* rndv_buffer */
        atomic { LOOK(send); state = rndv };
        if
        :: state == OPEN || state == MATCHED ->
            assert(!send_buffer_free);
            copy_exists = true;
#ifdef BUFFER_STORED
            rndv = BUFFERED;
            complete(old);
#else
#ifdef DONE_FIRST
            complete(old);
#endif
            do
            :: atomic { rndv == state -> LOOK(send); rndv = BUFFERED };
#ifndef DONE_FIRST
               complete(old);
#endif
               break
            :: atomic { rndv != state -> LOOK(send); state = rndv };
               if
               :: state == MATCHED /* again */
               :: state != MATCHED -> copy_exists = false; break
               fi
            od;
#endif
        :: else
        fi;
        state = 0;
        if
        :: !copy_exists -> goto waits /* once is enough */
        :: copy_exists
        fi
    :: !tried && !(word & DONE) -> /* rndv_cancel */
        tried = true;
#ifdef CANCELLED_FIRST
        cancelled = true;
#endif
#ifdef WITHDRAW_STORED
        state = rndv;
#else
        atomic {
            LOOK(send);
            state = rndv;
            if
            :: state == OPEN -> rndv = WITHDRAWN
            :: state != OPEN
            fi
        };
#endif
        if
        :: state == OPEN ->
#ifdef WITHDRAW_STORED
            rndv = WITHDRAWN;
#endif
            cancelled = true;
            complete(old)
        :: state != OPEN ->
            cancelled = false
        fi;
        state = 0
    :: true -> /* ep_request_free */
        release_user(old);
        goto end
    :: true -> /* sleeps until it is done, or only helps */
waits:
        do
        :: word & DONE -> break
        :: rndv == TOGETHER && !(word & DONE) -> copy_chunks(i, left, old)
        od
    od;
    send_buffer_free = true;
    release_user(old);
end:
    skip
}

inline claim(state, success)
{
#ifdef CLAIM_STORED
    state = rndv;
    if
    :: state == OPEN || state == MATCHED -> rndv = CLAIMED
    :: else
    fi;
#else
    atomic {
        LOOK(send);
        state = rndv;
        if
        :: state == OPEN || state == MATCHED -> rndv = CLAIMED
        :: else
        fi
    };
#endif
    success = (state != WITHDRAWN)
}

inline run_job(i, left, old)
{
#ifdef PEER_EARLY
    release_peer(old);
    copy_chunks(i, left, old)
#else
    copy_chunks(i, left, old);
#ifndef PEER_AT_OPENING
    release_peer(old)
#endif
#endif
}

/* rndv_receive after a successful claim. */
inline receive(i, left, old)
{
    LOOK(send);
    if
    :: rndv == BUFFERED ->
        assert(copy_exists);
        delivered++;
        atomic { assert(copy_exists && !recv_buffer_free); copy_exists = false };
        release_peer(old);
        complete_receive()
    :: rndv != BUFFERED && large ->
        atomic { LOOK(send); next_chunk = 0; chunks_left = CHUNKS };
        rndv = TOGETHER;
#ifdef PEER_AT_OPENING
        release_peer(old);
#else
        LOOK(send); /* s->endpoint, to notify */
#endif
        job = 1 /* now that the receiver's endpoint is unlocked others find it */
    :: rndv != BUFFERED && !large ->
        begin_copy();
        atomic { end_copy(); delivered++ };
        complete_peer(old);
        complete_receive()
    fi
}

proctype receiver()
{
    byte i, left, old;
    bool success;
    mtype state;
    if
    :: atomic { rndv == OPEN -> LOOK(send); rndv = MATCHED }
    :: true
    fi;
    claim(state, success);
    if
    :: success && rndv == BUFFERED -> dropped = true; copy_exists = false; release_peer(old)
    :: success && rndv != BUFFERED -> dropped = true; complete_peer(old)
    :: success -> receive(i, left, old)
    :: !success -> release_peer(old) /* rndv_drop */
    fi;
    state = 0;
    if
    :: !success || dropped -> skip
    :: else ->
        do
        :: recv_done -> break
        :: atomic { job == 1 -> job = 0 }; run_job(i, left, old)
        od;
        recv_buffer_free = true;
        atomic { LOOK(recv); recv_recycled = true }
    fi
}

proctype helper()
{
    byte i, left, old;
end:
    atomic { job == 1 -> job = 0 };
    run_job(i, left, old)
}

/* Runs when nothing else can. */
proctype check()
{
    timeout;
    assert(send_recycled);
    assert(!copy_exists);
    assert((delivered == 1 && copied[0] == 0 && copied[1] == 0) ||
           (delivered == 0 && copied[0] == 1 && copied[1] == 1) ||
           (delivered == 0 && copied[0] == 0 && copied[1] == 0 && (dropped || rndv == WITHDRAWN)));
    assert(outcome_cancelled == (rndv == WITHDRAWN));
    assert(recv_done == (delivered == 1 || copied[0] == 1))
}

init {
    atomic {
        if
        :: sync = true
        :: sync = false
        fi;
        if
        :: large = true
        :: large = false
        fi;
        run sender();
        run receiver();
        run helper();
        run check()
    }
}
