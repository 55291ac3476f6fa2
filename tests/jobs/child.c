/* SPDX-License-Identifier: BSD-3-Clause */
/* child.c: one program with many ways to start, fail and end; test_jobs looks at them from outside. */
#include <ep.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 8, REFUSED = 3, WRONG = 4 };

/* Body of an endpoint: nonzero is the exit status of the process. */
typedef int body(ep_comm comm);

typedef struct {
    pthread_t thread;
    ep_comm comm;
    body *run;
    int result;
} endpoint;

static void *enter(void *arg)
{
    endpoint *e = arg;
    e->result = e->run(e->comm);
    return NULL;
}

static int ring(ep_comm comm)
{
    int rank = -1, size = 0, got = -1;
    ep_comm_rank(comm, &rank);
    ep_comm_size(comm, &size);
    for (int i = 0; i < 100; i++) {
        int before = (rank + size - 1) % size;
        ep_sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, i, &got, 1, MPI_INT, before, i, comm,
                    EP_STATUS_IGNORE);
        if (got != before)
            return WRONG;
    }
    return 0;
}

static int per_process; /* endpoints of every process, where ring_and_stay is played */

/* The main thread plays the first endpoint of its process, and is the last of them to leave: at MPI_THREAD_FUNNELED
 * the others need it inside ep until they are through. */
static int ring_and_stay(ep_comm comm)
{
    int rank = -1, rc = ring(comm);
    ep_comm_rank(comm, &rank);
    int first = rank - rank % per_process;
    for (int r = first + 1; rank == first && r < first + per_process; r++)
        ep_recv(NULL, 0, MPI_INT, r, 200, comm, EP_STATUS_IGNORE);
    if (rank != first)
        ep_send(NULL, 0, MPI_INT, first, 200, comm);
    return rc;
}

/* num endpoints of this process, the first one in the calling thread, the others in their own. */
static int play(int num, body *run)
{
    ep_comm comms[MOST];
    endpoint all[MOST];
    int result = 0, rc = ep_comm_create_endpoints(MPI_COMM_WORLD, num, MPI_INFO_NULL, comms);
    if (rc != MPI_SUCCESS) {
        char text[MPI_MAX_ERROR_STRING];
        int length;
        ep_error_string(rc, text, &length);
        printf("refused: class %d: %s\n", rc, text);
        return REFUSED;
    }
    for (int i = num - 1; i >= 0; i--) {
        all[i] = (endpoint){.comm = comms[i], .run = run};
        if (i == 0)
            enter(&all[i]);
        else
            pthread_create(&all[i].thread, NULL, enter, &all[i]);
    }
    for (int i = 0; i < num; i++) {
        if (i)
            pthread_join(all[i].thread, NULL);
        result = result ? result : all[i].result;
        ep_comm_free(&comms[i]);
    }
    return result;
}

/* ---- The ways ---- */

/* Rank 1 aborts while the others wait for a message that never comes. */
static int abort_body(ep_comm comm)
{
    int rank;
    ep_comm_rank(comm, &rank);
    if (rank == 1)
        ep_abort(comm, 37);
    ep_recv(NULL, 0, MPI_INT, MPI_ANY_SOURCE, 0, comm, EP_STATUS_IGNORE);
    puts("NOT REACHED");
    return 0;
}

static int fatal_body(ep_comm comm)
{
    int rank;
    ep_comm_rank(comm, &rank);
    if (rank == 1)
        ep_send(NULL, 0, MPI_INT, 99, 0, comm); /* there is no rank 99, and nobody asked for error codes */
    ep_recv(NULL, 0, MPI_INT, MPI_ANY_SOURCE, 0, comm, EP_STATUS_IGNORE);
    puts("NOT REACHED");
    return 0;
}

