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

/* Ask for a level before MPI is initialised (later calls, and levels that this library does not
 * support, have no effect); OMP_EXTERNAL=master|thread|task does the same from outside. */
CRT_PUBLIC void omp_set_external(omp_external_t level);
CRT_PUBLIC omp_external_t omp_get_external(void);

/* Set the function that waiting threads call again and again to make progress (0: none). It
 * returns non-zero if it achieved something. It must not block and must be callable by several threads at
 * once. */
CRT_PUBLIC void crt_set_poll(int (*poll)(void *arg), void *arg);

#ifdef __cplusplus
}
#endif
#endif
