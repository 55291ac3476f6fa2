/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages longer than the buffer: MPI_ERR_TRUNCATE, alone, in Waitall (MPI_ERR_IN_STATUS), Waitsome, Testall. */
#include "conform.h"

static int class_of(int code)
{
    int class;

    MPI_Error_class(code, &class);
    return class;
}

static void alone(MPI_Comm comm, int length)
{
    static int out[40000], in[40000];
    MPI_Request request;
    MPI_Status status;

    in[1] = 77;
    CALL(MPI_Irecv(in, 1, MPI_INT, 0, 1, comm, &request));
    CALL(MPI_Send(out, length, MPI_INT, 0, 1, comm));
    FAILS(MPI_ERR_TRUNCATE, MPI_Wait(&request, &status));
    CHECK(request == MPI_REQUEST_NULL);
    CHECK(status.MPI_SOURCE == 0 && status.MPI_TAG == 1);
    CHECK(in[1] == 77);
}

static void in_waitall(MPI_Comm comm)
{
    int out[4] = {1, 2, 3, 4}, a = 0, b[2] = {0, 0}, i, code;
    MPI_Request requests[4];
    MPI_Status statuses[4];

    CALL(MPI_Irecv(&a, 1, MPI_INT, 0, 1, comm, &requests[0]));
    CALL(MPI_Irecv(b, 2, MPI_INT, 0, 2, comm, &requests[1]));
    CALL(MPI_Isend(out, 4, MPI_INT, 0, 1, comm, &requests[2]));
    CALL(MPI_Isend(out + 2, 2, MPI_INT, 0, 2, comm, &requests[3]));
    for (i = 0; i < 4; i++)
        statuses[i].MPI_ERROR = -1;
    code = MPI_Waitall(4, requests, statuses);
    CHECK(class_of(code) == MPI_ERR_IN_STATUS);
    CHECK(class_of(statuses[0].MPI_ERROR) == MPI_ERR_TRUNCATE);
    for (i = 1; i < 4; i++)
        CHECK(statuses[i].MPI_ERROR == MPI_SUCCESS || class_of(statuses[i].MPI_ERROR) == MPI_ERR_PENDING);
    for (i = 0; i < 4; i++)
        CALL(MPI_Wait(&requests[i], MPI_STATUS_IGNORE));
    CHECK(b[0] == 3 && b[1] == 4);
}

static void in_waitsome(MPI_Comm comm)
{
    int out[4] = {1, 2, 3, 4}, a = 0, n, i, indices[2], left = 2, truncated = 0, code;
    MPI_Request requests[2];
    MPI_Status statuses[2];

    CALL(MPI_Irecv(&a, 1, MPI_INT, 0, 1, comm, &requests[0]));
    CALL(MPI_Isend(out, 4, MPI_INT, 0, 1, comm, &requests[1]));
    while (left > 0) {
        code = MPI_Waitsome(2, requests, &n, indices, statuses);
        if (!CHECK(n > 0))
            return;
        left -= n;
        for (i = 0; i < n; i++) {
            if (code != MPI_SUCCESS && indices[i] == 0)
                truncated += class_of(statuses[i].MPI_ERROR) == MPI_ERR_TRUNCATE;
            CHECK(requests[indices[i]] == MPI_REQUEST_NULL);
        }
        if (code != MPI_SUCCESS)
            CHECK(class_of(code) == MPI_ERR_IN_STATUS);
    }
    CHECK(truncated == 1);
}

static void blocking(MPI_Comm comm)
{
    int out[4] = {1, 2, 3, 4}, a = 0;
    MPI_Request request;
    MPI_Status status;

    CALL(MPI_Isend(out, 4, MPI_INT, 0, 1, comm, &request));
    FAILS(MPI_ERR_TRUNCATE, MPI_Recv(&a, 1, MPI_INT, 0, 1, comm, &status));
    CALL(MPI_Wait(&request, MPI_STATUS_IGNORE));
}

int main(int argc, char **argv)
{
    MPI_Comm self;

    conform_init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_SELF, &self);
    MPI_Comm_set_errhandler(self, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    alone(self, 2);
    alone(self, 500);
    in_waitall(self);
    in_waitsome(self);
    blocking(self);
    MPI_Comm_free(&self);
    return conform_end(0);
}
