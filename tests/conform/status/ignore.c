/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_STATUS_IGNORE and MPI_STATUSES_IGNORE wherever a status may be given; MPI_ERROR is left alone where
 * the call returns one error (MPI 3.2.5). */
#include "../expect.h"

static void ignored(MPI_Comm comm)
{
    MPI_Request requests[2];
    MPI_Message message;
    int out = 3, in[2], flag, place, done, indices[2];

    for (int i = 0; i < 9; i++) {
        CALL(MPI_Isend(&out, 1, MPI_INT, 0, 1, comm, &requests[0]));
        if (i == 0) {
            CALL(MPI_Mprobe(0, 1, comm, &message, MPI_STATUS_IGNORE));
            CALL(MPI_Mrecv(in, 1, MPI_INT, &message, MPI_STATUS_IGNORE));
            CALL(MPI_Wait(&requests[0], MPI_STATUS_IGNORE));
            continue;
        }
        CALL(MPI_Probe(0, 1, comm, MPI_STATUS_IGNORE));
        CALL(MPI_Iprobe(0, 1, comm, &flag, MPI_STATUS_IGNORE));
        CALL(MPI_Irecv(in, 1, MPI_INT, 0, 1, comm, &requests[1]));
        if (i == 1)
            CALL(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
        for (int n = 0; i == 2 && n < 2; n++)
            CALL(MPI_Waitany(2, requests, &place, MPI_STATUS_IGNORE));
        for (int n = 0; i == 3 && n < 2; n += done)
            CALL(MPI_Waitsome(2, requests, &done, indices, MPI_STATUSES_IGNORE));
        for (int n = 0; i == 4 && n < 2; n += done)
            CALL(MPI_Testsome(2, requests, &done, indices, MPI_STATUSES_IGNORE));
        for (int n = 0; i == 5 && n < 2; n += flag)
            CALL(MPI_Testany(2, requests, &place, &flag, MPI_STATUS_IGNORE));
        for (flag = 0; i == 6 && !flag;)
            CALL(MPI_Testall(2, requests, &flag, MPI_STATUSES_IGNORE));
        for (int n = 0; i > 6 && n < 2; n++)
            for (flag = 0; !flag;)
                CALL(MPI_Test(&requests[n], &flag, MPI_STATUS_IGNORE));
        CHECK(requests[0] == MPI_REQUEST_NULL && requests[1] == MPI_REQUEST_NULL);
    }
}

static void error_field(MPI_Comm comm)
{
    MPI_Request request;
    MPI_Status status;
    int out = 4, in, flag = 0;

    status.MPI_ERROR = 4711;
    CALL(MPI_Sendrecv(&out, 1, MPI_INT, 0, 1, &in, 1, MPI_INT, 0, 1, comm, &status));
    expect_int("MPI_ERROR after sendrecv", status.MPI_ERROR, 4711);
    CALL(MPI_Irecv(&in, 1, MPI_INT, 0, 1, comm, &request));
    CALL(MPI_Send(&out, 1, MPI_INT, 0, 1, comm));
    CALL(MPI_Wait(&request, &status));
    expect_int("MPI_ERROR after wait", status.MPI_ERROR, 4711);
    CALL(MPI_Isend(&out, 1, MPI_INT, 0, 1, comm, &request));
    CALL(MPI_Probe(0, 1, comm, &status));
    expect_int("MPI_ERROR after probe", status.MPI_ERROR, 4711);
    CALL(MPI_Recv(&in, 1, MPI_INT, 0, 1, comm, &status));
    expect_int("MPI_ERROR after recv", status.MPI_ERROR, 4711);
    while (!flag)
        CALL(MPI_Test(&request, &flag, &status));
    expect_int("MPI_ERROR after test", status.MPI_ERROR, 4711);
}

int main(int argc, char **argv)
{
    conform_init(&argc, &argv);
    ignored(MPI_COMM_SELF);
    error_field(MPI_COMM_SELF);
    return conform_end(0);
}
