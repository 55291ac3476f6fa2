/* SPDX-License-Identifier: BSD-3-Clause */
/* Non-blocking sends of all modes from everybody to everybody, under way at the same time. */
#include "../expect.h"

enum { MODES = 4 };

static const int sizes[] = {0, 1, 100, 5000, 60000};
enum { SIZES = sizeof sizes / sizeof *sizes };

typedef int isend(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);

static isend *const sends[MODES] = {MPI_Isend, MPI_Issend, MPI_Irsend, MPI_Ibsend};

static void exchange(MPI_Comm comm, int peers, int rank, int mode, int count)
{
    MPI_Request *requests = malloc(2 * (size_t)peers * sizeof *requests);
    MPI_Status *statuses = malloc(2 * (size_t)peers * sizeof *statuses);
    int *out = malloc(((size_t)count + 1) * sizeof(int)),
        *in = malloc(((size_t)count * peers + 1) * sizeof(int));

    fill(out, count, rank);
    for (int i = 0; i < peers; i++)
        CALL(MPI_Irecv(in + i * count, count, MPI_INT, i, mode, comm, &requests[i]));
    MPI_Barrier(comm);
    for (int i = 0; i < peers; i++)
        CALL(sends[mode](out, count, MPI_INT, i, mode, comm, &requests[peers + i]));
    CALL(MPI_Waitall(2 * peers, requests, statuses));
    for (int i = 0; i < peers; i++) {
        expect_status("message", &statuses[i], i, mode, count);
        expect_int("first difference", differs(in + i * count, count, i), -1);
    }
    for (int i = 0; i < 2 * peers; i++)
        CHECK(requests[i] == MPI_REQUEST_NULL);
    free(requests);
    free(statuses);
    free(out);
    free(in);
}

static void all_sizes(MPI_Comm comm, int is_inter)
{
    int peers = peers_of(comm, is_inter), size;

    for (int i = 0; i < SIZES; i++) {
        void *buffer;

        size = peers * (sizes[i] * (int)sizeof(int) + MPI_BSEND_OVERHEAD);
        buffer = malloc((size_t)size);
        CALL(MPI_Buffer_attach(buffer, size));
        for (int mode = 0; mode < MODES; mode++)
            exchange(comm, peers, rank_of(comm), mode, sizes[i]);
        CALL(MPI_Buffer_detach(&buffer, &size));
        free(buffer);
    }
}

int main(int argc, char **argv)
{
    MPI_Comm comm;
    int is_inter;

    conform_init(&argc, &argv);
    while (conform_comm(&comm, &is_inter)) {
        if (comm != MPI_COMM_NULL)
            all_sizes(comm, is_inter);
        conform_free_comm(&comm);
    }
    return conform_end(0);
}
