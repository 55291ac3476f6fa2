/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * unit.h: for tests of ep's inner modules, which link the static library and need no MPI running.
 * EP_TEST_SEED=<n> repeats a random test; the seed is printed.
 */
#ifndef EP_UNIT_H
#define EP_UNIT_H

#include <check.h>
#include <stdbool.h>

/* Run the tests and return main's exit status. */
int unit_main(const char *suite, const TTest *tests[], int count);
#define UNIT_MAIN(suite, tests) unit_main(suite, tests, (int)(sizeof(tests) / sizeof((tests)[0])))

/* A random number in 0..n-1. */
int below(int n);
/* Put n numbers into a random order. */
void shuffle(int list[], int n);

/* Of the allocations from now on (malloc, calloc, realloc, aligned_alloc), number n fails, from 0; -1: none. */
void fail_allocation(int n);
/* Has it failed? */
bool allocation_failed(void);

#endif
