/* SPDX-License-Identifier: BSD-3-Clause */
/* Mutexes from atomic operations: a ticket lock and the queue lock of MPI 11.8, example 11.22 (MCS),
 * each guards a sum. */
#include "rma.h"

enum { ROUNDS = 15 };
/* What each rank has: rank 0 alone the first ones. */
enum { TICKET, SERVED, TAIL, SUM, NEXT, BLOCKED, LONGS };

static struct area a;

static long fetch(int target, int place, long operand, MPI_Op op)
{
    long old = -1;

    CALL(MPI_Fetch_and_op(&operand, &old, MPI_LONG, target, area_at(&a, target, place), op, a.win));
    CALL(MPI_Win_flush(target, a.win));
    return old;
}

/* Not atomic by itself. */
static void add(void)
{
    long sum;

    CALL(MPI_Get(&sum, 1, MPI_LONG, 0, area_at(&a, 0, SUM), 1, MPI_LONG, a.win));
    CALL(MPI_Win_flush(0, a.win));
    sum++;
    CALL(MPI_Put(&sum, 1, MPI_LONG, 0, area_at(&a, 0, SUM), 1, MPI_LONG, a.win));
    CALL(MPI_Win_flush(0, a.win));
}

static void by_ticket(void)
{
    long ticket = fetch(0, TICKET, 1, MPI_SUM);

    while (fetch(0, SERVED, 0, MPI_NO_OP) != ticket)
        ;
    add();
    fetch(0, SERVED, 1, MPI_SUM);
}

/* Ranks are written as rank + 1; 0: nobody. */
static void by_queue(void)
{
    static const long nobody = 0;
    long me = a.rank + 1, before, tail, next;

    fetch(a.rank, NEXT, 0, MPI_REPLACE);
    fetch(a.rank, BLOCKED, 1, MPI_REPLACE);
    before = fetch(0, TAIL, me, MPI_REPLACE);
    if (before != 0) {
        fetch((int)before - 1, NEXT, me, MPI_REPLACE);
        while (fetch(a.rank, BLOCKED, 0, MPI_NO_OP) != 0)
            ;
    }
    add();
    next = fetch(a.rank, NEXT, 0, MPI_NO_OP);
    if (next == 0) {
        CALL(MPI_Compare_and_swap(&nobody, &me, &tail, MPI_LONG, 0, area_at(&a, 0, TAIL), a.win));
        CALL(MPI_Win_flush(0, a.win));
        if (tail == me)
            return;
        while ((next = fetch(a.rank, NEXT, 0, MPI_NO_OP)) == 0)
            ;
    }
    fetch((int)next - 1, BLOCKED, 0, MPI_REPLACE);
}

static void by_swap(void)
{
    static const long zero = 0, one = 1;
    long old;

    do {
        CALL(MPI_Compare_and_swap(&one, &zero, &old, MPI_LONG, 0, area_at(&a, 0, TAIL), a.win));
        CALL(MPI_Win_flush(0, a.win));
    } while (old != 0);
    add();
    fetch(0, TAIL, 0, MPI_REPLACE);
}

int main(int argc, char **argv)
{
    static void (*const increment[])(void) = {by_ticket, by_queue, by_swap};

    conform_init(&argc, &argv);
    for (int flavor = 0; flavor < FLAVORS; flavor++) {
        area_make(&a, flavor, LONGS, 0, MPI_COMM_WORLD);
        CALL(MPI_Win_lock_all(0, a.win));
        for (int kind = 0; kind < 3; kind++) {
            for (int i = 0; i < ROUNDS; i++)
                increment[kind]();
            CALL(MPI_Barrier(a.comm));
            expect_int("sum", fetch(0, SUM, 0, MPI_NO_OP), (long)(kind + 1) * ROUNDS * a.size);
            expect_int("nobody waits", fetch(0, TAIL, 0, MPI_NO_OP), 0);
            CALL(MPI_Barrier(a.comm));
        }
        CALL(MPI_Win_unlock_all(a.win));
        area_free(&a);
    }
    return conform_end(0);
}
