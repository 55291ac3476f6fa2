/* SPDX-License-Identifier: BSD-3-Clause */
/* test_log.c: before a job is ended, is what was written really waited for until it has been read? And who never reads does not stop
 * that end. */
#include <check.h>
#include <poll.h>
#include <stdbool.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/log.h"

static int to_read[2], to_write[2];

static void make_pipes(void)
{
    for (int i = 0; i < 2; i++) {
        int ends[2];
        ck_assert(pipe(ends) == 0);
        to_read[i] = ends[0];
        to_write[i] = ends[1];
    }
}

/* Writes to both, and exits with 1 if it went on before that was read. */
static pid_t start_writer(void)
{
    pid_t child = fork();
    if (child == 0) {
        int unread[2] = {-1, -1};
        dup2(to_write[0], STDOUT_FILENO);
        dup2(to_write[1], STDERR_FILENO);
        bool good = write(STDOUT_FILENO, "out", 3) == 3;
        log_error("last words");
        log_await_readers();
        good &= ioctl(STDOUT_FILENO, FIONREAD, &unread[0]) == 0 && ioctl(STDERR_FILENO, FIONREAD, &unread[1]) == 0;
        _exit(good && unread[0] == 0 && unread[1] == 0 ? 0 : 1);
    }
    return child;
}

static int status_of(pid_t child)
{
    int status;
    ck_assert(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status));
    return WEXITSTATUS(status);
}

START_TEST(read_late)
{
    for (int last = 0; last < 2; last++) {
        char text[64];
        make_pipes();
        pid_t child = start_writer();
        for (int i = 0; i < 2; i++) {
            struct pollfd at = {.fd = to_read[(i + last + 1) % 2], .events = POLLIN};
            ck_assert(poll(&at, 1, -1) == 1);
            usleep(20000);
            ck_assert(read(at.fd, text, sizeof text) > 0);
        }
        ck_assert_int_eq(status_of(child), 0);
    }
}
END_TEST

START_TEST(never_read)
{
    make_pipes();
    ck_assert_int_eq(status_of(start_writer()), 1);
}
END_TEST

/* Not a pipe, or closed: nothing to wait for. */
START_TEST(no_pipe)
{
    pid_t child = fork();
    if (child == 0) {
        close(STDOUT_FILENO);
        log_await_readers();
        close(STDERR_FILENO);
        log_await_readers();
        _exit(0);
    }
    ck_assert_int_eq(status_of(child), 0);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("log");
    TCase *c = tcase_create("readers");
    tcase_set_timeout(c, 30);
    tcase_add_test(c, read_late);
    tcase_add_test(c, never_read);
    tcase_add_test(c, no_pipe);
    suite_add_tcase(s, c);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
