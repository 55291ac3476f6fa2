/* SPDX-License-Identifier: BSD-3-Clause */
/* Handles and arrays of them. */
#include <limits.h>
#include <stdlib.h>

#include "fortran/fortran.h"

#ifndef MPI_Type_f2c
_Atomic(MPI_Datatype) datatypes_known[FEW_TYPES]; /* relaxed: constants */

MPI_Datatype datatype_find(MPI_Fint number)
{
    MPI_Datatype type = MPI_Type_f2c(number);
    if ((uint32_t)number < FEW_TYPES && ep_fortran_is_named(type))
        store_relaxed(&datatypes_known[number], type);
    return type;
}
#endif

int array_take(ep_comm comm, const char *call, void **array, void *few, int n, size_t size)
{
    *array = n <= FEW_HANDLES ? few : malloc((size_t)n * size);
    return *array ? MPI_SUCCESS
                  : ep_fortran_error(comm, call, MPI_ERR_NO_MEM, "no memory for an array of handles");
}

void array_drop(void *array, const void *few)
{
    if (array != few)
        free(array);
}

int datatypes_take(ep_comm comm, const char *call, struct datatypes *types, int n, const MPI_Fint numbers[])
{
    void *all;
    int rc = array_take(comm, call, &all, types->few, n, sizeof *types->all);
    types->all = all;
    for (int i = 0; i < n && rc == MPI_SUCCESS; i++)
        types->all[i] = datatype_f2c(numbers[i]);
    return rc;
}

void datatypes_drop(struct datatypes *types)
{
    if (types->all)
        array_drop(types->all, types->few);
}

void alltoall_peers(ep_comm comm, int *in, int *out)
{
    int inter;
    *in = *out = 0;
    if (handle_is_object(comm) && ep_comm_test_inter(comm, &inter) == MPI_SUCCESS) {
        (inter ? ep_comm_remote_size : ep_comm_size)(comm, in);
        *out = *in;
    }
}

void alltoall_neighbors(ep_comm comm, int *in, int *out)
{
    int topology, n = 0, rank;
    *in = *out = 0;
    if (!handle_is_object(comm) || ep_topo_test(comm, &topology) != MPI_SUCCESS)
        return;
    if (topology == MPI_DIST_GRAPH) {
        ep_dist_graph_neighbors_count(comm, in, out, &n);
    } else if (topology == MPI_CART) {
        ep_cartdim_get(comm, &n);
        *in = *out = 2 * n;
    } else if (topology == MPI_GRAPH) {
        ep_comm_rank(comm, &rank);
        ep_graph_neighbors_count(comm, rank, &n);
        *in = *out = n;
    }
}
