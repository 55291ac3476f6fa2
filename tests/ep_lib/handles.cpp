/* SPDX-License-Identifier: BSD-3-Clause */
/* <ep_mpi.hpp>: handles of ep_lib as MPI's, and the header after ep_lib's own. */
#include "check.hpp"
#include <ep.h>

static const ::MPI_Errhandler fatal = MPI_ERRORS_ARE_FATAL; /* before the macro goes */
static ::MPI_Comm_copy_attr_function *const no_copy = MPI_COMM_NULL_COPY_FN;

#include <ep_mpi.hpp>
#include <ep_declaration.hpp>
#include <ep_lib_fortran.hpp>
#include <ep_type.hpp>

static void test_handles(member &m)
{
    int size = 0, sum = 3, one = 1, length = 0;
    CHECK_OK(::MPI_Type_size(ep_lib::to_mpi_type(ep_lib::MPI_DOUBLE), &size));
    CHECK_EQ(size, sizeof(double));
    CHECK(ep_lib::to_mpi_comm(m.comm) == ep_lib::to_mpi_comm(m.comm.mpi_comm));
    CHECK_OK(::MPI_Reduce_local(&one, &sum, 1, ep_lib::to_mpi_type(ep_lib::MPI_INT),
                                ep_lib::to_mpi_op(ep_lib::MPI_SUM)));
    CHECK_EQ(sum, 4);
    ep_lib::MPI_Info info;
    CHECK_OK(ep_lib::MPI_Info_create(&info));
    CHECK_OK(ep_lib::MPI_Info_set(info, "a", "b"));
    CHECK_OK(::MPI_Info_get_nkeys(ep_lib::to_mpi_info(info), &length));
    CHECK_EQ(length, 1);
    CHECK_OK(ep_lib::MPI_Info_free(&info));
}

static void test_classic()
{
    ::MPI_Comm copy;
    ep_lib::MPI_Comm *endpoints = nullptr;
    int size = -1;
    CHECK_OK(::MPI_Comm_dup(ep_lib::to_mpi_comm(ep_lib::MPI_COMM_WORLD), &copy));
    ep_lib::MPI_Comm wrapped = ep_lib::from_mpi_comm(copy);
    CHECK(!wrapped.is_ep && wrapped == ep_lib::from_mpi_comm(copy) && wrapped != ep_lib::MPI_COMM_WORLD);
    CHECK_OK(ep_lib::MPI_Comm_create_endpoints(wrapped, 3, ep_lib::MPI_INFO_NULL, endpoints));
    CHECK_OK(ep_lib::MPI_Comm_size(endpoints[2], &size));
    CHECK_EQ(size % 3, 0);
    for (int i = 0; i < 3; i++)
        CHECK_OK(ep_lib::MPI_Comm_free(&endpoints[i]));
    delete[] endpoints;
    CHECK_OK(ep_lib::MPI_Comm_free(&wrapped));
}

/* ---- errors ---- */

static int handled, handled_class;

extern "C" void note_error(ep_comm *, int *code, ...)
{
    handled++;
    ::MPI_Error_class(*code, &handled_class);
}

template <int> static void program_function(void *, void *, int *, ep_lib::MPI_Datatype *) {}

/* As many operators as there may be with functions of their own, and as many of one function as one likes. */
template <int First, int N> struct operators {
    static int create()
    {
        return operators<First, N / 2>::create() + operators<First + N / 2, N - N / 2>::create();
    }
};
template <int First> struct operators<First, 1> {
    static int create()
    {
        ep_lib::MPI_Op op;
        int code = ep_lib::MPI_Op_create(program_function<First>, 1, &op);
        if (code == ep_lib::MPI_SUCCESS)
            CHECK_OK(ep_lib::MPI_Op_free(&op));
        return code == ep_lib::MPI_SUCCESS;
    }
};

static void test_too_many_operators()
{
    ep_errhandler handler;
    ep_lib::MPI_Op op = ep_lib::MPI_OP_NULL;
    CHECK_OK(ep_comm_create_errhandler(note_error, &handler));
    CHECK_OK(ep_comm_set_errhandler(EP_COMM_WORLD, handler));
    CHECK_EQ((operators<0, 256>::create()), 256);
    CHECK_EQ((operators<0, 256>::create()), 256);
    CHECK_EQ(handled, 0);
    CHECK_EQ(ep_lib::MPI_Op_create(program_function<256>, 1, &op), ep_lib::MPI_ERR_NO_MEM);
    CHECK(handled == 1 && handled_class == ep_lib::MPI_ERR_NO_MEM && op == ep_lib::MPI_OP_NULL);
    CHECK_OK(ep_lib::MPI_Comm_set_errhandler(ep_lib::MPI_COMM_WORLD, ep_lib::MPI_ERRORS_RETURN));
    CHECK_OK(ep_errhandler_free(&handler));
}

