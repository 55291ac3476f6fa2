/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * main.c: a small ocean model and its IO servers.
 *     mpirun -n PROCESSES ioserver [OPTION...] IODEF.xml        (--help lists the options)
 * What is in the files does not depend on the layout.
 */
#include "client.h"
#include "input.h"
#include "model.h"
#include "options.h"
#include "server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#ifdef _OPENMP
#include <omp.h>
#endif

_Noreturn void fail(const char *what, const char *why)
{
    fprintf(stderr, "ioserver: %s: %s\n", what, why);
    MPI_Abort(MPI_COMM_WORLD, 1);
    abort();
}

void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size); /* + 1: never a null pointer, also for empty blocks */
    if (!memory)
        fail("memory", "exhausted");
    return memory;
}

void sleep_milliseconds(int milliseconds)
{
    struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
    nanosleep(&time, NULL);
}

static double thread_cpu_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec + 1e-9 * time.tv_nsec;
}

static void serve(const struct job *job, ep_comm servers, ep_comm inter, struct result *result)
{
    double start = ep_wtime();
    struct server_result served = server_run(job, servers, inter);
    *result = (struct result){.is_server = 1,
                              .failed = served.failed,
                              .steps = served.steps,
                              .seconds = ep_wtime() - start,
                              .idle = served.idle,
                              .writing = served.writing,
                              .bytes = served.bytes,
                              .memory = (long long)served.memory};
    memcpy(result->reason, served.reason, sizeof result->reason);
}

/* Rank in the world of the first client, or of the first server. */
static int first_of_kind(const struct job *job, int is_server)
{
    int rank = 0, process = 0;
    for (; (is_server ? job->shares[process].servers : job->shares[process].clients) == 0; process++)
        rank += job->shares[process].clients + job->shares[process].servers;
    return rank + (is_server ? job->shares[process].clients : 0);
}

/* All that one endpoint does. Clients stand before servers in each process. */
static struct result run_endpoint(const struct job *job, ep_comm world, int index)
{
    int rank, is_server = index >= job->shares[job->process].clients;
    ep_comm group, inter = EP_COMM_NULL;
    struct result result = {0};
    ep_comm_rank(world, &rank);
    ep_comm_split(world, is_server, rank, &group);
    if (job->num_servers)
        ep_intercomm_create(group, 0, world, first_of_kind(job, !is_server), 0, &inter);
    if (is_server)
        serve(job, group, inter, &result);
    else
        client_run(job, group, inter, &result);
    result.cpu_seconds = thread_cpu_seconds();
    if (inter != EP_COMM_NULL)
        ep_comm_free(&inter);
    ep_comm_free(&group);
    return result;
}

/* One thread for each endpoint. ep reports errors by ending the job (EP_ERRORS_ARE_FATAL, the default), so that
 * return codes need no look here and elsewhere. all: the results of all endpoints, in the first one's process. */
static void run_endpoints(const struct job *job, struct result *all)
{
    int num = job->shares[job->process].clients + job->shares[job->process].servers;
    ep_comm *endpoints = allocate(num, sizeof *endpoints);
    ep_comm_create_endpoints(MPI_COMM_WORLD, num, MPI_INFO_NULL, endpoints);
#ifdef _OPENMP
    omp_set_dynamic(0);
#pragma omp parallel num_threads(num)
    {
        int index = omp_get_thread_num();
        if (omp_get_num_threads() != num)
            fail("OpenMP", "gives fewer threads than asked for (OMP_THREAD_LIMIT?)");
#else
    {
        int index = 0;
#endif
        struct result result = run_endpoint(job, endpoints[index], index);
        ep_gather(&result, sizeof result, MPI_BYTE, all, sizeof result, MPI_BYTE, 0, endpoints[index]);
        ep_comm_free(&endpoints[index]);
    }
    free(endpoints);
}

/* Most memory that the processes had, MiB in process 0. */
static long job_memory(void)
{
    struct rusage usage;
    long mine, all = 0;
    getrusage(RUSAGE_SELF, &usage);
    mine = usage.ru_maxrss / 1024;
    MPI_Reduce(&mine, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    return all;
}

static int report(const struct job *job, const struct result *results)
{
    int bad = 0, size = job->num_clients + job->num_servers;
    long memory = job_memory();
    if (job->process == 0) {
        report_table(job, results, memory);
        for (int i = 0; i < size; i++)
            bad |= results[i].failed || results[i].early;
    }
    MPI_Bcast(&bad, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return bad;
}

int main(int argc, char **argv)
{
    int provided;
    struct job job = {0};
    /* Open MPI's collective writes by few for all lose errors, and some processes then wait for others that have seen
     * them. Servers write whole rows: each can do so by itself, and it is faster. */
    setenv("OMPI_MCA_fcoll", "individual", 0);
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &job.process);
    MPI_Comm_size(MPI_COMM_WORLD, &job.num_processes);
    if (provided < MPI_THREAD_MULTIPLE)
        fail("MPI", "no MPI_THREAD_MULTIPLE");
    job_setup(&job, argc, argv);
    struct result *results = allocate(job.num_clients + job.num_servers, sizeof *results);
    run_endpoints(&job, results);
    int bad = report(&job, results);
    free(results);
    job_free(&job);
    MPI_Finalize();
    return bad;
}
