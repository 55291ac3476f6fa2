/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Critical sections of OpenMP without a name. libgomp has one lock for all that it serves, which are here all endpoints
 * of the process: one that waits inside for a message would keep out the one that is to send it.
 */
#include <pthread.h>

#include "image/image.h"

void GOMP_critical_start(void);
void GOMP_critical_end(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

WEAK void GOMP_critical_start(void)
{
    pthread_mutex_lock(&lock);
}

WEAK void GOMP_critical_end(void)
{
    pthread_mutex_unlock(&lock);
}
