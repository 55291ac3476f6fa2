/* SPDX-License-Identifier: BSD-3-Clause */
/* What the programs in Fortran have of C: their number by MPI, output by stdio, the environment. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int begin_(void)
{
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

void meet_(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

void finish_(void)
{
    MPI_Finalize();
}

void give_up_(const int *code)
{
    MPI_Abort(MPI_COMM_WORLD, *code);
}

void print_in_c_(const int *rank, const int *line)
{
    printf("%d %d: in C\n", *rank, *line);
}

void set_environment_(const int *rank)
{
    char text[16];
    snprintf(text, sizeof text, "value %d", *rank);
    setenv("OF_THE_RANK", text, 1);
}

void change_directory_(const char *path)
{
    if (chdir(path) != 0)
        perror(path);
}
