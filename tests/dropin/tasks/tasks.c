/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An MPI program whose tasks call MPI and block. It knows nothing of endpoints: where a blocking call blocks its thread and
 * there is one thread, each of these hangs. Run with OMP_EXTERNAL=task.
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { N = 200, DUPS = 6 };

static int rank, size, wrong;

static void check(int good, const char *what)
{
    if (good)
        return;
#pragma omp atomic
    wrong++;
    printf("rank %d: %s\n", rank, what);
}

/* A blocks, its sibling B, created later, sends. */
static void sibling(void)
{
    int got = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task shared(got)
        MPI_Recv(&got, 1, MPI_INT, rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#pragma omp task
        MPI_Ssend(&(int){17}, 1, MPI_INT, rank, 1, MPI_COMM_WORLD);
#pragma omp taskwait
        check(got == 17, "sibling");
    }
}

/* Tasks receive from the left and send to the right, created in one order here and in the other there. */
static void ring(void)
{
    static int in[N], out[N];
    int left = (rank + size - 1) % size, right = (rank + 1) % size;
    for (int i = 0; i < N; i++)
        out[i] = rank * N + i;
#pragma omp parallel
#pragma omp single
    for (int k = 0; k < N; k++) {
        int i = rank % 2 ? k : N - 1 - k;
#pragma omp task
        MPI_Recv(&in[i], 1, MPI_INT, left, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#pragma omp task
        MPI_Ssend(&out[N - 1 - i], 1, MPI_INT, right, N - 1 - i, MPI_COMM_WORLD);
    }
    for (int i = 0; i < N; i++)
        check(in[i] == left * N + i, "ring");
}

static void ask_and_receive(int *me, int *value, int from, int tag, MPI_Datatype type, MPI_Comm comm)
{
    MPI_Comm_rank(comm, me);
    MPI_Recv(value, 1, type, from, tag, comm, MPI_STATUS_IGNORE);
}

/* In regions for a device, on a machine without: whatever thread runs them is the rank's. */
static void targets(void)
{
    static int got[2];
    int left = (rank + size - 1) % size, right = (rank + 1) % size, mine = rank, me[2] = {-1, -1};
    MPI_Datatype type = MPI_INT; /* which may not be had on a device */
    MPI_Comm comm = MPI_COMM_WORLD;
#pragma omp parallel
#pragma omp single
    {
#pragma omp target nowait map(tofrom : got, me)
        ask_and_receive(&me[0], &got[0], left, 2, type, comm);
#pragma omp target nowait map(tofrom : got, me)
        ask_and_receive(&me[1], &got[1], right, 3, type, comm);
#pragma omp task
        MPI_Ssend(&mine, 1, MPI_INT, left, 3, MPI_COMM_WORLD);
#pragma omp task
        MPI_Ssend(&mine, 1, MPI_INT, right, 2, MPI_COMM_WORLD);
    }
    check(me[0] == rank && me[1] == rank && got[0] == left && got[1] == right, "targets");
}

/* Collective calls on communicators of their own, in another order on each rank. */
static void collectives(void)
{
    static MPI_Comm comms[DUPS];
    static int sums[DUPS];
    for (int i = 0; i < DUPS; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
#pragma omp parallel
#pragma omp single
    for (int k = 0; k < DUPS; k++) {
        int i = (k + rank) % DUPS;
#pragma omp task
        {
            MPI_Barrier(comms[i]);
            MPI_Allreduce(&(int){rank + i}, &sums[i], 1, MPI_INT, MPI_SUM, comms[i]);
        }
    }
    for (int i = 0; i < DUPS; i++) {
        check(sums[i] == size * (size - 1) / 2 + size * i, "allreduce");
        MPI_Comm_free(&comms[i]);
    }
}

/* A critical section, with and without a name, that is held across a receive. */
static void critical(void)
{
    int got[2] = {0};
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
#pragma omp critical
        MPI_Recv(&got[0], 1, MPI_INT, rank, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#pragma omp task
#pragma omp critical
        got[0]++;
#pragma omp task
#pragma omp critical(name)
        MPI_Recv(&got[1], 1, MPI_INT, rank, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#pragma omp task
#pragma omp critical(name)
        got[1]++;
#pragma omp task
        for (int i = 0; i < 2; i++)
            MPI_Ssend(&(int){i}, 1, MPI_INT, rank, 2 + i, MPI_COMM_WORLD);
    }
    check((got[0] == 0 || got[0] == 1) && (got[1] == 1 || got[1] == 2), "critical");
}

/* Without a section around it nobody keeps other ranks out of theirs. */
static void ranks_critical(void)
{
    int token = 0;
#pragma omp parallel
#pragma omp single
#pragma omp task shared(token)
#pragma omp critical
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 4, &token, 1, MPI_INT, (rank + size - 1) % size, 4,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    check(token == (rank + size - 1) % size, "critical sections of two ranks");
}

/* What depends on a task that blocks comes after it. */
static void depend(void)
{
    static int value, copy;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : value)
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#pragma omp task depend(in : value)
        copy = value;
#pragma omp task
        MPI_Send(&(int){rank + 1}, 1, MPI_INT, (rank + 1) % size, 5, MPI_COMM_WORLD);
    }
    check(copy == (rank + size - 1) % size + 1, "depend");
}

/* Waits and probes; a loop of tests lets other tasks run. */
static void waits(void)
{
    static int got[3];
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        {
            MPI_Request r[2];
            MPI_Irecv(&got[0], 1, MPI_INT, rank, 6, MPI_COMM_WORLD, &r[0]);
            MPI_Irecv(&got[1], 1, MPI_INT, rank, 7, MPI_COMM_WORLD, &r[1]);
            MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
        }
#pragma omp task
        {
            MPI_Status s;
            MPI_Probe(rank, 8, MPI_COMM_WORLD, &s);
            MPI_Recv(&got[2], 1, MPI_INT, s.MPI_SOURCE, s.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
#pragma omp task
        {
            MPI_Request r;
            int flag = 0, unused;
            MPI_Irecv(&unused, 0, MPI_INT, rank, 9, MPI_COMM_WORLD, &r);
            while (!flag)
                MPI_Test(&r, &flag, MPI_STATUS_IGNORE);
        }
#pragma omp task
        for (int i = 0; i < 4; i++)
            MPI_Ssend(&(int){i + 1}, i < 3, MPI_INT, rank, 6 + i, MPI_COMM_WORLD);
    }
    check(got[0] == 1 && got[1] == 2 && got[2] == 3, "waits");
}

static const struct {
    const char *name;
    void (*run)(void);
} cases[] = {{"sibling", sibling},
             {"ring", ring},
             {"collectives", collectives},
             {"critical", critical},
             {"ranks", ranks_critical},
             {"depend", depend},
             {"waits", waits}};

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    check(provided == MPI_THREAD_MULTIPLE, "provided");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (argc == 1 || strcmp(argv[1], cases[i].name) == 0)
            cases[i].run();
    MPI_Finalize();
    if (!wrong)
        puts("tasks");
    return wrong > 0;
}
