/* SPDX-License-Identifier: BSD-3-Clause */
/* A program in C with parts in Fortran: libraries that it is linked with, or (PLUGIN) opens. Arguments: directory, plug-in. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef PLUGIN
static void (*library_unit_)(const int *rank, const char *path, size_t length);

static void open_plugin(const char *path)
{
    void *plugin = dlopen(path, RTLD_NOW);
    void *function = plugin ? dlsym(plugin, "library_unit_") : NULL;
    if (!function) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
    memcpy(&library_unit_, &function, sizeof function);
}
#else
void library_unit_(const int *rank, const char *path, size_t length);
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
    MPI_Barrier(MPI_COMM_WORLD);
    library_unit_(&rank, path, strlen(path));
#ifndef PLUGIN
    safe_print_(&rank);
#endif
    puts("in C");
    return MPI_Finalize();
}
