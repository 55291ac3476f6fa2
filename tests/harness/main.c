/* SPDX-License-Identifier: BSD-3-Clause */
/* main.c: run a table of tests under Check in every process; process 0 prints. */
#include "internal.h"
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const harness_test *table;
static uint64_t seed;

uint64_t harness_seed(void)
{
    return seed;
}

static void run_entry(int i)
{
    watchdog_arm(table[i].name);
    slot_reset(&harness_process_slot, -1);
    if (table[i].body)
        team_run(table[i].body, NULL);
    else
        table[i].alone();
    team_verdict();
}

static const TTest entry = {"test", run_entry, __FILE__, __LINE__};

static int wanted_level(void)
{
    const char *level = getenv("EP_TEST_LEVEL");
    if (level && strcmp(level, "serialized") == 0)
        return MPI_THREAD_SERIALIZED;
    if (level && strcmp(level, "funneled") == 0)
        return MPI_THREAD_FUNNELED;
    return MPI_THREAD_MULTIPLE;
}

static void choose_seed(void)
{
    const char *given = getenv("EP_TEST_SEED");
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    seed = given ? strtoull(given, NULL, 10) : (uint64_t)(now.tv_nsec / 1000 + now.tv_sec % 1000);
    MPI_Bcast(&seed, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
}

static int run_suite(const char *name)
{
    Suite *suite = suite_create(name);
    for (int i = 0; table[i].name; i++) {
        TCase *tcase = tcase_create(table[i].name);
        tcase_add_loop_test(tcase, &entry, i, i + 1);
        tcase_set_timeout(tcase, 0); /* the watchdog's task */
        suite_add_tcase(suite, tcase);
    }
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK); /* forking after MPI_Init is unsafe */
    srunner_run_all(runner, harness_rank ? CK_SILENT : CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    int ran = srunner_ntests_run(runner);
    srunner_free(runner);
    return failed || !ran;
}

long harness_available_mib(void)
{
    char line[200];
    long kib = 0;
    FILE *f = fopen("/proc/meminfo", "r");
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "MemAvailable: %ld", &kib) == 1)
            break;
    if (f)
        fclose(f);
    return kib / 1024;
}

int harness_main(int argc, char **argv, const char *suite, const harness_test tests[], int count)
{
    int provided, level = wanted_level();
    harness_test *copy = xmalloc(((size_t)count + 1) * sizeof *copy);
    memcpy(copy, tests, (size_t)count * sizeof *copy);
    copy[count] = (harness_test){0};
    table = copy;
    harness_keep_plugins();
    MPI_Init_thread(&argc, &argv, level, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &harness_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &harness_size);
    slot_reset(&harness_process_slot, -1);
    choose_seed();
    const char *shape = getenv("EP_TEST_T");
    if (harness_rank == 0)
        printf("%s: %d processes, EP_TEST_T=%s, EP_TEST_SEED=%llu\n", suite, harness_size,
               shape ? shape : "2", (unsigned long long)seed);
    fflush(stdout);
    watchdog_start();
    int bad = run_suite(suite);
    watchdog_arm("MPI_Finalize");
    ep_finalize();
    MPI_Finalize();
    watchdog_stop();
    free(harness_slots);
    free(copy);
    return bad ? EXIT_FAILURE : EXIT_SUCCESS;
}
