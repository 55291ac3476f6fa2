/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays of requests: of endpoints, of a classic communicator, of both, with null requests in between. */
#include "check.hpp"
#include <algorithm>
#include <thread>
#include <vector>

using namespace ep_lib;

static const int n = 6; /* receives in an array; each third request is null */

/* Receive i has tag i; its message is 100 * i + the sender's rank. */
struct traffic {
    std::function<member(int)> as; /* who I am where receive i is */
    std::vector<int> in, out;
    std::vector<MPI_Request> receives, sends;
    std::vector<MPI_Status> statuses;

    explicit traffic(const std::function<member(int)> &where)
        : as(where), in(3 * n, -9), out(n), receives(3 * n), sends(n), statuses(3 * n)
    {
        for (int i = 0; i < n; i++) {
            member me = as(i);
            CHECK_OK(MPI_Irecv(&in[slot(i)], 1, MPI_INT, me.left(), i, me.comm, &receives[slot(i)]));
        }
    }
    static std::size_t slot(int i) { return static_cast<std::size_t>(3 * i + 1); }

    void send(int i)
    {
        member me = as(i);
        out[static_cast<std::size_t>(i)] = 100 * i + me.rank;
        CHECK_OK(MPI_Isend(&out[static_cast<std::size_t>(i)], 1, MPI_INT, me.right(), i, me.comm,
                           &sends[static_cast<std::size_t>(i)]));
    }
    void check(int i, const MPI_Status &status)
    {
        member me = as(i);
        int count = -1;
        CHECK_EQ(in[slot(i)], 100 * i + me.left());
        CHECK(receives[slot(i)] == MPI_REQUEST_NULL && status.ep_src == me.left() && status.ep_tag == i);
        CHECK_EQ(status.MPI_ERROR, MPI_SUCCESS);
        CHECK_OK(MPI_Get_count(&status, MPI_INT, &count));
        CHECK_EQ(count, 1);
    }
    void end() { CHECK_OK(MPI_Waitall(n, sends.data(), MPI_STATUSES_IGNORE)); }
    int count() const { return 3 * n; }
};

typedef std::function<member(int)> sides;

static void check_empty(const MPI_Status &status)
{
    int count = -1;
    CHECK(status.ep_src == MPI_ANY_SOURCE && status.ep_tag == MPI_ANY_TAG && status.MPI_ERROR == MPI_SUCCESS);
    CHECK_OK(MPI_Get_count(&status, MPI_INT, &count));
    CHECK_EQ(count, 0);
}

static void check_waitall(const sides &where)
{
    traffic t(where);
    for (int i = n - 1; i >= 0; i--)
        t.send(i);
    CHECK_OK(MPI_Waitall(t.count(), t.receives.data(), t.statuses.data()));
    for (int i = 0; i < n; i++) {
        t.check(i, t.statuses[t.slot(i)]);
        check_empty(t.statuses[t.slot(i) + 1]);
    }
    t.end();
}

static void check_testall(member &m, const sides &where)
{
    traffic t(where);
    int flag = 1;
    for (int i = 1; i < n; i++)
        t.send(i);
    for (int k = 0; k < 20; k++) { /* one is missing, so none is completed */
        CHECK_OK(MPI_Testall(t.count(), t.receives.data(), &flag, t.statuses.data()));
        CHECK_EQ(flag, 0);
    }
    for (int i = 0; i < n; i++)
        CHECK(t.receives[t.slot(i)] != MPI_REQUEST_NULL);
    CHECK_OK(MPI_Barrier(m.comm));
    t.send(0);
    while (!flag)
        CHECK_OK(MPI_Testall(t.count(), t.receives.data(), &flag, t.statuses.data()));
    for (int i = 0; i < n; i++)
        t.check(i, t.statuses[t.slot(i)]);
    check_empty(t.statuses[0]);
    t.end();
}

