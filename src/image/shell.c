/* SPDX-License-Identifier: BSD-3-Clause */
/* system and popen: commands get the image's environment. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "image/image.h"

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

/* Our end of a pipe to the command, which runs; -1: it does not. No other endpoint's command must get that end, or
 * this one's would wait for its close. */
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
