/* SPDX-License-Identifier: BSD-3-Clause */
/* A file that includes <mpi.h> before ep_lib.hpp: both are visible, and calls go where their arguments belong. */
#include <mpi.h>
#include "check.hpp"
#include <ep_mpi.hpp>

using namespace ep_lib;

/* What netCDF does with what it is given. */
static int size_by_mpi(::MPI_Comm comm)
{
    int size = -1;
    ::MPI_Comm_size(comm, &size);
    return size;
}

static void test_conversions(member &m)
{
    ::MPI_Comm by_value = static_cast<::MPI_Comm>(m.comm.mpi_comm);
    ::MPI_Comm by_address = *static_cast<::MPI_Comm *>(m.comm.mpi_comm);
    void *address = m.comm.mpi_comm;
    ::MPI_Comm implied = m.comm.mpi_comm;
    CHECK(by_value == by_address && by_value == *static_cast<::MPI_Comm *>(address) && by_value == implied);
    CHECK_EQ(size_by_mpi(m.comm.mpi_comm), m.comm.ep_comm_ptr->size_rank_info[2].second);
    CHECK_EQ(size_by_mpi(static_cast<::MPI_Comm>(m.comm->mpi_comm)), size_by_mpi(by_value));
}

static void test_intercommunicator(member &m)
{
    ep_lib::MPI_Comm half, inter;
    int odd = m.rank % 2, flag = 0;
    if (m.size < 2)
        return;
    CHECK_OK(MPI_Comm_split(m.comm, odd, m.rank, &half));
    CHECK_OK(MPI_Intercomm_create(half, 0, m.comm, !odd, 1, &inter));
    ::MPI_Comm classic = static_cast<::MPI_Comm>(inter.ep_comm_ptr->intercomm->mpi_inter_comm);
    ::MPI_Comm same = *static_cast<::MPI_Comm *>(inter.ep_comm_ptr->intercomm->mpi_inter_comm);
    CHECK(classic == same);
    CHECK_EQ(::MPI_Comm_test_inter(classic, &flag), 0); /* of one process alone it is an intracommunicator */
    MPI_Barrier(m.comm);
    CHECK_OK(MPI_Comm_free(&inter));
    CHECK_OK(MPI_Comm_free(&half));
}

/* By unqualified names: those of handles by their arguments, those that are MPI's own because they are the same. */
static void test_overloads()
{
    int size = -1, own_size = -1, flag = 0;
    ::MPI_Comm copy;
    ep_lib::MPI_Comm wrapped, *endpoints = nullptr;
    MPI_Initialized(&flag);
    CHECK(flag && MPI_Wtime() >= 0);
    ::MPI_Comm world = static_cast<::MPI_Comm>(MPI_COMM_WORLD.mpi_comm);
    CHECK_OK(MPI_Comm_size(world, &own_size)); /* MPI's */
    CHECK_OK(MPI_Comm_size(MPI_COMM_WORLD, &size));
    CHECK_EQ(size, own_size);
    CHECK_OK(MPI_Comm_dup(world, &copy));
    CHECK_OK(MPI_Comm_create_endpoints(&copy, 2, MPI_INFO_NULL, endpoints));
    CHECK_OK(MPI_Comm_size(endpoints[1], &size));
    CHECK_EQ(size, 2 * own_size);
    for (int i = 0; i < 2; i++)
        CHECK_OK(MPI_Comm_free(&endpoints[i]));
    delete[] endpoints;
    /* Through a number and back. */
    wrapped = EP_Comm_f2c(static_cast<int>(EP_Comm_c2f(MPI_COMM_SELF)));
    CHECK(wrapped == MPI_COMM_SELF);
    CHECK_OK(::MPI_Comm_free(&copy));
    MPI_Aint address;
    CHECK_OK(MPI_Get_address(&copy, &address));
}

/* MPI itself frees a communicator, and gives its handle to another: what ep_lib knew of the first is no longer asked. */
static void test_reused_handle()
{
    ::MPI_Comm first, second, world = static_cast<::MPI_Comm>(MPI_COMM_WORLD.mpi_comm);
    int rank = -1, size = -1;
    ::MPI_Comm_rank(world, &rank);
    ::MPI_Comm_size(world, &size);
    CHECK_OK(::MPI_Comm_dup(world, &first));
    CHECK_EQ(from_mpi_comm(first).ep_comm_ptr->size_rank_info[0].second, size);
    int number = EP_Comm_c2f(from_mpi_comm(first));
    CHECK_OK(::MPI_Comm_free(&first)); /* by its number, as Fortran does it */
    CHECK(EP_Comm_f2c(number) == ep_lib::MPI_Comm_f2c(number));
    CHECK_OK(::MPI_Comm_split(
        world, rank, 0, &second)); /* it has one member, and in most libraries the handle of the first */
    CHECK_EQ(from_mpi_comm(second).ep_comm_ptr->size_rank_info[0].second, 1);
    CHECK_OK(::MPI_Comm_free(&second));
}

int main(int argc, char **argv)
{
    return run_program(&argc, &argv, [] {
        test_overloads();
        test_reused_handle();
        on_both(test_conversions);
        on_endpoints(test_intercommunicator);
    });
}
