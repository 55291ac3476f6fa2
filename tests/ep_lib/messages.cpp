/* SPDX-License-Identifier: BSD-3-Clause */
/* Point-to-point: every mode to the right neighbour, which may be the sender itself; probes; statuses. */
#include "check.hpp"
#include <vector>

using namespace ep_lib;

static const int tag = 17;

/* What came is what the left neighbour sent, and the status says so by both names. */
static void check_status(const member &m, const MPI_Status &status, int wanted_tag, int wanted_count)
{
    int count = -1, cancelled = -1;
    CHECK_EQ(status.MPI_SOURCE, m.left());
    CHECK_EQ(status.ep_src, m.left());
    CHECK_EQ(status->ep_src, m.left());
    CHECK_EQ(status.MPI_TAG, wanted_tag);
    CHECK_EQ(status.ep_tag, wanted_tag);
    CHECK_OK(MPI_Get_count(&status, MPI_INT, &count));
    CHECK_EQ(count, wanted_count);
    CHECK_OK(MPI_Get_elements(&status, MPI_INT, &count));
    CHECK_EQ(count, wanted_count);
    CHECK_OK(MPI_Test_cancelled(&status, &cancelled));
    CHECK_EQ(cancelled, 0);
}

typedef int send_function(const void *, int, MPI_Datatype, int, int, MPI_Comm);
typedef int isend_function(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);

/* source: the neighbour, or any of the two numbers for any source. */
static void check_send(member &m, send_function *send, int source)
{
    int from[3] = {m.rank, m.rank + 1, -1}, to[4] = {-9, -9, -9, -9};
    MPI_Request request;
    MPI_Status status;
    CHECK_OK(MPI_Irecv(to, 4, MPI_INT, source, tag, m.comm, &request));
    CHECK(request != MPI_REQUEST_NULL);
    CHECK_OK(send(from, 3, MPI_INT, m.right(), tag, m.comm));
    CHECK_OK(MPI_Wait(&request, &status));
    CHECK(request == MPI_REQUEST_NULL && status.ep_datatype == MPI_INT);
    CHECK(to[0] == m.left() && to[1] == m.left() + 1 && to[2] == -1 && to[3] == -9);
    check_status(m, status, tag, 3);
}

static void check_isend(member &m, isend_function *isend)
{
    int from[2] = {m.rank, 5}, to[2] = {-9, -9}, flag = 0;
    MPI_Request requests[2];
    MPI_Status status;
    CHECK_OK(MPI_Irecv(to, 2, EP_INT, EP_ANY_SOURCE, EP_ANY_TAG, m.comm, &requests[0]));
    CHECK_OK(MPI_Barrier(m.comm)); /* a ready send's receive is posted */
    CHECK_OK(isend(from, 2, EP_INT, m.right(), tag + 1, m.comm, &requests[1]));
    while (!flag)
        CHECK_OK(MPI_Test(&requests[0], &flag, &status));
    CHECK_OK(MPI_Wait(&requests[1], MPI_STATUS_IGNORE));
    CHECK(to[0] == m.left() && to[1] == 5 && requests[0] == MPI_REQUEST_NULL);
    check_status(m, status, tag + 1, 2);
}

static void test_modes(member &m)
{
    std::vector<char> buffer(1000 + static_cast<std::size_t>(MPI_BSEND_OVERHEAD));
    char *given = nullptr;
    int size = 0;
    CHECK_OK(MPI_Buffer_attach(buffer.data(), static_cast<int>(buffer.size()), m.comm));
    for (int source : {m.left(), MPI_ANY_SOURCE, -2, -1}) {
        check_send(m, MPI_Send, source);
        check_send(m, MPI_Ssend, source);
        check_send(m, MPI_Bsend, source);
        CHECK_OK(MPI_Barrier(m.comm));
    }
    check_isend(m, MPI_Isend);
    check_isend(m, MPI_Issend);
    check_isend(m, MPI_Irsend);
    check_isend(m, MPI_Ibsend);
    CHECK_OK(MPI_Buffer_detach(&given, &size, m.comm));
    CHECK(given == buffer.data() && size == static_cast<int>(buffer.size()));
    if (!m.comm.is_ep)
        return;
    CHECK_OK(MPI_Buffer_attach(buffer.data(), 500));
    CHECK_OK(MPI_Buffer_detach(&given, &size));
    CHECK(given == buffer.data() && size == 500);
}

static void test_ready(member &m)
{
    int from = m.rank, to = -9;
    MPI_Request request;
    CHECK_OK(MPI_Irecv(&to, 1, MPI_INT, m.left(), tag, m.comm, &request));
    CHECK_OK(MPI_Barrier(m.comm));
    CHECK_OK(MPI_Rsend(&from, 1, MPI_INT, m.right(), tag, m.comm));
    CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_EQ(to, m.left());
}

