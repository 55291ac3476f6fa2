/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives, each blocking and with a request. What rank r gives for rank s is 1000 * r + s, so that a block out of place shows. */
#include "check.hpp"
#include <numeric>
#include <vector>

using namespace ep_lib;

typedef std::vector<int> ints;

static std::size_t at(int i)
{
    return static_cast<std::size_t>(i);
}
static int piece(int from, int to)
{
    return 1000 * from + to;
}

/* Blocks of r + 1 elements of rank r, one behind the other. */
struct blocks {
    ints counts, displs;
    int total;
    explicit blocks(int n) : total(0)
    {
        for (int r = 0; r < n; r++) {
            counts.push_back(r + 1);
            displs.push_back(total);
            total += r + 1;
        }
    }
};

/* Whether the call at hand blocks; a request is waited for at once. */
static thread_local bool blocking;
static thread_local MPI_Request pending;

static void done(int code)
{
    CHECK_OK(code);
    if (!blocking) {
        CHECK_OK(MPI_Wait(&pending, MPI_STATUS_IGNORE));
        CHECK(pending == MPI_REQUEST_NULL);
    }
}

#define BOTH(name, iname, ...)                                                                               \
    done(blocking ? MPI_##name(__VA_ARGS__, m.comm) : MPI_##iname(__VA_ARGS__, m.comm, &pending))

static void test_simple(member &m)
{
    int value = m.rank == m.size - 1 ? 77 : -1;
    done(blocking ? MPI_Barrier(m.comm) : MPI_Ibarrier(m.comm, &pending));
    BOTH(Bcast, Ibcast, &value, 1, MPI_INT, m.size - 1);
    CHECK_EQ(value, 77);
}

static void test_gathers(member &m)
{
    blocks b(m.size);
    int mine = piece(m.rank, 0), root = m.size / 2;
    ints all(at(m.size), -1), some(at(b.total), -1), block(at(m.rank + 1), m.rank);
    BOTH(Gather, Igather, &mine, 1, MPI_INT, all.data(), 1, MPI_INT, root);
    for (int r = 0; r < m.size; r++)
        CHECK_EQ(all[at(r)], m.rank == root ? piece(r, 0) : -1);
    BOTH(Gatherv, Igatherv, block.data(), m.rank + 1, MPI_INT, some.data(), b.counts.data(), b.displs.data(),
         MPI_INT, root);
    for (int r = 0; r < m.size; r++)
        CHECK(m.rank != root || (some[at(b.displs[at(r)])] == r && some[at(b.displs[at(r)] + r)] == r));
    BOTH(Allgather, Iallgather, &mine, 1, MPI_INT, all.data(), 1, MPI_INT);
    BOTH(Allgatherv, Iallgatherv, block.data(), m.rank + 1, MPI_INT, some.data(), b.counts.data(),
         b.displs.data(), MPI_INT);
    for (int r = 0; r < m.size; r++)
        CHECK(all[at(r)] == piece(r, 0) && some[at(b.displs[at(r)])] == r &&
              some[at(b.displs[at(r)] + r)] == r);
}

static void test_in_place(member &m)
{
    ints all(at(m.size), -1);
    int sum = m.rank;
    all[at(m.rank)] = m.rank;
    BOTH(Allgather, Iallgather, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all.data(), 1, MPI_INT);
    for (int r = 0; r < m.size; r++)
        CHECK_EQ(all[at(r)], r);
    BOTH(Allreduce, Iallreduce, MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM);
    CHECK_EQ(sum, m.size * (m.size - 1) / 2);
}

static void test_scatters(member &m)
{
    blocks b(m.size);
    int root = m.size - 1, got = -1;
    ints all, some(at(b.total)), block(at(m.rank + 1), -1);
    for (int r = 0; r < m.size; r++) {
        all.push_back(piece(m.rank, r));
        for (int i = 0; i <= r; i++)
            some[at(b.displs[at(r)] + i)] = piece(r, i);
    }
    BOTH(Scatter, Iscatter, all.data(), 1, MPI_INT, &got, 1, MPI_INT, root);
    CHECK_EQ(got, piece(root, m.rank));
    BOTH(Scatterv, Iscatterv, some.data(), b.counts.data(), b.displs.data(), MPI_INT, block.data(),
         m.rank + 1, MPI_INT, root);
    for (int i = 0; i <= m.rank; i++)
        CHECK_EQ(block[at(i)], piece(m.rank, i));
}

static void test_alltoall(member &m)
{
    ints from, to(at(m.size), -1), ones(at(m.size), 1), places, byte_places;
    std::vector<MPI_Datatype> types(at(m.size), MPI_INT);
    for (int r = 0; r < m.size; r++) {
        from.push_back(piece(m.rank, r));
        places.push_back(m.size - 1 - r);
        byte_places.push_back(static_cast<int>(sizeof(int)) * (m.size - 1 - r));
    }
    BOTH(Alltoall, Ialltoall, from.data(), 1, MPI_INT, to.data(), 1, MPI_INT);
    for (int r = 0; r < m.size; r++)
        CHECK_EQ(to[at(r)], piece(r, m.rank));
    /* Blocks lie backwards on both sides. */
    BOTH(Alltoallv, Ialltoallv, from.data(), ones.data(), places.data(), MPI_INT, to.data(), ones.data(),
         places.data(), MPI_INT);
    for (int r = 0; r < m.size; r++)
        CHECK_EQ(to[at(m.size - 1 - r)], piece(r, m.size - 1 - m.rank));
    to.assign(at(m.size), -1);
    BOTH(Alltoallw, Ialltoallw, from.data(), ones.data(), byte_places.data(), types.data(), to.data(),
         ones.data(), byte_places.data(), types.data());
    for (int r = 0; r < m.size; r++)
        CHECK_EQ(to[at(m.size - 1 - r)], piece(r, m.size - 1 - m.rank));
}

static void test_reductions(member &m)
{
    int mine = m.rank + 1, got = -1, sum = m.size * (m.size + 1) / 2;
    double real = m.rank + 0.5, largest = -1;
    ints counts(at(m.size), 1), each, block(1, -1);
    for (int r = 0; r < m.size; r++)
        each.push_back(piece(m.rank, r));
    BOTH(Reduce, Ireduce, &mine, &got, 1, MPI_INT, EP_SUM, 0);
    CHECK_EQ(got, m.rank == 0 ? sum : -1);
    BOTH(Allreduce, Iallreduce, &real, &largest, 1, EP_DOUBLE, EP_MAX);
    CHECK(largest == m.size - 0.5);
    BOTH(Reduce_scatter, Ireduce_scatter, each.data(), block.data(), counts.data(), MPI_INT, MPI_SUM);
    CHECK_EQ(block[0], 1000 * m.size * (m.size - 1) / 2 + m.size * m.rank);
    BOTH(Reduce_scatter_block, Ireduce_scatter_block, each.data(), block.data(), 1, MPI_INT, MPI_MAX);
    CHECK_EQ(block[0], piece(m.size - 1, m.rank));
    got = -1;
    BOTH(Scan, Iscan, &mine, &got, 1, MPI_INT, MPI_SUM);
    CHECK_EQ(got, (m.rank + 1) * (m.rank + 2) / 2);
    got = -1;
    BOTH(Exscan, Iexscan, &mine, &got, 1, MPI_INT, MPI_SUM);
    CHECK(m.rank == 0 || got == m.rank * (m.rank + 1) / 2);
}

#define BOTH_OF(name, iname, ...)                                                                            \
    done(blocking ? MPI_##name(__VA_ARGS__, inter) : MPI_##iname(__VA_ARGS__, inter, &pending))

/* Each of the others that have a root, between it and the odd ranks, which give 7. */
static void test_roots(MPI_Comm inter, int root, int odd)
{
    int others = 0, mine = 7, got = -1;
    CHECK_OK(MPI_Comm_remote_size(inter, &others));
    ints all(at(others), -1), ones(at(others), 1), places(at(others));
    std::iota(places.begin(), places.end(), 0);
    BOTH_OF(Reduce, Ireduce, &mine, &got, 1, MPI_INT, MPI_SUM, root);
    CHECK_EQ(got, root == MPI_ROOT ? 7 * others : -1);
    BOTH_OF(Gather, Igather, &mine, 1, MPI_INT, all.data(), 1, MPI_INT, root);
    CHECK_EQ(all.back(), root == MPI_ROOT ? 7 : -1);
    all.assign(all.size(), -1);
    BOTH_OF(Gatherv, Igatherv, &mine, 1, MPI_INT, all.data(), ones.data(), places.data(), MPI_INT, root);
    CHECK_EQ(all.back(), root == MPI_ROOT ? 7 : -1);
    BOTH_OF(Scatter, Iscatter, all.data(), 1, MPI_INT, &got, 1, MPI_INT, root);
    CHECK_EQ(got, odd ? 7 : root == MPI_ROOT ? 7 * others : -1);
    got = -1;
    BOTH_OF(Scatterv, Iscatterv, all.data(), ones.data(), places.data(), MPI_INT, &got, 1, MPI_INT, root);
    CHECK_EQ(got, odd ? 7 : -1);
}

/* From the first of the even ranks to all odd ones: the roots have ep_lib's numbers. */
static void test_intercommunicator(member &m)
{
    MPI_Comm half, inter;
    int value = m.rank == 0 ? 55 : -1, odd = m.rank % 2;
    if (m.size < 2)
        return;
    CHECK_OK(MPI_Comm_split(m.comm, odd, m.rank, &half));
    CHECK_OK(MPI_Intercomm_create(half, 0, m.comm, !odd, 1, &inter));
    int root = m.rank == 0 ? MPI_ROOT : odd ? 0 : MPI_PROC_NULL;
    done(blocking ? MPI_Bcast(&value, 1, MPI_INT, root, inter)
                  : MPI_Ibcast(&value, 1, MPI_INT, root, inter, &pending));
    CHECK_EQ(value, odd || m.rank == 0 ? 55 : -1);
    test_roots(inter, root, odd);
    CHECK_OK(MPI_Comm_free(&inter));
    CHECK_OK(MPI_Comm_free(&half));
}

int main(int argc, char **argv)
{
    return run_program(&argc, &argv, [] {
        for (bool blocks_now : {true, false})
            for (const team_body &body :
                 std::vector<team_body>{test_simple, test_gathers, test_in_place, test_scatters,
                                        test_alltoall, test_reductions, test_intercommunicator})
                on_both([&](member &m) {
                    blocking = blocks_now;
                    body(m);
                });
    });
}
