/* SPDX-License-Identifier: BSD-3-Clause */
/* Large counts in statuses next to the cancelled flag, and statuses copied by assignment. */
#include "../expect.h"

static void set(MPI_Count count, int cancelled)
{
    MPI_Status status, copy;
    MPI_Count got = -1;
    int flag = -1;

    memset(&status, 0, sizeof status);
    CALL(MPI_Status_set_elements_x(&status, MPI_CHAR, count));
    CALL(MPI_Status_set_cancelled(&status, cancelled));
    copy = status;
    CALL(MPI_Get_elements_x(&copy, MPI_CHAR, &got));
    expect_int("count", got, count);
    CALL(MPI_Test_cancelled(&copy, &flag));
    CHECK(!flag == !cancelled);
    CALL(MPI_Status_set_cancelled(&status, !cancelled));
    CALL(MPI_Status_set_elements_x(&status, MPI_CHAR, count / 2));
    CALL(MPI_Test_cancelled(&status, &flag));
    CHECK((flag == 0) == cancelled);
    CALL(MPI_Get_elements_x(&status, MPI_CHAR, &got));
    expect_int("half", got, count / 2);
}

int main(int argc, char **argv)
{
    conform_init(&argc, &argv);
    for (int cancelled = 0; cancelled < 2; cancelled++) {
        set(0, cancelled);
        set(1, cancelled);
        set(0x7fffffff, cancelled);
        set((MPI_Count)1 << 32, cancelled);
        set(((MPI_Count)1 << 40) + 12345, cancelled);
        set(((MPI_Count)1 << 60) - 1, cancelled);
    }
    return conform_end(0);
}
