/* SPDX-License-Identifier: BSD-3-Clause */
#include "tasks.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WATCHDOG = 100 };

static const char *running = "";
static atomic_int failures;
static atomic_ullong state;

void check_that(bool ok, const char *text, const char *file, int line)
{
    if (!ok && atomic_fetch_add(&failures, 1) < 20)
        fprintf(stderr, "%s:%d: %s: not %s\n", file, line, running, text);
}

unsigned draw(unsigned n)
{
    unsigned long long z = atomic_fetch_add(&state, 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (unsigned)((z ^ (z >> 31)) >> 33) % n;
}

int effort(int n)
{
    const char *text = getenv("EP_TEST_EFFORT");
    int scaled = text ? (int)((long)n * atoi(text) / 100) : n;
    return scaled > 0 ? scaled : 1;
}

static void hang(int signal)
{
    static const char text[] = ": hangs\n";
    (void)signal;
    if (write(2, running, strlen(running)) + write(2, text, sizeof text - 1) > 0)
        _exit(2);
    _exit(3);
}

static bool chosen(int argc, char **argv, const char *name)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], name) == 0)
            return true;
    return argc <= 1;
}

int tests_main(int argc, char **argv, const struct test *tests, int n)
{
    const char *seed = getenv("EP_TEST_SEED"), *limit = getenv("EP_TEST_WATCHDOG");
    unsigned long long first = seed ? strtoull(seed, NULL, 10) : (unsigned long long)getpid();
    atomic_store(&state, first);
    printf("EP_TEST_SEED=%llu\n", first);
    signal(SIGALRM, hang);
    for (int i = 0; i < n; i++) {
        if (!chosen(argc, argv, tests[i].name))
            continue;
        running = tests[i].name;
        printf("%s\n", running);
        fflush(stdout);
        alarm(limit ? (unsigned)atoi(limit) : WATCHDOG);
        tests[i].run();
    }
    alarm(0);
    return atomic_load(&failures) != 0;
}
