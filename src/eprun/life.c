/* SPDX-License-Identifier: BSD-3-Clause */
/* Endpoints' threads, from the start to the end of the program. */
#include "eprun/life.h"

#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

/* A thread of the program that calls pthread_exit in main leaves the others running. */
static void left_main(void *endpoint)
{
    ep_rank_thread_ends();
    life_thread_ended(endpoint);
}

static void *life_run_rank(void *arg)
{
    struct eprun_rank *e = arg;
    self = e;
    unshare(CLONE_FS); /* refused in some containers: then chdir and umask are for the process */
    ep_rank_bind(e->mpi);
    bind_thread(e->index);
    crash_thread();
    pthread_cleanup_push(left_main, e);
    image_load(e->options, e);
    life_exit(image_main(e->image, e->options->argc, e->argv), true);
    pthread_cleanup_pop(0);
    return NULL;
}

/* Programs may change the text of their arguments. */
static char **copy_arguments(const struct options *o)
{
    size_t size = (size_t)(o->argc + 1) * sizeof(char *);
    for (int i = 0; i < o->argc; i++)
        size += strlen(o->program[i]) + 1;
    char **copy = calloc(1, size);
    char *text = copy ? (char *)(copy + o->argc + 1) : NULL;
    for (int i = 0; copy && i < o->argc; i++) {
        copy[i] = text;
        text = stpcpy(text, o->program[i]) + 1;
    }
    return copy;
}

/* As large as a main thread's stack may become, and not less than the usual limit. */
static size_t life_stack_size(const struct options *o)
{
    const size_t mib = 1 << 20;
    struct rlimit limit;
    if (o->stack > 0)
        return o->stack;
    if (getrlimit(RLIMIT_STACK, &limit) != 0)
        return 8 * mib;
    if (limit.rlim_cur == RLIM_INFINITY)
        return 64 * mib;
    return limit.rlim_cur > 8 * mib ? (size_t)limit.rlim_cur : 8 * mib;
}

/* A number out of a file of the system; else LLONG_MAX. */
static long long read_number(const char *path)
{
    long long n = LLONG_MAX;
    FILE *f = fopen(path, "re");
    if (f && fscanf(f, "%lld", &n) != 1)
        n = LLONG_MAX;
    if (f)
        fclose(f);
    return n;
}

long long life_most_endpoints(const char **limit)
{
    struct rlimit user;
    long long most = read_number("/proc/sys/kernel/threads-max"),
              pids = read_number("/proc/sys/kernel/pid_max");
    *limit = "kernel.threads-max";
    if (pids < most) {
        most = pids;
        *limit = "kernel.pid_max";
    }
    if (geteuid() != 0 && getrlimit(RLIMIT_NPROC, &user) == 0 && user.rlim_cur != RLIM_INFINITY &&
        (long long)user.rlim_cur < most) {
        most = (long long)user.rlim_cur;
        *limit = "ulimit -u";
    }
    return most;
}

static void life_start(struct eprun_rank *e, const pthread_attr_t *attributes)
{
    e->argv = copy_arguments(e->options);
    e->threads = 1;
    if (e->argv && pthread_create(&e->thread, attributes, life_run_rank, e) == 0)
        return;
    message("the system gives no %s for endpoint %d of %d", e->argv ? "thread" : "memory", e->rank, e->size);
    end_process(EXIT_FAILURE);
}

/* What libc puts in front of errors, and what ps shows. */
static void take_name(const struct options *o)
{
    program_invocation_name = o->program[0];
    program_invocation_short_name = (char *)image_name(o);
    prctl(PR_SET_NAME, program_invocation_short_name);
}

/* An OpenMP library is loaded once and would give its first places, those of the endpoint that came first, to
 * the threads of all endpoints. Without this they stay where their endpoint is. */
static void forget_places(const struct options *o)
{
    static const char *const names[] = {"OMP_PROC_BIND", "OMP_PLACES", "GOMP_CPU_AFFINITY", "KMP_AFFINITY"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (getenv(names[i]) && o->verbose)
            message("%s is not used: OpenMP threads run where their endpoint does", names[i]);
        unsetenv(names[i]);
    }
}

/* What one process may have open is now for all endpoints. */
static void allow_files(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}

int life_run(struct eprun_rank endpoints[], int n)
{
    pthread_attr_t attributes;
    if (n == 0)
        return EXIT_SUCCESS;
    const struct options *o = endpoints[0].options;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    if (pthread_attr_setstacksize(&attributes, life_stack_size(o)) != 0)
        message("stacks of %zu bytes are not possible", life_stack_size(o));
    pthread_attr_setguardsize(&attributes, STACK_GUARD);
    take_name(o);
    forget_places(o);
    allow_files();
    end_prepare(endpoints, n);
    for (int i = 0; i < n; i++)
        life_start(&endpoints[i], &attributes);
    pthread_attr_destroy(&attributes);
    end_wait();
    return EXIT_SUCCESS;
}
