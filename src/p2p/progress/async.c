/* SPDX-License-Identifier: BSD-3-Clause */
#include "p2p/progress/async.h"

#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>

#include "comm/comm.h"
#include "crt/crt.h"
#include "p2p/far/far.h"
#include "p2p/progress/later.h"
#include "p2p/progress/progress.h"

static struct {
    struct lock lock;
    /* under lock */
    int endpoints;
    bool runs; /* the thread */
    _Atomic bool
        needed; /* it was started, or cannot be; read without the lock; release async_start, acquire async_need */
    pthread_t thread;
    _Atomic bool stop; /* release async_stop, acquire async_stops */
} helper = {.lock = LOCK_FREE(HELPER)};

/* What the thread knows of the past. */
struct pace {
    unsigned polls; /* far_polls() after the last look */
    bool attended;  /* others had polled before it */
};

static bool async_stops(void *unused)
{
    (void)unused;
    return load_acquire(&helper.stop);
}

/* Serve the process, unless others poll. Looking costs a fraction of a microsecond, a nap up to some ten of a core. */
static void async_turn(void *pace, struct waiter *w, enum wait_advice advice)
{
    struct pace *p = pace;
    bool was_attended = p->attended;
    if (was_attended)
        advice = wait_tire(w);
    if (advice != ADVICE_SPIN)
        wait_rest(w, advice);
    p->attended = far_polls() != p->polls;
    bool any = !p->attended && far_poll(NULL, true);
    any |= progress_others(NULL);
    later_run();
    p->polls = far_polls();
    if (any || (was_attended && !p->attended))
        wait_reset(w);
}

static void *async_serve(void *unused)
{
    static const struct wait_way way = {.look = async_stops, .rest = async_turn};
    struct pace pace = {.polls = far_polls()};
    struct waiter w = {0};
    prctl(PR_SET_TIMERSLACK, 1UL); /* else naps are 50 us longer */
    wait_with(&w, &way, &pace, POLICY_PROGRESS_THREAD);
    return unused;
}

static void async_stop(void)
{
    lock_assert_held(&helper.lock);
    if (!helper.runs)
        return;
    store_release(&helper.stop, true);
    pthread_join(helper.thread, NULL);
    helper.runs = false;
    store_relaxed(&helper.needed, false);
}

/* A program that ends MPI without having freed its endpoints must not find the helper in MPI. */
static void async_mpi_ends(void)
{
    lock_acquire(&helper.lock);
    async_stop();
    lock_release(&helper.lock);
}

/* The program's signals are for its own threads. */
static void async_start(void)
{
    lock_assert_held(&helper.lock);
    sigset_t all, before;
    if (helper.runs)
        return;
    store_release(&helper.needed, true); /* asked for, whatever becomes of it */
    if (process.funneled) {
        log_warning("a helper thread (EP_ASYNC_PROGRESS, ep_iwait_event) needs MPI_THREAD_SERIALIZED or "
                    "MPI_THREAD_MULTIPLE: there is none");
        return;
    }
    mpi_enter();
    process_at_end(END_HELPER, async_mpi_ends);
    mpi_leave();
    store_relaxed(&helper.stop, false);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    helper.runs = pthread_create(&helper.thread, NULL, async_serve, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (helper.runs)
        /* not by itself: who has made endpoints finds it by its name */
        pthread_setname_np(helper.thread, "ep-progress");
    else
        log_warning("the system gives no thread for EP_ASYNC_PROGRESS");
}

void async_begin(int endpoints)
{
    lock_assert_none();
    lock_acquire(&helper.lock);
    bool first = helper.endpoints == 0 && endpoints > 0;
    helper.endpoints += endpoints;
    if (first && settings.async_progress)
        async_start();
    lock_release(&helper.lock);
}

void async_need(void)
{
    if (load_acquire(&helper.needed))
        return;
    lock_acquire(&helper.lock);
    if (helper.endpoints > 0)
        async_start();
    lock_release(&helper.lock);
}

void async_end(void)
{
    lock_assert_none();
    lock_acquire(&helper.lock);
    if (--helper.endpoints == 0)
        async_stop();
    lock_release(&helper.lock);
}
