/* SPDX-License-Identifier: BSD-3-Clause */
#include "eprun/life.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* In memory of both. */
struct watch_watched {
    pid_t pid;
    char who[128];
};

static struct watch_watched *watched; /* NULL: nobody watches */
static pid_t watcher;                 /* 0: there is none, or no more */

/* The status of a process that has begun to end, as wait() gives it; -1: it is gone, and whoever started it
 * knows. */
static int status_of(pid_t pid)
{
    char path[64], text[1024];
    snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, text, sizeof text - 1) : -1;
    if (n <= 0)
        return kill(pid, 0) != 0 && errno == ESRCH ? -1 : 0;
    text[n] = 0;
    const char *last = strrchr(text, ' ');
    return last ? atoi(last) : 0;
}

static void watch_report(void)
{
    const char *who = watched->who;
    int status = status_of(watched->pid);
    if (status < 0)
        message("%s was killed, as it seems by signal %d (%s)", who, SIGKILL, sigdescr_np(SIGKILL));
    else if (WIFSIGNALED(status))
        message("%s was killed by signal %d (%s)", who, WTERMSIG(status), sigdescr_np(WTERMSIG(status)));
}

/* Nothing is ever written into that pipe: it ends when the process does, and all its children that execute no
 * other program. All files but stderr are let go: others may wait for their end. A group of its own is not
 * killed with the process's. */
static _Noreturn void watch_process(int pipe_end)
{
    char byte;
    sigset_t terminal;
    prctl(PR_SET_NAME, "eprun watch");
    setpgid(0, 0);
    sigemptyset(&terminal);
    sigaddset(&terminal, SIGTTOU);
    sigprocmask(SIG_BLOCK, &terminal, NULL);
    dup2(pipe_end, STDIN_FILENO);
    close(STDOUT_FILENO);
    close_range(STDERR_FILENO + 1, ~0u, 0);
    while (chdir("/") == 0 && read(STDIN_FILENO, &byte, 1) < 0 && errno == EINTR)
        continue;
    watch_report();
    _exit(0);
}

/* A child that says nothing to its parent when it ends, so that no wait() finds it (__WCLONE does). There is
 * one thread yet, and nothing that fork() would have to prepare. */
static pid_t fork_unseen(void)
{
    return (pid_t)syscall(SYS_clone, 0, 0, 0, 0, 0);
}

void watch_start(void)
{
    int ends[2];
    if (launch_is_under_mpirun() || copy_is_watched())
        return;
    watched = mmap(NULL, sizeof *watched, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (watched == MAP_FAILED || pipe2(ends, O_CLOEXEC) != 0) {
        watched = NULL;
        return;
    }
    *watched = (struct watch_watched){getpid(), "this process"};
    watcher = fork_unseen();
    if (watcher == 0)
        watch_process(ends[0]);
    close(ends[0]);
    atexit(watch_told);
}

void watch_endpoints(void)
{
    if (watched)
        crash_say_who(watched->who, sizeof watched->who, NULL);
}

void watch_told(void)
{
    pid_t child =
        watched && watched->pid == getpid() ? __atomic_exchange_n(&watcher, 0, __ATOMIC_ACQ_REL) : 0;
    if (child <= 0)
        return;
    kill(child, SIGKILL);
    while (waitpid(child, NULL, __WCLONE) < 0 && errno == EINTR)
        continue;
}
