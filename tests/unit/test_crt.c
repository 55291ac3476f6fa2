/* SPDX-License-Identifier: BSD-3-Clause */
/* test_crt.c: crt_wait, crt_signal, the poll function, levels. No MPI. EP_WAIT chooses how threads wait. */
#include <check.h>
#include <crt.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Threads that only spin cost each other whole time slices where there are more of them than CPUs. */
static int rounds(int n)
{
    const char *wait = getenv("EP_WAIT");
    return wait && strcmp(wait, "spin") == 0 ? n / 50 : n;
}

enum { ROUNDS = 20000 };

START_TEST(signal_before_wait_is_kept)
{
    crt_cond_t cond = CRT_COND_INITIALIZER;
    for (int i = 0; i < 1000; i++) {
        crt_signal(&cond);
        crt_wait(&cond); /* hangs if the signal was lost */
    }
    ck_assert_uint_eq(cond.word, 0); /* consumed: ready for the next round */
}
END_TEST

typedef struct {
    crt_cond_t ping, pong;
    int value; /* handed over by the conditions alone: the thread sanitizer checks that they synchronise */
    int errors;
} table;

static void *answer(void *arg)
{
    table *t = arg;
    for (int i = 0; i < rounds(ROUNDS); i++) {
        crt_wait(&t->ping);
        t->errors += t->value != 2 * i;
        t->value++;
        crt_signal(&t->pong);
    }
    return NULL;
}

START_TEST(ping_pong)
{
    table t = {.value = 0};
    pthread_t thread;
    int errors = 0;
    ck_assert_int_eq(pthread_create(&thread, NULL, answer, &t), 0);
    for (int i = 0; i < rounds(ROUNDS); i++) {
        t.value = 2 * i;
        crt_signal(&t.ping);
        crt_wait(&t.pong);
        errors += t.value != 2 * i + 1;
    }
    pthread_join(thread, NULL);
    ck_assert_int_eq(errors + t.errors, 0);
}
END_TEST

/* The condition lives on the waiter's stack and is gone when the wait returns: the signaller must not touch it
 * any more. The waiter overwrites the place at once. */
typedef struct {
    _Atomic(crt_cond_t *) offered;
    atomic_int stop;
} counter;

static void *serve(void *arg)
{
    counter *c = arg;
    for (;;) {
        crt_cond_t *cond = atomic_exchange(&c->offered, NULL);
        if (cond)
            crt_signal(cond);
        else if (atomic_load(&c->stop))
            return NULL;
    }
}

static void one_wait(counter *c)
{
    crt_cond_t on_stack = CRT_COND_INITIALIZER;
    atomic_store(&c->offered, &on_stack);
    crt_wait(&on_stack);
    *(volatile uintptr_t *)&on_stack.word = ~(uintptr_t)0;
}

static int place_is_mine(void)
{
    volatile uintptr_t place[16];
    for (int i = 0; i < 16; i++)
        place[i] = 0x5555;
    for (int k = 0; k < 50; k++)
        for (int i = 0; i < 16; i++)
            if (place[i] != 0x5555)
                return 0;
    return 1;
}

START_TEST(condition_on_stack)
{
    counter c = {.stop = 0};
    pthread_t thread;
    int mine = 1;
    ck_assert_int_eq(pthread_create(&thread, NULL, serve, &c), 0);
    for (int i = 0; i < rounds(ROUNDS / 4); i++) {
        one_wait(&c);
        mine &= place_is_mine();
    }
    atomic_store(&c.stop, 1);
    pthread_join(thread, NULL);
    ck_assert_int_eq(mine, 1);
}
END_TEST

/* More waiting threads than CPUs, woken in a ring. */
enum { RING = 12, LAPS = 500 };

typedef struct {
    crt_cond_t *mine, *next;
    int *laps;
} seat;

static void *pass_on(void *arg)
{
    seat *s = arg;
    for (int i = 0; i < rounds(LAPS); i++) {
        crt_wait(s->mine);
        ++*s->laps;
        crt_signal(s->next);
    }
    return NULL;
}

START_TEST(ring_of_threads)
{
    crt_cond_t conds[RING] = {CRT_COND_INITIALIZER};
    pthread_t threads[RING];
    seat seats[RING];
    int laps = 0;
    for (int i = 1; i < RING; i++) {
        seats[i] = (seat){&conds[i], &conds[(i + 1) % RING], &laps};
        ck_assert_int_eq(pthread_create(&threads[i], NULL, pass_on, &seats[i]), 0);
    }
    for (int i = 0; i < rounds(LAPS); i++) {
        crt_signal(&conds[1]);
        crt_wait(&conds[0]);
    }
    for (int i = 1; i < RING; i++)
        pthread_join(threads[i], NULL);
    ck_assert_int_eq(laps, (RING - 1) * rounds(LAPS));
}
END_TEST

/* Waiting threads call the poll function; here it is what ends the wait. */
static crt_cond_t polled;
static atomic_int calls;

static int poll_function(void *arg)
{
    if (atomic_fetch_add(&calls, 1) == *(int *)arg)
        crt_signal(&polled);
    return 0;
}

START_TEST(poll_ends_the_wait)
{
    static int at = 5000;
    crt_set_poll(poll_function, &at);
    crt_wait(&polled); /* hangs if nobody polls */
    crt_set_poll(NULL, NULL);
    int seen = atomic_load(&calls);
    ck_assert_int_gt(seen, at);
    crt_signal(&polled);
    crt_wait(&polled);
    ck_assert_int_eq(atomic_load(&calls), seen); /* and nobody polls any more */
}
END_TEST

START_TEST(levels)
{
    omp_external_t before = omp_get_external();
    ck_assert(before == omp_external_thread || before == omp_external_master || before == omp_external_task);
    omp_set_external(omp_external_master);
    ck_assert_int_eq(omp_get_external(), omp_external_master);
    omp_set_external((omp_external_t)77); /* unknown: no effect */
    ck_assert_int_eq(omp_get_external(), omp_external_master);
    omp_set_external(omp_external_thread);
    ck_assert_int_eq(omp_get_external(), omp_external_thread);
}
END_TEST

START_TEST(level_from_environment)
{
    const char *level = getenv("OMP_EXTERNAL");
    ck_assert_int_eq(omp_get_external(), level && *level == 'm' ? omp_external_master : omp_external_thread);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("crt");
    TCase *tcase = tcase_create("crt");
    tcase_add_test(tcase, level_from_environment); /* first: the next ones change it */
    tcase_add_test(tcase, signal_before_wait_is_kept);
    tcase_add_test(tcase, ping_pong);
    tcase_add_test(tcase, condition_on_stack);
    tcase_add_test(tcase, ring_of_threads);
    tcase_add_test(tcase, poll_ends_the_wait);
    tcase_add_test(tcase, levels);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
