/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program written for TAMPI: tasks that block, that end with requests, and that start a communication and end with it.
 * Arguments: none; or "aware" (a task waits for what another one sends later) or "unaware" (no other one runs while a task
 * waits), with one thread.
 */
#include <TAMPI.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 50 };

static int in[N], out[N], rank, size, next, last;
static MPI_Status statuses[N];

static void expect(int condition, const char *what)
{
    if (condition)
        return;
    printf("rank %d: %s\n", rank, what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void receive(int i)
{
    MPI_Request r;
    if (i % 2) {
        TAMPI_Irecv(&in[i], 1, MPI_INT, last, i, MPI_COMM_WORLD, &statuses[i]);
        return;
    }
    MPI_Irecv(&in[i], 1, MPI_INT, last, i, MPI_COMM_WORLD, &r);
    TAMPI_Iwait(&r, &statuses[i]);
}

static void send(int i)
{
    MPI_Request r[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    switch (i % 3) {
    case 0:
        MPI_Issend(&out[i], 1, MPI_INT, next, i, MPI_COMM_WORLD, &r[0]);
        TAMPI_Iwaitall(2, r, MPI_STATUSES_IGNORE);
        break;
    case 1:
        TAMPI_Isend(&out[i], 1, MPI_INT, next, i, MPI_COMM_WORLD);
        break;
    default:
        TAMPI_Issend(&out[i], 1, MPI_INT, next, i, MPI_COMM_WORLD);
    }
}

static void messages(void)
{
    long sum = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < N; i++) {
        out[i] = i;
#pragma omp task depend(out : in[i])
        receive(i);
#pragma omp task depend(in : in[i]) depend(inout : sum)
        sum += in[i] + statuses[i].MPI_TAG;
#pragma omp task depend(in : out[i])
        send(i);
    }
    expect(sum == N * (N - 1), "messages");
}

/* One after the other in all ranks, each when the one before has ended. */
static void collectives(void)
{
    static int a, b, c, all[64], one;
    a = rank + 1;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(inout : a)
        TAMPI_Ibcast(&a, 1, MPI_INT, 0, MPI_COMM_WORLD); /* 1 */
#pragma omp task depend(inout : a) depend(out : b)
        TAMPI_Iallreduce(&a, &b, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* the size */
#pragma omp task depend(inout : a) depend(in : b) depend(out : c)
        TAMPI_Iscan(&b, &c, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
#pragma omp task depend(inout : a) depend(in : c) depend(out : all)
        TAMPI_Iallgather(&c, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
#pragma omp task depend(inout : a) depend(in : all) depend(out : one)
        TAMPI_Iscatter(all, 1, MPI_INT, &one, 1, MPI_INT, 0, MPI_COMM_WORLD);
#pragma omp task depend(inout : a)
        TAMPI_Ibarrier(MPI_COMM_WORLD);
    }
    expect(b == size && c == size * (rank + 1) && all[size - 1] == size * size && one == c, "collectives");
}

static void properties(void)
{
    int value = -1, level = -1;
    TAMPI_Init(MPI_TASK_MULTIPLE, &level);
    expect(level == MPI_TASK_MULTIPLE, "TAMPI_Init");
    TAMPI_Property_get(TAMPI_PROPERTY_BLOCKING_MODE, &value);
    expect(value == 1, "TAMPI_PROPERTY_BLOCKING_MODE");
    TAMPI_Nonblocking_enabled(&value);
    expect(value == 1, "TAMPI_Nonblocking_enabled");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    expect(TAMPI_Property_set(TAMPI_PROPERTY_BLOCKING_MODE, 0) == MPI_ERR_ARG,
           "a property that cannot be set");
    expect(TAMPI_Property_get(77, &value) == MPI_ERR_ARG, "no property");
    expect(TAMPI_Isend(NULL, -1, MPI_INT, 0, 0, MPI_COMM_WORLD) == MPI_ERR_COUNT, "an error");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

/* In the only thread. */
static void aware(void)
{
    int x = 0, y = 7;
#pragma omp parallel num_threads(1)
#pragma omp single
    {
#pragma omp task shared(x)
        MPI_Recv(&x, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#pragma omp task shared(y)
        MPI_Ssend(&y, 1, MPI_INT, rank, 0, MPI_COMM_WORLD);
    }
    expect(x == 7, "aware");
}

/* The answer comes only when this thread is in the call already, in one that blocks it. */
static void unaware(void)
{
    int x = -1, y = -1, level = -1, others = 0, seen = -1;
#pragma omp parallel num_threads(1)
#pragma omp single
    {
#pragma omp task shared(x, y, others, seen, level)
        {
            MPI_Request r;
            TAMPI_Property_set(TAMPI_THREAD_TASKAWARENESS, 0);
            TAMPI_Property_get(TAMPI_THREAD_TASKAWARENESS, &level);
            MPI_Sendrecv(&rank, 1, MPI_INT, next, 1, &x, 1, MPI_INT, last, 1, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
            MPI_Barrier(MPI_COMM_WORLD);
            MPI_Irecv(&y, 1, MPI_INT, last, 2, MPI_COMM_WORLD, &r);
            MPI_Ssend(&rank, 1, MPI_INT, next, 2, MPI_COMM_WORLD);
            TAMPI_Iwait(&r, MPI_STATUS_IGNORE);
            expect(y == last, "TAMPI_Iwait waits in a thread that is not aware");
            seen = others;
            TAMPI_Property_set(TAMPI_THREAD_TASKAWARENESS, 1);
        }
#pragma omp task shared(others)
        others++;
    }
    expect(level == 0 && x == last && seen == 0 && others == 1, "unaware");
    TAMPI_Property_get(TAMPI_THREAD_TASKAWARENESS, &level);
    expect(level == 1, "aware again");
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_TASK_MULTIPLE, &provided);
    if (provided != MPI_TASK_MULTIPLE)
        return 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    next = (rank + 1) % size, last = (rank + size - 1) % size;
    if (argc > 1 && strcmp(argv[1], "aware") == 0) {
        aware();
    } else if (argc > 1) {
        unaware();
        aware();
    } else {
        properties();
        messages();
        collectives();
    }
    puts("tampi");
    TAMPI_Finalize();
    return MPI_Finalize();
}
