/* SPDX-License-Identifier: BSD-3-Clause */
/* No room for a message, two buffers at once: errors; and afterwards all is as before (MPI 3.6). */
#include "../expect.h"

int main(int argc, char **argv)
{
    char space[1000 + MPI_BSEND_OVERHEAD], other[1000 + MPI_BSEND_OVERHEAD], data[2000] = {0};
    void *back;
    int size, rank;

    conform_init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    rank = rank_of(MPI_COMM_WORLD);
    CALL(MPI_Buffer_attach(space, sizeof space));
    CHECK(MPI_Buffer_attach(other, sizeof other) != MPI_SUCCESS);
    FAILS(MPI_ERR_BUFFER, MPI_Bsend(data, 2000, MPI_CHAR, rank, 1, MPI_COMM_WORLD));
    CALL(MPI_Bsend(data, 1000, MPI_CHAR, rank, 1, MPI_COMM_WORLD));
    CALL(MPI_Recv(data, 2000, MPI_CHAR, rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CALL(MPI_Buffer_detach(&back, &size));
    CHECK(back == space && size == (int)sizeof space);
    CALL(MPI_Buffer_attach(other, sizeof other));
    CALL(MPI_Buffer_detach(&back, &size));
    CHECK(back == other && size == (int)sizeof other);
    return conform_end(0);
}
