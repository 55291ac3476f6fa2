/* SPDX-License-Identifier: BSD-3-Clause */
/* Handles as keys of maps and sets, in vectors of requests and statuses, in std::array, std::optional-like pairs. */
#include "conform.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>
#include <unordered_map>
#include <vector>

namespace {

std::map<MPI_Comm, int> uses;
std::set<MPI_Comm> seen = {MPI_COMM_WORLD, MPI_COMM_SELF};
const std::array<MPI_Comm, 2> both = {{MPI_COMM_WORLD, MPI_COMM_SELF}};

int count(MPI_Comm comm)
{
    return ++uses[comm];
}

void keys()
{
    CHECK(seen.size() == 2 && seen.count(MPI_COMM_WORLD) == 1 && seen.count(MPI_COMM_NULL) == 0);
    std::vector<MPI_Comm> copies(5);
    for (auto &copy : copies)
        MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    for (auto copy : copies)
        CHECK(seen.insert(copy).second);
    for (int turn = 1; turn <= 3; turn++)
        for (auto copy : copies)
            CHECK(count(copy) == turn);
    CHECK(count(MPI_COMM_WORLD) == 1 && uses.size() == 6);
    for (auto &copy : copies)
        MPI_Comm_free(&copy);
    CHECK(std::all_of(copies.begin(), copies.end(), [](MPI_Comm comm) { return comm == MPI_COMM_NULL; }));
    std::unordered_map<int, std::function<int()>> sizes;
    for (auto comm : both)
        sizes[static_cast<int>(sizes.size())] = [comm] {
            int size;
            MPI_Comm_size(comm, &size);
            return size;
        };
    CHECK(sizes[1]() == 1 && sizes[0]() >= 1);
}

void requests(int rank, int size)
{
    std::vector<MPI_Request> requests;
    std::vector<int> in(20, -1), out(20);
    for (int i = 0; i < 20; i++) {
        out[i] = rank + i;
        requests.emplace_back();
        MPI_Irecv(&in[i], 1, MPI_INT, MPI_ANY_SOURCE, i, MPI_COMM_WORLD, &requests.back());
    }
    for (int i = 0; i < 20; i++) {
        requests.push_back(MPI_REQUEST_NULL);
        MPI_Isend(&out[i], 1, MPI_INT, (rank + i) % size, i, MPI_COMM_WORLD, &requests.back());
    }
    std::vector<MPI_Status> statuses(requests.size());
    CALL(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), statuses.data()));
    for (int i = 0; i < 20; i++)
        CHECK(statuses[i].MPI_TAG == i && in[i] == statuses[i].MPI_SOURCE + i);
    CHECK(std::count(requests.begin(), requests.end(), MPI_REQUEST_NULL) == 40);
}

} // namespace

int main(int argc, char **argv)
{
    int rank, size;
    conform_init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    keys();
    requests(rank, size);
    return conform_end(0);
}
