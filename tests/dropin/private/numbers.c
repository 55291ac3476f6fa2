/* SPDX-License-Identifier: BSD-3-Clause */
/* Each rank has its own sequences of random numbers, and they are libc's. */
#define _GNU_SOURCE
#include "check.h"

enum { COUNT = 1000 };

/* The first ones of a program that sets no seed. */
static void unseeded(void)
{
    CHECK(rand() == 1804289383);
    meet();
    CHECK(random() == 846930886);
    meet();
    CHECK(rand() == 1681692777);
    CHECK(lrand48() == 0);
    meet();
    CHECK(lrand48() == 2116118);
    meet();
    CHECK(mrand48() == 178803790);
}

static void seeded(void)
{
    struct random_data data = {0};
    char state[128];
    initstate_r((unsigned)rank + 7, state, sizeof state, &data);
    srand((unsigned)rank + 7);
    meet();
    for (int i = 0; i < COUNT; i++) {
        int expected;
        random_r(&data, &expected);
        CHECK((i % 2 ? rand() : random()) == expected);
        if (i % 100 == 0)
            meet();
    }
}

static void seeded48(void)
{
    struct drand48_data data = {0};
    srand48_r(rank, &data);
    srand48(rank);
    meet();
    for (int i = 0; i < COUNT; i++) {
        double expected;
        drand48_r(&data, &expected);
        CHECK(drand48() == expected);
        if (i % 100 == 0)
            meet();
    }
}

/* States of several sizes, and back. */
static void states(void)
{
    char small[32], large[256];
    srandom(5);
    long first = random();
    srandom(5);
    char *old = initstate((unsigned)rank, small, sizeof small);
    meet();
    long a = random();
    initstate((unsigned)rank, large, sizeof large);
    random();
    meet();
    CHECK(setstate(old) == large);
    CHECK(random() == first);
    setstate(small);
    meet();
    srandom((unsigned)rank);
    CHECK(random() == a);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    unseeded();
    meet();
    seeded();
    seeded48();
    states();
    return end();
}
