// SPDX-License-Identifier: BSD-3-Clause
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "grid.h"

namespace {

std::map<std::string, double> results; // each rank's own

struct Session {
    Session(int &argc, char **&argv)
    {
        MPI_Init(&argc, &argv);
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    }
    ~Session() { MPI_Finalize(); }
    int rank = -1;
};

void run(int steps)
{
    if (steps < 0)
        throw std::invalid_argument("no steps");
    grid_start(MPI_COMM_WORLD, 64);
    for (int i = 0; i < steps; i++)
        grid_step();
    results["sum"] = grid_sum();
}

} // namespace

int main(int argc, char **argv)
{
    Session session(argc, argv);
    try {
        run(-1);
    } catch (const std::exception &e) {
        results[e.what()] = 0;
    }
    run(12);
    std::vector<int> steps(1, grid_steps);
    MPI_Bcast(steps.data(), 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (session.rank == 0)
        for (const auto &result : results)
            std::cout << result.first << " " << result.second << " after " << steps[0] << std::endl;
    return results.size() != 2;
}
