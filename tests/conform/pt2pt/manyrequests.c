/* SPDX-License-Identifier: BSD-3-Clause */
/* Thousands of receives and sends under way at once, completed in bulk. */
#include "../expect.h"

enum { EACH = 3000 };

int main(int argc, char **argv)
{
    MPI_Request *requests = malloc(2 * EACH * sizeof *requests);
    MPI_Status *statuses = malloc(2 * EACH * sizeof *statuses);
    int *out = malloc(EACH * sizeof(int)), *in = malloc(EACH * sizeof(int)), rank, size, before;

    conform_init(&argc, &argv);
    rank = rank_of(MPI_COMM_WORLD);
    size = size_of(MPI_COMM_WORLD);
    before = (rank + size - 1) % size;
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < EACH; i++)
            CALL(MPI_Irecv(&in[i], 1, MPI_INT, before, round ? EACH - 1 - i : i, MPI_COMM_WORLD,
                           &requests[i]));
        fill(out, EACH, rank);
        for (int i = 0; i < EACH; i++)
            CALL(MPI_Isend(&out[i], 1, MPI_INT, (rank + 1) % size, i, MPI_COMM_WORLD, &requests[EACH + i]));
        CALL(MPI_Waitall(2 * EACH, requests, statuses));
        for (int i = 0; i < EACH; i++) {
            int n = round ? EACH - 1 - i : i;

            expect_status("message", &statuses[i], before, n, 1);
            expect_int("data", in[i], before * 7919 + n);
        }
    }
    free(requests);
    free(statuses);
    free(out);
    free(in);
    return conform_end(0);
}
