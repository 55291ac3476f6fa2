/* SPDX-License-Identifier: BSD-3-Clause */
/* std::thread, std::async and lambdas that call MPI with MPI_COMM_WORLD; exceptions come from threads. */
#include "conform.h"

#include <atomic>
#include <future>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

namespace {

std::mutex lock;
int shared_count;
std::atomic<int> total{0};
thread_local int mine = 1;

int exchange(int tag)
{
    int rank, size, in = -1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, tag, &in, 1, MPI_INT, (rank + size - 1) % size, tag,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    mine++;
    total += mine;
    std::lock_guard<std::mutex> guard(lock);
    shared_count++;
    return in;
}

} // namespace

int main(int argc, char **argv)
{
    conform_init_thread(&argc, &argv, MPI_THREAD_MULTIPLE);
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int left = (rank + size - 1) % size;

    std::vector<std::thread> threads;
    for (int i = 0; i < 4; i++)
        threads.emplace_back([i, left] { CHECK(exchange(i) == left); });
    for (auto &thread : threads)
        thread.join();
    CHECK(shared_count == 4 && total == 8 && mine == 1);

    std::vector<std::future<int>> futures;
    for (int i = 0; i < 4; i++)
        futures.push_back(std::async(std::launch::async, exchange, 10 + i));
    for (auto &future : futures)
        CHECK(future.get() == left);

    auto thrower = std::async(std::launch::async, [rank]() -> int {
        int size;
        MPI_Comm_size(MPI_COMM_SELF, &size);
        throw std::runtime_error(std::to_string(rank));
    });
    bool caught = false;
    try {
        thrower.get();
    } catch (const std::runtime_error &error) {
        caught = std::to_string(rank) == error.what();
    }
    CHECK(caught);
    return conform_end(0);
}
