/* SPDX-License-Identifier: BSD-3-Clause */
/* Nested types thrown by dice at origin and target, with requests and results, against MPI_Pack and
 * MPI_Unpack. */
#include "rma.h"

enum { ROOM = 4096, MIDDLE = 2048, ROUNDS = 60 };

/* A type of n ints within about 1000 ints around 0. */
static MPI_Datatype throw_type(unsigned *state, int n)
{
    MPI_Datatype type, inner;
    int inner_n = n % 2 == 0 && dice(state, 2) ? 2 : 1, parts = n / inner_n;
    int lengths[64], places[64];

    if (inner_n == 2)
        MPI_Type_vector(2, 1, 2 + (int)dice(state, 2), MPI_INT, &inner);
    else
        MPI_Type_create_resized(MPI_INT, 0, 4 + 4 * (MPI_Aint)dice(state, 2), &inner);
    switch (dice(state, 4)) {
    case 0:
        MPI_Type_contiguous(parts, inner, &type);
        break;
    case 1:
        MPI_Type_vector(parts, 1, 1 + (int)dice(state, 3), inner, &type);
        break;
    case 2:
        MPI_Type_vector(parts, 1, -1 - (int)dice(state, 2), inner, &type);
        break;
    default:
        for (int i = 0; i < parts; i++) {
            lengths[i] = 1;
            places[i] = 2 * ((i * 7 + 3) % 64) + (int)dice(state, 2); /* no order; no place twice: 7 and 64 */
        }
        MPI_Type_indexed(parts, lengths, places, inner, &type);
        if (inner_n == 2) { /* vectors would overlap: one after the other again */
            MPI_Type_free(&type);
            MPI_Type_contiguous(parts, inner, &type);
        }
    }
    MPI_Type_free(&inner);
    MPI_Type_commit(&type);
    return type;
}

static void convert(int *to, MPI_Datatype t, const int *from, MPI_Datatype f)
{
    char packed[64 * sizeof(int)];
    int place = 0, size;

    MPI_Pack(from + MIDDLE, 1, f, packed, sizeof packed, &place, MPI_COMM_WORLD);
    size = place;
    place = 0;
    MPI_Unpack(packed, size, &place, to + MIDDLE, 1, t, MPI_COMM_WORLD);
}

static int mem_model[ROOM], from[ROOM], result[ROOM], result_model[ROOM];

static void round_of(MPI_Win win, unsigned *state, int target, int number)
{
    int n = 1 + (int)dice(state, 60);
    MPI_Datatype o = throw_type(state, n), t = throw_type(state, n), r = throw_type(state, n);
    MPI_Request request;

    fill(from, ROOM, number);
    fill(result, ROOM, 1);
    fill(result_model, ROOM, 1);
    convert(result_model, r, mem_model, t);
    if (number % 3 == 0) {
        CALL(MPI_Rget_accumulate(from + MIDDLE, 1, o, result + MIDDLE, 1, r, target, MIDDLE, 1, t,
                                 MPI_REPLACE, win, &request));
    } else {
        CALL(MPI_Rget(result + MIDDLE, 1, r, target, MIDDLE, 1, t, win, &request));
        CALL(MPI_Wait(&request, MPI_STATUS_IGNORE));
        CALL(MPI_Rput(from + MIDDLE, 1, o, target, MIDDLE, 1, t, win, &request));
    }
    MPI_Type_free(&o);
    MPI_Type_free(&r);
    CALL(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CALL(MPI_Win_flush(target, win));
    for (int i = 0; i < ROOM; i++)
        if (!CHECK(result[i] == result_model[i]))
            break;
    MPI_Type_free(&t);
}

/* The same dice again, to know what the target has now. */
static void follow(unsigned *state, int number)
{
    int n = 1 + (int)dice(state, 60);
    MPI_Datatype o = throw_type(state, n), t = throw_type(state, n), r = throw_type(state, n);

    fill(from, ROOM, number);
    convert(mem_model, t, from, o);
    MPI_Type_free(&o);
    MPI_Type_free(&t);
    MPI_Type_free(&r);
}

int main(int argc, char **argv)
{
    MPI_Win win;
    int *mem, rank, target;
    unsigned state, again;

    conform_init(&argc, &argv);
    rank = rank_of(MPI_COMM_WORLD);
    target = (rank + 1) % size_of(MPI_COMM_WORLD);
    state = 17 * (unsigned)rank + 4;
    CALL(MPI_Win_allocate(ROOM * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mem, &win));
    fill(mem_model, ROOM, 99);
    CALL(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, win));
    CALL(MPI_Put(mem_model, ROOM, MPI_INT, target, 0, ROOM, MPI_INT, win));
    CALL(MPI_Win_flush(target, win));
    for (int i = 0; i < ROUNDS; i++) {
        again = state;
        round_of(win, &state, target, i);
        follow(&again, i);
    }
    CALL(MPI_Get(result, ROOM, MPI_INT, target, 0, ROOM, MPI_INT, win));
    CALL(MPI_Win_unlock(target, win));
    for (int i = 0; i < ROOM; i++)
        if (!CHECK(result[i] == mem_model[i]))
            break;
    CALL(MPI_Win_free(&win));
    return conform_end(0);
}
