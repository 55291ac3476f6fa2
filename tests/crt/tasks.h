/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tasks.h: tests of blocking tasks. A program is a table of tests; without arguments it runs all, else those
 * named. It ends with a message if one takes longer than its watchdog allows: a hang is a failure.
 */
#ifndef EP_TESTS_TASKS_H
#define EP_TESTS_TASKS_H

#include <crt.h>
#include <omp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct test {
    const char *name;
    void (*run)(void);
};

/* Note a failure of the running test unless ok. Any thread. */
#define CHECK(ok) check_that((ok), #ok, __FILE__, __LINE__)
void check_that(bool ok, const char *text, const char *file, int line);

/* A condition that several tasks may share in turn: crt_cond_t in an array keeps GCC from copying it into tasks. */
int tests_main(int argc, char **argv, const struct test *tests, int n);
#define TESTS_MAIN(argc, argv, tests) tests_main(argc, argv, tests, (int)(sizeof(tests) / sizeof((tests)[0])))

/* A random number in 0..n-1; EP_TEST_SEED repeats a run. Any thread. */
unsigned draw(unsigned n);
/* How much work the random tests do: EP_TEST_EFFORT in percent. */
int effort(int n);

#endif
