/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Model of what bounds messages between two processes, and of who waits for what: credits (src/net/channel.h), packets and the
 * reserve of brief ones (src/net/am.c), rings that are full (src/net/defer.c), src/rma/channel.c, serve.c. Endpoints 0
 * and 1 of process 0 lock the window of process 1, put and unlock; endpoint 2 of process 1 puts to process 0. All of them want
 * answers; which do, and numbers under the channel's lock, is in channel.pml, the ring is in inbox.pml, the bell in bell.pml.
 *
 *   here             there
 *   endpoint         lock_request_take, puts, lock_request_release, channel_wait
 *   wait_for         wait_until (src/p2p/progress/wait.h): look, prepare, look again, sleep
 *   send             channel_send_short: into the peer's ring (net_channel_send_short), or a packet (send_packet), which is pushed or
 *                    deferred (net_am_send). Without one it makes progress and tries again
 *   poller           net_shm_poll of whoever polls; flusher, what net_shm_tend of it pushes. Both block where the C code would find
 *                    nothing, or again NET_AGAIN, until something changes
 *   answer           reply_begin, reply_send: a place in the peer's ring, or a brief packet. Without either the message stays
 *   serve_lock       the same: with a brief packet that waits in the gate until the lock is granted
 *   take_acked       net_channel_acked; its bell is rung in the next step
 *
 * There is no more memory: of packets, PACKETS in a process, of brief ones BRIEFS, as many as its peer's messages may be
 * unanswered. Answers are short; those that are not take ordinary packets and need memory. Assertions: no more than CREDIT are unanswered, messages of a channel are carried out in order, each once; one
 * endpoint holds the lock; nothing is answered that was not carried out; a channel is not touched after its endpoint has gone
 * on. Whatever does not finish is an invalid end state: a sleeper nobody rings for, two processes that wait for each other. At
 * the end (judge) all packets are back.
 *
 * MUTANT ONE_POOL        lock requests and answers take ordinary packets, of which there are PACKETS
 * MUTANT FEW_BRIEFS      there are fewer brief packets than messages that may be unanswered
 * MUTANT LOCK_STAYS      a lock request that has to wait stays in the ring
 * MUTANT OVERTAKES       messages go into the ring past those that wait for it
 * MUTANT ALWAYS_ROOM     nobody looks whether there is room
 * MUTANT SILENT          an answer that has come rings nobody
 * MUTANT NO_SECOND_LOOK  who goes to sleep does not look again
 * MUTANT RINGS_LATE      the bell is looked up in the channel after the answer is seen
 * MUTANT KEPT            packets that have left are not put back
 */
#define ENDPOINTS 3
#define PUTS(e) (e == 2 -> 3 : e)
#define CREDIT 2
#define RING 1
#define PACKETS 1
#ifdef FEW_BRIEFS
#define BRIEFS 1
#else
#define BRIEFS 4 /* two endpoints' credits */
#endif
#define NOBODY ENDPOINTS

mtype = { LOCK, PUT, UNLOCK, GRANT, ACK };

#define PROCESS(e) ((e) / 2)
#define BRIEF(kind) (kind == GRANT || kind == ACK)

/* channels */
byte sent[ENDPOINTS], acked[ENDPOINTS], carried_out[ENDPOINTS];
bool granted[ENDPOINTS], armed[ENDPOINTS], gone[ENDPOINTS];
/* the window */
byte holder = NOBODY;
chan gate = [ENDPOINTS] of { byte, byte };
/* processes */
byte packets[2], briefs[2];
chan ring[2] = [RING] of { mtype, byte, byte };
chan waiting[2] = [PACKETS + BRIEFS] of { mtype, byte, byte };

#ifdef ONE_POOL
#define brief(p) packets[p]
#else
#define brief(p) briefs[p]
#endif
#ifdef OVERTAKES
#define may_claim(p) nfull(ring[1 - p])
#else
#define may_claim(p) (empty(waiting[p]) && nfull(ring[1 - p]))
#endif
#define may_not_claim(p) (nempty(waiting[p]) || full(ring[1 - p]))
#define has_room(e) (sent[e] - acked[e] < CREDIT)

/* A packet that p has got. */
inline am_send(p, k, to, n, pool)
{
    if
    :: may_claim(p) -> ring[1 - p]!k, to, n; pool++
    :: may_not_claim(p) -> waiting[p]!k, to, n
    fi
}

inline wait_for(me, condition)
{
    do
    :: atomic { condition -> armed[me] = false; break }
#ifndef NO_SECOND_LOOK
    :: atomic { !(condition) -> armed[me] = true }; /* bell_prepare */
#else
    :: !(condition) -> armed[me] = true;
#endif
        if
#ifndef NO_SECOND_LOOK
        :: condition
        :: !(condition) -> !armed[me]
#else
        :: !armed[me]
#endif
        fi
    od
}

