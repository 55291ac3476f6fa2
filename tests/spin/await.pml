/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Model of awaiting requests: WAITED of src/p2p/request.h, wait_for_requests of src/p2p/progress/suspend.c. A task waits again and
 * again for any of two requests until both have ended; two threads complete them.
 *
 *   here       in suspend.c, request.c
 *   task       suspend_until: await_all, crt_wait, unawait, see_out
 *   locked     request_complete_locked: under the endpoint's lock, no read-modify-write
 *   free       request_complete: anywhere
 *   tell       tell: the first signals
 *
 * The object that requests point to lives in the frame of one wait: `round` counts them, 0 is none. Whoever tells
 * asserts that the wait of which it read is not over, and that the request was not released. A lost wake-up is an
 * invalid end state. All words are changed by read-modify-writes with acquire and release or under the lock, so steps
 * are interleaved as they are.
 *
 * MUTANT NO_SEE_OUT    the task leaves without waiting for those that have set DONE and not yet told
 * MUTANT NO_CONSUME    having found a request done while it registers, it does not wait for the signal that is on its way
 * MUTANT NO_UNAWAIT    it leaves WAITED set where the request has not ended
 * MUTANT NO_LOCK       it sets WAITED without the endpoint's lock
 * MUTANT ALWAYS_WAITS  it sleeps although it found a request done
 * MUTANT TELLS_FIRST   who completes tells before DONE is set
 */
#define N 2

bool done[N], waited[N]; /* the word of request i */
bool released[N];
byte awaiter;            /* r->awaiter: the same in all that are WAITED */
byte round, rounds;      /* the wait whose object exists, and how many there were */
byte told;
byte cond;               /* 0 empty, 1 signalled, 2 the task waits */
bool lock;

inline acquire() { atomic { !lock -> lock = true } }
inline release() { lock = false }

inline tell(i)
{
    assert(!released[i]);
    a = awaiter;
    atomic {
        assert(a == round);
        first = told == 0;
        told++
    }
    if
    :: first -> atomic { assert(a == round); cond = 1 }
    :: else
    fi
}

proctype locked(byte i)
{
    bool old, first;
    byte a;
    acquire();
    old = waited[i];
#ifdef TELLS_FIRST
    if
    :: old -> tell(i)
    :: else
    fi;
    done[i] = true;
#else
    atomic { done[i] = true; waited[i] = old } /* stores the word as it was loaded */
    if
    :: old -> tell(i)
    :: else
    fi;
#endif
    release()
}

proctype free(byte i)
{
    bool old, first;
    byte a;
#ifdef TELLS_FIRST
    old = waited[i];
    if
    :: old -> tell(i)
    :: else
    fi;
    done[i] = true
#else
    atomic { old = waited[i]; done[i] = true }
    if
    :: old -> tell(i)
    :: else
    fi
#endif
}

inline crt_wait()
{
    atomic {
        if
        :: cond == 0 -> cond = 2
        :: else
        fi
    }
    atomic { cond == 1 -> cond = 0 }
}

proctype task()
{
    byte n, i, ended;
    do
    :: released[0] && released[1] -> break
    :: else ->
        acquire();
        atomic { rounds++; round = rounds; told = 0; cond = 0; n = 0; ended = 0 }
#ifdef NO_LOCK
        release();
#endif
        do
        :: n == N -> break
        :: n < N && released[n] -> n++
        :: n < N && !released[n] ->
            if
            :: done[n] -> break
            :: else ->
                awaiter = round;
                atomic {
                    if
                    :: done[n] -> break /* and WAITED is cleared: nobody has seen it */
                    :: else -> waited[n] = true
                    fi
                }
                n++
            fi
        od;
#ifdef NO_LOCK
        acquire();
#endif
#ifdef ALWAYS_WAITS
        if
        :: true ->
#else
        if
        :: n == N ->
#endif
            release();
            crt_wait();
            acquire()
        :: else
        fi;
        i = 0;
        do
        :: i == n -> break
        :: i < n && released[i] -> i++
        :: i < n && !released[i] ->
            atomic {
                ended = ended + done[i];
#ifdef NO_UNAWAIT
                if
                :: done[i] -> waited[i] = false
                :: else
                fi;
#else
                waited[i] = false;
#endif
                i++
            }
        od;
#ifndef NO_CONSUME
        if
        :: n < N && ended > 0 -> release(); crt_wait(); acquire()
        :: else
        fi;
#endif
#ifndef NO_SEE_OUT
        told >= ended;
#endif
        round = 0;
        i = 0;
        do
        :: i == N -> break
        :: i < N ->
            atomic {
                if
                :: done[i] -> released[i] = true
                :: else
                fi;
                i++
            }
        od;
        release()
    od
}

init
{
    atomic {
        run task();
        if
        :: run locked(0); run free(1)
        :: run locked(1); run free(0)
        fi
    }
}
