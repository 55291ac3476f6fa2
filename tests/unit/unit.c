/* SPDX-License-Identifier: BSD-3-Clause */
/* unit.c: see unit.h. */
#include "unit.h"
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static uint64_t state;

/* splitmix64 */
int below(int n)
{
    uint64_t z = (state += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return (int)((z ^ (z >> 31)) % (uint64_t)n);
}

void shuffle(int list[], int n)
{
    for (int i = n - 1; i > 0; i--) {
        int j = below(i + 1), held = list[i];
        list[i] = list[j];
        list[j] = held;
    }
}

static int countdown = -1;
static bool failed;

void fail_allocation(int n)
{
    countdown = n;
    failed = false;
}

bool allocation_failed(void)
{
    return failed;
}

static bool fails_now(void)
{
    if (countdown < 0 || countdown-- > 0)
        return false;
    return failed = true;
}

/* The linker puts the second of each in the place of the function itself (--wrap). */
void *__real_malloc(size_t n);
void *__wrap_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__real_realloc(void *old, size_t n);
void *__wrap_realloc(void *old, size_t n);
void *__real_aligned_alloc(size_t alignment, size_t n);
void *__wrap_aligned_alloc(size_t alignment, size_t n);

void *__wrap_malloc(size_t n)
{
    return fails_now() ? NULL : __real_malloc(n);
}

void *__wrap_calloc(size_t n, size_t size)
{
    return fails_now() ? NULL : __real_calloc(n, size);
}

void *__wrap_realloc(void *old, size_t n)
{
    return fails_now() ? NULL : __real_realloc(old, n);
}

void *__wrap_aligned_alloc(size_t alignment, size_t n)
{
    return fails_now() ? NULL : __real_aligned_alloc(alignment, n);
}

int unit_main(const char *suite, const TTest *tests[], int count)
{
    const char *given = getenv("EP_TEST_SEED");
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    state = given ? strtoull(given, NULL, 10) : (uint64_t)now.tv_nsec;
    printf("%s: EP_TEST_SEED=%llu\n", suite, (unsigned long long)state);
    Suite *s = suite_create(suite);
    for (int i = 0; i < count; i++) {
        TCase *tcase = tcase_create(tests[i]->name);
        tcase_add_test(tcase, tests[i]);
        suite_add_tcase(s, tcase);
    }
    SRunner *runner = srunner_create(s);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    int bad = srunner_ntests_failed(runner);
    srunner_free(runner);
    return bad ? EXIT_FAILURE : EXIT_SUCCESS;
}
