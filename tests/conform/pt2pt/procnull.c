/* SPDX-License-Identifier: BSD-3-Clause */
/* Communication with MPI_PROC_NULL is over at once, and a receive has its status (MPI 3.11). */
#include "../expect.h"

static int data[10];

static void expect_none(const char *what, const MPI_Status *status)
{
    expect_status(what, status, MPI_PROC_NULL, MPI_ANY_TAG, 0);
}

static void blocking(MPI_Comm comm)
{
    MPI_Status status;
    char space[100 + MPI_BSEND_OVERHEAD];
    void *buffer;
    int size;

    CALL(MPI_Send(data, 10, MPI_INT, MPI_PROC_NULL, 1, comm));
    CALL(MPI_Ssend(data, 10, MPI_INT, MPI_PROC_NULL, 1, comm));
    CALL(MPI_Rsend(data, 10, MPI_INT, MPI_PROC_NULL, 1, comm));
    CALL(MPI_Buffer_attach(space, sizeof space));
    CALL(MPI_Bsend(data, 10, MPI_INT, MPI_PROC_NULL, 1, comm));
    CALL(MPI_Buffer_detach(&buffer, &size));
    CALL(MPI_Recv(data, 10, MPI_INT, MPI_PROC_NULL, 7, comm, &status));
    expect_none("recv", &status);
    CALL(MPI_Recv(NULL, 0, MPI_INT, MPI_PROC_NULL, MPI_ANY_TAG, comm, MPI_STATUS_IGNORE));
    CALL(MPI_Sendrecv(data, 2, MPI_INT, MPI_PROC_NULL, 1, data + 5, 2, MPI_INT, MPI_PROC_NULL, 1, comm,
                      &status));
    expect_none("sendrecv", &status);
    CALL(MPI_Sendrecv_replace(data, 10, MPI_INT, MPI_PROC_NULL, 1, MPI_PROC_NULL, 1, comm, &status));
    expect_none("sendrecv_replace", &status);
}

static void nonblocking(MPI_Comm comm)
{
    MPI_Request requests[4];
    MPI_Status statuses[4];
    int flag = 0;

    CALL(MPI_Isend(data, 10, MPI_INT, MPI_PROC_NULL, 1, comm, &requests[0]));
    CALL(MPI_Issend(data, 10, MPI_INT, MPI_PROC_NULL, 1, comm, &requests[1]));
    CALL(MPI_Irsend(data, 10, MPI_INT, MPI_PROC_NULL, 1, comm, &requests[2]));
    CALL(MPI_Irecv(data, 10, MPI_INT, MPI_PROC_NULL, 1, comm, &requests[3]));
    CALL(MPI_Testall(4, requests, &flag, statuses));
    CHECK(flag);
    expect_none("irecv", &statuses[3]);
}

static void probes(MPI_Comm comm)
{
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Request request;
    MPI_Status status;
    int flag = 0;

    CALL(MPI_Probe(MPI_PROC_NULL, 1, comm, &status));
    expect_none("probe", &status);
    CALL(MPI_Iprobe(MPI_PROC_NULL, MPI_ANY_TAG, comm, &flag, &status));
    CHECK(flag);
    expect_none("iprobe", &status);
    CALL(MPI_Mprobe(MPI_PROC_NULL, 1, comm, &message, &status));
    CHECK(message == MPI_MESSAGE_NO_PROC);
    expect_none("mprobe", &status);
    CALL(MPI_Mrecv(data, 10, MPI_INT, &message, &status));
    CHECK(message == MPI_MESSAGE_NULL);
    expect_none("mrecv", &status);
    flag = 0;
    CALL(MPI_Improbe(MPI_PROC_NULL, 1, comm, &flag, &message, &status));
    CHECK(flag && message == MPI_MESSAGE_NO_PROC);
    CALL(MPI_Imrecv(data, 10, MPI_INT, &message, &request));
    CHECK(message == MPI_MESSAGE_NULL);
    CALL(MPI_Wait(&request, &status));
    expect_none("imrecv", &status);
}

static void persistent(MPI_Comm comm)
{
    MPI_Request requests[2];
    MPI_Status status;
    MPI_Datatype every_other;

    CALL(MPI_Type_vector(5, 1, 2, MPI_INT, &every_other));
    CALL(MPI_Type_commit(&every_other));
    CALL(MPI_Send_init(data, 1, every_other, MPI_PROC_NULL, 1, comm, &requests[0]));
    CALL(MPI_Recv_init(data, 1, every_other, MPI_PROC_NULL, 1, comm, &requests[1]));
    CALL(MPI_Type_free(&every_other));
    for (int i = 0; i < 3; i++) {
        CALL(MPI_Startall(2, requests));
        CALL(MPI_Wait(&requests[0], &status));
        CALL(MPI_Wait(&requests[1], &status));
        expect_none("persistent receive", &status);
        CALL(MPI_Wait(&requests[1], &status));
        expect_empty("inactive", &status);
    }
    CALL(MPI_Request_free(&requests[0]));
    CALL(MPI_Request_free(&requests[1]));
}

int main(int argc, char **argv)
{
    MPI_Comm comm;
    int is_inter;

    conform_init(&argc, &argv);
    while (conform_comm(&comm, &is_inter)) {
        if (comm != MPI_COMM_NULL) {
            for (int i = 0; i < 10; i++)
                data[i] = 42;
            blocking(comm);
            nonblocking(comm);
            probes(comm);
            persistent(comm);
            for (int i = 0; i < 10; i++)
                expect_int("untouched data", data[i], 42);
        }
        conform_free_comm(&comm);
    }
    return conform_end(0);
}
