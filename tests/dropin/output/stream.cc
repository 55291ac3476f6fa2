// SPDX-License-Identifier: BSD-3-Clause
// Lines in parts by the streams of C++, which share stdout with printf.
#include <mpi.h>

#include <cstdio>
#include <iomanip>
#include <iostream>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 200; i++) {
        std::cout << rank << ' ' << i << ": abcdefghij" << std::flush;
        std::printf(" %s", "xyz");
        std::cout << std::setw(2) << 'u' << " end" << std::endl;
        std::clog << rank << ' ' << i << ": abcdefghij xyz u" << " end\n";
    }
    MPI_Finalize();
}
