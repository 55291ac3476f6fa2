/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Heat on a ring, cut into many more blocks than there are threads. One task advances a block by one step, two more
 * exchange the ends with the neighbour ranks by a call that blocks. OpenMP's dependences order them; nothing waits
 * for a whole step, and a task that waits for a message leaves its thread to the others. Any number of threads will do,
 * also one: there each rank begins with the exchange to its left, so blocking the thread would be a deadlock.
 *
 *     mpicc -fopenmp -O2 heat.c $(pkg-config --cflags --libs ep) -lm -o heat
 *     OMP_NUM_THREADS=1 mpirun -n 2 ./heat
 */
#include <ep.h>
#include <math.h>
#include <stdio.h>

enum { BLOCKS = 32, CELLS = 64, N = BLOCKS * CELLS, STEPS = 500, TO_LEFT = 0, TO_RIGHT = 1 };
static const double rate = 0.25;

static double fields[2][N + 2]; /* with a cell of each neighbour's */

static void exchange(double *mine, double *theirs, int peer, int tag, int their_tag, ep_comm comm)
{
    ep_sendrecv(mine, 1, MPI_DOUBLE, peer, tag, theirs, 1, MPI_DOUBLE, peer, their_tag, comm,
                EP_STATUS_IGNORE);
}

static void advance(const double *u, double *v, int first)
{
    for (int i = first; i < first + CELLS; i++)
        v[i] = u[i] + rate * (u[i - 1] - 2 * u[i] + u[i + 1]);
}

/* All tasks of one step. Cells 0 and N+1 stand for themselves in depend clauses, the first of a block for the block. */
static void step(double *u, double *v, int left, int right, ep_comm comm)
{
    const int last = N + 1 - CELLS;
#pragma omp task depend(in : u[1]) depend(out : u[0])
    exchange(&u[1], &u[0], left, TO_LEFT, TO_RIGHT, comm);
#pragma omp task depend(in : u[last]) depend(out : u[N + 1])
    exchange(&u[N], &u[N + 1], right, TO_RIGHT, TO_LEFT, comm);
    for (int i = 1; i <= N; i += CELLS) {
        int before = i == 1 ? 0 : i - CELLS;
#pragma omp task depend(in : u[before], u[i], u[i + CELLS]) depend(out : v[i])
        advance(u, v, i);
    }
}

/* One wave around the ring keeps its shape and loses a known part of its height in each step. */
static double error_of(const double *u, int rank, int size)
{
    double wave = 2 * acos(-1) / (size * N), height = pow(1 - 4 * rate * pow(sin(wave / 2), 2), STEPS),
           worst = 0;
    for (int i = 1; i <= N; i++)
        worst = fmax(worst, fabs(u[i] - height * sin(wave * (rank * N + i))));
    return worst;
}

int main(int argc, char **argv)
{
    int provided, rank, size;
    ep_comm comm;
    ep_init_thread(&argc, &argv, EP_TASK_MULTIPLE, &provided);
    ep_comm_create_endpoints(MPI_COMM_WORLD, 1, MPI_INFO_NULL, &comm);
    ep_comm_rank(comm, &rank);
    ep_comm_size(comm, &size);
    if (provided != EP_TASK_MULTIPLE) {
        fprintf(stderr, "heat: calls of ep would block the thread\n");
        ep_abort(comm, 1);
    }
    for (int i = 1; i <= N; i++)
        fields[0][i] = sin(2 * acos(-1) / (size * N) * (rank * N + i));
#pragma omp parallel
#pragma omp single
    for (int s = 0; s < STEPS; s++)
        step(fields[s % 2], fields[(s + 1) % 2], (rank + size - 1) % size, (rank + 1) % size, comm);

    double worst = error_of(fields[STEPS % 2], rank, size);
    ep_allreduce(MPI_IN_PLACE, &worst, 1, MPI_DOUBLE, MPI_MAX, comm);
    if (rank == 0)
        printf("largest error after %d steps: %.1e\n", STEPS, worst);
    ep_comm_free(&comm);
    ep_finalize();
    return worst > 1e-12;
}
