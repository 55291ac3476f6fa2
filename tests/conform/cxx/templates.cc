/* SPDX-License-Identifier: BSD-3-Clause */
/* Templates over types of MPI, overloads by handle, functions as template arguments, default arguments. */
#include "conform.h"

#include <vector>

namespace {

template <class T> struct datatype;
template <> struct datatype<int> {
    static MPI_Datatype get() { return MPI_INT; }
};
template <> struct datatype<double> {
    static MPI_Datatype get() { return MPI_DOUBLE; }
};
template <> struct datatype<char> {
    static MPI_Datatype get() { return MPI_CHAR; }
};

template <class T> T sum(T value, MPI_Comm comm = MPI_COMM_WORLD, MPI_Op op = MPI_SUM)
{
    T result{};
    MPI_Allreduce(&value, &result, 1, datatype<T>::get(), op, comm);
    return result;
}

template <class T> std::vector<T> gather(T value, MPI_Comm comm = MPI_COMM_WORLD)
{
    int size;
    MPI_Comm_size(comm, &size);
    std::vector<T> all(size);
    MPI_Allgather(&value, 1, datatype<T>::get(), all.data(), 1, datatype<T>::get(), comm);
    return all;
}

/* Specialised for one sort of handle: in some libraries several are the same type. */
template <class Handle> struct traits {
    static const char *name() { return "?"; }
};
template <> struct traits<MPI_Comm> {
    static const char *name() { return "communicator"; }
};

template <int (*Function)(MPI_Comm, int *)> int ask(MPI_Comm comm)
{
    int answer = -1;
    Function(comm, &answer);
    return answer;
}

template <class Function, class... Arguments> void check_call(Function function, Arguments... arguments)
{
    CHECK(function(arguments...) == MPI_SUCCESS);
}

struct by_default {
    MPI_Comm comm = MPI_COMM_WORLD;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Group group = MPI_GROUP_EMPTY;
};

} // namespace

int main(int argc, char **argv)
{
    conform_init(&argc, &argv);
    const int rank = ask<MPI_Comm_rank>(MPI_COMM_WORLD), size = ask<MPI_Comm_size>(MPI_COMM_WORLD);
    CHECK(ask<MPI_Comm_size>(MPI_COMM_SELF) == 1);
    CHECK(sum(1) == size && sum(0.5) == 0.5 * size && sum(rank, MPI_COMM_SELF) == rank);
    CHECK(sum(rank, MPI_COMM_WORLD, MPI_MAX) == size - 1);
    const auto all = gather('a');
    CHECK(static_cast<int>(all.size()) == size && all.back() == 'a');
    CHECK(*traits<MPI_Comm>::name() == 'c' && *traits<float>::name() == '?');
    check_call(MPI_Barrier, MPI_COMM_WORLD);
    int value = 3;
    check_call(MPI_Bcast, &value, 1, MPI_INT, 0, MPI_COMM_WORLD);
    by_default object;
    CHECK(object.comm == MPI_COMM_WORLD && object.request == MPI_REQUEST_NULL);
    CHECK(object.group == MPI_GROUP_EMPTY);
    return conform_end(0);
}
