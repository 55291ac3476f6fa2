/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operators. Functions of programs take ep_lib's datatypes, those that MPI and ep call take MPI's, and MPI hands on nothing that
 * tells operators apart. So there is a row of functions, each of which calls one of the program's.
 */
#include "ep_lib/dispatch.hpp"

namespace ep_lib {

static const int op_functions = 256;

/* Never taken back: calls with a freed operator may be under way, and one function needs one place only. */
static MPI_User_function *program_functions[op_functions];

template <int N> static void call_program(void *in, void *inout, int *count, ::MPI_Datatype *datatype)
{
    MPI_Datatype given = from_mpi_type(*datatype);
    program_functions[N](in, inout, count, &given);
}

/* The N functions from First on, written to row. */
template <int First, int N> struct callers {
    static void write(::MPI_User_function **row)
    {
        callers<First, N / 2>::write(row);
        callers<First + N / 2, N - N / 2>::write(row + N / 2);
    }
};
template <int First> struct callers<First, 1> {
    static void write(::MPI_User_function **row) { *row = call_program<First>; }
};

/* The function for MPI that calls this one, or null if there are too many. */
static ::MPI_User_function *caller_of(MPI_User_function *function)
{
    static std::mutex *const lock = new std::mutex;
    static ::MPI_User_function *row[op_functions];
    std::lock_guard<std::mutex> guard(*lock);
    if (!row[0])
        callers<0, op_functions>::write(row);
    for (int i = 0; i < op_functions; i++) {
        if (!program_functions[i])
            program_functions[i] = function;
        if (program_functions[i] == function)
            return row[i];
    }
    return nullptr;
}

int MPI_Op_create(MPI_User_function *function, int commute, MPI_Op *op)
{
    ::MPI_Op made = own::ops[detail::op_null];
    if (!op || !function)
        return wrong_argument();
    ::MPI_User_function *caller = caller_of(function);
    if (!caller)
        return no_room();
    int code = ep_result(ep_op_create(caller, commute, &made));
    if (code == MPI_SUCCESS)
        *op = from_mpi_op(made);
    return code;
}

int MPI_Op_free(MPI_Op *op)
{
    if (!op)
        return wrong_argument();
    ::MPI_Op freed = to_mpi_op(*op);
    int code = ep_result(ep_op_free(&freed));
    *op = from_mpi_op(freed);
    return code;
}

int MPI_Reduce_local(const void *inbuf, void *inoutbuf, int count, MPI_Datatype datatype, MPI_Op op)
{
    return ep_result(ep_reduce_local(inbuf, inoutbuf, count, to_mpi_type(datatype), to_mpi_op(op)));
}

} // namespace ep_lib
