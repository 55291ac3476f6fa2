/* SPDX-License-Identifier: BSD-3-Clause */
/* rand and random: one sequence behind both, the same numbers as libc's. */
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "image/image.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct random_data data;
static _Alignas(int32_t) char first_state[128]; /* the size of libc's own */

/* Unseeded is seeded with 1. */
static struct random_data *random_locked(void)
{
    pthread_mutex_lock(&lock);
    if (!data.state)
        initstate_r(1, first_state, sizeof first_state, &data);
    return &data;
}

WEAK long random(void)
{
    int32_t number = 0;
    random_r(random_locked(), &number);
    pthread_mutex_unlock(&lock);
    return number;
}

WEAK int rand(void)
{
    int32_t number = 0;
    random_r(random_locked(), &number);
    pthread_mutex_unlock(&lock);
    return number;
}

WEAK void srandom(unsigned seed)
{
    srandom_r(seed, random_locked());
    pthread_mutex_unlock(&lock);
}

WEAK void srand(unsigned seed)
{
    srandom_r(seed, random_locked());
    pthread_mutex_unlock(&lock);
}

/* A state begins with a word that says its kind; data.state points behind it. */
WEAK char *initstate(unsigned seed, char *state, size_t size)
{
    char *old = (char *)(random_locked()->state - 1);
    if (initstate_r(seed, state, size, &data) != 0)
        old = NULL;
    pthread_mutex_unlock(&lock);
    return old;
}

WEAK char *setstate(char *state)
{
    char *old = (char *)(random_locked()->state - 1);
    if (setstate_r(state, &data) != 0)
        old = NULL;
    pthread_mutex_unlock(&lock);
    return old;
}
