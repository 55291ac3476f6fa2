/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the program wants to have called when it ends: static destructors of C++, atexit, on_exit. libc's
 * list is called when the process ends; this one is called by eprun when the endpoint does, if it ends in a
 * way that calls it.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "image/image.h"

struct handler {
    struct handler *next;
    void (*function)(void *arg);
    void (*function_of_status)(int status, void *arg); /* if the other one is NULL */
    void *arg;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct handler *handlers; /* the last one first */

HIDDEN void ep_image_end(int status);
/* The compiler calls it; so does atexit, which is not in libc.so. */
HIDDEN int __cxa_atexit(void (*function)(void *), void *arg, void *dso);
HIDDEN int on_exit(void (*function)(int, void *), void *arg);

static int atexit_add(struct handler handler)
{
    struct handler *h = malloc(sizeof *h);
    if (!h)
        return -1;
    *h = handler;
    pthread_mutex_lock(&lock);
    h->next = handlers;
    handlers = h;
    pthread_mutex_unlock(&lock);
    return 0;
}

int __cxa_atexit(void (*function)(void *), void *arg, void *dso)
{
    (void)dso; /* this object */
    return atexit_add((struct handler){.function = function, .arg = arg});
}

int on_exit(void (*function)(int, void *), void *arg)
{
    return atexit_add((struct handler){.function_of_status = function, .arg = arg});
}

static bool atexit_take(struct handler *handler)
{
    pthread_mutex_lock(&lock);
    struct handler *h = handlers;
    if (h) {
        *handler = *h;
        handlers = h->next;
    }
    pthread_mutex_unlock(&lock);
    free(h);
    return h != NULL;
}

/* Each is called once, also if one adds further ones or exits itself: eprun then comes here again. */
void ep_image_end(int status)
{
    struct handler h;
    while (atexit_take(&h)) {
        if (h.function)
            h.function(h.arg);
        else
            h.function_of_status(status, h.arg);
    }
}
