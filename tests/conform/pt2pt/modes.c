/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocking sends of all modes and of sizes from nothing to some MiB, in every communicator. */
#include "../expect.h"

enum { STANDARD, SYNCHRONOUS, READY, BUFFERED, MODES };

static const int sizes[] = {0, 1, 2, 15, 16, 17, 1000, 4096, 16385, 100000, 700000};
enum { SIZES = sizeof sizes / sizeof *sizes, LARGEST = 700000 };

static int *data, *room;

static void send(int mode, int count, int dest, int tag, MPI_Comm comm)
{
    void *buffer;
    int size;

    if (mode == STANDARD) {
        CALL(MPI_Send(data, count, MPI_INT, dest, tag, comm));
    } else if (mode == SYNCHRONOUS) {
        CALL(MPI_Ssend(data, count, MPI_INT, dest, tag, comm));
    } else if (mode == READY) {
        CALL(MPI_Rsend(data, count, MPI_INT, dest, tag, comm));
    } else {
        size = count * (int)sizeof(int) + MPI_BSEND_OVERHEAD;
        buffer = malloc((size_t)size);
        CALL(MPI_Buffer_attach(buffer, size));
        CALL(MPI_Bsend(data, count, MPI_INT, dest, tag, comm));
        CALL(MPI_Buffer_detach(&buffer, &size));
        free(buffer);
    }
}

/* Rank 0 (of the other side) sends to the last; a ready send waits for the word that the receive is there. */
static void pass(MPI_Comm comm, int is_inter, int mode, int count)
{
    int rank = rank_of(comm), last = peers_of(comm, is_inter) - 1, tag = 10 * count % 1000 + mode, sender,
        side = 0;
    MPI_Request request;
    MPI_Status status;

    if (is_inter)
        side = is_low(comm);
    sender = rank == 0 && (!is_inter || side);
    if (sender && (is_inter || last > 0)) {
        fill(data, count, mode + count);
        if (mode == READY)
            CALL(MPI_Recv(NULL, 0, MPI_INT, last, 1, comm, MPI_STATUS_IGNORE));
        send(mode, count, last, tag, comm);
    }
    if (is_inter ? !side && rank == size_of(comm) - 1 : rank == last && rank > 0) {
        memset(room, 0, (size_t)count * sizeof(int));
        CALL(MPI_Irecv(room, count, MPI_INT, 0, tag, comm, &request));
        if (mode == READY)
            CALL(MPI_Send(NULL, 0, MPI_INT, 0, 1, comm));
        CALL(MPI_Wait(&request, &status));
        expect_status("message", &status, 0, tag, count);
        expect_int("first difference", differs(room, count, mode + count), -1);
    }
}

int main(int argc, char **argv)
{
    MPI_Comm comm;
    int is_inter;

    conform_init(&argc, &argv);
    data = malloc(LARGEST * sizeof(int));
    room = malloc(LARGEST * sizeof(int));
    while (conform_comm(&comm, &is_inter)) {
        for (int i = 0; comm != MPI_COMM_NULL && i < SIZES; i++)
            for (int mode = 0; mode < MODES; mode++)
                pass(comm, is_inter, mode, sizes[i]);
        conform_free_comm(&comm);
    }
    free(data);
    free(room);
    return conform_end(0);
}
