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

/* The first endpoint (always a model) collects the servers' means and shows them. */
static void print_means(const struct job *job, ep_comm world)
{
    int nmonth = job->grid.nmonth;
    double *mean[NFIELD];
    for (int f = 0; f < NFIELD; f++) {
        mean[f] = allocate(nmonth, sizeof(double));
        ep_recv(mean[f], nmonth, MPI_DOUBLE, rank_of_server(job, f), means_tag(&job->grid, f), world,
                EP_STATUS_IGNORE);
    }
    printf("month   SST [deg C]   wind speed [m/s]   eastward   northward\n");
    for (int m = 0; m < nmonth; m++)
        printf("%5d %13.4f %18.4f %10.4f %11.4f\n", m + 1, mean[SST][m], mean[WSPD][m], mean[UWND][m],
               mean[VWND][m]);
    for (int f = 0; f < NFIELD; f++)
        free(mean[f]);
}

static void run_endpoint(const struct job *job, ep_comm world)
{
    int rank;
    ep_comm_rank(world, &rank);
    if (is_server(job, rank))
        run_server(job, world, rank / job->nthread);
    else
        run_model(job, world, model_of_rank(job, rank));
    if (rank == 0)
        print_means(job, world);
    ep_comm_free(&world);
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
    run_job(&job);
    close_input(&job);
    MPI_Barrier(MPI_COMM_WORLD); /* all files are complete */
    if (process == 0)
        printf("%dx%-3d models %2d  servers %2d  %.3f s\n", job.nserver, job.nthread, job.nmodel, job.nserver,
               ep_wtime() - start);
    return MPI_Finalize();
}