/* Numbers of no one's, where errors are fatal, and stay so. */
static void test_no_ones_numbers()
{
    for (ep_lib::MPI_Comm comm : {ep_lib::MPI_COMM_WORLD, ep_lib::MPI_COMM_SELF})
        CHECK_OK(ep_lib::MPI_Comm_set_errhandler(comm, ep_lib::MPI_ERRORS_ARE_FATAL));
    for (ep_lib::MPI_Fint number : {12345, -1, 0x7fffffff, 1 << 20}) {
        CHECK(ep_lib::MPI_Comm_f2c(number) == ep_lib::MPI_COMM_NULL);
        CHECK(ep_lib::EP_Comm_f2c(number) == ep_lib::MPI_COMM_NULL);
    }
    for (ep_lib::MPI_Comm comm : {ep_lib::MPI_COMM_WORLD, ep_lib::MPI_COMM_SELF}) {
        ::MPI_Errhandler handler;
        CHECK_OK(::MPI_Comm_get_errhandler(ep_lib::to_mpi_comm(comm), &handler));
        CHECK(handler == fatal);
        CHECK_OK(::MPI_Errhandler_free(&handler));
        CHECK_OK(ep_lib::MPI_Comm_set_errhandler(comm, ep_lib::MPI_ERRORS_RETURN));
    }
    ::MPI_Comm freed, copy;
    CHECK_OK(::MPI_Comm_dup(ep_lib::to_mpi_comm(ep_lib::MPI_COMM_SELF), &freed));
    CHECK_OK(::MPI_Comm_dup(ep_lib::to_mpi_comm(ep_lib::MPI_COMM_SELF), &copy));
    ep_lib::MPI_Fint number = ep_lib::MPI_Comm_c2f(ep_lib::from_mpi_comm(freed));
    CHECK(ep_lib::MPI_Comm_f2c(number) == ep_lib::from_mpi_comm(freed));
    CHECK_OK(::MPI_Comm_free(&freed));
    CHECK(ep_lib::MPI_Comm_f2c(number) == ep_lib::MPI_COMM_NULL);
    CHECK_OK(::MPI_Comm_free(&copy));
}

/* ---- communicators that cannot be freed ---- */

static int refusing = 0; /* error class of the deletion of attributes */

extern "C" int delete_attribute(::MPI_Comm, int, void *, void *)
{
    return refusing;
}

extern "C" int delete_ep_attribute(ep_comm, int, void *, void *)
{
    return refusing;
}

/* It stays what it was, and is found again. */
static void test_failed_free(ep_lib::MPI_Comm comm)
{
    ep_lib::MPI_Comm copy = comm;
    int size = -1, result = -1, number = ep_lib::EP_Comm_c2f(comm);
    refusing = ep_lib::MPI_ERR_OTHER;
    CHECK(ep_lib::MPI_Comm_free(&copy) != ep_lib::MPI_SUCCESS);
    CHECK(copy == comm && copy.is_ep == comm.is_ep);
    CHECK_OK(ep_lib::MPI_Comm_size(copy, &size));
    CHECK_OK(ep_lib::MPI_Comm_compare(copy, comm, &result));
    CHECK_EQ(result, ep_lib::MPI_IDENT);
    CHECK(ep_lib::MPI_Comm_f2c(ep_lib::MPI_Comm_c2f(comm)) == comm && ep_lib::EP_Comm_f2c(number) == comm);
    refusing = 0;
    CHECK_OK(ep_lib::MPI_Comm_free(&copy));
}

static void test_failed_frees()
{
    ::MPI_Comm classic;
    ep_lib::MPI_Comm *endpoints = nullptr;
    int key, ep_key, value;
    CHECK_OK(::MPI_Comm_dup(ep_lib::to_mpi_comm(ep_lib::MPI_COMM_SELF), &classic));
    CHECK_OK(ep_lib::MPI_Comm_create_endpoints(&classic, 1, ep_lib::MPI_INFO_NULL, endpoints));
    CHECK_OK(::MPI_Comm_create_keyval(no_copy, delete_attribute, &key, nullptr));
    CHECK_OK(::MPI_Comm_set_attr(classic, key, &value));
    CHECK_OK(ep_comm_create_keyval(EP_COMM_NULL_COPY_FN, delete_ep_attribute, &ep_key, nullptr));
    CHECK_OK(ep_comm_set_attr(ep_comm_f2c(ep_lib::MPI_Comm_c2f(endpoints[0])), ep_key, &value));
    test_failed_free(endpoints[0]);
    test_failed_free(ep_lib::from_mpi_comm(classic));
    delete[] endpoints;
    CHECK_OK(::MPI_Comm_free_keyval(&key));
    CHECK_OK(ep_comm_free_keyval(&ep_key));
}

int main(int argc, char **argv)
{
    return run_program(&argc, &argv, [] {
        test_classic();
        test_too_many_operators();
        test_no_ones_numbers();
        test_failed_frees();
        on_both(test_handles);
    });
}
