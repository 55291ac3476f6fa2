/* SPDX-License-Identifier: BSD-3-Clause */
/* cond.c: crt.h alone, without MPI. */
#include <crt.h>
#include <pthread.h>
#include <stdio.h>

static crt_cond_t cond = CRT_COND_INITIALIZER;
static int sum;

static void *signaller(void *arg)
{
    (void)arg;
    sum = 6;
    crt_signal(&cond);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, signaller, 0);
    crt_wait(&cond);
    printf("%d\n", sum);
    return pthread_join(thread, 0);
}
