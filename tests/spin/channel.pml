/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Model of a channel's numbers and credits: src/net/channel.h, channel_begin and channel_wait of src/rma/channel.c. Two threads of one
 * endpoint send messages to a process and flush; whoever waits takes answers (the poll). The process carries messages
 * out in order and answers those that ask.
 *
 *   here     in the source
 *   room     net_channel_has_room, without the lock: each thread may be one too many
 *   send     net_channel_send: numbered, and sent, under the lock; some kinds want an answer soon (NET_EAGER_ACK)
 *   flush    ask, settle: an answer to all that was sent is on its way, or is asked for; then it is waited for
 *
 * A flush that returns before its messages were carried out is an assertion, one that never does an invalid end state.
 *
 * MUTANT NO_EVERY     messages never ask for an answer because many were sent without one
 * MUTANT NO_ASK       a flush does not ask
 * MUTANT ALWAYS_ROOM  nobody looks whether there is room
 * MUTANT EARLY        the process answers before it has carried out
 * MUTANT NO_LOCK      numbers are given, and messages sent, without the lock
 */
#define CREDIT 3
#define EVERY 2
#define THREADS 2
#define MESSAGES 2

byte sent, asked, acked, carried_out;
bool lock;
chan request = [8] of { byte, bool };
chan answer = [8] of { byte };

inline take_answer()
{
    atomic {
        answer?got;
        assert(got <= carried_out);
        if
        :: got > acked -> acked = got
        :: else
        fi
    }
}

inline room()
{
#ifdef ALWAYS_ROOM
    skip
#else
    do
    :: sent - acked < CREDIT -> break
    :: take_answer()
    od
#endif
}

inline send(wanted)
{
#ifndef NO_LOCK
    atomic { !lock -> lock = true };
#endif
    number = sent + 1;
    sent = number;
    assert(sent - acked <= CREDIT + THREADS - 1);
    asks = wanted;
#ifndef NO_EVERY
    asks = asks || (sent - asked >= EVERY);
#endif
    if
    :: asks -> asked = number
    :: else
    fi;
    request!number, asks;
    lock = false
}

active [THREADS] proctype thread()
{
    byte got, number, goal, n;
    bool asks;
    do
    :: n < MESSAGES ->
        room();
        if
        :: send(false)
        :: send(acked >= asked)
        fi;
        n++
    :: else -> break
    od;
    goal = sent;
#ifndef NO_ASK
    if
    :: asked != sent && acked < sent -> room(); send(true)
    :: else
    fi;
#endif
    do
    :: acked >= goal -> break
    :: take_answer()
    od;
    assert(carried_out >= goal)
}

active proctype process()
{
    byte number;
    bool asks;
end:
    do
    :: request?number, asks ->
        assert(number == carried_out + 1);
#ifdef EARLY
        if
        :: asks -> answer!number
        :: else
        fi;
        carried_out = number
#else
        carried_out = number;
        if
        :: asks -> answer!number
        :: else
        fi
#endif
    od
}
