/* SPDX-License-Identifier: BSD-3-Clause */
/* The family of drand48: the same numbers as libc's. */
#include <stdlib.h>
#include <string.h>

#include "image/image.h"

static struct drand48_data data;

WEAK double drand48(void)
{
    double number = 0;
    drand48_r(&data, &number);
    return number;
}

WEAK double erand48(unsigned short x[3])
{
    double number = 0;
    erand48_r(x, &data, &number);
    return number;
}

WEAK long lrand48(void)
{
    long number = 0;
    lrand48_r(&data, &number);
    return number;
}

WEAK long nrand48(unsigned short x[3])
{
    long number = 0;
    nrand48_r(x, &data, &number);
    return number;
}

WEAK long mrand48(void)
{
    long number = 0;
    mrand48_r(&data, &number);
    return number;
}

WEAK long jrand48(unsigned short x[3])
{
    long number = 0;
    jrand48_r(x, &data, &number);
    return number;
}

WEAK void srand48(long seed)
{
    srand48_r(seed, &data);
}

WEAK unsigned short *seed48(unsigned short seed[3])
{
    static unsigned short old[3];
    memcpy(old, data.__x, sizeof old);
    seed48_r(seed, &data);
    return old;
}

WEAK void lcong48(unsigned short parameters[7])
{
    lcong48_r(parameters, &data);
}