static void check_any(member &m, const sides &where, bool test)
{
    traffic t(where);
    int index = -1, flag = 0;
    MPI_Status status;
    std::vector<int> got;
    if (test) {
        CHECK_OK(MPI_Barrier(m.comm));
        CHECK_OK(MPI_Testany(t.count(), t.receives.data(), &index, &flag, &status));
        CHECK(flag == 0 && index == MPI_UNDEFINED);
        CHECK_OK(MPI_Barrier(m.comm));
    }
    for (int i = 0; i < n; i++)
        t.send(i);
    while (static_cast<int>(got.size()) < n) {
        flag = !test;
        if (!test)
            CHECK_OK(MPI_Waitany(t.count(), t.receives.data(), &index, &status));
        while (!flag)
            CHECK_OK(MPI_Testany(t.count(), t.receives.data(), &index, &flag, &status));
        if (!CHECK(index != MPI_UNDEFINED && index % 3 == 1))
            return;
        t.check(index / 3, status);
        got.push_back(index);
    }
    std::sort(got.begin(), got.end());
    CHECK(std::unique(got.begin(), got.end()) == got.end());
    CHECK_OK(MPI_Waitany(t.count(), t.receives.data(), &index, &status));
    CHECK_EQ(index, MPI_UNDEFINED);
    check_empty(status);
    CHECK_OK(MPI_Testany(t.count(), t.receives.data(), &index, &flag, &status));
    CHECK(flag == 1 && index == MPI_UNDEFINED);
    t.end();
}

static void check_some(member &m, const sides &where, bool test)
{
    traffic t(where);
    int outcount = -1, got = 0, indices[3 * n];
    if (test) {
        CHECK_OK(MPI_Barrier(m.comm));
        CHECK_OK(MPI_Testsome(t.count(), t.receives.data(), &outcount, indices, t.statuses.data()));
        CHECK_EQ(outcount, 0);
        CHECK_OK(MPI_Barrier(m.comm));
    }
    for (int i = 0; i < n; i++)
        t.send(i);
    while (got < n) {
        if (test)
            CHECK_OK(MPI_Testsome(t.count(), t.receives.data(), &outcount, indices, t.statuses.data()));
        else
            CHECK_OK(MPI_Waitsome(t.count(), t.receives.data(), &outcount, indices, t.statuses.data()));
        if (!CHECK(outcount >= !test && outcount <= n))
            return;
        for (int i = 0; i < outcount; i++)
            t.check(indices[i] / 3, t.statuses[static_cast<std::size_t>(i)]);
        got += outcount;
    }
    CHECK_EQ(got, n);
    CHECK_OK(MPI_Waitsome(t.count(), t.receives.data(), &outcount, indices, MPI_STATUSES_IGNORE));
    CHECK_EQ(outcount, MPI_UNDEFINED);
    CHECK_OK(MPI_Testsome(t.count(), t.receives.data(), &outcount, indices, MPI_STATUSES_IGNORE));
    CHECK_EQ(outcount, MPI_UNDEFINED);
    t.end();
}

/* One message is too long: its status has the error, the others do not. */
static void check_errors(member &m, const sides &where)
{
    /* Open MPI does not notice it in what a process sends to itself, and its MPI_Waitall may hang. */
    if (!where(0).comm.is_ep && (where(0).size == 1 || !where(1).comm.is_ep))
        return;
    int in[2] = {-9, -9}, out[2] = {1, 2}, error_class = -1;
    MPI_Request requests[2];
    MPI_Status statuses[2];
    for (int i = 0; i < 2; i++)
        CHECK_OK(MPI_Irecv(&in[i], 1, MPI_INT, where(i).left(), i, where(i).comm, &requests[i]));
    CHECK_OK(MPI_Send(out, 2, MPI_INT, where(0).right(), 0, where(0).comm));
    CHECK_OK(MPI_Send(out, 1, MPI_INT, where(1).right(), 1, where(1).comm));
    CHECK_OK(MPI_Error_class(MPI_Waitall(2, requests, statuses), &error_class));
    CHECK_EQ(error_class, MPI_ERR_IN_STATUS);
    CHECK_OK(MPI_Error_class(statuses[0].MPI_ERROR, &error_class));
    CHECK_EQ(error_class, MPI_ERR_TRUNCATE);
    CHECK_EQ(statuses[1].MPI_ERROR, MPI_SUCCESS);
    CHECK(in[1] == 1 && requests[0] == MPI_REQUEST_NULL && requests[1] == MPI_REQUEST_NULL);
    CHECK_OK(MPI_Barrier(m.comm));
}

