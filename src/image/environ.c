/* SPDX-License-Identifier: BSD-3-Clause */
/* The environment: a copy of the process's, made before the program's first constructor. */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "image/image.h"

WEAK char **__environ;
extern char **environ __attribute__((weak, alias("__environ")));
extern char **_environ __attribute__((weak, alias("__environ")));

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char **own;  /* what we allocated; a program may set environ to something else */
static size_t room; /* entries of own, with the NULL at its end */
static bool started;

static size_t environ_count(char **list)
{
    size_t n = 0;
    while (list && list[n])
        n++;
    return n;
}

/* environ becomes own, with room for one more. */
static bool environ_make_room(void)
{
    size_t n = environ_count(environ);
    if (environ == own && n + 2 <= room)
        return true;
    size_t wanted = 2 * n + 16;
    char **list = environ == own ? realloc(own, wanted * sizeof *list) : malloc(wanted * sizeof *list);
    if (!list)
        return false;
    if (environ != own && n > 0)
        memcpy(list, environ, n * sizeof *list);
    list[n] = NULL;
    environ = own = list;
    room = wanted;
    return true;
}

static void environ_start(int argc, char **argv, char **all)
{
    (void)argc;
    (void)argv;
    if (started)
        return;
    started = true;
    environ = all;
    if (!environ_make_room())
        return;
    for (size_t i = 0; environ[i]; i++) {
        char *entry = strdup(environ[i]);
        if (entry)
            environ[i] = entry;
    }
}

/* Fortran's run-time system asks in its constructors, which come before the program's. */
static void environ_early(void)
{
    char ***all = dlsym(RTLD_DEFAULT, "environ"); /* the process's */
    environ_start(0, NULL, all ? *all : NULL);
}

BEFORE_CONSTRUCTORS static void (*const at_start)(int argc, char **argv, char **all) = environ_start;

static char **environ_find(const char *name, size_t length)
{
    for (char **entry = environ; entry && *entry; entry++)
        if (strncmp(*entry, name, length) == 0 && (*entry)[length] == '=')
            return entry;
    return NULL;
}

/* libc looks up the time zone by itself. */
static void tell_libc(const char *name, size_t length, const char *value)
{
    if (length != 2 || strncmp(name, "TZ", 2) != 0)
        return;
    void *address = dlsym(RTLD_DEFAULT, value ? "setenv" : "unsetenv");
    int (*set)(const char *, const char *, int);
    int (*unset)(const char *);
    memcpy(&set, &address, sizeof set);
    memcpy(&unset, &address, sizeof unset);
    if (address && value)
        set("TZ", value, 1);
    else if (address)
        unset("TZ");
}

/* entry is name=value; 0 or -1. With the lock. */
static int environ_put(char *entry, size_t length)
{
    char **old = environ_find(entry, length);
    if (!old) {
        if (!environ_make_room())
            return -1;
        old = environ + environ_count(environ);
        old[1] = NULL;
    }
    *old = entry;
    tell_libc(entry, length, entry + length + 1);
    return 0;
}

static bool is_name(const char *name)
{
    if (name && *name && !strchr(name, '='))
        return true;
    errno = EINVAL;
    return false;
}

WEAK char *getenv(const char *name)
{
    size_t length = strlen(name);
    pthread_mutex_lock(&lock);
    if (!started)
        environ_early();
    char **entry = environ_find(name, length);
    char *value = entry ? *entry + length + 1 : NULL;
    pthread_mutex_unlock(&lock);
    return value;
}

WEAK char *secure_getenv(const char *name)
{
    return getauxval(AT_SECURE) ? NULL : getenv(name);
}

WEAK int setenv(const char *name, const char *value, int overwrite)
{
    char *entry;
    if (!is_name(name))
        return -1;
    size_t length = strlen(name);
    pthread_mutex_lock(&lock);
    int rc = 0;
    if (overwrite || !environ_find(name, length)) {
        rc = asprintf(&entry, "%s=%s", name, value);
        if (rc >= 0 && (rc = environ_put(entry, length)) != 0)
            free(entry);
        rc = rc < 0 ? -1 : 0;
    }
    pthread_mutex_unlock(&lock);
    return rc;
}

WEAK int unsetenv(const char *name)
{
    if (!is_name(name))
        return -1;
    size_t length = strlen(name);
    pthread_mutex_lock(&lock);
    for (char **entry; (entry = environ_find(name, length));)
        memmove(entry, entry + 1, (environ_count(entry + 1) + 1) * sizeof *entry);
    tell_libc(name, length, NULL);
    pthread_mutex_unlock(&lock);
    return 0;
}

WEAK int putenv(char *entry)
{
    char *equals = strchr(entry, '=');
    if (!equals)
        return unsetenv(entry);
    pthread_mutex_lock(&lock);
    int rc = environ_put(entry, (size_t)(equals - entry));
    pthread_mutex_unlock(&lock);
    return rc;
}

WEAK int clearenv(void)
{
    environ = NULL;
    return 0;
}
