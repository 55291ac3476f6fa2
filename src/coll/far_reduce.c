/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll/far_reduce.h"

void far_reduce(struct op *o, struct span from, char *to, MPI_Op op, int root)
{
    MPI_Request request;
    MPI_Comm processes = o->comm->lanes[0];
    bool gets = root < 0 || root == o->comm->proc;
    const void *input = gets && from.buf == to ? MPI_IN_PLACE : from.buf;
    op = arith_mpi_op(from.mpi, op);
    mpi_enter();
    int rc = root < 0 ? MPI_Iallreduce(input, to, (int)from.count, from.mpi, op, processes, &request)
                      : MPI_Ireduce(input, to, (int)from.count, from.mpi, op, root, processes, &request);
    mpi_leave();
    far_expect(o, rc, request);
}

void far_worst(struct op *o, const int *mine, int *worst, int n, int root)
{
    MPI_Request request;
    mpi_enter();
    int rc = root < 0 ? MPI_Iallreduce(mine, worst, n, MPI_INT, MPI_MAX, o->comm->lanes[0], &request)
                      : MPI_Ireduce(mine, worst, n, MPI_INT, MPI_MAX, root, o->comm->lanes[0], &request);
    mpi_leave();
    far_expect(o, rc, request);
}

void far_exscan(struct op *o, struct span from, char *to, MPI_Op op)
{
    MPI_Request request;
    const void *input = from.buf == to ? MPI_IN_PLACE : from.buf;
    op = arith_mpi_op(from.mpi, op);
    mpi_enter();
    int rc = MPI_Iexscan(input, to, (int)from.count, from.mpi, op, o->comm->lanes[0], &request);
    mpi_leave();
    far_expect(o, rc, request);
}
