/* SPDX-License-Identifier: BSD-3-Clause */
/* watchdog.c: a thread that ends a job that hangs, after saying where it hangs. */
#include "internal.h"
#include <dirent.h>
#include <errno.h>
#include <execinfo.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SANITIZER_FACTOR 8
#elif __has_feature(address_sanitizer)
#define SANITIZER_FACTOR 4
#endif
#endif
#if !defined(SANITIZER_FACTOR)
#if defined(__SANITIZE_THREAD__)
#define SANITIZER_FACTOR 8
#elif defined(__SANITIZE_ADDRESS__)
#define SANITIZER_FACTOR 4
#else
#define SANITIZER_FACTOR 1
#endif
#endif

static pthread_t thread;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct timespec deadline;
static char test_name[128];
static int stopping;

int harness_slowness(void)
{
    const char *preload = getenv("LD_PRELOAD"), *chaos = getenv("EP_CHAOS");
    int factor = SANITIZER_FACTOR;
    if (preload && strstr(preload, "vgpreload"))
        factor *= 20;
    if (chaos && atoi(chaos))
        factor *= 2;
    return factor;
}

static void say_where(const slot *s)
{
    static const char *const states[] = {"idle", "being created", "in the body", "being freed", "done"};
    const char *file = atomic_load(&s->file);
    char who[32] = "main thread";
    if (s->rank >= 0)
        snprintf(who, sizeof who, "rank %d", s->rank);
    fprintf(stderr, "    %s: %s, last at %s:%d, %d failures\n", who, states[atomic_load(&s->state)],
            file ? file : "-", atomic_load(&s->line), atomic_load(&s->failures));
    for (int i = 0; i < atomic_load(&s->failures) && i < SLOT_FAILURES; i++)
        fprintf(stderr, "        %s\n", s->text[i]);
}

static void print_stack(int signal)
{
    void *frames[40];
    (void)signal;
    int n = backtrace(frames, 40);
    backtrace_symbols_fd(frames, n, STDERR_FILENO);
    if (write(STDERR_FILENO, "\n", 1) < 0)
        return;
}

/* Without gdb: each thread prints its own stack from a signal handler. */
static void stacks_by_signal(void)
{
    struct sigaction action = {.sa_handler = print_stack, .sa_flags = SA_RESTART};
    sigaction(SIGUSR2, &action, NULL);
    DIR *dir = opendir("/proc/self/task");
    if (!dir)
        return;
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        int tid = atoi(entry->d_name);
        if (tid <= 0 || tid == (int)syscall(SYS_gettid))
            continue;
        fprintf(stderr, "  thread %d:\n", tid);
        syscall(SYS_tgkill, getpid(), tid, SIGUSR2);
        nanosleep(&(struct timespec){.tv_nsec = 50 * 1000 * 1000},
                  NULL); /* only keeps the print-outs apart */
    }
    closedir(dir);
}

static void say_all(void)
{
    fprintf(stderr, "\nHANG: test %s, process %d of %d (pid %d)\n", test_name, harness_rank, harness_size,
            getpid());
    say_where(&harness_process_slot);
    for (int i = 0; i < atomic_load(&harness_slot_count); i++)
        say_where(&harness_slots[i]);
    char command[240];
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
    snprintf(
        command, sizeof command,
        "timeout 40 gdb -p %d -nx -batch -ex 'set pagination off' -ex 'thread apply all bt 14' 2>/dev/null"
        " | sed -n '/^[T#]/s/^/[process %d] /p' >&2",
        getpid(), harness_rank);
    if (system("command -v gdb >/dev/null 2>&1") == 0 && system(command) == 0)
        return;
    stacks_by_signal();
}

static void *watch(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    while (!stopping) {
        struct timespec until = deadline;
        int rc = pthread_cond_timedwait(&changed, &lock, &until);
        if (rc == ETIMEDOUT && !stopping && until.tv_sec == deadline.tv_sec) {
            say_all();
            fflush(NULL);
            alarm(20); /* MPI_Abort may itself need the lock that the hanging thread holds */
            nanosleep(&(struct timespec){.tv_sec = 5}, NULL); /* let the other processes say theirs */
            MPI_Abort(MPI_COMM_WORLD, 98);
        }
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

void watchdog_arm(const char *test)
{
    const char *setting = getenv("EP_TEST_TIMEOUT");
    int seconds = setting ? atoi(setting) : 60 * harness_slowness();
    pthread_mutex_lock(&lock);
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_sec += seconds;
    if (test)
        snprintf(test_name, sizeof test_name, "%s", test);
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
}

void watchdog_start(void)
{
    watchdog_arm("start");
    if (pthread_create(&thread, NULL, watch, NULL))
        abort();
}

void watchdog_stop(void)
{
    pthread_mutex_lock(&lock);
    stopping = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
}
