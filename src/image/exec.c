/* SPDX-License-Identifier: BSD-3-Clause */
/* Other programs get the image's environment. */
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "image/image.h"

WEAK int execv(const char *path, char *const argv[])
{
    return execve(path, argv, environ);
}

WEAK int execvp(const char *file, char *const argv[])
{
    return execvpe(file, argv, environ);
}

/* Words up to the NULL, with the first. */
static size_t count(va_list words)
{
    size_t n = 1;
    while (va_arg(words, char *))
        n++;
    return n;
}

static void fill(char **argv, const char *first, size_t n, va_list words)
{
    argv[0] = (char *)first;
    for (size_t i = 1; i <= n; i++)
        argv[i] = va_arg(words, char *);
}

WEAK int execl(const char *path, const char *first, ...)
{
    va_list words;
    va_start(words, first);
    size_t n = count(words);
    va_end(words);
    char *argv[n + 1];
    va_start(words, first);
    fill(argv, first, n, words);
    va_end(words);
    return execve(path, argv, environ);
}

WEAK int execlp(const char *file, const char *first, ...)
{
    va_list words;
    va_start(words, first);
    size_t n = count(words);
    va_end(words);
    char *argv[n + 1];
    va_start(words, first);
    fill(argv, first, n, words);
    va_end(words);
    return execvpe(file, argv, environ);
}

static pid_t start_shell(const char *command, const sigset_t *mask)
{
    char *argv[] = {"sh", "-c", (char *)command, NULL};
    posix_spawnattr_t how;
    pid_t child;
    posix_spawnattr_init(&how);
    posix_spawnattr_setsigmask(&how, mask);
    posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGMASK);
    int error = posix_spawn(&child, "/bin/sh", NULL, &how, argv, environ);
    posix_spawnattr_destroy(&how);
    errno = error;
    return error ? -1 : child;
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
    int status = -1;
    pid_t child = start_shell(command, &mask), ended;
    if (child != -1) {
        do
            ended = waitpid(child, &status, 0);
        while (ended == -1 && errno == EINTR);
    }
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    return child == -1 ? 127 << 8 : status;
}
