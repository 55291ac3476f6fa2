/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A linked list over all ranks on a dynamic window (after MPI 11.8, example 11.21): everybody appends
 * elements of its own memory to the end with compare-and-swap, then everybody walks through all of it.
 */
#include "rma.h"

#include <stddef.h>

enum { ELEMENTS = 8 };

struct pointer {
    int rank; /* -1: none */
    MPI_Aint at;
};
struct element {
    int next_rank;
    int value;
    MPI_Aint next_at;
};

static MPI_Win win;

static MPI_Aint member(MPI_Aint element, size_t offset)
{
    return MPI_Aint_add(element, (MPI_Aint)offset);
}

/* rank -1: end is the last one yet. Who swapped the rank in says the address right after that. */
static struct pointer next_of(struct pointer p)
{
    struct pointer next = {-2, 0};

    CALL(MPI_Fetch_and_op(NULL, &next.rank, MPI_INT, p.rank, member(p.at, 0), MPI_NO_OP, win));
    CALL(MPI_Win_flush(p.rank, win));
    if (next.rank == -1)
        return next;
    do {
        CALL(MPI_Fetch_and_op(NULL, &next.at, MPI_AINT, p.rank,
                              member(p.at, offsetof(struct element, next_at)), MPI_NO_OP, win));
        CALL(MPI_Win_flush(p.rank, win));
    } while (next.at == 0);
    return next;
}

static struct pointer append(struct pointer end, int me, MPI_Aint at)
{
    static const int none = -1;
    struct pointer next;
    int old;

    for (;;) {
        CALL(MPI_Compare_and_swap(&me, &none, &old, MPI_INT, end.rank, member(end.at, 0), win));
        CALL(MPI_Win_flush(end.rank, win));
        if (old == -1)
            break;
        next = next_of(end);
        end = next;
    }
    CALL(MPI_Accumulate(&at, 1, MPI_AINT, end.rank, member(end.at, offsetof(struct element, next_at)), 1,
                        MPI_AINT, MPI_REPLACE, win));
    CALL(MPI_Win_flush(end.rank, win));
    return (struct pointer){me, at};
}

int main(int argc, char **argv)
{
    struct element *elements;
    struct pointer head = {0, 0}, end;
    int rank, size, count = 0, *seen;

    conform_init(&argc, &argv);
    rank = rank_of(MPI_COMM_WORLD);
    size = size_of(MPI_COMM_WORLD);
    CALL(MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win));
    /* The last one of rank 0 is the head. */
    CALL(MPI_Alloc_mem((ELEMENTS + 1) * sizeof *elements, MPI_INFO_NULL, &elements));
    for (int i = 0; i <= ELEMENTS; i++)
        elements[i] = (struct element){-1, rank * ELEMENTS + i, 0};
    CALL(MPI_Win_attach(win, elements, (ELEMENTS + 1) * sizeof *elements));
    MPI_Get_address(&elements[ELEMENTS], &head.at);
    CALL(MPI_Bcast(&head.at, 1, MPI_AINT, 0, MPI_COMM_WORLD));
    CALL(MPI_Win_lock_all(0, win));
    end = head;
    for (int i = 0; i < ELEMENTS; i++) {
        MPI_Aint at;

        MPI_Get_address(&elements[i], &at);
        end = append(end, rank, at);
    }
    CALL(MPI_Barrier(MPI_COMM_WORLD));
    seen = calloc((size_t)(size * ELEMENTS), sizeof *seen);
    for (struct pointer p = next_of(head); p.rank >= 0; p = next_of(p)) {
        int value = -1;

        CALL(MPI_Get(&value, 1, MPI_INT, p.rank, member(p.at, offsetof(struct element, value)), 1, MPI_INT,
                     win));
        CALL(MPI_Win_flush(p.rank, win));
        count++;
        if (CHECK(value >= 0 && value < size * ELEMENTS))
            seen[value]++;
        /* Each rank's own elements are in their order. */
        CHECK(value % ELEMENTS == 0 || seen[value - 1] == 1);
    }
    expect_int("elements", count, size * ELEMENTS);
    for (int i = 0; i < size * ELEMENTS; i++)
        expect_int("times seen", seen[i], 1);
    free(seen);
    CALL(MPI_Win_unlock_all(win));
    CALL(MPI_Barrier(MPI_COMM_WORLD));
    CALL(MPI_Win_detach(win, elements));
    CALL(MPI_Free_mem(elements));
    CALL(MPI_Win_free(&win));
    return conform_end(0);
}
