/* SPDX-License-Identifier: BSD-3-Clause */
#include "net/defer.h"

#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>

/* lock is taken while a peer's is held, so nothing that takes one is called under it. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t called;
    /* under lock */
    pthread_t thread;
    bool runs;
    _Atomic bool ended; /* read without the lock, too; relaxed */
} flusher = {.lock = PTHREAD_MUTEX_INITIALIZER, .called = PTHREAD_COND_INITIALIZER};

static bool flush_is_over(void *unused)
{
    (void)unused;
    return !net_waits() || load_relaxed(&flusher.ended);
}

static void flush_rest(void *unused, struct waiter *w, enum wait_advice advice)
{
    (void)unused;
    wait_rest(w, advice);
    if (net_flush())
        wait_reset(w);
}

/* False: the end. */
static bool flush_is_called(void)
{
    pthread_mutex_lock(&flusher.lock);
    while (!net_waits() && !load_relaxed(&flusher.ended))
        pthread_cond_wait(&flusher.called, &flusher.lock);
    pthread_mutex_unlock(&flusher.lock);
    return !load_relaxed(&flusher.ended);
}

static void *flush_serve(void *unused)
{
    static const struct wait_way way = {.look = flush_is_over, .rest = flush_rest};
    prctl(PR_SET_NAME, "ep-flush");
    while (flush_is_called()) {
        struct waiter w = {0};
        wait_with(&w, &way, NULL, POLICY_FLUSH_THREAD);
    }
    return unused;
}

/* The program's signals are for its own threads. Without a thread, those that poll push. The lock is held. */
static void flush_start(void)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    flusher.runs = pthread_create(&flusher.thread, NULL, flush_serve, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void net_flush_call(void)
{
    pthread_mutex_lock(&flusher.lock);
    if (!flusher.runs && !load_relaxed(&flusher.ended))
        flush_start();
    pthread_cond_signal(&flusher.called);
    pthread_mutex_unlock(&flusher.lock);
}

void net_flush_end(void)
{
    pthread_mutex_lock(&flusher.lock);
    bool runs = flusher.runs;
    store_relaxed(&flusher.ended, true);
    pthread_cond_signal(&flusher.called);
    pthread_mutex_unlock(&flusher.lock);
    if (runs)
        pthread_join(flusher.thread, NULL);
}
