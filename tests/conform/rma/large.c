/* SPDX-License-Identifier: BSD-3-Clause */
/* Transfers of 4 MiB and of odd sizes around it, whole and in strides, at odd places; accumulates of 1
 * MiB. */
#include "rma.h"

enum { BYTES = (4 << 20) + 112 };

static unsigned char *mem, *buf;
static int rank, size, next, before;
static MPI_Win win;

static unsigned char byte(int r, size_t i)
{
    return (unsigned char)((size_t)r * 31 + i * 7 + i / 251);
}

static void set(unsigned char *at, int r)
{
    for (size_t i = 0; i < BYTES; i++)
        at[i] = byte(r, i);
}

/* All of at is as set for r, but what is in [from, to), which is as set for other. */
static void check(const char *what, const unsigned char *at, int r, int other, size_t from, size_t to)
{
    for (size_t i = 0; i < BYTES; i++) {
        unsigned char want = byte(i >= from && i < to ? other : r, i);

        if (at[i] != want) {
            conform_error("%s: byte %ld is %d, not %d", what, (long)i, at[i], want);
            return;
        }
    }
}

static void whole(int from, int count)
{
    set(mem, rank);
    set(buf, rank + 50);
    CALL(MPI_Win_fence(0, win));
    CALL(MPI_Put(buf + from, count, MPI_BYTE, next, from, count, MPI_BYTE, win));
    CALL(MPI_Win_fence(0, win));
    check("put", mem, rank, before + 50, (size_t)from, (size_t)(from + count));
    set(buf, 99);
    CALL(MPI_Get(buf + from, count, MPI_BYTE, next, from, count, MPI_BYTE, win));
    CALL(MPI_Win_fence(0, win));
    check("get", buf, 99, rank + 50, (size_t)from, (size_t)(from + count));
}

/* Every other 64 bytes: half of 4 MiB. */
static void strided(void)
{
    MPI_Datatype half;
    int blocks = BYTES / 128;

    MPI_Type_vector(blocks, 64, 128, MPI_BYTE, &half);
    MPI_Type_commit(&half);
    set(mem, rank);
    set(buf, rank + 50);
    CALL(MPI_Win_fence(0, win));
    CALL(MPI_Put(buf + 1, 1, half, next, 1, 1, half, win));
    CALL(MPI_Put(buf + 65, 64, MPI_BYTE, next, 65, 64, MPI_BYTE, win));
    CALL(MPI_Win_fence(0, win));
    for (size_t i = 0; i < BYTES; i++) {
        int other = i > 0 && (int)(i - 1) / 128 < blocks && ((i - 1) % 128 < 64 || i < 129);

        if (!CHECK(mem[i] == byte(other ? before + 50 : rank, i)))
            break;
    }
    set(buf, 99);
    CALL(MPI_Get(buf, blocks * 64, MPI_BYTE, before, 1, 1, half, win));
    CALL(MPI_Win_fence(0, win));
    for (size_t i = 0; i < (size_t)blocks * 64; i++)
        if (!CHECK(buf[i] == byte((before + size - 1) % size + 50, i / 64 * 128 + i % 64 + 1)))
            break;
    MPI_Type_free(&half);
}

static void accumulates(void)
{
    enum { LONGS = (1 << 20) / sizeof(long) };
    long *sums = (long *)mem, *mine = (long *)buf, *old = malloc(LONGS * sizeof(long));

    for (int i = 0; i < LONGS; i++) {
        sums[i] = 1;
        mine[i] = i;
    }
    CALL(MPI_Win_fence(0, win));
    CALL(MPI_Accumulate(mine, LONGS, MPI_LONG, next, 0, LONGS, MPI_LONG, MPI_SUM, win));
    CALL(MPI_Get_accumulate(mine, LONGS, MPI_LONG, old, LONGS, MPI_LONG, next, 0, LONGS, MPI_LONG, MPI_SUM,
                            win));
    CALL(MPI_Win_fence(0, win));
    for (int i = 0; i < LONGS; i++)
        if (!CHECK(sums[i] == 2L * i + 1 && old[i] == i + 1))
            break;
    free(old);
}

int main(int argc, char **argv)
{
    conform_init(&argc, &argv);
    rank = rank_of(MPI_COMM_WORLD);
    size = size_of(MPI_COMM_WORLD);
    next = (rank + 1) % size;
    before = (rank + size - 1) % size;
    buf = malloc(BYTES);
    for (int shared = 0; shared < 2; shared++) {
        if (shared)
            CALL(MPI_Win_allocate(BYTES, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &mem, &win));
        else {
            mem = malloc(BYTES);
            CALL(MPI_Win_create(mem, BYTES, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
        }
        whole(0, 4 << 20);
        whole(37, (4 << 20) + 3);
        whole(3, 8193);
        strided();
        accumulates();
        CALL(MPI_Win_free(&win));
        if (!shared)
            free(mem);
    }
    free(buf);
    return conform_end(0);
}
