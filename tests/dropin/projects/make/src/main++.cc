// SPDX-License-Identifier: BSD-3-Clause
#include <iostream>

#include "count.h"

template <class T> struct Counter {
    static T value;
};
template <class T> T Counter<T>::value;

int main(int argc, char *argv[])
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(world.comm, &world.rank);
    MPI_Comm_size(world.comm, &world.size);
    Counter<int>::value += count_primes(500);
    int primes = sum_up(Counter<int>::value);
    if (world.rank == 0)
        std::cout << primes << " primes" << std::endl;
    MPI_Finalize();
}
