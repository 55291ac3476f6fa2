/* SPDX-License-Identifier: BSD-3-Clause */
/* The environment and commands, which are the image's, and keys, of which a process has few. Exported to copies of the run-time system. */
#include "eprun/fortran/fortran.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- the environment: what the program has made of it ---- */

EP_PUBLIC char *ep_fortran_getenv(const char *name);
char *ep_fortran_getenv(const char *name)
{
    return self && self->image ? image_getenv(self->image, name) : getenv(name);
}

EP_PUBLIC char *ep_fortran_secure_getenv(const char *name);
char *ep_fortran_secure_getenv(const char *name)
{
    return getauxval(AT_SECURE) ? NULL : ep_fortran_getenv(name);
}

/* ---- commands ---- */

EP_PUBLIC int ep_fortran_system(const char *command);
int ep_fortran_system(const char *command)
{
    return self && self->image ? image_system(self->image, command) : system(command);
}

/* A command that nobody waits for. The run-time system would wait for any child in a signal handler, and so take away those of
 * other ranks (ep_fortran_sigaction); here each such child is waited for by its number, when it has ended and the next one begins. */
struct fortran_child {
    struct fortran_child *next;
    pid_t id;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct fortran_child *children;

static void bury(void)
{
    for (struct fortran_child **at = &children, *c = *at; c; c = *at) {
        if (waitpid(c->id, NULL, WNOHANG) == 0) {
            at = &c->next;
            continue;
        }
        *at = c->next;
        free(c);
    }
}

static void remember_child(pid_t id)
{
    struct fortran_child *c = malloc(sizeof *c);
    pthread_mutex_lock(&lock);
    bury();
    if (c) {
        *c = (struct fortran_child){children, id};
        children = c;
    }
    pthread_mutex_unlock(&lock);
}

EP_PUBLIC int ep_fortran_posix_spawn(pid_t *child, const char *path, const posix_spawn_file_actions_t *files,
                                     const posix_spawnattr_t *how, char *const argv[], char *const envp[]);
int ep_fortran_posix_spawn(pid_t *child, const char *path, const posix_spawn_file_actions_t *files,
                           const posix_spawnattr_t *how, char *const argv[], char *const envp[])
{
    posix_spawn_file_actions_t own;
    posix_spawn_file_actions_init(&own);
    if (self && self->rank != 0)
        posix_spawn_file_actions_addopen(&own, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    char *const *all = self && self->image ? image_environ(self->image) : envp;
    int rc = posix_spawn(child, path, files ? files : &own, how, argv, all);
    posix_spawn_file_actions_destroy(&own);
    if (rc == 0)
        remember_child(*child);
    return rc;
}

/* ---- keys: all copies have the same, since a thread is of one rank ---- */

enum { KEYS = 8 };

static pthread_key_t keys[KEYS];
static int nkeys;

static bool is_common(pthread_key_t key)
{
    bool found = false;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < nkeys; i++)
        found |= keys[i] == key;
    pthread_mutex_unlock(&lock);
    return found;
}

/* The n-th that this rank makes: they all make the same, each for values that libc's free ends. */
EP_PUBLIC int ep_fortran_pthread_key_create(pthread_key_t *key, void (*end)(void *));
int ep_fortran_pthread_key_create(pthread_key_t *key, void (*end)(void *))
{
    int rc = 0;
    if (!self || end != free)
        return pthread_key_create(key, end);
    pthread_mutex_lock(&lock);
    int n = self->fortran.keys++;
    if (n >= nkeys || n >= KEYS) {
        rc = pthread_key_create(key, end);
        if (rc == 0 && n < KEYS)
            keys[nkeys++] = *key;
    } else {
        *key = keys[n];
    }
    pthread_mutex_unlock(&lock);
    return rc;
}

EP_PUBLIC int ep_fortran_pthread_key_delete(pthread_key_t key);
int ep_fortran_pthread_key_delete(pthread_key_t key)
{
    return is_common(key) ? pthread_setspecific(key, NULL) : pthread_key_delete(key);
}
