/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * crt.h: conditions that a blocking library call waits on, after Snir's MPI-OpenMP proposal.
 * Usable without the rest of ep.
 */
#ifndef EP_CRT_H
#define EP_CRT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define CRT_PUBLIC __attribute__((visibility("default")))
#else
#define CRT_PUBLIC
#endif

/* A condition: one waiter, one signaller at a time. Waits and signals alternate, starting with a
 * wait; a signal that runs ahead of its wait is kept. May live on the waiter's stack: crt_signal
 * does not touch it after the waiter may go on. */
typedef struct {
    uintptr_t word; /* 0 empty, 1 signalled, else the waiter; accessed atomically by crt only */
} crt_cond_t;
#define CRT_COND_INITIALIZER {0}

/* Who a blocking call blocks. */
typedef enum {
    omp_external_master = 0, /* only the main thread calls blocking functions; the thread blocks */
    omp_external_thread = 1, /* any thread does; the calling thread blocks */
    omp_external_task = 2    /* any task does; only the calling task blocks */
} omp_external_t;

/* Block until crt_signal(cond) was called; consumes the signal. Any thread. */
CRT_PUBLIC void crt_wait(crt_cond_t *cond);
/* Let the waiter of cond go on. Any thread, never blocks; not from signal handlers. */
CRT_PUBLIC void crt_signal(crt_cond_t *cond);

/* Ask for a level, before MPI is initialised (later calls, and levels that this library does not support,
 * have no effect); OMP_EXTERNAL=master|thread|task does the same from outside. Task mode needs GCC's
 * OpenMP library, and ep (or crt) before -lgomp on the link line, or in LD_PRELOAD. Does not block. */
CRT_PUBLIC void omp_set_external(omp_external_t level);
/* The level in force: what was asked for, if this library supports it and MPI allows it. Any thread; does
 * not block. */
CRT_PUBLIC omp_external_t omp_get_external(void);

/* Does blocking by tasks of the calling thread follow the level (1, as it begins), or do they block the
 * thread (0), and crt_bind binds nothing? Of use in task mode only. */
CRT_PUBLIC void crt_set_task_aware(int aware);
/* What crt_set_task_aware has set for the calling thread; 1 at first. */
CRT_PUBLIC int crt_get_task_aware(void);

/* Set the function that waiting threads call again and again to make progress, and threads that run tasks
 * now and then while others wait (0: none). It returns non-zero if it achieved something. It must not
 * block and must be callable by several threads at once. */
CRT_PUBLIC void crt_set_poll(int (*poll)(void *arg), void *arg);

/* A task that crt_bind keeps from completing. */
typedef struct crt_task *crt_task_t;
/* In task mode: the calling explicit task does not complete, and so does not release who depends on it or
 * waits for it, before crt_release was called with the result, once for each call. Elsewhere, and in
 * undeferred tasks (if(0), within final ones): NULL; then the caller has to wait in another way. Does not
 * block. */
CRT_PUBLIC crt_task_t crt_bind(void);
/* Take back one crt_bind; the last one completes the task, if its body has ended. Any thread; not from
 * signal handlers. Does not block. */
CRT_PUBLIC void crt_release(crt_task_t task);

/* Make progress, if the thread has not done so just before, and let others run: in task mode any task,
 * those too that a taskyield must not start; else threads. Returns when they have let it. */
CRT_PUBLIC void crt_yield(void);

#ifdef __cplusplus
}
#endif
#endif
