/* SPDX-License-Identifier: BSD-3-Clause */
/* A program in PMPI_ names only. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, sum = 0, dims[1] = {0}, periods[1] = {1}, from, to, in = -1, bad = 0, all = 1, flag;
    MPI_Comm ring;
    MPI_Group group;
    MPI_Datatype pair;
    MPI_Info info;

    PMPI_Init(&argc, &argv);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    PMPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    bad += sum != size * (size - 1) / 2;
    PMPI_Dims_create(size, 1, dims);
    PMPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &ring);
    PMPI_Cart_shift(ring, 0, 1, &from, &to);
    PMPI_Sendrecv(&rank, 1, MPI_INT, to, 0, &in, 1, MPI_INT, from, 0, ring, MPI_STATUS_IGNORE);
    bad += in != from;
    PMPI_Comm_group(ring, &group);
    PMPI_Group_size(group, &in);
    bad += in != size;
    PMPI_Group_free(&group);
    PMPI_Comm_free(&ring);
    PMPI_Type_contiguous(2, MPI_INT, &pair);
    PMPI_Type_commit(&pair);
    PMPI_Type_size(pair, &in);
    bad += in != 2 * (int)sizeof(int);
    PMPI_Type_free(&pair);
    PMPI_Info_create(&info);
    PMPI_Info_set(info, "a", "b");
    PMPI_Info_get_nkeys(info, &in);
    bad += in != 1;
    PMPI_Info_free(&info);
    PMPI_Initialized(&flag);
    bad += !flag || PMPI_Wtime() < 0;
    PMPI_Reduce(&bad, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0 && all == 0)
        printf(" No Errors\n");
    PMPI_Finalize();
    return bad;
}
