/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Critical sections of OpenMP without a name. libgomp has one lock for all that it serves, which are here all
 * endpoints of the process: one that waits inside for a message would keep out the one that is to send it. So
 * each image has a name of its own for them. A lock of another kind would not do: who waits for a named
 * section blocks what a call of MPI blocks, the task or the thread.
 */
#include "image/image.h"

void GOMP_critical_start(void);
void GOMP_critical_end(void);
void GOMP_critical_name_start(void **lock);
void GOMP_critical_name_end(void **lock);

static void *lock; /* libgomp's or ep's, zero at first */

WEAK void GOMP_critical_start(void)
{
    GOMP_critical_name_start(&lock);
}

WEAK void GOMP_critical_end(void)
{
    GOMP_critical_name_end(&lock);
}
