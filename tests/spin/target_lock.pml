/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Model of the target lock: src/rma/lock.h, lock.c, lock_request.c. Processes that see the word take the lock and give it back by
 * compare-and-swap; who has to wait, or leaves as the last one while somebody waits, asks the target's process. One process does
 * not see the word, as on another machine, and always asks. The target's process has a queue of those that wait.
 *
 *   here     in the source
 *   enter    lock_word_enter
 *   leave    lock_word_leave
 *   mark     lock_mark, by the target's process: let in, or QUEUED and into the queue
 *   hand     lock_hand_over, by the target's process
 *
 * Two that have the lock, one of them exclusively, are an assertion; who waits for ever is an invalid end state.
 *
 * MUTANT LOOK_ONLY    who enters stores what it has computed, without a compare-and-swap
 * MUTANT LEAVES       the last holder leaves although somebody waits
 * MUTANT MARK_LATER   QUEUED is set some time after the look that said that the claim must wait
 * MUTANT HAND_STORE   the lock is handed over by a store, whoever has come meanwhile
 * MUTANT NO_MARK      the mark goes with the first claim that is let in, though others wait
 * MUTANT BARGES       an exclusive claim does not look for shared holders
 */
#define QUEUED 1
#define EXCLUSIVE 2
#define SHARED 4
#define PROCESSES 3
#define STRANGER 2
#define TURNS 2

#define unit(kind) kind
#ifdef BARGES
#define admits(word, kind) (!((word) & EXCLUSIVE) && (kind == SHARED || !((word) & QUEUED)))
#else
#define admits(word, kind) ((kind == SHARED && !((word) & EXCLUSIVE)) || (kind == EXCLUSIVE && (word) == 0))
#endif

byte word, readers, writers, done;
chan ask = [PROCESSES] of { byte, byte };      /* process, or PROCESSES to give it back; kind */
chan grant[PROCESSES] = [1] of { bit };
chan queue = [PROCESSES] of { byte, byte };    /* process, kind: of the target's process */

inline enter(kind, got)
{
    now = word;
    do
    :: admits(now, kind) ->
#ifdef LOOK_ONLY
        word = now + unit(kind); got = true; break
#else
        atomic {
            if
            :: word == now -> word = now + unit(kind); got = true; break
            :: else -> now = word
            fi
        }
#endif
    :: else -> got = false; break
    od
}

inline leave(kind, left)
{
    now = word;
    do
#ifndef LEAVES
    :: now - unit(kind) == QUEUED -> left = false; break
    :: else ->
#else
    :: true ->
#endif
        atomic {
            if
            :: word == now -> word = now - unit(kind); left = true; break
            :: else -> now = word
            fi
        }
    od
}

proctype process(byte me; byte kind)
{
    byte now, turn;
    bool ok;
    do
    :: turn < TURNS ->
        ok = false;
        if
        :: me != STRANGER -> enter(kind, ok)
        :: else
        fi;
        if
        :: ok
        :: else -> ask!me, kind; grant[me]?_
        fi;
        atomic {
            if
            :: kind == SHARED -> readers++
            :: else -> writers++
            fi;
            assert(writers <= 1 && (writers == 0 || readers == 0))
        }
        atomic {
            if
            :: kind == SHARED -> readers--
            :: else -> writers--
            fi
        }
        ok = false;
        if
        :: me != STRANGER -> leave(kind, ok)
        :: else
        fi;
        if
        :: ok
        :: else -> ask!PROCESSES, kind
        fi;
        turn++
    :: else -> break
    od;
    done++
}


inline mark(who, kind)
{
    do
    :: enter(kind, ok);
        if
        :: ok -> grant[who]!0; break
        :: else
        fi;
        now = word;
        if
        :: !admits(now, kind) ->
#ifdef MARK_LATER
            word = word | QUEUED; queue!who, kind; break
#else
            atomic {
                if
                :: word == now -> word = now | QUEUED; queue!who, kind; break
                :: else
                fi
            }
#endif
        :: else
        fi
    od
}

/* Who waits while an exclusive holder leaves: all shared ones if the first is. */
inline hand(kind)
{
    do
    :: leave(kind, ok);
        if
        :: ok -> break
        :: else
        fi;
        queue?<first, wants>;
        n = 0;
        if
        :: wants == SHARED ->
            k = len(queue);
            do
            :: k > 0 ->
                queue?first, wants;
                if
                :: wants == SHARED -> n++; told[first] = true
                :: else -> queue!first, wants
                fi;
                k--
            :: else -> break
            od;
            atomic {
                assert(word == (kind | QUEUED));
                word = n * SHARED + (len(queue) > 0 -> QUEUED : 0)
            }
            k = 0;
            do
            :: k < PROCESSES ->
                if
                :: told[k] -> told[k] = false; grant[k]!0
                :: else
                fi;
                k++
            :: else -> break
            od;
            break
        :: else ->
            atomic {
                if
#ifdef HAND_STORE
                :: true ->
#else
                :: word == (kind | QUEUED) ->
#endif
#ifdef NO_MARK
                    word = EXCLUSIVE;
#else
                    word = EXCLUSIVE + (len(queue) > 1 -> QUEUED : 0);
#endif
                    queue?first, wants; grant[first]!0; break
                :: else
                fi
            }
        fi
    od
}

active proctype target()
{
    byte who, kind, now, first, wants, n, k;
    bool ok;
    bool told[PROCESSES];
end:
    do
    :: ask?who, kind ->
        if
        :: who < PROCESSES -> mark(who, kind)
        :: else -> hand(kind)
        fi
    od
}

init {
    byte i;
    byte kind;
    do
    :: i < PROCESSES ->
        if
        :: kind = SHARED
        :: kind = EXCLUSIVE
        fi;
        run process(i, kind);
        i++
    :: else -> break
    od;
    done == PROCESSES;
    (len(ask) == 0);
    assert(readers == 0 && writers == 0)
}
