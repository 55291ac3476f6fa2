/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Model of the inbox and its ring: src/net/ring.h, src/p2p/inbox.h, inbox.c. Two producers push, one consumer takes.
 *
 *   here                  there
 *   push                  inbox_push; the load of `overflowing` is its first step. inbox_put is the same for one line; where it finds the
 *                         ring full or `overflowing` set it has changed nothing, and inbox_push begins anew. inbox_try
 *                         also gives up where another producer was quicker (`anew`)
 *   again .. claimed      ring_claim: loads of tail, of limit and of taken, the store of limit and the compare-and-swap are steps of
 *                         their own
 *   spill                 spill: append and set the flag, under the lock
 *   consumer                 progress_endpoint's loop, or recv_line's and quick_take's one round of it, of inbox_next (ring_next, next_in_ring, spill_next, detach_spill), reading
 *                         line by line, inbox_done; once it finds no memory for a message, which then stays
 *                         (dispatch returns false), whether from the ring or from the spill
 *
 * A ring of LINES lines; `taken` is published when a multiple of PUBLISH lines is passed. A line's content is the number of its
 * message: 8 * producer + count + 1, in every line that the message takes; 0 is a pad. The consumer blocks where
 * the C code would return NULL until something changes. A message lost is a consumer that waits for ever: an
 * invalid end state. All else are assertions: order (and so no duplicate) per producer, no line overwritten
 * before it was read. Memory is sequentially consistent here: seq, taken, limit and overflowing are release /
 * acquire pairs, and no step of this algorithm stores to one word and then loads another that its counterpart
 * stores.
 *
 * MUTANT FLAG_IGNORED    producers go to the ring without looking at `overflowing`: overtaking
 * MUTANT LIMIT_IGNORED   the spill is taken before the ring's lines below ring_limit: overtaking
 * MUTANT CLEAR_UNLOCKED  the flag is cleared after the lock is released: a spilled message is forgotten
 * MUTANT CLEAR_UNCHECKED the flag is cleared although the spill was not empty
 * MUTANT SEQ_FIRST       seq is stored before the payload
 * MUTANT TAKEN_IGNORED   claims do not look at `limit` and `taken`: lines are overwritten
 * MUTANT LIMIT_AHEAD     the limit that a producer leaves to others counts from the tail, not from `taken`
 * MUTANT TAKEN_EARLY     `taken` is published before the message was read
 * MUTANT PAD_UNMARKED    a message that would wrap leaves the ring's last lines without a pad message
 * MUTANT GIVEN_OUT_LOST  a spilled message that was given out and not done is not given out again
 */
#define LINES 4
#define PUBLISH 2
#define NMSG 3
#define TOTAL (2 * NMSG)
#define PRODUCER(id) (((id) - 1) / 8)
#define COUNT(id) (((id) - 1) % 8)
/* Lines of message k of producer p: 1 2 1 and 1 1 2. */
#define SIZE(p, k) ((k == 1 + p) -> 2 : 1)

byte tail, limit, taken, head;
bool overflowing, spill_lock;
byte seq[LINES], content[LINES], lines[LINES];
chan spill_list = [TOTAL] of { byte };
chan detached = [TOTAL] of { byte };

inline lock() { atomic { !spill_lock -> spill_lock = true } }
inline unlock() { spill_lock = false }

inline write(position, id, n)
{
    d_step { content[(position) % LINES] = id; lines[(position) % LINES] = n }
    if
    :: n == 2 && id != 0 -> content[((position) + 1) % LINES] = id
    :: else
    fi
}

proctype producer(byte p)
{
    byte k, n, t, pad, id, room;
    do
    :: k == NMSG -> break
    :: else ->
        d_step { n = SIZE(p, k); id = 8 * p + k + 1 }
anew: /* push */
#ifndef FLAG_IGNORED
        if
        :: overflowing -> goto spill
        :: else
        fi;
#endif
        t = tail;
again:
        atomic {
            pad = ((t % LINES) + n > LINES -> LINES - (t % LINES) : 0);
            room = limit
        };
#ifndef TAKEN_IGNORED
        if /* ring_has_room */
        :: t + pad + n > room ->
            room = taken + LINES;
#ifdef LIMIT_AHEAD
            limit = t + LINES;
#else
            limit = room;
#endif
            if
            :: t + pad + n > room -> goto spill /* signed, as in C: a stale tail gives less, and the compare-and-swap fails */
            :: else
            fi
        :: else
        fi;
#endif
        if
        :: atomic { tail == t -> tail = t + pad + n }
        :: atomic { tail != t -> t = tail; goto again }
        :: tail != t -> goto anew
        fi;
#ifndef PAD_UNMARKED
        if
        :: pad > 0 -> write(t, 0, pad); seq[t % LINES] = t + 1
        :: else
        fi;
#endif
        t = t + pad;
#ifdef SEQ_FIRST
        seq[t % LINES] = t + 1;
#endif
        write(t, id, n);
        seq[t % LINES] = t + 1;
        goto pushed;
spill:
        lock();
        spill_list!id;
        overflowing = true;
        unlock();
pushed:
        k++
    od
}

active proctype consumer()
{
    byte received, next[2], id, n, ring_limit, current;
    bool from_ring, refused;
    run producer(0);
    run producer(1);
    do
    :: received == TOTAL -> break
    :: else ->
        current = 0; /* always, if GIVEN_OUT_LOST */
next_message:
        if
        :: overflowing && current != 0 -> id = current; from_ring = false; goto read
        :: overflowing && current == 0 -> goto overflow
        :: !overflowing && seq[head % LINES] == head + 1 -> goto ring
        fi;
overflow:
        if
        :: nempty(detached)
        :: empty(detached) ->
            lock();
            d_step {
                do
                :: nempty(spill_list) -> spill_list?id; detached!id
                :: empty(spill_list) -> break
                od;
                id = 0;
                ring_limit = tail
            };
#ifdef CLEAR_UNLOCKED
            unlock();
#endif
            if
#ifdef CLEAR_UNCHECKED
            :: true -> overflowing = false
#else
            :: empty(detached) -> overflowing = false
            :: nempty(detached)
#endif
            fi;
#ifndef CLEAR_UNLOCKED
            unlock()
#endif
        fi;
        if
        :: empty(detached) -> goto next_message
#ifdef LIMIT_IGNORED
        :: nempty(detached)
#else
        :: nempty(detached) && head < ring_limit -> seq[head % LINES] == head + 1; goto ring
        :: nempty(detached) && head >= ring_limit
#endif
        fi;
        d_step { detached?current; id = current; from_ring = false };
        goto read;
ring:
        atomic { id = content[head % LINES]; n = lines[head % LINES]; from_ring = true };
#ifdef TAKEN_EARLY
        taken = head + n;
#endif
        if
        :: id == 0 -> goto done
        :: else
        fi;
        assert(n == SIZE(PRODUCER(id), COUNT(id)));
        if
        :: n == 2 -> assert(content[(head + 1) % LINES] == id)
        :: else
        fi;
        assert(content[head % LINES] == id);
read:
        if /* no memory to keep it: it stays */
        :: !refused ->
            refused = true;
#ifdef GIVEN_OUT_LOST
            current = 0;
#endif
            goto next_message
        :: true
        fi;
        d_step {
            assert(COUNT(id) == next[PRODUCER(id)]);
            next[PRODUCER(id)]++;
            received++
        };
done:
        if
        :: from_ring ->
            head = head + n;
            if
            :: head % PUBLISH < n -> taken = head
            :: else
            fi
        :: else
        fi;
        id = 0
    od
}
