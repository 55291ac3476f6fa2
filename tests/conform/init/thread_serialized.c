/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Init_thread for MPI_THREAD_SERIALIZED, with null pointers for the arguments. */
#include "conform.h"

#include <stddef.h>

int main(void)
{
    int provided = -1, level = -1, flag = 0;

    MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &provided);
    CHECK(provided >= MPI_THREAD_SERIALIZED);
    CALL(MPI_Query_thread(&level));
    CHECK(level == provided);
    CALL(MPI_Is_thread_main(&flag));
    CHECK(flag);
    return conform_end(0);
}
