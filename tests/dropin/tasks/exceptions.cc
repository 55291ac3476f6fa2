/* SPDX-License-Identifier: BSD-3-Clause */
/* Tasks that block while they handle an exception do not see each other's: the C++ run-time is the rank's own. */
#include <cstdio>
#include <mpi.h>
#include <stdexcept>
#include <string>

enum { TASKS = 10 };

static int rank, wrong;

static void handle(int task)
{
    std::string mine = "task " + std::to_string(task);
    try {
        throw std::runtime_error(mine);
    } catch (const std::runtime_error &) {
        MPI_Recv(nullptr, 0, MPI_INT, rank, task, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        try {
            throw;
        } catch (const std::runtime_error &again) {
            if (mine != again.what()) {
#pragma omp atomic
                wrong++;
            }
        }
    }
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < TASKS; i++)
#pragma omp task
            handle(i);
        for (int i = 0; i < TASKS; i++)
#pragma omp task
            MPI_Ssend(nullptr, 0, MPI_INT, rank, i, MPI_COMM_WORLD);
    }
    if (wrong == 0)
        std::puts("exceptions");
    return MPI_Finalize();
}
