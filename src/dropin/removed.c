/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of MPI-1 that MPI-3.0 removed (MPI 16.1), by those that took their places. */
#include <ep_calls.h>

#include "api/api.h"

int ep_PMPI_Address(void *location, MPI_Aint *address)
{
    return ep_PMPI_Get_address(location, address);
}

int ep_PMPI_Errhandler_create(ep_comm_errhandler_function *function, ep_errhandler *errhandler)
{
    return ep_comm_create_errhandler(function, errhandler);
}

int ep_PMPI_Errhandler_get(ep_comm comm, ep_errhandler *errhandler)
{
    return ep_comm_get_errhandler(comm, errhandler);
}

int ep_PMPI_Errhandler_set(ep_comm comm, ep_errhandler errhandler)
{
    return ep_comm_set_errhandler(comm, errhandler);
}

int ep_PMPI_Type_hindexed(int count, int array_of_blocklengths[], MPI_Aint array_of_displacements[],
                          MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    return ep_PMPI_Type_create_hindexed(count, array_of_blocklengths, array_of_displacements, oldtype,
                                        newtype);
}

int ep_PMPI_Type_hvector(int count, int blocklength, MPI_Aint stride, MPI_Datatype oldtype,
                         MPI_Datatype *newtype)
{
    return ep_PMPI_Type_create_hvector(count, blocklength, stride, oldtype, newtype);
}

int ep_PMPI_Type_struct(int count, int array_of_blocklengths[], MPI_Aint array_of_displacements[],
                        MPI_Datatype array_of_types[], MPI_Datatype *newtype)
{
    return ep_PMPI_Type_create_struct(count, array_of_blocklengths, array_of_displacements, array_of_types,
                                      newtype);
}

int ep_PMPI_Type_extent(MPI_Datatype type, MPI_Aint *extent)
{
    MPI_Aint lb;
    return ep_PMPI_Type_get_extent(type, &lb, extent);
}

int ep_PMPI_Type_lb(MPI_Datatype type, MPI_Aint *lb)
{
    MPI_Aint extent;
    return ep_PMPI_Type_get_extent(type, lb, &extent);
}

int ep_PMPI_Type_ub(MPI_Datatype mtype, MPI_Aint *ub)
{
    MPI_Aint lb = 0, extent = 0;
    int rc = ep_PMPI_Type_get_extent(mtype, ub ? &lb : NULL, &extent);
    if (rc == MPI_SUCCESS)
        *ub = lb + extent;
    return rc;
}
