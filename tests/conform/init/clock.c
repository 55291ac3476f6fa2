/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Wtime, MPI_Wtick, MPI_Get_processor_name, MPI_Pcontrol. */
#include "conform.h"

#include <string.h>
#include <time.h>

static void clock_runs(void)
{
    double before, after, tick = MPI_Wtick(), last;
    struct timespec pause = {0, 50000000};
    int i;

    CHECK(tick > 0 && tick < 1);
    before = MPI_Wtime();
    nanosleep(&pause, NULL);
    after = MPI_Wtime();
    if (after - before < 0.04 || after - before > 20)
        conform_error("a pause of 0.05 s takes %g s", after - before);
    last = MPI_Wtime();
    for (i = 0; i < 10000; i++) {
        after = MPI_Wtime();
        CHECK(after >= last);
        last = after;
    }
}

static void processor(void)
{
    char name[MPI_MAX_PROCESSOR_NAME + 1], first[MPI_MAX_PROCESSOR_NAME + 1];
    int length = -1;

    memset(name, 0, sizeof name);
    CALL(MPI_Get_processor_name(name, &length));
    CHECK(length > 0 && length <= MPI_MAX_PROCESSOR_NAME && (int)strlen(name) == length);
    memcpy(first, name, sizeof name);
    CALL(MPI_Bcast(first, sizeof first, MPI_CHAR, 0, MPI_COMM_WORLD));
}

int main(int argc, char **argv)
{
    conform_init(&argc, &argv);
    clock_runs();
    processor();
    CALL(MPI_Pcontrol(0));
    CALL(MPI_Pcontrol(1));
    CALL(MPI_Pcontrol(2, "more", 3.0));
    return conform_end(0);
}
