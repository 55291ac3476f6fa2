/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Init(NULL, NULL), and the arguments are those that were given. */
/* conform: args one -two --three=3 */
#include "conform.h"

#include <stddef.h>
#include <string.h>

int main(int argc, char **argv)
{
    int rank, size;

    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    CHECK(rank >= 0 && rank < size);
    CHECK(argc == 4);
    CHECK(argc == 4 && strcmp(argv[1], "one") == 0);
    CHECK(argc == 4 && strcmp(argv[2], "-two") == 0);
    CHECK(argc == 4 && strcmp(argv[3], "--three=3") == 0);
    CHECK(argv[argc] == NULL);
    CHECK(strstr(argv[0], "null_args") != NULL);
    return conform_end(0);
}
