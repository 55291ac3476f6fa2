/* SPDX-License-Identifier: BSD-3-Clause */
/* Statuses that the program fills: elements, large counts, cancelled (MPI 12.3). */
#include "../expect.h"

int main(int argc, char **argv)
{
    MPI_Status status;
    MPI_Datatype pair;
    int count, flag = -1;
    MPI_Count large = 5000000000LL, got;

    conform_init(&argc, &argv);
    memset(&status, 0, sizeof status);
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    CALL(MPI_Status_set_elements(&status, MPI_INT, 10));
    MPI_Get_count(&status, MPI_INT, &count);
    expect_int("ints", count, 10);
    MPI_Get_elements(&status, MPI_INT, &count);
    expect_int("elements", count, 10);
    CALL(MPI_Status_set_elements(&status, pair, 10));
    MPI_Get_count(&status, pair, &count);
    expect_int("pairs", count, 5);
    MPI_Get_elements(&status, pair, &count);
    expect_int("elements of pairs", count, 10);
    CALL(MPI_Status_set_elements(&status, MPI_INT, 0));
    MPI_Get_count(&status, MPI_INT, &count);
    expect_int("nothing", count, 0);
    CALL(MPI_Status_set_elements_x(&status, MPI_INT, large));
    CALL(MPI_Get_elements_x(&status, MPI_INT, &got));
    expect_int("large", got, large);
    CALL(MPI_Get_elements(&status, MPI_INT, &count));
    expect_int("large as int", count, MPI_UNDEFINED);
    CALL(MPI_Get_count(&status, MPI_INT, &count));
    expect_int("large count as int", count, MPI_UNDEFINED);
    CALL(MPI_Status_set_cancelled(&status, 1));
    CALL(MPI_Test_cancelled(&status, &flag));
    CHECK(flag);
    CALL(MPI_Status_set_cancelled(&status, 0));
    CALL(MPI_Test_cancelled(&status, &flag));
    CHECK(!flag);
    MPI_Type_free(&pair);
    return conform_end(0);
}
