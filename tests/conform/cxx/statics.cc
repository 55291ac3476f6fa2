/* SPDX-License-Identifier: BSD-3-Clause */
/* Static objects: constructed for each rank before main, destroyed after it; one that ends MPI in its destructor. */
#include "conform.h"

#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace {

int constructed;

struct counted {
    int initialized = -1;
    counted()
    {
        constructed++;
        MPI_Initialized(&initialized);
    }
    ~counted() { constructed--; }
};

counted global;
thread_local int per_thread = 3;
std::vector<int> history;
std::string text = "initial";

counted &lazy()
{
    static counted object;
    return object;
}

template <class T> struct holder {
    static T value;
};
template <class T> T holder<T>::value = 7;

inline int &inline_static()
{
    static int value = 0;
    return value;
}

/* Its destructor runs after main, and says how all went. */
struct session {
    int rank = -1, errors = 0;
    void start(int *argc, char ***argv)
    {
        MPI_Init(argc, argv);
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    }
    ~session()
    {
        int all = 1, bad = errors + (rank < 0);
        MPI_Allreduce(&bad, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        MPI_Finalize();
        if (rank == 0 && all == 0)
            std::cout << " No Errors" << std::endl;
    }
} job;

} // namespace

int main(int argc, char **argv)
{
    job.start(&argc, &argv);
    const int rank = job.rank;
    job.errors += !CHECK(constructed == 1 && global.initialized == 0);
    job.errors += !CHECK(lazy().initialized == 1 && constructed == 2);
    per_thread += rank;
    text += std::to_string(rank);
    holder<int>::value += rank;
    inline_static() += rank;
    for (int i = 0; i <= rank; i++)
        history.push_back(i);
    MPI_Barrier(MPI_COMM_WORLD);
    std::ostringstream expected;
    expected << "initial" << rank;
    job.errors += !CHECK(per_thread == 3 + rank && text == expected.str() && holder<int>::value == 7 + rank);
    job.errors += !CHECK(inline_static() == rank && static_cast<int>(history.size()) == rank + 1);
    auto request = std::make_unique<MPI_Request>(MPI_REQUEST_NULL);
    MPI_Ibarrier(MPI_COMM_WORLD, request.get());
    MPI_Wait(request.get(), MPI_STATUS_IGNORE);
    job.errors += !CHECK(*request == MPI_REQUEST_NULL);
    return 0;
}
