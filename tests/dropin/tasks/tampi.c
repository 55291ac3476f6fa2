/* SPDX-License-Identifier: BSD-3-Clause */
/* A program in the style of TAMPI's: tasks that end with requests. The definitions are those of docs/tasks.md. */
#include <mpi.h>
#include <stdio.h>
#define MPI_TASK_MULTIPLE EP_TASK_MULTIPLE
#define TAMPI_Iwait ep_iwait
#define TAMPI_Iwaitall ep_iwaitall

enum { N = 100 };

static int in[N], out[N], rank, size;
static MPI_Status statuses[N];

static void receive(int i)
{
    MPI_Request r;
    MPI_Irecv(&in[i], 1, MPI_INT, (rank + size - 1) % size, i, MPI_COMM_WORLD, &r);
    TAMPI_Iwait(&r, &statuses[i]);
}

static void send(int i)
{
    MPI_Request r[2];
    MPI_Issend(&out[i], 1, MPI_INT, (rank + 1) % size, i, MPI_COMM_WORLD, &r[0]);
    r[1] = MPI_REQUEST_NULL;
    TAMPI_Iwaitall(2, r, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv)
{
    int provided;
    long sum = 0;
    MPI_Init_thread(&argc, &argv, MPI_TASK_MULTIPLE, &provided);
    if (provided != MPI_TASK_MULTIPLE)
        return 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
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
    if (sum == N * (N - 1))
        puts("tampi");
    return MPI_Finalize();
}
