/* SPDX-License-Identifier: BSD-3-Clause */
/* test_lock.c: are locks that are taken in the wrong order told, released by others, missing? The checks are compiled in here,
 * also in builds without assertions. Each mistake is made in a process of its own, which has to abort. */
#include <check.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/lock.h"

static struct lock outer = LOCK_FREE(ENDPOINT), middle = LOCK_FREE(POLL), inner = LOCK_FREE(SPILL), other = LOCK_FREE(ENDPOINT);
static struct lock stripes[2] = {LOCK_FREE(STRIPE), LOCK_FREE(STRIPE)};

static bool aborts(void (*mistake)(void))
{
    int status;
    pid_t child = fork();
    if (child == 0) {
        close(STDERR_FILENO);
        mistake();
        _exit(0);
    }
    ck_assert(child > 0 && waitpid(child, &status, 0) == child);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

static void rising(void)
{
    lock_acquire(&outer);
    lock_acquire(&middle);
    lock_acquire(&inner);
    lock_assert_held(&middle);
    lock_release(&outer); /* in any order */
    lock_release(&inner);
    lock_release(&middle);
}

static void falling(void)
{
    lock_acquire(&middle);
    lock_acquire(&outer);
}

static void two_of_a_class(void)
{
    lock_acquire(&outer);
    lock_acquire(&other);
}

static void twice(void)
{
    lock_acquire(&outer);
    lock_acquire(&outer);
}

/* Not waited for, so it may rank lower; but what is waited for then must rank above both. */
static void tried(void)
{
    lock_acquire(&middle);
    if (!lock_try(&outer))
        abort();
    lock_acquire(&inner);
}

static void below_what_was_tried(void)
{
    if (lock_try(&middle))
        lock_acquire(&outer);
}

static void got_again(void)
{
    lock_acquire(&outer);
    if (!lock_try(&other))
        abort();
    lock_release(&other);
    lock_acquire_again(&other);
}

static void cells_rising(void)
{
    lock_acquire(&stripes[0]);
    lock_acquire(&stripes[1]);
}

static void cells_falling(void)
{
    lock_acquire(&stripes[1]);
    lock_acquire(&stripes[0]);
}

static void not_held(void)
{
    lock_acquire(&outer);
    lock_assert_held(&other);
}

static void not_mine(void)
{
    lock_release(&outer);
}

static void without_class(void)
{
    struct lock none = {.class = LOCK_UNCLASSED};
    lock_acquire(&none);
}

static void none_but_polling(void)
{
    struct lock polling = LOCK_FREE(POLLING);
    lock_assert_none();
    if (lock_try(&polling))
        lock_assert_none();
}

static void one_too_many(void)
{
    lock_acquire(&outer);
    lock_assert_none();
}

START_TEST(order)
{
    ck_assert(!aborts(rising));
    ck_assert(!aborts(tried));
    ck_assert(!aborts(got_again));
    ck_assert(!aborts(cells_rising));
    ck_assert(aborts(falling));
    ck_assert(aborts(two_of_a_class));
    ck_assert(aborts(twice));
    ck_assert(aborts(below_what_was_tried));
    ck_assert(aborts(cells_falling));
}
END_TEST

START_TEST(holding)
{
    ck_assert(aborts(not_held));
    ck_assert(aborts(not_mine));
    ck_assert(aborts(without_class));
    ck_assert(!aborts(none_but_polling));
    ck_assert(aborts(one_too_many));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("lock");
    TCase *t = tcase_create("lock");
    tcase_add_test(t, order);
    tcase_add_test(t, holding);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_set_fork_status(r, CK_NOFORK);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
