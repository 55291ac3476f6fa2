/* SPDX-License-Identifier: BSD-3-Clause */
#include "p2p/async.h"

#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <time.h>

#include "comm/comm.h"
#include "crt/crt.h"
#include "p2p/far.h"
#include "p2p/later.h"
#include "p2p/progress.h"

/* Looking costs a fraction of a microsecond, a nap up to some ten of a core. Naps are as long as PART of the time since
 * something was last found, so what comes after a pause waits for a small part of it only. */
enum { EAGER_NS = 10 * 1000, PART = 8, ASYNC_SHORTEST_NS = 5 * 1000, ASYNC_LONGEST_NS = 500 * 1000 };

static struct {
    struct lock lock;
    /* under lock */
    int endpoints;
    bool runs; /* the thread */
    _Atomic bool
        needed; /* it was started, or cannot be; read without the lock; release async_start, acquire async_need */
    pthread_t thread;
    _Atomic bool stop; /* release async_stop, acquire async_serve */
} helper = {.lock = LOCK_FREE(HELPER)};

/* What the thread knows of the past. */
struct pace {
    unsigned polls; /* far_polls() after the last look */
    long busy;      /* when something was last found, or somebody else looked */
};

static void async_nap(long ns)
{
    long least = ns < ASYNC_SHORTEST_NS ? ASYNC_SHORTEST_NS : ns;
    nanosleep(&(struct timespec){.tv_nsec = least > ASYNC_LONGEST_NS ? ASYNC_LONGEST_NS : least}, NULL);
}

/* Where cores are shared, who asks again needs this one: a short nap gives it away and gets it back, a yield would give
 * it to a computing thread for a time slice. */
static void async_rest(const struct pace *p, long now)
{
    if (now - p->busy < EAGER_NS && !idle_crowded())
        cpu_pause();
    else
        async_nap((now - p->busy) / PART);
}

/* Serve the process, unless others poll, and rest. */
static void async_turn(struct pace *p)
{
    bool attended = far_polls() != p->polls;
    bool any = !attended && far_poll(NULL, true);
    any |= progress_others(NULL);
    later_run();
    p->polls = far_polls();
    long now = (long)clock_ns();
    if (any || attended)
        p->busy = now;
    if (attended)
        async_nap(ASYNC_LONGEST_NS);
    else
        async_rest(p, now);
}

static void *async_serve(void *unused)
{
    struct pace pace = {.polls = far_polls(), .busy = (long)clock_ns()};
    prctl(PR_SET_TIMERSLACK, 1UL); /* else naps are 50 us longer */
    while (!load_acquire(&helper.stop))
        async_turn(&pace);
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
