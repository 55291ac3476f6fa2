/* SPDX-License-Identifier: BSD-3-Clause */
#include "crt/waiter.h"

#include <pthread.h>
#include <stdlib.h>

static struct lock lock;
static struct waiter *spare;
static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void recycle(void *w)
{
    lock_acquire(&lock);
    ((struct waiter *)w)->next = spare;
    spare = w;
    lock_release(&lock);
}

static void start(void)
{
    pthread_key_create(&key, recycle);
}

struct waiter *waiter_self(void)
{
    pthread_once(&once, start);
    struct waiter *w = pthread_getspecific(key);
    if (w)
        return w;
    lock_acquire(&lock);
    w = spare;
    if (w)
        spare = w->next;
    lock_release(&lock);
    if (!w)
        w = calloc(1, sizeof *w);
    if (!w)
        abort(); /* crt_wait cannot fail and 16 bytes are not to be had */
    pthread_setspecific(key, w);
    return w;
}
