/* SPDX-License-Identifier: BSD-3-Clause */
#include "same.h"

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    rank_main(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
