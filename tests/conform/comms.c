/* SPDX-License-Identifier: BSD-3-Clause */
/* The communicators of conform_comm. Each maker is called by all ranks of MPI_COMM_WORLD. */
#include "conform.h"

static void world(MPI_Comm *comm)
{
    *comm = MPI_COMM_WORLD;
}

static void self(MPI_Comm *comm)
{
    *comm = MPI_COMM_SELF;
}

static void world_dup(MPI_Comm *comm)
{
    MPI_Comm_dup(MPI_COMM_WORLD, comm);
}

static void self_dup(MPI_Comm *comm)
{
    MPI_Comm_dup(MPI_COMM_SELF, comm);
}

static void reversed(MPI_Comm *comm)
{
    int rank, size;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_split(MPI_COMM_WORLD, 0, size - rank, comm);
}

static void even_odd(MPI_Comm *comm)
{
    int rank;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, comm);
}

static void first_half(MPI_Comm *comm)
{
    int rank, size;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_split(MPI_COMM_WORLD, rank < (size + 1) / 2 ? 0 : MPI_UNDEFINED, 0, comm);
}

/* By MPI_Comm_create: all but the last rank; alone: all. */
static void all_but_last(MPI_Comm *comm)
{
    MPI_Group whole, part;
    int size, last;

    MPI_Comm_group(MPI_COMM_WORLD, &whole);
    MPI_Group_size(whole, &size);
    last = size - 1;
    MPI_Group_excl(whole, size > 1 ? 1 : 0, &last, &part);
    MPI_Comm_create(MPI_COMM_WORLD, part, comm);
    MPI_Group_free(&part);
    MPI_Group_free(&whole);
}

static void grid(MPI_Comm *comm)
{
    int dims[2] = {0, 0}, periods[2] = {1, 0}, size;

    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Dims_create(size, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, comm);
}

/* Ranks below first are on one side, the others on the other; MPI_COMM_NULL if a side would be empty. */
static void intercomm_create(int first, MPI_Comm *comm)
{
    int rank, size, low;
    MPI_Comm side;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    *comm = MPI_COMM_NULL;
    if (first < 1 || first >= size)
        return;
    low = rank < first;
    MPI_Comm_split(MPI_COMM_WORLD, low, rank, &side);
    MPI_Intercomm_create(side, 0, MPI_COMM_WORLD, low ? first : 0, 77, comm);
    MPI_Comm_free(&side);
}

static void halves(MPI_Comm *comm)
{
    int size;

    MPI_Comm_size(MPI_COMM_WORLD, &size);
    intercomm_create(size / 2, comm);
}

static void one_and_rest(MPI_Comm *comm)
{
    intercomm_create(1, comm);
}

static void halves_dup(MPI_Comm *comm)
{
    MPI_Comm first;

    halves(&first);
    *comm = MPI_COMM_NULL;
    if (first == MPI_COMM_NULL)
        return;
    MPI_Comm_dup(first, comm);
    MPI_Comm_free(&first);
}

static void merged(MPI_Comm *comm)
{
    int rank, size;
    MPI_Comm first;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    halves(&first);
    *comm = MPI_COMM_NULL;
    if (first == MPI_COMM_NULL)
        return;
    MPI_Intercomm_merge(first, rank < size / 2, comm);
    MPI_Comm_free(&first);
}

static const struct {
    const char *name;
    void (*make)(MPI_Comm *);
    int is_inter;
} makers[] = {
    {"MPI_COMM_WORLD", world, 0},
    {"MPI_COMM_SELF", self, 0},
    {"dup of world", world_dup, 0},
    {"dup of self", self_dup, 0},
    {"world reversed", reversed, 0},
    {"even and odd", even_odd, 0},
    {"first half", first_half, 0},
    {"all but the last", all_but_last, 0},
    {"cartesian", grid, 0},
    {"intercommunicator of halves", halves, 1},
    {"intercommunicator of rank 0 and the rest", one_and_rest, 1},
    {"dup of an intercommunicator", halves_dup, 1},
    {"merged halves, the high ones first", merged, 0},
};

static int next, last;

int conform_comm(MPI_Comm *comm, int *is_inter)
{
    const int n = sizeof makers / sizeof *makers;

    if (next == n) {
        next = 0;
        *comm = MPI_COMM_NULL;
        return 0;
    }
    last = next++;
    makers[last].make(comm);
    if (is_inter)
        *is_inter = makers[last].is_inter;
    return 1;
}

const char *conform_comm_name(void)
{
    return makers[last].name;
}

void conform_free_comm(MPI_Comm *comm)
{
    if (*comm != MPI_COMM_NULL && *comm != MPI_COMM_WORLD && *comm != MPI_COMM_SELF)
        MPI_Comm_free(comm);
}
