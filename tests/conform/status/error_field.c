/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls for one message leave MPI_ERROR of a status alone (MPI 3.2.5). Those for several are not looked at:
 * the libraries set it to MPI_SUCCESS. */
#include "../expect.h"

enum { MARK = 4711 };

static void expect_mark(const char *what, MPI_Status *status)
{
    expect_int(what, status->MPI_ERROR, MARK);
    memset(status, 0xab, sizeof *status);
    status->MPI_ERROR = MARK;
}

static void matched(MPI_Comm comm, int source)
{
    MPI_Message message;
    MPI_Request r[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Status status = {.MPI_ERROR = MARK};
    int out = 1, in, flag = 0;

    for (int i = 0; i < 2; i++) {
        CALL(MPI_Isend(&out, 1, MPI_INT, source, 1, comm, &r[0]));
        if (i == 0)
            CALL(MPI_Mprobe(source, 1, comm, &message, &status));
        for (flag = 0; i == 1 && !flag;)
            CALL(MPI_Improbe(source, 1, comm, &flag, &message, &status));
        expect_mark(i ? "improbe" : "mprobe", &status);
        if (i == 0) {
            CALL(MPI_Mrecv(&in, 1, MPI_INT, &message, &status));
        } else {
            CALL(MPI_Imrecv(&in, 1, MPI_INT, &message, &r[1]));
            CALL(MPI_Wait(&r[1], &status));
        }
        expect_mark(i ? "imrecv" : "mrecv", &status);
        CALL(MPI_Wait(&r[0], &status));
        expect_mark("wait for the send", &status);
    }
    CALL(MPI_Probe(MPI_PROC_NULL, 1, comm, &status));
    expect_mark("probe of nobody", &status);
    CALL(MPI_Iprobe(MPI_PROC_NULL, 1, comm, &flag, &status));
    expect_mark("iprobe of nobody", &status);
    CALL(MPI_Recv(&in, 1, MPI_INT, MPI_PROC_NULL, 1, comm, &status));
    expect_mark("receive from nobody", &status);
}

static void several(MPI_Comm comm, int source)
{
    MPI_Request r[2];
    MPI_Status s[2] = {{.MPI_ERROR = MARK}, {.MPI_ERROR = MARK}};
    int out = 1, in, flag, place;

    for (int i = 0; i < 2; i++) {
        CALL(MPI_Irecv(&in, 1, MPI_INT, source, 1, comm, &r[0]));
        CALL(MPI_Isend(&out, 1, MPI_INT, source, 1, comm, &r[1]));
        for (int n = 0; i == 0 && n < 2; n++)
            CALL(MPI_Waitany(2, r, &place, &s[n]));
        for (int n = 0; i == 1 && n < 2; n += flag)
            CALL(MPI_Testany(2, r, &place, &flag, &s[n]));
        expect_mark("first of several", &s[0]);
        expect_mark("second of several", &s[1]);
    }
    CALL(MPI_Irecv(&in, 1, MPI_INT, source, 1, comm, &r[0]));
    CALL(MPI_Send(&out, 1, MPI_INT, source, 1, comm));
    for (flag = 0; !flag;)
        CALL(MPI_Request_get_status(r[0], &flag, s));
    expect_mark("get_status", s);
    CALL(MPI_Wait(&r[0], s));
    expect_mark("wait", s);
}

int main(int argc, char **argv)
{
    conform_init(&argc, &argv);
    matched(MPI_COMM_SELF, 0);
    several(MPI_COMM_SELF, 0);
    matched(MPI_COMM_WORLD, rank_of(MPI_COMM_WORLD));
    several(MPI_COMM_WORLD, rank_of(MPI_COMM_WORLD));
    return conform_end(0);
}
