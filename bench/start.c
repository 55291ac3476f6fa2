/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * start.c: a program that does nothing but start, as small as can be or, with -DLARGE, with 20 MB of code, 8 MB of constants and 2 MB of
 * initialized variables. With an argument rank 0 writes /proc/self/smaps when all are there: how much memory of which kind the
 * process has. start.py builds and runs it, and start.f90, which is the same in Fortran.
 */
#include <mpi.h>
#include <stdio.h>

#ifdef LARGE
__asm__(".text\n.globl much_code\n.type much_code,@function\nmuch_code: .fill 20000000,1,0x90\nret\n.size much_code,.-much_code\n");
extern void much_code(void);
static const double constants[1 << 20] = {1};
static double variables[1 << 18] = {2};
static void *volatile used[] = {(void *)much_code, (void *)constants, variables};
#else
static void *volatile used[1];
#endif

int main(int argc, char **argv)
{
    int rank;
    char line[4096];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    FILE *f = argc > 1 && rank == 0 ? fopen("/proc/self/smaps", "r") : NULL;
    while (f && fgets(line, sizeof line, f))
        fputs(line, stdout);
    if (f)
        fclose(f);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return used[0] == argv;
}
