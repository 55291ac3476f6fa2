/* SPDX-License-Identifier: BSD-3-Clause */
/* A program in C with parts in Fortran: libraries that it is linked with, or (PLUGIN) opens. Arguments: directory, plug-in. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef PLUGIN
static void (*library_open_)(const int *rank, const char *path, size_t length);
static void (*library_close_)(const int *rank);

static void open_plugin(const char *path)
{
    void *plugin = dlopen(path, RTLD_NOW);
    void *opens = plugin ? dlsym(plugin, "library_open_") : NULL, *closes = opens ? dlsym(plugin, "library_close_") : NULL;
    if (!closes) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
    memcpy(&library_open_, &opens, sizeof opens);
    memcpy(&library_close_, &closes, sizeof closes);
}
#else
void library_open_(const int *rank, const char *path, size_t length);
void library_close_(const int *rank);
void safe_print_(const int *rank);
#endif

int main(int argc, char **argv)
{
    int rank;
    char path[256];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#ifdef PLUGIN
    open_plugin(argv[2]);
#endif
    snprintf(path, sizeof path, "%s/in_c.%d", argv[1], rank);
    library_open_(&rank, path, strlen(path));
    MPI_Barrier(MPI_COMM_WORLD);
    library_close_(&rank);
#ifndef PLUGIN
    safe_print_(&rank);
    if (argc > 2)
        _exit(5);
#endif
    puts("in C");
    return MPI_Finalize();
}
