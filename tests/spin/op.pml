/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Model of an operation: src/coll/op.h, op.c, arrive.c, and far_step of far.c. Two calls, one after the
 * other, by the same object: the first by all endpoints, the second by one or two of them. That one may be on another
 * communicator, so who is still in the first, with a pointer to the object, need not come. The first has up
 * to two rounds, the second one, each of up to TASKS tasks and perhaps a far step: advance chooses.
 *
 *   here          in op.c, arrive.c, far.c
 *   come          arrive_come with op_new; who finds no free object waits for it
 *   open          op_open
 *   wait          wait_args; the event count notifies in one step, for the rest of it see evcount.pml
 *   leader        step, by whoever holds the endpoint of the leader. It is taken for granted that somebody comes
 *                 for as long as there is work: the poller, or a sleeper whose time is limited (wait.h)
 *   next_round    next_round with algorithm->advance, begin_round, finish
 *
 * `object` is the call that the object serves, 0 if it is free. LOOK(c) stands for every access in the name of call
 * c and fails once the object is recycled; only claim may be read at any time. What is written by the one who sets up
 * a round is written before claim, and nobody stores to one word and then relies on what another one says,
 * the event count aside; so sequential consistency is enough. At the end (check) all is complete, and recycled once for each
 * call. Nobody calls sleepers to help (call_helpers), for it must go without. The queue of issue order is not here.
 *
 * VARIANT NEAR              only one process, three endpoints: nobody but those who wait does the tasks
 * MUTANT NO_LOOK            a helper does not look whether its call is done after it loaded claim
 * MUTANT LOOKS_FIRST        it looks before
 * MUTANT CLAIM_STORED       a helper stores claim instead of compare-and-swap
 * MUTANT NO_GENERATION      the rounds are not told apart in claim
 * MUTANT RESTARTS           the generations of a new call start anew
 * MUTANT CLAIM_FIRST        claim is published before left is set
 * MUTANT FAR_FIRST          the far step is published before claim
 * MUTANT IDLE_LATE          the far step is over before far_state says so
 * MUTANT READS_LATE         who publishes a round looks then whether it has a far step
 * MUTANT OVER_EARLY         a task is reported before it is done
 * MUTANT ROUND_NOT_HELD     who publishes a round has no reference
 * MUTANT OPENER_HOLDS_NOT   who opens the operation has no reference
 * MUTANT WORK_HOLDS_NOT     the work has no reference
 * MUTANT DROPS_EARLY        the work drops its reference before the operation is over
 * MUTANT SILENT             who completes calls notifies nobody
 * MUTANT NO_SECOND_LOOK     a sleeper does not look again after it announced itself
 */
#ifdef NEAR
#define N 3
#else
#define N 2
#endif
#define CALLS 2
#define ROUNDS 2 /* of the first call; the second has one less */
#define TASKS 2
#define COUNT(word) ((word) & 3)
#ifdef NO_GENERATION
#define GENERATION 0
#else
#define GENERATION 4
#endif

mtype = { IDLE, WANTED, RUNNING };

/* the object */
byte claim, left, refs;
mtype far_state;
bool over;
byte arrived, round, ntasks;
bool wants_far, has_work;
byte listed; /* work in the endpoint of the leader: its call */

/* what is so, and nobody there knows */
byte object, recycled;
byte members[CALLS + 1]; /* bit i: endpoint i takes part */
byte coming[CALLS + 1];  /* how many do */
bool begun[TASKS], ended[TASKS], far_begun;

/* the arguments of the endpoints */
byte call_of[N];
bool done[N], noticed[N];
byte back; /* endpoints that are through */

#define LOOK(c) assert(object == c)
#define TAKES_PART(i, c) (members[c] & (1 << (i)))
#define HAS_ENDED(i) (ended[i] == (i < ntasks))

inline drop(c, last)
{
    atomic { LOOK(c); assert(refs > 0); refs--; last = (refs == 0) }
    if
    :: last ->
        atomic {
            LOOK(c);
            assert(!listed && left == 0);
            object = 0; recycled++;
            last = false; arrived = 0; round = 0; over = false /* fewer states */
        }
    :: !last
    fi
}