static void test_receive(member &m)
{
    int from = m.rank, to = -9;
    MPI_Request request;
    MPI_Status status;
    CHECK_OK(MPI_Isend(&from, 1, MPI_INT, m.right(), tag, m.comm, &request));
    CHECK_OK(MPI_Recv(&to, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, m.comm, &status));
    CHECK_EQ(to, m.left());
    check_status(m, status, tag, 1);
    CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_OK(
        MPI_Sendrecv(&from, 1, MPI_INT, m.right(), tag, &to, 1, MPI_INT, m.left(), tag, m.comm, &status));
    check_status(m, status, tag, 1);
    CHECK_OK(MPI_Sendrecv_replace(&from, 1, MPI_INT, m.right(), tag, m.left(), tag, m.comm, &status));
    CHECK_EQ(from, m.left());
    check_status(m, status, tag, 1);
}

/* More than fits. */
static void test_truncation(member &m)
{
    int from[4] = {1, 2, 3, 4}, to[2] = {-9, -9}, error_class = -1;
    MPI_Request request;
    if (m.size == 1 && !m.comm.is_ep)
        return; /* Open MPI does not notice it in what a process sends to itself */
    CHECK_OK(MPI_Irecv(to, 2, MPI_INT, m.left(), tag, m.comm, &request));
    CHECK_OK(MPI_Send(from, 4, MPI_INT, m.right(), tag, m.comm));
    CHECK_OK(MPI_Error_class(MPI_Wait(&request, MPI_STATUS_IGNORE), &error_class));
    CHECK_EQ(error_class, MPI_ERR_TRUNCATE);
    CHECK(request == MPI_REQUEST_NULL);
}

/* MPI_PROC_NULL is neither number of any source. */
static void test_nobody(member &m)
{
    int value = 3, other = 4;
    MPI_Request requests[2];
    MPI_Status status, statuses[2];
    MPI_Message message;
    int flag = 0;
    CHECK_OK(MPI_Send(&value, 1, MPI_INT, MPI_PROC_NULL, tag, m.comm));
    CHECK_OK(MPI_Recv(&value, 1, MPI_INT, MPI_PROC_NULL, tag, m.comm, &status));
    CHECK(value == 3 && status.ep_src == MPI_PROC_NULL && status.MPI_SOURCE == MPI_PROC_NULL &&
          status.ep_tag == MPI_ANY_TAG);
    CHECK_OK(MPI_Improbe(MPI_PROC_NULL, tag, m.comm, &flag, &message, &status));
    CHECK(flag && message == MPI_MESSAGE_NO_PROC && status.ep_src == MPI_PROC_NULL);
    CHECK_OK(MPI_Mrecv(&value, 1, MPI_INT, &message, &status));
    CHECK(value == 3 && message == MPI_MESSAGE_NULL);
    for (send_function *send : {MPI_Send, MPI_Ssend, MPI_Rsend, MPI_Bsend})
        CHECK_OK(send(&value, 1, MPI_INT, MPI_PROC_NULL, tag, m.comm));
    for (isend_function *isend : {MPI_Isend, MPI_Issend, MPI_Irsend, MPI_Ibsend}) {
        CHECK_OK(isend(&value, 1, MPI_INT, MPI_PROC_NULL, tag, m.comm, &requests[0]));
        CHECK_OK(MPI_Irecv(&value, 1, MPI_INT, MPI_PROC_NULL, tag, m.comm, &requests[1]));
        CHECK_OK(MPI_Waitall(2, requests, statuses));
        CHECK_EQ(value, 3);
        if (m.comm.is_ep) /* MPICH 4.0 itself leaves such statuses of MPI_Waitall as they were */
            CHECK(statuses[1].ep_src == MPI_PROC_NULL && statuses[1].ep_tag == MPI_ANY_TAG);
    }
    CHECK_OK(MPI_Sendrecv(&value, 1, MPI_INT, MPI_PROC_NULL, tag, &other, 1, MPI_INT, MPI_PROC_NULL, tag,
                          m.comm, &status));
    CHECK(other == 4 && status.ep_src == MPI_PROC_NULL);
    CHECK_OK(
        MPI_Sendrecv_replace(&value, 1, MPI_INT, MPI_PROC_NULL, tag, MPI_PROC_NULL, tag, m.comm, &status));
    CHECK(value == 3 && status.ep_src == MPI_PROC_NULL);
    CHECK_OK(MPI_Probe(MPI_PROC_NULL, tag, m.comm, &status));
    CHECK_EQ(status.ep_src, MPI_PROC_NULL);
}

