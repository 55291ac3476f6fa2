/* SPDX-License-Identifier: BSD-3-Clause */
#include "count.h"

int sum_up(int mine)
{
    static int calls;
    int all[2], part[2] = {mine, ++calls};
    MPI_Reduce(part, all, 2, MPI_INT, MPI_SUM, 0, world.comm);
    return world.rank != 0 || all[1] == world.size * calls ? all[0] : -1;
}
