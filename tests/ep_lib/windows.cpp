/* SPDX-License-Identifier: BSD-3-Clause */
/* Windows: each way to make one, each way to synchronise, each operation, to the right neighbour. */
#include "check.hpp"
#include <vector>

using namespace ep_lib;

static const int room = 8;

static void store(int *memory, int first)
{
    for (int i = 0; i < room; i++)
        memory[i] = first + i;
}

/* Open MPI with MPI_THREAD_MULTIPLE may have no windows over memory of the program. ep has. */
static bool is_lacking(const member &m, int code)
{
    return code != MPI_SUCCESS && !m.comm.is_ep;
}

static void test_fence(member &m)
{
    std::vector<int> memory(room, -1);
    int from[2] = {m.rank, m.rank + 1}, got[2] = {-9, -9}, flag = 0;
    MPI_Win win;
    void *base = nullptr;
    MPI_Aint *size = nullptr;
    int code = MPI_Win_create(memory.data(), room * sizeof(int), sizeof(int), MPI_INFO_NULL, m.comm, &win);
    if (is_lacking(m, code))
        return;
    CHECK_OK(code);
    CHECK(win != MPI_WIN_NULL);
    CHECK_OK(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
    CHECK_OK(MPI_Win_get_attr(win, MPI_WIN_BASE, &base, &flag));
    CHECK(flag && base == memory.data());
    CHECK_OK(MPI_Win_get_attr(win, MPI_WIN_SIZE, &size, &flag));
    CHECK(flag && *size == static_cast<MPI_Aint>(room * sizeof(int)));
    CHECK_OK(MPI_Win_fence(MPI_MODE_NOPRECEDE, win));
    CHECK_OK(MPI_Put(from, 2, MPI_INT, m.right(), 1, 2, MPI_INT, win));
    CHECK_OK(MPI_Put(from, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, win));
    CHECK_OK(MPI_Win_fence(0, win));
    CHECK(memory[0] == -1 && memory[1] == m.left() && memory[2] == m.left() + 1 && memory[3] == -1);
    CHECK_OK(MPI_Get(got, 2, MPI_INT, m.right(), 1, 2, MPI_INT, win));
    CHECK_OK(MPI_Win_fence(MPI_MODE_NOSUCCEED, win));
    CHECK(got[0] == m.rank && got[1] == m.rank + 1);
    CHECK_OK(MPI_Win_free(&win));
    CHECK(win == MPI_WIN_NULL);
}

static void test_locks(member &m)
{
    int *memory = nullptr, value = m.rank + 1, got = -9, one = 1, zero = 0, compared = m.size;
    int whole[2] = {-9, -9}, add[2] = {10, 20};
    MPI_Win win;
    CHECK_OK(MPI_Win_allocate(room * sizeof(int), sizeof(int), MPI_INFO_NULL, m.comm, &memory, &win));
    CHECK_OK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, m.rank, 0, win));
    store(memory, 0);
    CHECK_OK(MPI_Win_unlock(m.rank, win));
    CHECK_OK(MPI_Barrier(m.comm));
    CHECK_OK(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win));
    CHECK_OK(MPI_Accumulate(&value, 1, MPI_INT, 0, 1, 1, MPI_INT, MPI_SUM, win));
    CHECK_OK(MPI_Win_flush(0, win));
    CHECK_OK(MPI_Fetch_and_op(&one, &got, MPI_INT, 0, 0, MPI_SUM, win));
    CHECK_OK(MPI_Win_flush_local(0, win));
    CHECK(got >= 0 && got < m.size);
    CHECK_OK(MPI_Win_unlock(0, win));
    CHECK_OK(MPI_Barrier(m.comm));
    CHECK_OK(MPI_Win_lock_all(0, win));
    CHECK_OK(MPI_Fetch_and_op(&zero, &got, MPI_INT, 0, 1, MPI_NO_OP, win));
    CHECK_OK(MPI_Win_flush_local_all(win));
    CHECK_EQ(got, 1 + m.size * (m.size + 1) / 2);
    CHECK_OK(MPI_Barrier(m.comm));
    if (m.rank == 0)
        CHECK_OK(MPI_Compare_and_swap(&zero, &compared, &got, MPI_INT, 0, 0, win));
    CHECK_OK(MPI_Win_flush_all(win));
    CHECK_OK(MPI_Win_sync(win));
    if (m.rank == 0)
        CHECK(got == m.size && memory[0] == 0);
    CHECK_OK(MPI_Get_accumulate(add, 2, MPI_INT, whole, 2, MPI_INT, m.right(), 4, 2, MPI_INT, MPI_SUM, win));
    CHECK_OK(MPI_Win_unlock_all(win));
    CHECK(whole[0] == 4 && whole[1] == 5);
    CHECK_OK(MPI_Barrier(m.comm));
    CHECK_OK(MPI_Win_lock(MPI_LOCK_SHARED, m.rank, 0, win));
    CHECK(memory[4] == 14 && memory[5] == 25);
    CHECK_OK(MPI_Win_unlock(m.rank, win));
    CHECK_OK(MPI_Win_free(&win));
}

/* Each operation on MPI_PROC_NULL. */
static void test_nobody(MPI_Win win)
{
    int value = 1, got = 2;
    MPI_Request requests[2];
    CHECK_OK(MPI_Win_lock_all(0, win));
    CHECK_OK(MPI_Get(&got, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, win));
    CHECK_OK(MPI_Accumulate(&value, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, MPI_SUM, win));
    CHECK_OK(
        MPI_Get_accumulate(&value, 1, MPI_INT, &got, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, MPI_SUM, win));
    CHECK_OK(MPI_Fetch_and_op(&value, &got, MPI_INT, MPI_PROC_NULL, 0, MPI_SUM, win));
    CHECK_OK(MPI_Compare_and_swap(&value, &value, &got, MPI_INT, MPI_PROC_NULL, 0, win));
    CHECK_OK(MPI_Rput(&value, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, win, &requests[0]));
    CHECK_OK(MPI_Rget(&got, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, win, &requests[1]));
    CHECK_OK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    CHECK_OK(MPI_Win_unlock_all(win));
    CHECK_EQ(got, 2);
}