static int whole_life(int argc, char **argv)
{
    int provided = -1, finalized = 0, rc;
    if (ep_init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided) != MPI_SUCCESS)
        return WRONG;
    printf("provided %d\n", provided == MPI_THREAD_MULTIPLE);
    rc = play(2, ring);
    if (ep_finalize() != MPI_SUCCESS)
        return WRONG;
    MPI_Finalized(&finalized);
    printf("finalized %d\n", finalized);
    return rc;
}

static int task_level(int argc, char **argv)
{
    int provided = -1, rc;
    if (ep_init_thread(&argc, &argv, EP_TASK_MULTIPLE, &provided) != MPI_SUCCESS)
        return WRONG;
    printf("provided %d\n", provided == MPI_THREAD_MULTIPLE || provided == EP_TASK_MULTIPLE);
    rc = play(2, ring);
    ep_finalize();
    return rc;
}

/* The program starts MPI itself, at the level called name. */
static int own_level(int argc, char **argv, const char *name, int num)
{
    static const struct {
        const char *name;
        int level;
    } levels[] = {{"single", MPI_THREAD_SINGLE},
                  {"funneled", MPI_THREAD_FUNNELED},
                  {"serialized", MPI_THREAD_SERIALIZED},
                  {"multiple", MPI_THREAD_MULTIPLE}};
    int provided = -1, rc = WRONG;
    for (int i = 0; i < 4; i++)
        if (strcmp(levels[i].name, name) == 0)
            MPI_Init_thread(&argc, &argv, levels[i].level, &provided);
    if (provided < 0)
        return WRONG;
    ep_comm_set_errhandler(EP_COMM_WORLD, EP_ERRORS_RETURN);
    per_process = num;
    rc = play(num, ring_and_stay);
    ep_finalize(); /* gives back ep's memory and leaves MPI alone */
    MPI_Finalize();
    return rc;
}

static int run_body(ep_comm world, void *arg)
{
    int rank, rc = ring(world);
    ep_comm_rank(world, &rank);
    return rc ? rc : rank >= 1 ? *(int *)arg : 0;
}

/* ep_run in a program that knows no MPI; result is what endpoints other than rank 0 return. */
static int just_run(int num, int result, int finalize)
{
    int rc = ep_run(num, run_body, &result);
    printf("ran %d\n", rc);
    rc = rc ? rc : ep_run(num, run_body, &result);
    if (finalize)
        ep_finalize();
    return rc;
}

static int bound_to_one_cpu(int argc, char **argv)
{
    cpu_set_t one;
    int provided, rc;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    sched_setaffinity(0, sizeof one, &one);
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    rc = play(4, ring);
    rc = rc ? rc : play(4, ring);
    MPI_Finalize();
    return rc;
}

static int before_init(void)
{
    ep_comm comm;
    double start = ep_wtime();
    ep_comm_set_errhandler(EP_COMM_WORLD, EP_ERRORS_RETURN);
    int rc = ep_comm_create_endpoints(MPI_COMM_WORLD, 1, MPI_INFO_NULL, &comm);
    printf("rc %d clock %d\n", rc == MPI_ERR_OTHER, ep_wtime() >= start && ep_wtick() > 0);
    return 0;
}

int main(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "";
    int number = argc > 2 ? atoi(argv[2]) : 2, provided;
    if (strcmp(way, "life") == 0)
        return whole_life(argc, argv);
    if (strcmp(way, "task") == 0)
        return task_level(argc, argv);
    if (strcmp(way, "bound") == 0)
        return bound_to_one_cpu(argc, argv);
    if (strcmp(way, "before") == 0)
        return before_init();
    if (strcmp(way, "run") == 0)
        return just_run(number, argc > 3 ? atoi(argv[3]) : 0, argc > 4);
    if (strcmp(way, "level") == 0)
        return own_level(argc, argv, argv[3], number);
    ep_init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (strcmp(way, "abort") == 0)
        return play(number, abort_body);
    if (strcmp(way, "fatal") == 0)
        return play(number, fatal_body);
    fprintf(stderr, "child: no way called %s\n", way);
    return WRONG;
}
