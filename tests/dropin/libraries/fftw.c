/* SPDX-License-Identifier: BSD-3-Clause */
/* FFTW's planner, which is not for threads, in all ranks at once; what it has learned is a rank's. */
#include <complex.h>
#include <fftw3.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, size;

static void check(int ok, const char *what)
{
    if (!ok) {
        fprintf(stderr, "rank %d: %s\n", rank, what);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

/* There and back. */
static void transform(int n, unsigned how)
{
    fftw_complex *x = fftw_alloc_complex((size_t)n), *y = fftw_alloc_complex((size_t)n);
    fftw_plan there = fftw_plan_dft_1d(n, x, y, FFTW_FORWARD, how);
    fftw_plan back = fftw_plan_dft_1d(n, y, x, FFTW_BACKWARD, how);
    double worst = 0;
    check(there && back, "no plan");
    for (int i = 0; i < n; i++)
        x[i] = i % 7 + rank * I;
    fftw_execute(there);
    fftw_execute(back);
    for (int i = 0; i < n; i++)
        worst = fmax(worst, cabs(x[i] / n - (i % 7 + rank * I)));
    check(worst < 1e-9, "wrong numbers");
    fftw_destroy_plan(there);
    fftw_destroy_plan(back);
    fftw_free(x);
    fftw_free(y);
}

/* Only its own rank knows how to transform that length. */
static void wisdom(void)
{
    fftw_complex *x = fftw_alloc_complex(4096);
    transform(64 + 16 * rank, FFTW_MEASURE);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < size; i++) {
        int n = 64 + 16 * i;
        fftw_plan p = fftw_plan_dft_1d(n, x, x + 2048, FFTW_FORWARD, FFTW_MEASURE | FFTW_WISDOM_ONLY);
        check((p != NULL) == (i == rank), "another rank's wisdom");
        fftw_destroy_plan(p);
    }
    fftw_free(x);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    wisdom();
    MPI_Barrier(MPI_COMM_WORLD);
    for (int round = 0; round < 4; round++) {
        for (int n = 2; n < 130; n++)
            transform(n, FFTW_ESTIMATE);
    }
    fftw_cleanup();
    printf("transformed\n");
    MPI_Finalize();
    return 0;
}