static void test_requests(member &m)
{
    int *memory = nullptr, value = m.rank, got = -9;
    MPI_Win win;
    MPI_Request requests[2];
    CHECK_OK(MPI_Win_allocate(room * sizeof(int), sizeof(int), MPI_INFO_NULL, m.comm, &memory, &win));
    *memory = 5;
    CHECK_OK(MPI_Win_lock_all(0, win));
    CHECK_OK(MPI_Rput(&value, 1, MPI_INT, m.right(), 2, 1, MPI_INT, win, &requests[0]));
    CHECK_OK(MPI_Waitall(1, requests, MPI_STATUSES_IGNORE));
    CHECK_OK(MPI_Win_flush_all(win));
    CHECK_OK(MPI_Rget(&got, 1, MPI_INT, m.right(), 2, 1, MPI_INT, win, &requests[1]));
    CHECK_OK(MPI_Wait(&requests[1], MPI_STATUS_IGNORE));
    CHECK_EQ(got, m.rank);
    CHECK_OK(MPI_Win_unlock_all(win));
    test_nobody(win);
    CHECK_EQ(*memory, 5);
    CHECK_OK(MPI_Win_free(&win));
}

static void test_shared(member &m)
{
    int *memory = nullptr, *theirs = nullptr, unit = 0;
    MPI_Aint size = 0;
    MPI_Win win;
    MPI_Comm machine;
    CHECK_OK(MPI_Comm_split_type(m.comm, MPI_COMM_TYPE_SHARED, m.rank, MPI_INFO_NULL, &machine));
    CHECK_OK(MPI_Win_allocate_shared(room * sizeof(int), sizeof(int), MPI_INFO_NULL, machine, &memory, &win));
    CHECK_OK(MPI_Win_fence(0, win));
    memory[3] = 100 + m.rank;
    CHECK_OK(MPI_Win_fence(0, win));
    CHECK_OK(MPI_Win_shared_query(win, m.right(), &size, &unit, &theirs));
    CHECK(size == static_cast<MPI_Aint>(room * sizeof(int)) && unit == static_cast<int>(sizeof(int)));
    CHECK_EQ(theirs[3], 100 + m.right());
    CHECK_OK(MPI_Win_fence(0, win));
    CHECK_OK(MPI_Win_free(&win));
    CHECK_OK(MPI_Comm_free(&machine));
}

static void test_dynamic(member &m)
{
    std::vector<int> memory(room, -1);
    MPI_Aint mine = 0, theirs = 0;
    int value = m.rank;
    MPI_Win win;
    int code = MPI_Win_create_dynamic(MPI_INFO_NULL, m.comm, &win);
    if (is_lacking(m, code))
        return;
    CHECK_OK(code);
    CHECK_OK(MPI_Win_attach(win, memory.data(), room * sizeof(int)));
    CHECK_OK(MPI_Get_address(&memory[2], &mine));
    CHECK_OK(MPI_Sendrecv(&mine, 1, MPI_AINT, m.left(), 0, &theirs, 1, MPI_AINT, m.right(), 0, m.comm,
                          MPI_STATUS_IGNORE));
    CHECK_OK(MPI_Win_fence(0, win));
    CHECK_OK(MPI_Put(&value, 1, MPI_INT, m.right(), theirs, 1, MPI_INT, win));
    CHECK_OK(MPI_Win_fence(0, win));
    CHECK(memory[2] == m.left() && memory[1] == -1);
    CHECK_OK(MPI_Win_detach(win, memory.data()));
    CHECK_OK(MPI_Win_free(&win));
}

/* Post and start: even ranks expose, odd ones put. */
static void test_groups(member &m)
{
    std::vector<int> memory(room, -1);
    MPI_Group all, partner;
    MPI_Win win;
    int other = m.rank ^ 1, value = m.rank, flag = 0;
    int code = MPI_Win_create(memory.data(), room * sizeof(int), sizeof(int), MPI_INFO_NULL, m.comm, &win);
    if (is_lacking(m, code))
        return;
    CHECK_OK(code);
    CHECK_OK(MPI_Win_get_group(win, &all));
    for (int round = 0; round < 2 && other < m.size; round++) {
        CHECK_OK(MPI_Group_incl(all, 1, &other, &partner));
        if (m.rank % 2 == 0) {
            CHECK_OK(MPI_Win_post(partner, 0, win));
            if (round == 0)
                CHECK_OK(MPI_Win_wait(win));
            for (flag = round == 0; !flag;)
                CHECK_OK(MPI_Win_test(win, &flag));
            CHECK_EQ(memory[static_cast<std::size_t>(round)], other);
        } else {
            CHECK_OK(MPI_Win_start(partner, 0, win));
            CHECK_OK(MPI_Put(&value, 1, MPI_INT, other, round, 1, MPI_INT, win));
            CHECK_OK(MPI_Win_complete(win));
        }
        CHECK_OK(MPI_Group_free(&partner));
    }
    CHECK_OK(MPI_Group_free(&all));
    CHECK_OK(MPI_Win_free(&win));
}

int main(int argc, char **argv)
{
    return run_program(&argc, &argv, [] {
        for (const team_body &body : std::vector<team_body>{test_fence, test_locks, test_requests,
                                                            test_shared, test_dynamic, test_groups})
            on_both(body);
    });
}
