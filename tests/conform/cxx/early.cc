/* SPDX-License-Identifier: BSD-3-Clause */
/* A static object calls MPI_Init in its constructor, before main, and MPI_Finalize in its destructor. */
#include "conform.h"

#include <cstdio>
#include <stdexcept>
#include <thread>

namespace {

int errors;

struct environment {
    int rank, size;
    environment()
    {
        int provided;
        MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &provided);
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Comm_size(MPI_COMM_WORLD, &size);
        int sum = 0;
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        errors += sum != size * (size - 1) / 2;
    }
    ~environment()
    {
        int all = 1;
        MPI_Reduce(&errors, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
        MPI_Finalize();
        if (rank == 0 && all == 0)
            std::printf(" No Errors\n");
    }
} world;

thread_local int calls = 1;

/* Uses the communicator of the one above, blocks, catches what it throws. */
struct user {
    int left = -1;
    user()
    {
        MPI_Sendrecv(&world.rank, 1, MPI_INT, (world.rank + 1) % world.size, 0, &left, 1, MPI_INT,
                     MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        calls++;
        try {
            if (left >= 0)
                throw std::runtime_error("received");
        } catch (const std::exception &) {
            MPI_Barrier(MPI_COMM_WORLD);
        }
    }
} second;

} // namespace

int main()
{
    errors += second.left != (world.rank + world.size - 1) % world.size;
    errors += calls != 2;
    std::thread([] { errors += calls != 1; }).join();
    MPI_Barrier(MPI_COMM_WORLD);
    return 0;
}
