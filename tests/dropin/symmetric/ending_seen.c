/* SPDX-License-Identifier: BSD-3-Clause */
/* Before eprun's libep: when does eprun call what a rank has for its end? */
#include <unistd.h>

struct mpi_rank;
void ep_rank_exits(struct mpi_rank *rank);

void ep_rank_exits(struct mpi_rank *rank)
{
    static const char text[] = "rank exits\n";
    if (rank && write(1, text, sizeof text - 1) < 0)
        _exit(1);
}
