/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * exit() destroys the calling thread's thread_local objects, but libc gives nobody the function for that.
 * So they are kept here, and libc gets one destructor per thread, which calls them where the thread ends in
 * another way.
 */
#include "eprun/tls_exit.h"

#include <dlfcn.h>
#include <stdlib.h>

#include "eprun/eprun.h"
#include "eprun/next.h"

typedef void destructor(void *object);
typedef int registrar(destructor *d, void *object, void *dso);

struct tls_exit_object {
    struct tls_exit_object *next;
    destructor *destroy;
    void *it;
};

static _Thread_local struct tls_exit_object *objects; /* the last one first */
static _Thread_local bool known_to_libc;

EP_PUBLIC registrar __cxa_thread_atexit_impl;

void tls_exit_run(void)
{
    while (objects) {
        struct tls_exit_object *o = objects;
        objects = o->next;
        o->destroy(o->it);
        free(o);
    }
}

static void at_thread_end(void *unused)
{
    (void)unused;
    known_to_libc = false; /* destructors may make further objects */
    tls_exit_run();
}

int __cxa_thread_atexit_impl(destructor *destroy, void *it, void *dso)
{
    registrar *real = NEXT(__cxa_thread_atexit_impl);
    if (!self)
        return real(destroy, it, dso);
    struct tls_exit_object *o = malloc(sizeof *o);
    if (!o)
        return -1;
    *o = (struct tls_exit_object){objects, destroy, it};
    objects = o;
    if (!known_to_libc)
        known_to_libc = real(at_thread_end, NULL, dso) == 0;
    return 0;
}
