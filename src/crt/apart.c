/* SPDX-License-Identifier: BSD-3-Clause */
#include "crt/apart.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <string.h>

#include "crt/caller.h"
#include "crt/fiber/stack.h"
#include "crt/gomp/real.h"
#include "crt/places.h"
#include "crt/poll.h"

enum { APART_CPU_WORDS = 128 }; /* of 64 CPUs */

/* One call, on the stack of the task that waits for it. */
struct apart {
    void (*fn)(void *);
    void *arg;
    int device;   /* the task's default device */
    bool unaware; /* its thread is (crt_set_task_aware) */
    const struct caller_binding *bound;
    _Alignas(16) char binding[CALLER_BINDING];
    sem_t let_go;        /* the lender goes on */
    crt_cond_t returned; /* the task does */
};

static void apart_note(struct apart *a, struct thread *t)
{
    a->device = real_function()->omp_get_default_device();
    a->unaware = t->unaware;
    a->bound = caller_get_binding();
    if (a->bound)
        a->bound->note(a->binding);
}

static void apart_take(const struct apart *a, struct thread *t)
{
    if (real_function()->omp_get_default_device() != a->device)
        real_function()->omp_set_default_device(a->device);
    t->unaware = a->unaware;
    if (a->bound)
        a->bound->take(a->binding);
}

void apart_let_go(struct thread *t)
{
    struct apart *a = t->apart;
    t->apart = NULL;
    sem_post(&a->let_go);
}

/* a is there until this thread has ended: it is joined. */
static void *apart_serve(void *call)
{
    struct apart *a = call;
    struct thread *t = thread_self();
    t->apart = a;
    apart_take(a, t);
    a->fn(a->arg);
    crt_signal(&a->returned);
    apart_blocks(t);
    return NULL;
}

/* As much stack as tasks have, if that is more than threads have. The maker may be bound to one place; a region is not. */
static int thread_for(struct apart *a, pthread_t *thread)
{
    pthread_attr_t attributes;
    unsigned long cpus[APART_CPU_WORDS];
    size_t bytes = 0;
    int rc = pthread_attr_init(&attributes);
    if (rc != 0)
        return rc;
    if (pthread_attr_getstacksize(&attributes, &bytes) == 0 && bytes < stack_size())
        pthread_attr_setstacksize(&attributes, stack_size());
    if (places_cpus(cpus, sizeof cpus) > 0)
        pthread_attr_setaffinity_np(&attributes, sizeof cpus, (cpu_set_t *)(void *)cpus);
    rc = pthread_create(thread, &attributes, apart_serve, a);
    pthread_attr_destroy(&attributes);
    return rc;
}

static void apart_lend(struct worker *w, struct apart *a)
{
    poll_let_go(w->thread);
    poll_leave(w->thread);
    while (sem_wait(&a->let_go) != 0 && errno == EINTR)
        continue;
}

void apart_call(struct worker *w, void (*fn)(void *), void *arg)
{
    struct apart a = {.fn = fn, .arg = arg};
    pthread_t thread;
    int saved = errno;
    apart_note(&a, w->thread);
    sem_init(&a.let_go, 0, 0);
    int rc = thread_for(&a, &thread);
    if (rc == 0) {
        apart_lend(w, &a);
        crt_wait(&a.returned);
        pthread_join(thread, NULL);
    } else {
        log_warning(
            "the system gives no thread for a target region (%s): while it blocks, so does that of its task",
            strerror(rc));
        fn(arg);
    }
    sem_destroy(&a.let_go);
    errno = saved;
}