inline finish(c, i, last)
{
    atomic { LOOK(c); over = true };
    do
    :: i == N -> break
    :: i < N && TAKES_PART(i, c) ->
        atomic {
            LOOK(c);
            assert(call_of[i] == c && !done[i]);
            done[i] = true;
#ifndef SILENT
            noticed[i] = false;
#endif
            i++
        }
    :: i < N && !TAKES_PART(i, c) -> i++
    od;
    i = 0;
    drop(c, last)
}

inline begin_round(c, tasks, is_far, last)
{
#ifdef CLAIM_FIRST
    atomic { LOOK(c); claim = claim - COUNT(claim) + GENERATION + tasks }
    atomic { LOOK(c); left = tasks + is_far; refs++ }
#else
    atomic {
        LOOK(c); left = tasks + is_far;
#ifndef ROUND_NOT_HELD
        refs++
#endif
    }
#ifdef FAR_FIRST
    if
    :: is_far -> atomic { LOOK(c); far_state = WANTED }
    :: !is_far
    fi;
#endif
    atomic { LOOK(c); claim = claim - COUNT(claim) + GENERATION + tasks; tasks = 0 }
#endif
#ifdef READS_LATE
    atomic { LOOK(c); is_far = wants_far }
#endif
    if
#ifndef FAR_FIRST
    :: is_far -> atomic { LOOK(c); far_state = WANTED }
    :: !is_far
#else
    :: true
#endif
    fi;
    is_far = false;
#ifdef ROUND_NOT_HELD
    LOOK(c) /* o->leader, o->comm */
#else
    drop(c, last)
#endif
}

/* The others may not be at it any more. */
inline advance(c, tasks, is_far)
{
    atomic {
        LOOK(c);
        assert(left == 0 && COUNT(claim) == 0 && far_state == IDLE);
        assert(HAS_ENDED(0) && HAS_ENDED(1) && far_begun == wants_far);
        round++;
        begun[0] = false; begun[1] = false; ended[0] = false; ended[1] = false; far_begun = false;
        ntasks = 0; wants_far = false;
        if
        :: round + c <= ROUNDS + 1 ->
            if
            :: has_work -> wants_far = true
            :: ntasks = 1
            :: ntasks = 2
            :: has_work -> wants_far = true; ntasks = 1
            :: has_work -> wants_far = true; ntasks = 2
            fi
        :: true
        fi;
        tasks = ntasks; is_far = wants_far
    }
}

inline next_round(c, i, tasks, is_far, last)
{
    advance(c, tasks, is_far);
    if
    :: tasks == 0 && !is_far -> finish(c, i, last)
    :: else -> begin_round(c, tasks, is_far, last)
    fi
}

inline op_over(c, i, tasks, is_far, last)
{
    atomic { LOOK(c); assert(left > 0); left--; last = (left == 0) }
    if
    :: last -> next_round(c, i, tasks, is_far, last)
    :: !last
    fi
}

/* `helped`: as op_help returns it; `task`: 1 + the task that was taken. */
inline op_help(c, is_over, word, helped, task, i, tasks, is_far, last)
{
#ifdef LOOKS_FIRST
    helped = !(is_over);
    atomic { word = claim; helped = helped && COUNT(word) > 0 };
#else
    atomic { word = claim; helped = (COUNT(word) > 0) };
#ifndef NO_LOOK
    if
    :: helped && (is_over) -> helped = false
    :: else
    fi;
#endif
#endif
    if
    :: helped ->
#ifdef CLAIM_STORED
        last = (claim == word);
#else
        atomic {
            last = (claim == word);
#endif
            if
            :: last ->
                LOOK(c);
                claim = word - 1;
                task = COUNT(word);
                assert(task <= ntasks && !begun[task - 1]);
                begun[task - 1] = true;
                last = false
            :: else
            fi;
            word = 0
#ifndef CLAIM_STORED
        }
#endif
        if
        :: task > 0 ->
#ifdef OVER_EARLY
            op_over(c, i, tasks, is_far, last);
#endif
            atomic {
                LOOK(c);
                assert(task <= ntasks && begun[task - 1] && !ended[task - 1]);
                ended[task - 1] = true;
                task = 0
            }
#ifndef OVER_EARLY
            op_over(c, i, tasks, is_far, last)
#endif
        :: else
        fi
    :: else -> word = 0
    fi
}

