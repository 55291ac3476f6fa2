/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_INFO_ENV can be read and duplicated; maxprocs is the number of processes asked for. */
#include "conform.h"

#include <stdlib.h>
#include <string.h>

static MPI_Info at_file_scope = MPI_INFO_NULL;

int main(int argc, char **argv)
{
    char value[MPI_MAX_INFO_VAL + 1], key[MPI_MAX_INFO_KEY + 1];
    int n, i, flag, size;
    MPI_Info copy;

    conform_init(&argc, &argv);
    CHECK(at_file_scope == MPI_INFO_NULL && MPI_INFO_ENV != MPI_INFO_NULL);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    CALL(MPI_Info_get_nkeys(MPI_INFO_ENV, &n));
    CHECK(n >= 0);
    for (i = 0; i < n; i++) {
        CALL(MPI_Info_get_nthkey(MPI_INFO_ENV, i, key));
        CALL(MPI_Info_get(MPI_INFO_ENV, key, MPI_MAX_INFO_VAL, value, &flag));
        CHECK(flag && strlen(key) > 0);
    }
    CALL(MPI_Info_get(MPI_INFO_ENV, "maxprocs", MPI_MAX_INFO_VAL, value, &flag));
    if (flag)
        CHECK(atoi(value) >= 1);
    CALL(MPI_Info_dup(MPI_INFO_ENV, &copy));
    CALL(MPI_Info_set(copy, "mine", "set"));
    CALL(MPI_Info_get_nkeys(copy, &i));
    CHECK(i == n + 1);
    CALL(MPI_Info_free(&copy));
    return conform_end(0);
}
