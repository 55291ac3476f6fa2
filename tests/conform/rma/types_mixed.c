/* SPDX-License-Identifier: BSD-3-Clause */
/* Types of several basic types (structs in another order of memory), freed right after the call; pairs
 * in structs. */
#include "rma.h"

#include <stddef.h>

struct first {
    char tag[3];
    double x;
    int n;
    short s[2];
};
struct second {
    short s[2];
    int n;
    double x;
    char tag[5];
};
enum { COUNT = 8 };

static MPI_Datatype of_first(void)
{
    int lengths[4] = {3, 1, 1, 2};
    MPI_Aint places[4] = {offsetof(struct first, tag), offsetof(struct first, x), offsetof(struct first, n),
                          offsetof(struct first, s)};
    MPI_Datatype types[4] = {MPI_CHAR, MPI_DOUBLE, MPI_INT, MPI_SHORT}, raw, type;

    MPI_Type_create_struct(4, lengths, places, types, &raw);
    MPI_Type_create_resized(raw, 0, sizeof(struct first), &type);
    MPI_Type_free(&raw);
    MPI_Type_commit(&type);
    return type;
}

static MPI_Datatype of_second(void)
{
    int lengths[4] = {3, 1, 1, 2};
    MPI_Aint places[4] = {offsetof(struct second, tag), offsetof(struct second, x),
                          offsetof(struct second, n), offsetof(struct second, s)};
    MPI_Datatype types[4] = {MPI_CHAR, MPI_DOUBLE, MPI_INT, MPI_SHORT}, raw, type;

    MPI_Type_create_struct(4, lengths, places, types, &raw);
    MPI_Type_create_resized(raw, 0, sizeof(struct second), &type);
    MPI_Type_free(&raw);
    MPI_Type_commit(&type);
    return type;
}

static void check(const struct second *s, const struct first *f)
{
    CHECK(s->tag[0] == f->tag[0] && s->tag[2] == f->tag[2] && s->x == f->x && s->n == f->n &&
          s->s[0] == f->s[0] && s->s[1] == f->s[1]);
    CHECK(s->tag[3] == '!' && s->tag[4] == '!');
}

static void set(struct first *f, int rank)
{
    memset(f, 0, COUNT * sizeof *f);
    for (int i = 0; i < COUNT; i++)
        f[i] = (struct first){
            {(char)('a' + rank), 'b', (char)('c' + i)}, rank + i / 8.0, rank * i, {(short)i, -1}};
}

int main(int argc, char **argv)
{
    struct first mine[COUNT], theirs[COUNT];
    struct second *mem, other[COUNT];
    MPI_Datatype first, second;
    MPI_Win win;
    int rank, size, next, before;

    conform_init(&argc, &argv);
    rank = rank_of(MPI_COMM_WORLD);
    size = size_of(MPI_COMM_WORLD);
    next = (rank + 1) % size;
    before = (rank + size - 1) % size;
    CALL(MPI_Win_allocate(COUNT * sizeof *mem, sizeof *mem, MPI_INFO_NULL, MPI_COMM_WORLD, &mem, &win));
    memset(mem, '!', COUNT * sizeof *mem);
    set(mine, rank);
    CALL(MPI_Win_fence(0, win));
    first = of_first();
    second = of_second();
    CALL(MPI_Put(mine, COUNT, first, next, 0, COUNT, second, win));
    MPI_Type_free(&first);
    MPI_Type_free(&second);
    CALL(MPI_Win_fence(0, win));
    set(theirs, before);
    for (int i = 0; i < COUNT; i++)
        check(&mem[i], &theirs[i]);
    memset(theirs, 0, sizeof theirs);
    memset(other, '!', sizeof other);
    first = of_first();
    second = of_second();
    CALL(MPI_Get(theirs, COUNT, first, next, 0, COUNT, second, win));
    CALL(MPI_Get(&other[1], COUNT - 1, second, before, 1, COUNT - 1, second, win));
    MPI_Type_free(&second);
    MPI_Type_free(&first);
    CALL(MPI_Win_fence(0, win));
    for (int i = 0; i < COUNT; i++)
        CHECK(theirs[i].n == mine[i].n && theirs[i].x == mine[i].x && theirs[i].s[1] == -1);
    set(theirs, (before + size - 1) % size);
    for (int i = 1; i < COUNT; i++)
        check(&other[i], &theirs[i]);
    CALL(MPI_Win_free(&win));
    return conform_end(0);
}
