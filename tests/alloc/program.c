/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A plain MPI program that uses something of everything, for programs.py. An error of a call ends the job with 77 and
 * its text, wrong data with 99. Twice, so that the second time finds everything made.
 */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, size;

/* To stderr and to the file of programs.py: MPICH's mpirun loses what a program that aborts wrote last (5 of 150 runs of
 * a plain one). */
static void say(const char *what, const char *text)
{
    int file = open(getenv("EP_TEST_SAID"), O_WRONLY | O_APPEND);
    fprintf(stderr, "%s: %s\n", what, text);
    dprintf(file, "%s: %s\n", what, text);
    close(file);
}

static void must(int rc, const char *call)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int n;
    if (rc == MPI_SUCCESS)
        return;
    MPI_Error_string(rc, text, &n);
    say(call, text);
    MPI_Abort(MPI_COMM_WORLD, 77);
}

#define MUST(call) must(call, #call)

static void right(int yes, const char *what)
{
    if (yes)
        return;
    say("WRONG", what);
    MPI_Abort(MPI_COMM_WORLD, 99);
}

static void messages(void)
{
    static const int bytes[] = {0, 8, 900, 5000, 60000, 200000};
    int to = (rank + 1) % size, from = (rank + size - 1) % size;
    for (int k = 0; k < 6; k++) {
        char *out = malloc((size_t)bytes[k] + 1), *in = calloc((size_t)bytes[k] + 1, 1);
        MPI_Request r[2];
        memset(out, rank + k + 1, (size_t)bytes[k]);
        MUST(MPI_Irecv(in, bytes[k], MPI_CHAR, k % 2 ? MPI_ANY_SOURCE : from, k, MPI_COMM_WORLD, &r[0]));
        MUST(k == 3 ? MPI_Issend(out, bytes[k], MPI_CHAR, to, k, MPI_COMM_WORLD, &r[1])
                    : MPI_Isend(out, bytes[k], MPI_CHAR, to, k, MPI_COMM_WORLD, &r[1]));
        MUST(MPI_Waitall(2, r, MPI_STATUSES_IGNORE));
        for (int i = 0; i < bytes[k]; i++)
            right(in[i] == (char)(from + k + 1), "a message");
        free(out);
        free(in);
    }
    for (int i = 0; i < 40; i++)
        MUST(MPI_Send(&i, 1, MPI_INT, to, 100 + i, MPI_COMM_WORLD));
    for (int i = 39; i >= 0; i--) {
        int got = -1;
        MUST(MPI_Recv(&got, 1, MPI_INT, from, 100 + i, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        right(got == i, "an unexpected message");
    }
}

static void calls(MPI_Comm comm)
{
    int me, n;
    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &n);
    MUST(MPI_Barrier(comm));
    for (int count = 1; count <= 20000; count *= 100) {
        long *in = malloc((size_t)count * sizeof *in), *out = calloc((size_t)count * (size_t)n, sizeof *out);
        MPI_Request r;
        for (int i = 0; i < count; i++)
            in[i] = me + i;
        MUST(MPI_Allreduce(in, out, count, MPI_LONG, MPI_SUM, comm));
        for (int i = 0; i < count; i++)
            right(out[i] == (long)n * i + n * (n - 1) / 2, "an allreduce");
        MUST(MPI_Scan(in, out, count, MPI_LONG, MPI_SUM, comm));
        right(out[count - 1] == (long)(me + 1) * (count - 1) + me * (me + 1) / 2, "a scan");
        MUST(MPI_Allgather(in, count, MPI_LONG, out, count, MPI_LONG, comm));
        for (int p = 0; p < n; p++)
            right(out[p * count + count - 1] == p + count - 1, "an allgather");
        MUST(MPI_Iallreduce(in, out, count, MPI_LONG, MPI_MAX, comm, &r));
        MUST(MPI_Wait(&r, MPI_STATUS_IGNORE));
        right(out[count - 1] == n - 1 + count - 1, "an iallreduce");
        MUST(MPI_Bcast(in, count, MPI_LONG, n - 1, comm));
        right(in[count - 1] == n - 1 + count - 1, "a bcast");
        free(in);
        free(out);
    }
}

static void communicators(void)
{
    MPI_Comm dup, half, both, grid;
    int n = size, periodic = 1;
    MUST(MPI_Comm_dup(MPI_COMM_WORLD, &dup));
    calls(dup);
    MUST(MPI_Comm_split(dup, rank % 2, -rank, &half));
    calls(half);
    MUST(MPI_Intercomm_create(half, 0, dup, rank % 2 ? size - 2 : size - 1, 5, &both)); /* the highest ranks lead */
    MUST(MPI_Barrier(both));
    MUST(MPI_Cart_create(dup, 1, &n, &periodic, 0, &grid));
    MUST(MPI_Barrier(grid));
    MUST(MPI_Comm_free(&grid));
    MUST(MPI_Comm_free(&both));
    MUST(MPI_Comm_free(&half));
    MUST(MPI_Comm_free(&dup));
}

static void windows(void)
{
    MPI_Win win;
    long *memory, one = rank + 1, got = 0;
    int to = (rank + 1) % size, from = (rank + size - 1) % size;
    MUST(MPI_Win_allocate(10 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win));
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    memset(memory, 0, 10 * sizeof *memory);
    MUST(MPI_Win_fence(0, win));
    MUST(MPI_Put(&one, 1, MPI_LONG, to, 0, 1, MPI_LONG, win));
    MUST(MPI_Accumulate(&one, 1, MPI_LONG, to, 1, 1, MPI_LONG, MPI_SUM, win));
    MUST(MPI_Win_fence(0, win));
    right(memory[0] == from + 1 && memory[1] == from + 1, "a put or an accumulate");
    MUST(MPI_Win_lock(MPI_LOCK_SHARED, to, 0, win));
    MUST(MPI_Get(&got, 1, MPI_LONG, to, 0, 1, MPI_LONG, win));
    MUST(MPI_Win_unlock(to, win));
    right(got == rank + 1, "a get");
    MUST(MPI_Win_free(&win));
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int i = 0; i < 2; i++) {
        messages();
        communicators();
        windows();
    }
    MPI_Finalize();
    if (rank == 0)
        puts("all right");
    return 0;
}
