/* SPDX-License-Identifier: BSD-3-Clause */
/* conform: status 0 */
/* A program may end without having called MPI_Init. */
#include <mpi.h>
#include <stdio.h>

int main(void)
{
    int flag = 1;

    MPI_Initialized(&flag);
    return flag;
}
