/* SPDX-License-Identifier: BSD-3-Clause */
/* A host of plug-ins: each rank's call back their own host, use its private libraries, and see each other as flags of
 * dlopen say. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank;

int host_calls;
int host_rank(void);
void host_register(const char *name);
int counter_next(void); /* a library that --private names */

static char registered[256];

int host_rank(void)
{
    host_calls++;
    return rank;
}

void host_register(const char *name)
{
    strcat(strcat(registered, name), " ");
}

static void check(int ok, const char *what)
{
    if (!ok) {
        const char *why = dlerror();
        fprintf(stderr, "rank %d: %s: %s\n", rank, what, why ? why : "");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

static void *open_plugin(const char *dir, const char *name, int flags)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    return dlopen(path, flags);
}

static int call(void *plugin, const char *name)
{
    int (*function)(void);
    void *address = dlsym(plugin, name);
    check(address != NULL, name);
    memcpy(&function, &address, sizeof address);
    return function();
}

/* A plug-in of a plain compiler, which refers to the host's functions and variables. */
static void back(const char *dir)
{
    void *one = open_plugin(dir, "one.so", RTLD_NOW | RTLD_LOCAL);
    check(one != NULL, "one.so");
    check(strcmp(registered, "one ") == 0, "its constructor");
    check(call(one, "plugin_rank") == rank && host_calls == 1, "it calls another host");
    check(call(one, "plugin_count") == 1 && call(one, "plugin_count") == 2, "its variable");
    check(open_plugin(dir, "one.so", RTLD_NOW) == one, "the same again");
    check(open_plugin(dir, "../plugins/./one.so", RTLD_LAZY | RTLD_NOLOAD) == one,
          "the same by another path");
    check(dlclose(one) == 0 && dlclose(one) == 0, "dlclose");
}

/* Another one sees those of before only if they are RTLD_GLOBAL. */
static void scopes(const char *dir)
{
    check(!open_plugin(dir, "user.so", RTLD_NOW) && strstr(dlerror(), "two_value"),
          "nobody has two_value yet");
    check(open_plugin(dir, "two.so", RTLD_NOW | RTLD_LOCAL) != NULL, "two.so");
    check(!open_plugin(dir, "user.so", RTLD_NOW), "two.so is RTLD_LOCAL");
    check(open_plugin(dir, "two.so", RTLD_NOW | RTLD_GLOBAL) != NULL, "two.so, global");
    void *user = open_plugin(dir, "user.so", RTLD_NOW);
    check(user != NULL, "user.so");
    check(call(user, "user_value") == 100 + rank, "another rank's plug-in");
    check(!open_plugin(dir, "nothing.so", RTLD_NOW) && strstr(dlerror(), "nothing.so"), "no such file");
}

/* A plug-in that needs a private library has the host's copy, and so has one that the linker finds by name. */
static void libraries(const char *dir)
{
    void *needs = open_plugin(dir, "needs.so", RTLD_NOW);
    check(needs != NULL, "needs.so");
    check(counter_next() == 1, "counter_next of the host");
    check(call(needs, "needs_next") == 2, "counter_next of the plug-in");
    void *counter = dlopen("libcounter.so.1", RTLD_NOW);
    check(counter && call(counter, "counter_next") == 3, "counter_next of dlopen");
}

static void self_of(void)
{
    void *whole = dlopen(NULL, RTLD_NOW);
    Dl_info info;
    check(whole && dlsym(whole, "host_rank") && call(whole, "counter_next") == 4, "dlopen(NULL)");
    check(dlsym(RTLD_DEFAULT, "host_calls") == &host_calls, "RTLD_DEFAULT");
    check(dladdr(&host_calls, &info) && strstr(info.dli_fname, "/host"), "the host's file name");
    check(dlsym(whole, "malloc") == dlsym(RTLD_DEFAULT, "malloc"), "malloc");
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    back(argv[1]);
    scopes(argv[1]);
    libraries(argv[1]);
    self_of();
    printf("all plugged in\n");
    MPI_Finalize();
    return 0;
}
