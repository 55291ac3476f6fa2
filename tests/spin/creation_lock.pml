/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Model of the creation lock: src/derive/vote.c. Two creations, 0 and 1 by ticket, want
 * the locks of two processes, 0 and 1; each has a leader in both.
 *
 *   here          in vote.c
 *   try           creation_lock_try
 *   leader          a round is one vote: vote_begin (try, cast), tree and vote_middle (both cast), vote_end
 *   wrong         something else went wrong in a leader: the creation is over without MPI
 *   progress      leaders_unlock, or the end of vote_end
 *
 * A leader may try in the next vote before the other one has read the last one's result. In a process two
 * creations never have the lock, in the end nothing is held or left behind, and no creations vote for ever
 * among themselves (under weak fairness).
 *
 * LIVENESS: besides deadlocks and assertions, cycles without progress are errors.
 * VARIANT REFUSALS      a creation may be refused in any vote
 * MUTANT NO_TICKETS     tickets that are left are not heeded
 * MUTANT LEAVES_LAST    the latest ticket is left, not the lowest
 * MUTANT KEEPS_LOCK     who lost a vote keeps the lock
 * MUTANT FORGETS_NOT    a creation that is over leaves its ticket behind
 * MUTANT TAKES_ANYWAY   who finds the lock held takes it
 */
#define N 2

bool held[N], wanted[N];
byte left[N], holders[N];
bool got[2 * N];        /* by creation and leader: the vote that was cast */
bool bad[2 * N];        /* the same: something went wrong there */
byte cast[N], seen[N];  /* leaders that cast a vote, and that read the result */
byte through;

#ifdef NO_TICKETS
#define BARRED(c, p) false
#else
#define BARRED(c, p) (wanted[p] && left[p] < c)
#endif
#ifdef LEAVES_LAST
#define COMES_FIRST(c, p) (c > left[p])
#else
#define COMES_FIRST(c, p) (c < left[p])
#endif
#ifdef TAKES_ANYWAY
#define HELD(p) false
#else
#define HELD(p) held[p]
#endif

inline try(c, p, g)
{
    atomic {
        if
        :: !HELD(p) && !BARRED(c, p) ->
            held[p] = true;
            holders[p]++;
            assert(holders[p] == 1);
            g = true
        :: else ->
            g = false;
            if
            :: !wanted[p] || COMES_FIRST(c, p) -> wanted[p] = true; left[p] = c
            :: else
            fi
        fi
    }
}

inline give_back(p, g)
{
    atomic {
        if
        :: g -> held[p] = false; holders[p]--; g = false
        :: else
        fi
    }
}

inline forget(c, p)
{
    atomic {
        if
#ifndef FORGETS_NOT
        :: wanted[p] && left[p] == c -> wanted[p] = false
        :: else
#else
        :: true
#endif
        fi
    }
}

proctype leader(byte c, h, p)
{
    bool mine = false, wrong = false, won, lost;
again:
    if
    :: !mine -> try(c, p, mine)
    :: else
    fi;
    atomic {
        seen[c] == 0 && cast[c] < 2;
#ifdef REFUSALS
        if
        :: wrong = true
        :: skip
        fi;
#endif
        got[2 * c + h] = mine; bad[2 * c + h] = wrong; cast[c]++
    }
    atomic {
        cast[c] == 2;
        won = got[2 * c] && got[2 * c + 1];
        lost = bad[2 * c] || bad[2 * c + 1];
        seen[c]++;
        if
        :: seen[c] == 2 -> cast[c] = 0; seen[c] = 0
        :: else
        fi
    }
    if
    :: won || lost ->
progress:
        give_back(p, mine); /* after MPI's calls, if it was won */
        forget(c, p)
    :: else ->
#ifndef KEEPS_LOCK
        give_back(p, mine);
#endif
        goto again
    fi;
    through++
}

init
{
    atomic {
        run leader(0, 0, 0); run leader(0, 1, 1);
        run leader(1, 0, 1); run leader(1, 1, 0)
    }
    through == 2 * N;
    byte p;
    for (p : 0 .. N - 1) {
        assert(!held[p] && !wanted[p])
    }
}
