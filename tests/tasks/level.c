/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * level.c: ep_init_thread and the level of crt.h. Arguments: the level to ask for (task, multiple, serialized, funneled, or mpi: the program
 * initialises MPI itself, for MPI_THREAD_MULTIPLE),
 * the one that it gives, and the one that omp_get_external tells then (task, thread).
 */
#include <crt.h>
#include <ep.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int failures;

static void expect(const char *what, int got, int want)
{
    if (got == want)
        return;
    fprintf(stderr, "%s: %d, not %d\n", what, got, want);
    failures++;
}

static int level_of(const char *name)
{
    return strcmp(name, "task") == 0         ? EP_TASK_MULTIPLE
           : strcmp(name, "multiple") == 0   ? MPI_THREAD_MULTIPLE
           : strcmp(name, "serialized") == 0 ? MPI_THREAD_SERIALIZED
                                             : MPI_THREAD_FUNNELED;
}

/* Levels are chosen before MPI is initialised, whoever does that. */
static void init(int *argc, char ***argv, const char *level, int *provided)
{
    if (strcmp(level, "mpi") == 0)
        expect("MPI_Init_thread", MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, provided), MPI_SUCCESS);
    else
        expect("ep_init_thread", ep_init_thread(argc, argv, level_of(level), provided), MPI_SUCCESS);
}

/* A task waits for a message of its sibling, on one thread if tasks block alone. */
static void sibling(ep_comm comm, int threads)
{
    int got[1] = {0}, value = 42;
#pragma omp parallel num_threads(threads)
#pragma omp single
    {
#pragma omp task shared(got)
        expect("ep_recv", ep_recv(got, 1, MPI_INT, 0, 0, comm, EP_STATUS_IGNORE), MPI_SUCCESS);
#pragma omp task
        expect("ep_send", ep_send(&value, 1, MPI_INT, 0, 0, comm), MPI_SUCCESS);
    }
    expect("received", got[0], 42);
}

int main(int argc, char **argv)
{
    int provided = -1, level = -1;
    ep_comm comm;
    if (argc < 4)
        return 2;
    int tasks = strcmp(argv[3], "task") == 0, wanted = level_of(argv[2]);
    alarm(60); /* a hang is a failure */
    init(&argc, &argv, argv[1], &provided);
    expect("provided", provided, wanted);
    expect("omp_get_external", (int)omp_get_external(), tasks ? omp_external_task : omp_external_thread);
    MPI_Query_thread(&level);
    expect("MPI_Query_thread", level, wanted == EP_TASK_MULTIPLE ? MPI_THREAD_MULTIPLE : wanted);
    omp_set_external(tasks ? omp_external_thread : omp_external_task); /* too late */
    expect("omp_get_external", (int)omp_get_external(), tasks ? omp_external_task : omp_external_thread);
    expect("create", ep_comm_create_endpoints(MPI_COMM_SELF, 1, MPI_INFO_NULL, &comm), MPI_SUCCESS);
    sibling(comm, tasks ? 1 : 2);
    expect("free", ep_comm_free(&comm), MPI_SUCCESS);
    expect("ep_finalize", ep_finalize(), MPI_SUCCESS);
    if (strcmp(argv[1], "mpi") == 0)
        MPI_Finalize();
    return failures != 0;
}
