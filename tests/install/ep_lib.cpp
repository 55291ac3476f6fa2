/* SPDX-License-Identifier: BSD-3-Clause */
/* A program with the installed package alone: the sum over three endpoints of what each has from its neighbour, and 3. */
#include <ep_lib.hpp>
#include <cstdio>
#include <thread>
#include <vector>

using namespace ep_lib;

static void run(MPI_Comm comm)
{
    int rank, left = -1, sum = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % 3, 0, &left, 1, MPI_INT, (rank + 2) % 3, 0, comm,
                 MPI_STATUS_IGNORE);
    left++;
    MPI_Reduce(&left, &sum, 1, MPI_INT, MPI_SUM, 0, comm);
    if (rank == 0)
        std::printf("%d\n", sum);
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
    MPI_Comm *endpoints;
    std::vector<std::thread> threads;
    MPI_Init(&argc, &argv);
    MPI_Comm_create_endpoints(MPI_COMM_WORLD.mpi_comm, 3, MPI_INFO_NULL, endpoints);
    for (int i = 0; i < 3; i++)
        threads.emplace_back(run, endpoints[i]);
    for (std::thread &thread : threads)
        thread.join();
    delete[] endpoints;
    return MPI_Finalize();
}
