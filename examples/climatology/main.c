/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * main.c: a small climate model with its IO servers, all of them threads.
 *     mpirun -n P climatology T input.nc output_dir
 * The job's result does not depend on P and T: the files have the same bytes for all layouts.
 */
#include "climatology.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

_Noreturn void fail(const char *what, const char *why)
{
    fprintf(stderr, "climatology: %s: %s\n", what, why);
    MPI_Abort(MPI_COMM_WORLD, 1);
    abort();
}

void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size); /* + 1: never a null pointer, also for empty bands */
    if (!memory)
        fail("memory", "exhausted");
    return memory;
}

/* The first endpoint shows the series of means. */
static void print_means(int nmonth, const double *means)
{
    const double *mean[NFIELD];
    for (int f = 0; f < NFIELD; f++)
        mean[f] = means + (size_t)f * nmonth;
    printf("month   SST [deg C]   wind speed [m/s]   eastward   northward\n");
    for (int m = 0; m < nmonth; m++)
        printf("%5d %13.4f %18.4f %10.4f %11.4f\n", m + 1, mean[SST][m], mean[WSPD][m], mean[UWND][m],
               mean[VWND][m]);
}

static void run_endpoint(const struct job *job, ep_comm world)
{
    int rank, nmean = NFIELD * job->grid.nmonth;
    double *means = allocate(nmean, sizeof(double)), *all = allocate(nmean, sizeof(double));
    ep_comm_rank(world, &rank);
    if (is_server(job, rank))
        run_server(job, world, rank / job->nthread, means);
    else
        run_model(job, world, rank);
    /* Each mean is known to one server; all others add zero. */
    ep_reduce(means, all, nmean, MPI_DOUBLE, MPI_SUM, 0, world);
    if (rank == 0)
        print_means(job->grid.nmonth, all);
    ep_barrier(world); /* all files are complete */
    ep_comm_free(&world);
    free(means);
    free(all);
}

/* Who has which rows of the grid. */
static void deal_out_bands(struct job *job)
{
    int size = job->nserver * job->nthread;
    job->rows = allocate(size, sizeof(int));
    job->first = allocate(size, sizeof(int));
    for (int rank = 0; rank < size; rank++) {
        if (is_server(job, rank))
            continue;
        struct band band = band_of_model(job, model_of_rank(job, rank));
        job->rows[rank] = band.rows;
        job->first[rank] = band.first;
    }
}

/* One thread per endpoint. ep reports errors by aborting the job (EP_ERRORS_ARE_FATAL, the default),
 * so the return codes need no look here and elsewhere. */
static void run_job(const struct job *job)
{
    ep_comm *endpoints = allocate(job->nthread, sizeof(ep_comm));
    ep_comm_create_endpoints(MPI_COMM_WORLD, job->nthread, MPI_INFO_NULL, endpoints);
    omp_set_dynamic(0);
#pragma omp parallel num_threads(job->nthread)
    {
        if (omp_get_num_threads() != job->nthread)
            fail("OpenMP", "gives fewer threads than asked for (OMP_THREAD_LIMIT?)");
        run_endpoint(job, endpoints[omp_get_thread_num()]);
    }
    free(endpoints);
}

int main(int argc, char **argv)
{
    int provided, process;
    struct job job = {0};
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &process);
    MPI_Comm_size(MPI_COMM_WORLD, &job.nserver);
    if (argc != 4)
        fail("usage", "mpirun -n PROCESSES climatology THREADS INPUT.nc OUTPUT_DIR");
    job.nthread = atoi(argv[1]);
    if (job.nthread < 2)
        fail("THREADS", "a process needs at least 2: one model and one server");
    job.nmodel = job.nserver * (job.nthread - 1);
    job.output_dir = argv[3];

    double start = ep_wtime();
    open_input(&job, argv[2]);
    deal_out_bands(&job);
    run_job(&job);
    close_input(&job);
    free(job.rows);
    free(job.first);
    if (process == 0)
        printf("%dx%-3d models %2d  servers %2d  %.3f s\n", job.nserver, job.nthread, job.nmodel, job.nserver,
               ep_wtime() - start);
    return MPI_Finalize();
}
