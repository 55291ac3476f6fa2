/* SPDX-License-Identifier: BSD-3-Clause */
/* test_jobs.c: whole jobs seen from outside: exit status and output. Knows no MPI itself.
 * EP_TEST_LAUNCH is the launcher with its options, up to the number of processes; EP_TEST_CHILD the program. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char output[65536];
static int status; /* exit status, or -1 for a signal or a hang */

static const char *needed(const char *name)
{
    const char *value = getenv(name);
    ck_assert_msg(value != NULL, "%s is not set", name);
    return value;
}

/* processes = 0: without the launcher. */
static void run(int processes, const char *arguments)
{
    char command[4096], launch[2048] = "";
    if (processes)
        snprintf(launch, sizeof launch, "%s %d ", needed("EP_TEST_LAUNCH"), processes);
    snprintf(command, sizeof command, "timeout -k 5 100 %s%s %s 2>&1", launch, needed("EP_TEST_CHILD"),
             arguments);
    FILE *f = popen(command, "r");
    ck_assert_ptr_nonnull(f);
    size_t n = fread(output, 1, sizeof output - 1, f);
    output[n] = 0;
    int raw = pclose(f);
    status = WIFEXITED(raw) && WEXITSTATUS(raw) != 124 ? WEXITSTATUS(raw) : -1;
}

static int lines_with(const char *part)
{
    int n = 0;
    for (const char *line = output; line && *line;) {
        const char *end = strchr(line, '\n'), *hit = strstr(line, part);
        n += hit && (!end || hit < end);
        line = end ? end + 1 : NULL;
    }
    return n;
}

#define EXPECT_STATUS(want)                                                                                  \
    ck_assert_msg(status == (want), "exit status %d, want %d; output:\n%s", status, want, output)
#define EXPECT_LINES(n, part)                                                                                \
    ck_assert_msg(lines_with(part) == (n), "%d lines with \"%s\", want %d; output:\n%s", lines_with(part),   \
                  part, n, output)

START_TEST(abort_gives_status)
{
    run(1, "abort 4");
    EXPECT_STATUS(37);
    EXPECT_LINES(0, "NOT REACHED");
    run(2, "abort 2");
    EXPECT_STATUS(37);
    run(3, "abort 1");
    EXPECT_STATUS(37);
}
END_TEST

START_TEST(fatal_error_says_one_line)
{
    for (int processes = 1; processes <= 2; processes++) {
        run(processes, "fatal 2");
        ck_assert_msg(status > 0, "exit status %d; output:\n%s", status, output);
        EXPECT_LINES(1, "ep_send");
        EXPECT_LINES(1, "argument dest is 99:"); /* mpirun's own lines may hold such figures */
        EXPECT_LINES(0, "NOT REACHED");
    }
}
END_TEST

START_TEST(ep_starts_and_ends_mpi)
{
    run(2, "life");
    EXPECT_STATUS(0);
    EXPECT_LINES(2, "provided 1");
    EXPECT_LINES(2, "finalized 1");
    run(0, "life");
    EXPECT_STATUS(0);
    EXPECT_LINES(1, "finalized 1");
    run(2, "task");
    EXPECT_STATUS(0);
    EXPECT_LINES(2, "provided 1");
}
END_TEST

START_TEST(run_without_launcher)
{
    run(0, "run 4 0");
    EXPECT_STATUS(0);
    EXPECT_LINES(1, "ran 0");
    run(0, "run 4 0 finalize");
    EXPECT_STATUS(0);
    run(0, "run 1 0");
    EXPECT_STATUS(0);
    run(0, "run 4 23");
    EXPECT_STATUS(23);
    EXPECT_LINES(1, "ran 23");
}
END_TEST

START_TEST(run_with_launcher)
{
    run(2, "run 2 0");
    EXPECT_STATUS(0);
    EXPECT_LINES(2, "ran 0");
    run(2, "run 3 0 finalize");
    EXPECT_STATUS(0);
}
END_TEST

/* MULTIPLE and SERIALIZED work. FUNNELED works while the main thread is in ep. SINGLE with threads is an error
 * that tells what to do. */
START_TEST(thread_levels)
{
    run(2, "level 2 multiple");
    EXPECT_STATUS(0);
    run(2, "level 2 serialized");
    EXPECT_STATUS(0);
    run(1, "level 4 serialized");
    EXPECT_STATUS(0);
    run(2, "level 2 funneled");
    EXPECT_STATUS(0);
    run(1, "level 4 funneled");
    EXPECT_STATUS(0);
    run(2, "level 1 single");
    EXPECT_STATUS(0);
}
END_TEST

START_TEST(level_single_is_refused)
{
    run(2, "level 2 single");
    if (status != 0) /* an MPI library may give more than was asked for */
        EXPECT_LINES(2, "MPI_THREAD_MULTIPLE");
    ck_assert_msg(status == 0 || status == 3, "exit status %d; output:\n%s", status, output);
}
END_TEST

START_TEST(too_few_cpus_is_said_once)
{
    run(1, "bound");
    EXPECT_STATUS(0);
    if (sysconf(_SC_NPROCESSORS_ONLN) > 1)
        EXPECT_LINES(1, "--bind-to none");
}
END_TEST

START_TEST(before_mpi_is_initialised)
{
    run(0, "before");
    EXPECT_STATUS(0);
    EXPECT_LINES(1, "rc 1 clock 1");
}
END_TEST

START_TEST(bad_setting_is_named)
{
    setenv("EP_WAIT", "banana", 1);
    run(0, "run 2 0");
    unsetenv("EP_WAIT");
    EXPECT_STATUS(0);
    EXPECT_LINES(1, "EP_WAIT");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("jobs");
    const TTest *const tests[] = {abort_gives_status,        fatal_error_says_one_line,
                                  ep_starts_and_ends_mpi,    run_without_launcher,
                                  run_with_launcher,         thread_levels,
                                  level_single_is_refused,   too_few_cpus_is_said_once,
                                  before_mpi_is_initialised, bad_setting_is_named};
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
        TCase *tcase = tcase_create(tests[i]->name);
        tcase_add_test(tcase, tests[i]);
        tcase_set_timeout(tcase, 0); /* each job has its own limit */
        suite_add_tcase(suite, tcase);
    }
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
