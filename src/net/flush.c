/* SPDX-License-Identifier: BSD-3-Clause */
#include "net/defer.h"

#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <time.h>

/* Naps while nothing can be pushed; they double. A process that sends so much mostly polls, too. */
enum { FLUSH_SHORTEST_NS = 200 * 1000, FLUSH_LONGEST_NS = 5 * 1000 * 1000 };

/* lock is taken while a peer's is held, so nothing that takes one is called under it. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t called;
    /* under lock */
    pthread_t thread;
    bool runs, ended;
} flusher = {.lock = PTHREAD_MUTEX_INITIALIZER, .called = PTHREAD_COND_INITIALIZER};

static void *flush_serve(void *unused)
{
    struct timespec nap = {.tv_nsec = FLUSH_SHORTEST_NS};
    prctl(PR_SET_NAME, "ep-flush");
    pthread_mutex_lock(&flusher.lock);
    while (!flusher.ended) {
        if (!net_waits()) {
            pthread_cond_wait(&flusher.called, &flusher.lock);
            continue;
        }
        pthread_mutex_unlock(&flusher.lock);
        nanosleep(&nap, NULL);
        bool any = net_flush();
        nap.tv_nsec = any                                  ? FLUSH_SHORTEST_NS
                      : nap.tv_nsec < FLUSH_LONGEST_NS / 2 ? 2 * nap.tv_nsec
                                                           : FLUSH_LONGEST_NS;
        pthread_mutex_lock(&flusher.lock);
    }
    pthread_mutex_unlock(&flusher.lock);
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
    if (!flusher.runs && !flusher.ended)
        flush_start();
    pthread_cond_signal(&flusher.called);
    pthread_mutex_unlock(&flusher.lock);
}

void net_flush_end(void)
{
    pthread_mutex_lock(&flusher.lock);
    bool runs = flusher.runs;
    flusher.ended = true;
    pthread_cond_signal(&flusher.called);
    pthread_mutex_unlock(&flusher.lock);
    if (runs)
        pthread_join(flusher.thread, NULL);
}
