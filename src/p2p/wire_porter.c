/* SPDX-License-Identifier: BSD-3-Clause */
#include "p2p/wire_porter.h"

#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <time.h>

#include "p2p/wire.h"

/* Naps while nothing can be pushed; they double. A process that sends so much mostly polls, too. */
enum { SHORTEST_NS = 200 * 1000, LONGEST_NS = 5 * 1000 * 1000 };

/* lock is taken while a mate's is held, so nothing that takes one is called under it. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t called;
    /* under lock */
    pthread_t thread;
    bool runs, ended;
} porter = {.lock = PTHREAD_MUTEX_INITIALIZER, .called = PTHREAD_COND_INITIALIZER};

static void *serve(void *unused)
{
    struct timespec nap = {.tv_nsec = SHORTEST_NS};
    prctl(PR_SET_NAME, "ep-porter");
    pthread_mutex_lock(&porter.lock);
    while (!porter.ended) {
        if (!wire_waits()) {
            pthread_cond_wait(&porter.called, &porter.lock);
            continue;
        }
        pthread_mutex_unlock(&porter.lock);
        nanosleep(&nap, NULL);
        bool any = wire_flush(process.thread_level == MPI_THREAD_MULTIPLE);
        nap.tv_nsec = any ? SHORTEST_NS : nap.tv_nsec < LONGEST_NS / 2 ? 2 * nap.tv_nsec : LONGEST_NS;
        pthread_mutex_lock(&porter.lock);
    }
    pthread_mutex_unlock(&porter.lock);
    return unused;
}

/* The program's signals are for its own threads. Without a thread, those that poll push. The lock is held. */
static void start(void)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    porter.runs = pthread_create(&porter.thread, NULL, serve, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void porter_call(void)
{
    pthread_mutex_lock(&porter.lock);
    if (!porter.runs && !porter.ended)
        start();
    pthread_cond_signal(&porter.called);
    pthread_mutex_unlock(&porter.lock);
}

void porter_end(void)
{
    pthread_mutex_lock(&porter.lock);
    bool runs = porter.runs;
    porter.ended = true;
    pthread_cond_signal(&porter.called);
    pthread_mutex_unlock(&porter.lock);
    if (runs)
        pthread_join(porter.thread, NULL);
}
