/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ended_calls.c: each public function after MPI_Finalize, with handles that were live before (ended_calls.py makes the calls from
 * the headers). Each call is made in a child, so that one that ends the process is told with its name.
 *
 * Catches: MPI's own abort, a crash or a wait for ever in place of ep's error; an answer where there is none.
 */
#include "harness.h"

#include <ep_counter.h>
#include <ep_funnel.h>
#include <ep_win.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static ep_comm worlds[16], world;
static ep_group group;
static ep_request request;
static ep_message message;
static ep_win win;
static ep_file file;
static ep_funnel funnel;
static ep_errhandler handler;
static int told;
static char text[4096] = "text";
static long numbers[4096];

static int callback(void)
{
    return MPI_SUCCESS;
}

static void tell(ep_comm *comm, int *code, ...)
{
    told += *comm == world && *code == MPI_ERR_OTHER;
}

#define CALL(name, owned, body) static int call_##name(void) body
#include "ended_calls.h"
#undef CALL

struct test {
    const char *name;
    int (*call)(void);
    int owned; /* it has a handle of the endpoint */
};
static const struct test tests[] = {
#define CALL(name, owned, body) {#name, call_##name, owned},
#include "ended_calls.h"
#undef CALL
};

enum { WRONG_CODE = 3, LONGEST = 20 };

static void in_child(const struct test *t)
{
    alarm(LONGEST);
    int code = t->call();
    _exit(t->owned && code != MPI_ERR_OTHER ? WRONG_CODE : 0);
}

static int failed(const struct test *t)
{
    int status;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        in_child(t);
    if (waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return 0;
    fprintf(stderr, "%s: %s\n", t->name,
            WIFSIGNALED(status)                   ? strsignal(WTERMSIG(status))
            : WEXITSTATUS(status) == WRONG_CODE ? "another class than MPI_ERR_OTHER, or none"
                                                : "ended the process");
    return 1;
}

/* Something of each kind, in one endpoint; the others only come along. */
static void make(int n)
{
    ep_request sent;
    void *memory;
    for (int i = 0; i < n; i++)
        ep_comm_set_errhandler(worlds[i], EP_ERRORS_RETURN);
    ep_thread_bind(worlds[0]);
    ep_comm_dup(EP_COMM_SELF, &world);
    ep_comm_create_errhandler(tell, &handler);
    ep_comm_group(world, &group);
    ep_win_allocate(64, 1, MPI_INFO_NULL, world, &memory, &win);
    ep_win_set_errhandler(win, EP_ERRORS_RETURN);
    ep_win_fence(0, win);
    ep_file_open(EP_COMM_SELF, "ended_calls.tmp", MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_INFO_NULL, &file);
    ep_file_delete("ended_calls.tmp", MPI_INFO_NULL);
    ep_comm_set_errhandler(world, EP_ERRORS_RETURN);
    ep_funnel_create(world, &funnel);
    ep_isend(text, 1, MPI_CHAR, 0, 2, world, &sent);
    ep_mprobe(0, 2, world, &message, EP_STATUS_IGNORE);
    ep_request_free(&sent);
    ep_irecv(text, 1, MPI_CHAR, 0, 1, world, &request);
    ep_comm_set_errhandler(world, handler);
}

/* Both handles of what is no communicator, by the communicator's handler, once each. */
static int wrong_handler(void)
{
    ep_request r = request;
    told = 0;
    if (ep_wait(&r, EP_STATUS_IGNORE) == MPI_ERR_OTHER && told == 1 && r == request &&
        ep_mrecv(text, 1, MPI_CHAR, (ep_message[]){message}, EP_STATUS_IGNORE) == MPI_ERR_OTHER && told == 2)
        return 0;
    fprintf(stderr, "the communicator's handler was called %d times\n", told);
    return 1;
}

int main(int argc, char **argv)
{
    int level, bad = 0, n = atoi(getenv("EP_TEST_T"));
    harness_keep_plugins();
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    ep_comm_set_errhandler(EP_COMM_WORLD, EP_ERRORS_RETURN);
    if (ep_comm_create_endpoints(MPI_COMM_WORLD, n, MPI_INFO_NULL, worlds) != MPI_SUCCESS)
        return 1;
    make(n);
    MPI_Finalize();
    bad += wrong_handler();
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)
        bad += failed(&tests[i]);
    fprintf(stderr, "%zu functions, %d wrong\n", sizeof tests / sizeof tests[0], bad);
    return bad != 0;
}
