// SPDX-License-Identifier: BSD-3-Clause
// Every kind of variable belongs to one rank.
#include <mpi.h>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <locale>
#include <thread>

int global;
static int file_static = 10;
thread_local int of_thread = 20;
inline int inline_global = 30;

template <class T> struct holder {
    static T value;
};
template <class T> T holder<T>::value = 40;

inline int &function_static()
{
    static int n = 50;
    return n;
}

struct counted {
    int n;
    counted()
        : n(60)
    {
    }
};
static counted object;

static const int wanted[] = {1, 11, 21, 31, 41, 51, 61};

static bool step()
{
    const int got[] = {++global,          ++file_static,       ++of_thread, ++inline_global,
                       ++holder<int>::value, ++function_static(), ++object.n};
    bool ok = true;
    for (int i = 0; i < 7; i++) {
        if (got[i] != wanted[i]) {
            std::printf("variable %d is %d, not %d\n", i, got[i], wanted[i]);
            ok = false;
        }
    }
    return ok;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    bool ok = true;
    for (int i = 0; i < size; i++) { // one after the other
        MPI_Barrier(MPI_COMM_WORLD);
        if (i == rank)
            ok = step();
    }
    int in_thread = 0;
    std::thread([&] { in_thread = ++of_thread; }).join();
    ok = ok && in_thread == 21;
    argv[1][0] = static_cast<char>('a' + rank); // the arguments are its own, too
    std::cout.width(4 + rank);
    MPI_Barrier(MPI_COMM_WORLD);
    ok = ok && argv[1][0] == 'a' + rank && std::cout.width() == 4 + rank;
    std::cout.width(0);
    try {
        throw rank;
    } catch (int n) {
        ok = ok && n == rank;
    }
    MPI_Finalize();
    std::cout << (ok ? "private" : "shared") << std::endl;
    return 0;
}
