/* SPDX-License-Identifier: BSD-3-Clause */
/* Wrong keys and values of infos: too long, missing, null. */
#include "conform.h"

#include <string.h>

int main(int argc, char **argv)
{
    static char key[MPI_MAX_INFO_KEY + 10], value[MPI_MAX_INFO_VAL + 10];
    MPI_Info info;
    int n, flag;

    conform_init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    CALL(MPI_Info_create(&info));
    memset(key, 'k', sizeof key - 1);
    memset(value, 'v', sizeof value - 1);
    FAILS(MPI_ERR_INFO_KEY, MPI_Info_set(info, key, "x"));
    FAILS(MPI_ERR_INFO_VALUE, MPI_Info_set(info, "x", value));
    FAILS(MPI_ERR_INFO_NOKEY, MPI_Info_delete(info, "x"));
    FAILS(MPI_ERR_INFO_KEY, MPI_Info_set(info, "", "x"));
    CHECK(MPI_Info_set(MPI_INFO_NULL, "x", "y") != MPI_SUCCESS);
    CHECK(MPI_Info_get(MPI_INFO_NULL, "x", 5, value, &flag) != MPI_SUCCESS);
    CALL(MPI_Info_get_nkeys(info, &n));
    CHECK(n == 0);
    CALL(MPI_Info_free(&info));
    return conform_end(0);
}
