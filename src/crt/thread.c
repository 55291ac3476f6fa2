/* SPDX-License-Identifier: BSD-3-Clause */
#include "crt/thread.h"

#include <pthread.h>
#include <stdlib.h>

#include "crt/fiber/stack.h"
#include "crt/team/team.h"

_Thread_local struct thread *thread_here __attribute__((tls_model("initial-exec")));

static struct lock lock = LOCK_FREE(THREADS);
static struct thread *spare, *newest;
static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* The thread ends. */
static void thread_recycle(void *thread)
{
    struct thread *t = thread;
    root_finish(t);
    overflow_unwatch(t);
    thread_here = NULL;
    t->worker = NULL;
    t->unaware = false;
    lock_acquire(&lock);
    t->next = spare;
    spare = t;
    lock_release(&lock);
}

static void thread_start(void)
{
    pthread_key_create(&key, thread_recycle);
}

static struct thread *thread_new(void)
{
    struct thread *t = calloc(1, sizeof *t);
    if (!t)
        log_no_memory("a thread that waits or makes tasks");
    pool_init(&t->tasks, TASK_BYTES);
    lock_acquire(&lock);
    t->older = newest;
    newest = t;
    lock_release(&lock);
    return t;
}

static struct thread *take_spare(void)
{
    lock_acquire(&lock);
    struct thread *t = spare;
    if (t)
        spare = t->next;
    lock_release(&lock);
    return t;
}

void thread_ring_all(void)
{
    lock_acquire(&lock);
    struct thread *t = newest;
    lock_release(&lock);
    for (; t; t = t->older)
        evcount_notify(&t->evcount);
}

struct thread *thread_make(void)
{
    pthread_once(&once, thread_start);
    struct thread *t = take_spare();
    if (!t)
        t = thread_new();
    pthread_setspecific(key, t);
    thread_here = t;
    return t;
}
