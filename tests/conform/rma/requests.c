/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests of RMA in one array with those of messages and collective calls, completed in all ways (MPI
 * 11.3.5). */
#include "rma.h"

enum { KINDS = 10, COUNT = 16, SPAN = 4 * COUNT };

static struct area a;
static long out[COUNT], got[COUNT], was[COUNT], message, answer, sum;

/* Where I write at others: SPAN longs per origin. */
static MPI_Aint at(int target, int part)
{
    return area_at(&a, target, SPAN * a.rank + part * COUNT);
}

static void start(MPI_Request *r, int next, int before, int round)
{
    static long one[COUNT], added;

    added = 3;
    message = 10 * round + a.rank;
    for (int i = 0; i < COUNT; i++) {
        out[i] = 1000 * round + i;
        one[i] = 1;
    }
    CALL(MPI_Irecv(&answer, 1, MPI_LONG, before, round, MPI_COMM_WORLD, &r[0]));
    CALL(MPI_Rput(out, COUNT, MPI_LONG, next, at(next, 0), COUNT, MPI_LONG, a.win, &r[1]));
    CALL(MPI_Rget(got, COUNT, MPI_LONG, before, at(before, 1), COUNT, MPI_LONG, a.win, &r[2]));
    CALL(
        MPI_Raccumulate(one, COUNT, MPI_LONG, before, at(before, 2), COUNT, MPI_LONG, MPI_SUM, a.win, &r[3]));
    r[4] = MPI_REQUEST_NULL;
    CALL(MPI_Rget_accumulate(one, COUNT, MPI_LONG, was, COUNT, MPI_LONG, next, at(next, 3), COUNT, MPI_LONG,
                             MPI_SUM, a.win, &r[5]));
    CALL(MPI_Iallreduce(&added, &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD, &r[6]));
    CALL(MPI_Rput(out, COUNT, MPI_LONG, MPI_PROC_NULL, 0, COUNT, MPI_LONG, a.win, &r[7]));
    CALL(MPI_Isend(&message, 1, MPI_LONG, next, round, MPI_COMM_WORLD, &r[8]));
    CALL(MPI_Rget(got, 0, MPI_LONG, next, at(next, 0), 0, MPI_LONG, a.win, &r[9]));
}

static void finish(int round, MPI_Request *r)
{
    MPI_Status s[KINDS];
    int place, flag, done, left = KINDS - 1, indices[KINDS];

    if (round == 0)
        CALL(MPI_Waitall(KINDS, r, s));
    if (round == 1)
        CALL(MPI_Waitall(KINDS, r, MPI_STATUSES_IGNORE));
    for (flag = 0; round == 2 && !flag;)
        CALL(MPI_Testall(KINDS, r, &flag, s));
    for (; round == 3 && left > 0; left--) {
        CALL(MPI_Waitany(KINDS, r, &place, &s[0]));
        CHECK(place >= 0 && place < KINDS && place != 4);
    }
    for (; round == 4 && left > 0; left -= done) {
        CALL(MPI_Testsome(KINDS, r, &done, indices, s));
        CHECK(done >= 0);
    }
    for (; round == 5 && left > 0; left -= done)
        CALL(MPI_Waitsome(KINDS, r, &done, indices, s));
    while (round == 6 && left > 0) {
        CALL(MPI_Testany(KINDS, r, &place, &flag, &s[0]));
        left -= flag;
    }
    for (int i = KINDS - 1; round == 7 && i >= 0; i--)
        for (flag = 0; !flag;)
            CALL(MPI_Test(&r[i], &flag, &s[i]));
    for (int i = 0; i < KINDS; i++)
        CHECK(r[i] == MPI_REQUEST_NULL);
}

int main(int argc, char **argv)
{
    MPI_Request r[KINDS];
    long back[COUNT];
    int next, before;

    conform_init(&argc, &argv);
    area_make(&a, ALLOCATED, SPAN * size_of(MPI_COMM_WORLD), 5, MPI_COMM_WORLD);
    next = (a.rank + 1) % a.size;
    before = (a.rank + a.size - 1) % a.size;
    CALL(MPI_Win_lock_all(0, a.win));
    for (int round = 0; round < 8; round++) {
        memset(got, 0, sizeof got);
        start(r, next, before, round);
        finish(round, r);
        expect_int("message", answer, 10 * round + before);
        expect_int("sum", sum, 3 * a.size);
        memset(out, 0, sizeof out); /* free to be used again */
        CALL(MPI_Win_flush_all(a.win));
        CALL(MPI_Get(back, COUNT, MPI_LONG, next, at(next, 0), COUNT, MPI_LONG, a.win));
        CALL(MPI_Win_flush(next, a.win));
        for (int i = 0; i < COUNT; i++) {
            expect_int("put", back[i], 1000 * round + i);
            expect_int("got", got[i], 5);
            expect_int("accumulated before", was[i], 5 + round);
        }
        CALL(MPI_Get(back, COUNT, MPI_LONG, before, at(before, 2), COUNT, MPI_LONG, a.win));
        CALL(MPI_Win_flush_local(before, a.win));
        for (int i = 0; i < COUNT; i++)
            expect_int("accumulated", back[i], 6 + round);
    }
    CALL(MPI_Win_unlock_all(a.win));
    area_free(&a);
    return conform_end(0);
}
