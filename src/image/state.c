/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions that keep something between calls: here libc's own that are told where to, with something of the
 * image's. The same numbers as libc's. */
#include <pthread.h>
#include <search.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "image/image.h"

/* ---- strtok, and the one hash table of hsearch ---- */

static char *strtok_rest;
static struct hsearch_data table;

WEAK char *strtok(char *restrict text, const char *restrict separators)
{
    return strtok_r(text, separators, &strtok_rest);
}

WEAK int hcreate(size_t elements)
{
    return hcreate_r(elements, &table);
}

WEAK void hdestroy(void)
{
    hdestroy_r(&table);
}

WEAK ENTRY *hsearch(ENTRY item, ACTION action)
{
    ENTRY *found = NULL;
    hsearch_r(item, action, &found, &table);
    return found;
}

/* ---- results of localtime, gmtime, asctime and ctime ---- */

static struct tm broken_down;
static char time_text[64];

WEAK struct tm *localtime(const time_t *t)
{
    tzset();
    return localtime_r(t, &broken_down);
}

WEAK struct tm *gmtime(const time_t *t)
{
    return gmtime_r(t, &broken_down);
}

WEAK char *asctime(const struct tm *tm)
{
    return asctime_r(tm, time_text);
}

WEAK char *ctime(const time_t *t)
{
    tzset();
    return localtime_r(t, &broken_down) ? asctime_r(&broken_down, time_text) : NULL;
}

/* ---- the family of drand48 ---- */

static struct drand48_data drand48_data;

#define NUMBER(type, name, parameters, ...)                                                                  \
    WEAK type name parameters                                                                                \
    {                                                                                                        \
        type number = 0;                                                                                     \
        name##_r(__VA_ARGS__, &number);                                                                      \
        return number;                                                                                       \
    }
NUMBER(double, drand48, (void), &drand48_data)
NUMBER(double, erand48, (unsigned short x[3]), x, &drand48_data)
NUMBER(long, lrand48, (void), &drand48_data)
NUMBER(long, nrand48, (unsigned short x[3]), x, &drand48_data)
NUMBER(long, mrand48, (void), &drand48_data)
NUMBER(long, jrand48, (unsigned short x[3]), x, &drand48_data)

WEAK void srand48(long seed)
{
    srand48_r(seed, &drand48_data);
}

WEAK unsigned short *seed48(unsigned short seed[3])
{
    static unsigned short old[3];
    memcpy(old, drand48_data.__x, sizeof old);
    seed48_r(seed, &drand48_data);
    return old;
}

WEAK void lcong48(unsigned short parameters[7])
{
    lcong48_r(parameters, &drand48_data);
}

/* ---- rand and random: one sequence behind both ---- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct random_data random_data;
static _Alignas(int32_t) char first_state[128]; /* the size of libc's own */

/* Unseeded is seeded with 1. */
static struct random_data *random_locked(void)
{
    pthread_mutex_lock(&lock);
    if (!random_data.state)
        initstate_r(1, first_state, sizeof first_state, &random_data);
    return &random_data;
}

/* Not random itself, which may be the program's. */
static int random_next(void)
{
    int32_t number = 0;
    random_r(random_locked(), &number);
    pthread_mutex_unlock(&lock);
    return number;
}

static void random_seed(unsigned seed)
{
    srandom_r(seed, random_locked());
    pthread_mutex_unlock(&lock);
}

WEAK long random(void)
{
    return random_next();
}

WEAK int rand(void)
{
    return random_next();
}

WEAK void srandom(unsigned seed)
{
    random_seed(seed);
}

WEAK void srand(unsigned seed)
{
    random_seed(seed);
}

/* A state begins with a word that says its kind; random_data.state points behind it. */
WEAK char *initstate(unsigned seed, char *state, size_t size)
{
    char *old = (char *)(random_locked()->state - 1);
    if (initstate_r(seed, state, size, &random_data) != 0)
        old = NULL;
    pthread_mutex_unlock(&lock);
    return old;
}

WEAK char *setstate(char *state)
{
    char *old = (char *)(random_locked()->state - 1);
    if (setstate_r(state, &random_data) != 0)
        old = NULL;
    pthread_mutex_unlock(&lock);
    return old;
}
