/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Init keeps argc and argv; each rank may change its own; options by getopt, which begins anew in each. */
/* conform: args -a 5 -b file */
#include "conform.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int option, number = 0, rank, sum = 0, size;
    const char *name = "";

    conform_init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    CHECK(argc == 5);
    while ((option = getopt(argc, argv, "a:b:c")) != -1)
        if (option == 'a')
            number = atoi(optarg);
        else if (option == 'b')
            name = optarg;
        else
            conform_error("option %c", option);
    CHECK(number == 5 && strcmp(name, "file") == 0 && optind == 5);
    argv[2][0] = '0' + rank % 10;
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(argv[2][0] == '0' + rank % 10);
    argv[4] = NULL;
    argc = 1;
    CALL(MPI_Allreduce(&argc, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CHECK(sum == size);
    return conform_end(0);
}