inline number(me)
{
    sent[me]++;
    assert(sent[me] - acked[me] <= CREDIT)
}

inline send(me, k)
{
#ifndef ALWAYS_ROOM
    wait_for(me, has_room(me));
#endif
    if
    :: atomic { may_claim(PROCESS(me)) -> number(me); ring[1 - PROCESS(me)]!k, me, sent[me] }
    :: may_not_claim(PROCESS(me)) ->
        atomic { packets[PROCESS(me)] > 0 -> packets[PROCESS(me)]-- };
        atomic { number(me); am_send(PROCESS(me), k, me, sent[me], packets[PROCESS(me)]) }
    fi
}

proctype endpoint(byte me)
{
    byte n;
    if
    :: PROCESS(me) == 0 ->
        send(me, LOCK);
        wait_for(me, granted[me]);
        assert(holder == me)
    :: PROCESS(me) == 1
    fi;
    do
    :: n < PUTS(me) -> n++; send(me, PUT)
    :: n == PUTS(me) -> break
    od;
    if
    :: PROCESS(me) == 0 -> send(me, UNLOCK)
    :: PROCESS(me) == 1
    fi;
    wait_for(me, acked[me] >= sent[me]);
    atomic { assert(carried_out[me] == sent[me]); gone[me] = true }
}

inline answer(p, k, to, n)
{
    if
    :: may_claim(p) -> ring[1 - p]!k, to, n
    :: may_not_claim(p) -> brief(p)--; am_send(p, k, to, n, brief(p))
    fi
}

inline carry_out(e, n) { assert(n == carried_out[e] + 1); carried_out[e] = n }

/* far_granted: of the claim that has waited longest */
inline grant(p, e, n)
{
    holder = e;
    am_send(p, GRANT, e, n, brief(p))
}

inline leave_gate(p, e, n)
{
    assert(holder == e);
    holder = NOBODY;
    if
    :: nempty(gate) -> gate?e, n; grant(p, e, n)
    :: empty(gate)
    fi
}

inline take_acked(e, n)
{
    assert(!gone[e] && n <= carried_out[e] && n <= sent[e]);
    if
    :: n > acked[e] -> acked[e] = n
    :: n <= acked[e]
    fi
}

#define may_answer(p) (brief(p) > 0 || may_claim(p))
#ifdef LOCK_STAYS
#define may_lock(p) (holder == NOBODY && brief(p) > 0)
#else
#define may_lock(p) (brief(p) > 0)
#endif

proctype poller(byte p)
{
    mtype k;
    byte e, n;
end:
    do
    :: atomic {
           ring[p]?<k, e, n>;
           if
           :: k == LOCK && may_lock(p) ->
               brief(p)--;
               carry_out(e, n);
               if
               :: holder == NOBODY -> grant(p, e, n)
               :: holder != NOBODY -> gate!e, n
               fi
           :: k != LOCK && !BRIEF(k) && may_answer(p) ->
               carry_out(e, n);
               answer(p, ACK, e, n);
               if
               :: k == UNLOCK -> leave_gate(p, e, n)
               :: k != UNLOCK
               fi
           :: BRIEF(k) -> take_acked(e, n); goto answered
           fi;
           goto done
       };
answered:
       atomic {
#ifdef RINGS_LATE
           assert(!gone[e]);
#endif
           granted[e] = granted[e] || k == GRANT;
#ifndef SILENT
           armed[e] = false;
#endif
done:
           ring[p]?_, _, _; k = 0; e = 0; n = 0
       }
    od
}

/* net_flush of the same poll: also while the head of the ring has to stay. */
proctype flusher(byte p)
{
    mtype k;
    byte e, n;
end:
    do
    :: atomic {
           nempty(waiting[p]) && nfull(ring[1 - p]) ->
           waiting[p]?k, e, n;
           ring[1 - p]!k, e, n;
           if
#ifndef KEPT
           :: BRIEF(k) -> brief(p)++
           :: !BRIEF(k) -> packets[p]++
#else
           :: true
#endif
           fi;
           k = 0; e = 0; n = 0
       }
    od
}

/* Runs when nothing else can. */
proctype judge()
{
    timeout;
    assert(gone[0] && gone[1] && gone[2] && holder == NOBODY);
    assert(packets[0] == PACKETS && packets[1] == PACKETS);
    assert(briefs[0] == BRIEFS && briefs[1] == BRIEFS)
}

init {
    atomic {
        packets[0] = PACKETS; packets[1] = PACKETS;
        briefs[0] = BRIEFS; briefs[1] = BRIEFS;
        run endpoint(0);
        run endpoint(1);
        run endpoint(2);
        run poller(0);
        run poller(1);
        run flusher(0);
        run flusher(1);
        run judge()
    }
}
