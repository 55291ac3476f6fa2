/* SPDX-License-Identifier: BSD-3-Clause */
/* Commands, and the program that takes this one's place, get the image's environment; commands also its stdin. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "image/image.h"

/* ---- exec ---- */

WEAK int execv(const char *path, char *const argv[])
{
    return execve(path, argv, environ);
}

WEAK int execvp(const char *file, char *const argv[])
{
    return execvpe(file, argv, environ);
}

typedef int runner(const char *path, char *const argv[], char *const envp[]);

/* first and the words up to the NULL; behind that is the environment, or it is the image's. */
static int exec_words(runner *run, const char *path, const char *first, bool with_environment, va_list words)
{
    size_t n = 1;
    va_list again;
    va_copy(again, words);
    while (va_arg(words, char *))
        n++;
    char *const *all = with_environment ? va_arg(words, char *const *) : environ;
    char *argv[n + 1];
    argv[0] = (char *)first;
    for (size_t i = 1; i <= n; i++)
        argv[i] = va_arg(again, char *);
    va_end(again);
    return run(path, argv, all);
}

#define EXEC(name, run, with_environment)                                                                    \
    WEAK int name(const char *path, const char *first, ...)                                                  \
    {                                                                                                        \
        va_list words;                                                                                       \
        va_start(words, first);                                                                              \
        int rc = exec_words(run, path, first, with_environment, words);                                      \
        va_end(words);                                                                                       \
        return rc;                                                                                           \
    }
EXEC(execl, execve, false)
EXEC(execlp, execvpe, false)
EXEC(execle, execve, true)

/* ---- system and popen ---- */

struct pipe {
    struct pipe *next;
    FILE *stream;
    pid_t child;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct pipe *pipes;

/* from, if it is not -1, becomes the command's to. */
static pid_t shell_start(const char *command, const sigset_t *mask, int from, int to)
{
    char *argv[] = {"sh", "-c", (char *)command, NULL};
    posix_spawnattr_t how;
    posix_spawn_file_actions_t files;
    pid_t child;
    posix_spawnattr_init(&how);
    posix_spawn_file_actions_init(&files);
    if (mask) {
        posix_spawnattr_setsigmask(&how, mask);
        posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGMASK);
    }
    if (!stdin_is_process())
        posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (from >= 0)
        posix_spawn_file_actions_adddup2(&files, from, to);
    int error = posix_spawn(&child, "/bin/sh", &files, &how, argv, environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&how);
    errno = error;
    return error ? -1 : child;
}

static int shell_wait_for(pid_t child)
{
    int status;
    pid_t ended;
    do
        ended = waitpid(child, &status, 0);
    while (ended == -1 && errno == EINTR);
    return ended == -1 ? -1 : status;
}

/* SIGINT and SIGQUIT stay as they are: other endpoints need them while the command runs. */
WEAK int system(const char *command)
{
    if (!command)
        return access("/bin/sh", X_OK) == 0;
    sigset_t child_ends, mask;
    sigemptyset(&child_ends);
    sigaddset(&child_ends, SIGCHLD);
    pthread_sigmask(SIG_BLOCK, &child_ends, &mask);
    pid_t child = shell_start(command, &mask, -1, -1);
    int status = child == -1 ? 127 << 8 : shell_wait_for(child);
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    return status;
}

/* Our end of a pipe to the command, which runs; -1: it does not. No other endpoint's command must get that
 * end, or this one's would wait for its close. */
static int connect_to(const char *command, bool reading, pid_t *child)
{
    int ends[2], ours = reading ? 0 : 1;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    *child = shell_start(command, NULL, ends[!ours], reading ? STDOUT_FILENO : STDIN_FILENO);
    int error = errno;
    close(ends[!ours]);
    if (*child != -1)
        return ends[ours];
    close(ends[ours]);
    errno = error;
    return -1;
}

WEAK FILE *popen(const char *command, const char *mode)
{
    bool reading = mode[0] == 'r';
    if (!reading && mode[0] != 'w') {
        errno = EINVAL;
        return NULL;
    }
    struct pipe *p = malloc(sizeof *p);
    int end = p ? connect_to(command, reading, &p->child) : -1;
    if (end == -1) {
        free(p);
        return NULL;
    }
    p->stream = fdopen(end, reading ? "r" : "w");
    if (!p->stream) {
        close(end); /* so the command ends */
        shell_wait_for(p->child);
        free(p);
        errno = ENOMEM;
        return NULL;
    }
    pthread_mutex_lock(&lock);
    p->next = pipes;
    pipes = p;
    pthread_mutex_unlock(&lock);
    return p->stream;
}

/* Out of the list; NULL: popen did not open it. */
static struct pipe *shell_take(const FILE *stream)
{
    pthread_mutex_lock(&lock);
    struct pipe **at = &pipes;
    while (*at && (*at)->stream != stream)
        at = &(*at)->next;
    struct pipe *p = *at;
    if (p)
        *at = p->next;
    pthread_mutex_unlock(&lock);
    return p;
}

WEAK int pclose(FILE *stream)
{
    struct pipe *p = shell_take(stream);
    if (!p) {
        errno = ECHILD;
        return -1;
    }
    pid_t child = p->child;
    free(p);
    return fclose(stream) == 0 ? shell_wait_for(child) : -1;
}
