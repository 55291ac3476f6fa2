/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Comm_dup_with_info, MPI_Comm_set_info, MPI_Comm_get_info. */
#include "conform.h"

int main(int argc, char **argv)
{
    MPI_Comm copy, third;
    MPI_Info info, seen;
    int result, keys, rank, sum;

    conform_init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    CALL(MPI_Info_create(&info));
    CALL(MPI_Info_set(info, "host", "myhost.myorg.org"));
    CALL(MPI_Info_set(info, "no_such_hint", "true"));
    CALL(MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &copy));
    CALL(MPI_Info_free(&info));
    CALL(MPI_Comm_compare(copy, MPI_COMM_WORLD, &result));
    CHECK(result == MPI_CONGRUENT);

    CALL(MPI_Comm_get_info(copy, &seen));
    CHECK(seen != MPI_INFO_NULL);
    CALL(MPI_Info_get_nkeys(seen, &keys));
    CHECK(keys >= 0);
    CALL(MPI_Comm_set_info(copy, seen));
    CALL(MPI_Info_free(&seen));
    CALL(MPI_Comm_dup_with_info(copy, MPI_INFO_NULL, &third));
    CALL(MPI_Comm_get_info(third, &seen));
    CALL(MPI_Info_free(&seen));

    CALL(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, third));
    CALL(MPI_Comm_free(&third));
    CALL(MPI_Comm_free(&copy));
    CALL(MPI_Comm_get_info(MPI_COMM_WORLD, &seen));
    CALL(MPI_Info_free(&seen));
    CALL(MPI_Comm_get_info(MPI_COMM_SELF, &seen));
    CALL(MPI_Info_free(&seen));
    return conform_end(0);
}