static void test_probes(member &m)
{
    int from[2] = {m.rank, 8}, to[2] = {-9, -9}, flag = 0, count = -1;
    MPI_Request request;
    MPI_Status status;
    CHECK_OK(MPI_Iprobe(-2, tag + 40, m.comm, &flag, &status)); /* there is none */
    CHECK(flag == 0 && status.ep_src == MPI_ANY_SOURCE && status.ep_tag == MPI_ANY_TAG);
    CHECK_OK(MPI_Barrier(m.comm));
    CHECK_OK(MPI_Isend(from, 2, MPI_INT, m.right(), tag, m.comm, &request));
    while (!flag)
        CHECK_OK(MPI_Iprobe(-2, MPI_ANY_TAG, m.comm, &flag, &status));
    check_status(m, status, tag, 2);
    CHECK_OK(MPI_Probe(MPI_ANY_SOURCE, tag, m.comm, &status));
    check_status(m, status, tag, 2);
    CHECK_OK(MPI_Get_count(&status, MPI_INT, &count));
    CHECK_OK(MPI_Recv(to, count, MPI_INT, status.ep_src, status->ep_tag, m.comm, MPI_STATUS_IGNORE));
    CHECK(to[0] == m.left() && to[1] == 8);
    CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
}

/* In each form: the message by its address and by its value. */
static void test_matched(member &m)
{
    for (int form = 0; form < 4; form++) {
        int from = m.rank + form, to = -9, flag = 0;
        MPI_Request sending, receiving;
        MPI_Message message;
        MPI_Status status, probed;
        CHECK_OK(MPI_Isend(&from, 1, MPI_INT, m.right(), tag, m.comm, &sending));
        if (form == 1)
            CHECK_OK(MPI_Mprobe(-1, tag, m.comm, &message, &probed));
        while (form != 1 && !flag) {
            CHECK_OK(MPI_Improbe(-2, tag, m.comm, &flag, &message, &probed));
            CHECK_EQ(message != MPI_MESSAGE_NULL, flag);
        }
        check_status(m, probed, tag, 1);
        if (form == 0)
            CHECK_OK(MPI_Mrecv(&to, 1, MPI_INT, &message, &status));
        if (form == 1)
            CHECK_OK(MPI_Mrecv(&to, 1, MPI_INT, message, &status));
        if (form == 2)
            CHECK_OK(MPI_Imrecv(&to, 1, MPI_INT, &message, &receiving));
        if (form == 3)
            CHECK_OK(MPI_Imrecv(&to, 1, MPI_INT, message, &receiving));
        CHECK_EQ(message == MPI_MESSAGE_NULL, form % 2 == 0);
        if (form > 1)
            CHECK_OK(MPI_Wait(&receiving, &status));
        CHECK_EQ(to, m.left() + form);
        check_status(m, status, tag, 1);
        CHECK(status.ep_datatype == MPI_INT && probed.ep_datatype == MPI_DATATYPE_NULL);
        CHECK_OK(MPI_Wait(&sending, MPI_STATUS_IGNORE));
    }
}

/* A receive that nobody sends to. */
static void test_cancelled(member &m)
{
    int to = -9, flag = 0;
    MPI_Request request;
    MPI_Status status;
    CHECK_OK(MPI_Irecv(&to, 1, MPI_INT, m.left(), tag + 50, m.comm, &request));
    CHECK_OK(MPI_Cancel(&request));
    CHECK_OK(MPI_Wait(&request, &status));
    CHECK_OK(MPI_Test_cancelled(&status, &flag));
    CHECK(flag == 1 && to == -9);
    /* The field says it to both functions, and in copies. */
    int count = -1;
    MPI_Status other;
    CHECK_EQ(status.cancelled, 1);
    CHECK_OK(MPI_Get_count(&status, MPI_INT, &count));
    CHECK_EQ(count, 0);
    CHECK_EQ(other.cancelled, 0);
    other.cancelled = 1;
    other.bytes = 4;
    CHECK_OK(MPI_Test_cancelled(&other, &flag));
    CHECK_EQ(flag, 1);
}

static void test_free(member &m)
{
    int from = m.rank, to = -9;
    MPI_Request request;
    CHECK_OK(MPI_Isend(&from, 1, MPI_INT, m.right(), tag, m.comm, &request));
    CHECK_OK(MPI_Request_free(&request));
    CHECK(request == MPI_REQUEST_NULL);
    CHECK_OK(MPI_Recv(&to, 1, MPI_INT, m.left(), tag, m.comm, MPI_STATUS_IGNORE));
    CHECK_EQ(to, m.left());
    CHECK_OK(MPI_Barrier(m.comm));
}

int main(int argc, char **argv)
{
    return run_program(&argc, &argv, [] {
        for (const team_body &body :
             std::vector<team_body>{test_modes, test_ready, test_receive, test_truncation, test_nobody,
                                    test_probes, test_matched, test_cancelled, test_free})
            on_both(body);
    });
}
