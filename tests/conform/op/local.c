/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Reduce_local, MPI_Op_commutative, and operators used on types that they are not for (MPI 5.9.7). */
#include "../expect.h"

static int calls;

static void subtract(void *in, void *inout, int *count, MPI_Datatype *type)
{
    CHECK(*type == MPI_INT);
    calls++;
    for (int i = 0; i < *count; i++)
        ((int *)inout)[i] = ((int *)in)[i] - ((int *)inout)[i];
}

/* On doubles in a vector with gaps. */
static void strided(void *in, void *inout, int *count, MPI_Datatype *type)
{
    MPI_Aint lb, extent;

    MPI_Type_get_extent(*type, &lb, &extent);
    for (int i = 0; i < *count; i++) {
        double *from = (double *)((char *)in + i * extent), *to = (double *)((char *)inout + i * extent);

        to[0] += from[0];
        to[2] += from[2];
    }
}

static void local(void)
{
    int in[3] = {10, 20, 30}, inout[3] = {1, 2, 3}, commutes;
    MPI_Op op;

    CALL(MPI_Reduce_local(in, inout, 3, MPI_INT, MPI_SUM));
    CHECK(inout[0] == 11 && inout[1] == 22 && inout[2] == 33);
    CALL(MPI_Op_create(subtract, 0, &op));
    CALL(MPI_Reduce_local(in, inout, 3, MPI_INT, op));
    CHECK(inout[0] == -1 && inout[1] == -2 && inout[2] == -3 && calls == 1);
    CALL(MPI_Reduce_local(in, inout, 0, MPI_INT, op));
    CALL(MPI_Op_commutative(op, &commutes));
    CHECK(!commutes);
    CALL(MPI_Op_free(&op));
    CALL(MPI_Op_commutative(MPI_SUM, &commutes));
    CHECK(commutes);
    CALL(MPI_Op_commutative(MPI_MAXLOC, &commutes));
    CHECK(commutes);
}

static void gaps(MPI_Comm comm)
{
    MPI_Datatype type;
    MPI_Op op;
    int rank = rank_of(comm), size = size_of(comm);
    double out[4] = {rank, -1, 1, -1}, in[4] = {9, 9, 9, 9};

    MPI_Type_vector(2, 1, 2, MPI_DOUBLE, &type);
    MPI_Type_commit(&type);
    CALL(MPI_Op_create(strided, 1, &op));
    CALL(MPI_Allreduce(out, in, 1, type, op, comm));
    CHECK(in[0] == size * (size - 1) / 2 && in[2] == size && in[1] == 9);
    CALL(MPI_Op_free(&op));
    MPI_Type_free(&type);
}

static void wrong(MPI_Comm comm)
{
    double d = 1, e = 1;
    int i = 1, j = 1;
    MPI_Op op = MPI_SUM;

    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    FAILS(MPI_ERR_OP, MPI_Allreduce(&d, &e, 1, MPI_DOUBLE, MPI_BAND, comm));
    FAILS(MPI_ERR_OP, MPI_Allreduce(&i, &j, 1, MPI_INT, MPI_OP_NULL, comm));
    FAILS(MPI_ERR_OP, MPI_Allreduce(&i, &j, 1, MPI_INT, MPI_MAXLOC, comm));
    CHECK(MPI_Op_free(&op) != MPI_SUCCESS);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL);
}

int main(int argc, char **argv)
{
    conform_init(&argc, &argv);
    local();
    gaps(MPI_COMM_WORLD);
    wrong(MPI_COMM_WORLD);
    return conform_end(0);
}