/* comm->lock is held. `last`: of all that come. */
inline come(me, c, last)
{
    atomic {
        object == c || object == 0;
        if
        :: object == 0 -> /* op_new */
            object = c;
            arrived = 0; round = 0; far_state = IDLE; over = false;
            ntasks = 0; wants_far = false; far_begun = false; ended[0] = false; ended[1] = false;
#ifdef RESTARTS
            claim = 0;
#endif
        :: else
        fi;
        call_of[me] = c; done[me] = false;
        arrived++;
        last = (arrived == coming[c])
    }
}

inline open(c, word, helped, task, i, tasks, is_far, last)
{
    atomic {
        LOOK(c);
#ifdef NEAR
        has_work = false;
#else
        has_work = true;
#endif
        refs = 2 + has_work;
#ifdef OPENER_HOLDS_NOT
        refs--;
#endif
#ifdef WORK_HOLDS_NOT
        refs = refs - has_work;
#endif
    }
    if
    :: has_work -> atomic { LOOK(c); assert(!listed); listed = c }
    :: !has_work
    fi;
    next_round(c, i, tasks, is_far, last);
    do
    :: op_help(c, false, word, helped, task, i, tasks, is_far, last);
        if
        :: !helped -> break
        :: helped -> helped = false
        fi
    od;
#ifndef OPENER_HOLDS_NOT
    drop(c, last)
#endif
}

inline wait(me, c, word, helped, task, i, tasks, is_far, last)
{
    do
    :: done[me] -> break
    :: !done[me] ->
        op_help(c, done[me], word, helped, task, i, tasks, is_far, last);
        if
        :: helped -> helped = false
        :: !helped /* spins */
        :: !helped -> /* goes to sleep */
#ifdef NO_SECOND_LOOK
            noticed[me] = true;
#else
            noticed[me] = !done[me];
#endif
            !noticed[me]
        fi
    od
}

proctype endpoint(byte me)
{
    byte c = 1, word, task, i, tasks;
    bool helped, is_far, last;
    do
    :: c > CALLS -> break
    :: c <= CALLS ->
        if
        :: TAKES_PART(me, c) ->
            come(me, c, last);
            if
            :: last -> last = false; open(c, word, helped, task, i, tasks, is_far, last)
            :: !last
            fi;
            wait(me, c, word, helped, task, i, tasks, is_far, last);
            atomic { assert(call_of[me] == c && done[me]); call_of[me] = 0 }
        :: else
        fi;
        c++
    od;
    back++
}

proctype leader()
{
    byte c, word, task, i, tasks;
    bool helped, is_far, last;
#ifdef DROPS_EARLY
    bool dropped;
#endif
end:
    do
    :: listed && far_state != IDLE -> /* far_step */
        c = listed;
        if
        :: atomic {
            far_state == WANTED ->
            LOOK(c);
            assert(!far_begun && wants_far);
            far_begun = true;
            far_state = RUNNING
        }
        :: far_state == RUNNING ->
#ifndef IDLE_LATE
            atomic { LOOK(c); far_state = IDLE }
#endif
            op_over(c, i, tasks, is_far, last);
#ifdef IDLE_LATE
            atomic { LOOK(c); far_state = IDLE }
#endif
        fi
    :: listed && COUNT(claim) > 0 ->
        c = listed;
        op_help(c, over, word, helped, task, i, tasks, is_far, last);
        helped = false
#ifdef DROPS_EARLY
    :: listed && !dropped -> c = listed; dropped = true; drop(c, last)
#endif
    :: listed && over ->
        atomic { c = listed; LOOK(c); listed = 0 }
#ifdef DROPS_EARLY
        dropped = false
#else
#ifndef WORK_HOLDS_NOT
        drop(c, last)
#endif
#endif
    od
}

/* Runs when nothing else can. */
proctype check()
{
    timeout;
    assert(back == N && object == 0 && recycled == CALLS && !listed && refs == 0 && COUNT(claim) == 0)
}

init {
    atomic {
        coming[1] = N; members[1] = (1 << N) - 1;
        coming[2] = 1;
        if
        :: members[2] = 1
        :: members[2] = 2
        :: coming[2] = 2; members[2] = 3
        fi;
        far_state = IDLE;
        run endpoint(0);
        run endpoint(1);
#if N > 2
        run endpoint(2);
#endif
        run leader();
        run check()
    }
}
