/* SPDX-License-Identifier: BSD-3-Clause */
/* Many infos at once, freed in another order; an info freed after it was given to a communicator. */
#include "conform.h"

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    enum { N = 500 };
    static MPI_Info infos[N];
    char key[32], value[32];
    int i, flag;
    MPI_Comm comm;

    conform_init(&argc, &argv);
    for (i = 0; i < N; i++) {
        CALL(MPI_Info_create(&infos[i]));
        sprintf(key, "key %d", i);
        CALL(MPI_Info_set(infos[i], key, "x"));
        CALL(MPI_Info_set(infos[i], "common", key));
    }
    for (i = 0; i < N; i += 2)
        CALL(MPI_Info_free(&infos[i]));
    for (i = 0; i < N; i += 2)
        CALL(MPI_Info_create(&infos[i]));
    for (i = 0; i < N; i++) {
        sprintf(key, "key %d", i);
        CALL(MPI_Info_get(infos[i], "common", 31, value, &flag));
        CHECK(flag == i % 2);
        if (flag)
            CHECK(strcmp(value, key) == 0);
    }
    CALL(MPI_Comm_dup_with_info(MPI_COMM_WORLD, infos[1], &comm));
    for (i = 0; i < N; i++)
        CALL(MPI_Info_free(&infos[i]));
    CALL(MPI_Barrier(comm));
    CALL(MPI_Comm_free(&comm));
    return conform_end(0);
}