static void check_all(member &m, const sides &where)
{
    check_waitall(where);
    check_testall(m, where);
    for (bool test : {false, true}) {
        check_any(m, where, test);
        check_some(m, where, test);
    }
    check_errors(m, where);
}

static void test_one_kind(member &m)
{
    check_all(m, [&](int) { return m; });
    MPI_Request null;
    MPI_Status status;
    int flag = 0;
    CHECK_OK(MPI_Wait(&null, &status));
    check_empty(status);
    CHECK_OK(MPI_Test(&null, &flag, &status));
    CHECK_EQ(flag, 1);
}

/* Endpoint i of each process also talks on classic communicator i, with the endpoints i of the other processes. */
static std::vector<MPI_Comm> classic(8);

static void test_both_kinds(member &m)
{
    member other = m;
    other.comm = classic[static_cast<std::size_t>(m.index)];
    MPI_Comm_rank(other.comm, &other.rank);
    MPI_Comm_size(other.comm, &other.size);
    for (int which = 0; which < 2; which++)
        check_all(m, [&](int i) { return i % 2 == which ? other : m; });
    /* What waits for both needs the progress of both: the classic message is long, and sent after the endpoint's came. */
    std::vector<int> large(500000, m.rank), got(large.size(), -1);
    int in = -1, out = 4;
    MPI_Request requests[3];
    CHECK_OK(MPI_Irecv(got.data(), 500000, MPI_INT, other.left(), 3, other.comm, &requests[0]));
    CHECK_OK(MPI_Irecv(&in, 1, MPI_INT, m.left(), 4, m.comm, &requests[1]));
    CHECK_OK(MPI_Issend(large.data(), 500000, MPI_INT, other.right(), 3, other.comm, &requests[2]));
    std::thread later([&] { CHECK_OK(MPI_Send(&out, 1, MPI_INT, m.right(), 4, m.comm)); });
    CHECK_OK(MPI_Waitall(3, requests, MPI_STATUSES_IGNORE));
    later.join();
    CHECK(in == 4 && got.back() >= 0);
}

/* What is wrong in a way that belongs to no communicator is the world's, whose handler run_program has set. */
static void test_wrong()
{
    MPI_Request request;
    int flag = 0, error_class = -1;
    CHECK_OK(MPI_Error_class(MPI_Waitall(-1, &request, MPI_STATUSES_IGNORE), &error_class));
    CHECK_EQ(error_class, MPI_ERR_COUNT);
    for (int code : {MPI_Wait(nullptr, MPI_STATUS_IGNORE), MPI_Test(&request, nullptr, MPI_STATUS_IGNORE),
                     MPI_Testall(1, &request, nullptr, MPI_STATUSES_IGNORE),
                     MPI_Waitany(1, &request, nullptr, MPI_STATUS_IGNORE),
                     MPI_Testany(1, &request, nullptr, &flag, MPI_STATUS_IGNORE)}) {
        CHECK_OK(MPI_Error_class(code, &error_class));
        CHECK_EQ(error_class, MPI_ERR_ARG);
    }
}

int main(int argc, char **argv)
{
    return run_program(&argc, &argv, [] {
        test_wrong();
        on_both(test_one_kind);
        for (MPI_Comm &comm : classic) {
            CHECK_OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
            CHECK_OK(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
        }
        on_endpoints(test_both_kinds);
        for (MPI_Comm &comm : classic)
            CHECK_OK(MPI_Comm_free(&comm));
    });
}
