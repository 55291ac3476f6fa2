/* SPDX-License-Identifier: BSD-3-Clause */
/* What a program gets that asks for tasks that block alone. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int provided, level;
    MPI_Init_thread(&argc, &argv, EP_TASK_MULTIPLE, &provided);
    MPI_Query_thread(&level);
    printf("%s %d\n",
           provided == EP_TASK_MULTIPLE      ? "task"
           : provided == MPI_THREAD_MULTIPLE ? "thread"
                                             : "?",
           level == provided);
    return MPI_Finalize();
}
