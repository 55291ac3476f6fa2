/* SPDX-License-Identifier: BSD-3-Clause */
#include "conform.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { SHOWN = 10 };

static int errors;

static void no_errors(void)
{
    printf(" No Errors\n");
    fflush(stdout);
}

void conform_init(int *argc, char ***argv)
{
    MPI_Init(argc, argv);
}

void conform_init_thread(int *argc, char ***argv, int level)
{
    int provided, rank;

    MPI_Init_thread(argc, argv, level, &provided);
    if (provided >= level)
        return;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        no_errors();
    MPI_Finalize();
    exit(0);
}

int conform_end(int errs)
{
    int mine = errs + __atomic_load_n(&errors, __ATOMIC_RELAXED), all = 0, rank;

    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0 && all > 0) {
        printf("Found %d errors\n", all);
        fflush(stdout);
    }
    MPI_Finalize();
    if (rank == 0 && all == 0)
        no_errors();
    return all > 0;
}

/* Its rank, -1 outside MPI. */
static int my_rank(void)
{
    int up = 0, down = 0, rank = -1;

    MPI_Initialized(&up);
    MPI_Finalized(&down);
    if (up && !down)
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

void conform_error(const char *format, ...)
{
    char text[512];
    va_list args;

    if (__atomic_fetch_add(&errors, 1, __ATOMIC_RELAXED) >= SHOWN)
        return;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    printf("rank %d: %s\n", my_rank(), text);
    fflush(stdout);
}

int conform_check(int ok, const char *file, int line, const char *what)
{
    if (!ok)
        conform_error("%s:%d: not %s", file, line, what);
    return ok;
}

int conform_code(int code, int error_class, const char *file, int line, const char *what)
{
    int class = code;

    if (code != MPI_SUCCESS)
        MPI_Error_class(code, &class);
    if (class != error_class)
        conform_error("%s:%d: %s: class %d, not %d", file, line, what, class, error_class);
    return class == error_class;
}
