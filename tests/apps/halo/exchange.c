/* SPDX-License-Identifier: BSD-3-Clause */
/* exchange.c: edges of a field to the neighbours' halos, without packing. */
#include "halo.h"
#include <stdlib.h>

struct exchange {
    MPI_Request requests[8];
};

/* The types are the same for all fields: made with the first exchange, freed with the last. */
static MPI_Datatype row = MPI_DATATYPE_NULL, column = MPI_DATATYPE_NULL;
static int users = 0;

static void create_types(void)
{
    int sizes[2] = {local[ACROSS] + 2, local[ALONG] + 2}, part[2] = {1, local[ALONG]}, start[2] = {0, 1};
    if (users++ > 0)
        return;
    MPI_Type_create_subarray(2, sizes, part, start, MPI_ORDER_C, MPI_DOUBLE, &row);
    MPI_Type_vector(local[ACROSS], 1, local[ALONG] + 2, MPI_DOUBLE, &column);
    MPI_Type_commit(&row);
    MPI_Type_commit(&column);
}

exchange *exchange_create(double *u)
{
    exchange *e = malloc(sizeof *e);
    int up, down, left, right, rows = local[ACROSS], columns = local[ALONG];
    MPI_Request *r = e->requests;
    create_types();
    MPI_Cart_shift(grid_comm, ACROSS, 1, &up, &down);
    MPI_Cart_shift(grid_comm, ALONG, 1, &left, &right);
    /* The type of a row has its offset of one cell in itself. */
    MPI_Recv_init(cell(u, 0, 0), 1, row, up, 1, grid_comm, r++);
    MPI_Recv_init(cell(u, rows + 1, 0), 1, row, down, 2, grid_comm, r++);
    MPI_Recv_init(cell(u, 1, 0), 1, column, left, 3, grid_comm, r++);
    MPI_Recv_init(cell(u, 1, columns + 1), 1, column, right, 4, grid_comm, r++);
    MPI_Send_init(cell(u, rows, 0), 1, row, down, 1, grid_comm, r++);
    MPI_Send_init(cell(u, 1, 0), 1, row, up, 2, grid_comm, r++);
    MPI_Send_init(cell(u, 1, columns), 1, column, right, 3, grid_comm, r++);
    MPI_Send_init(cell(u, 1, 1), 1, column, left, 4, grid_comm, r++);
    return e;
}

void exchange_begin(exchange *e)
{
    MPI_Startall(8, e->requests);
}

void exchange_end(exchange *e)
{
    MPI_Waitall(8, e->requests, MPI_STATUSES_IGNORE);
}

void exchange_destroy(exchange *e)
{
    for (int i = 0; i < 8; i++)
        MPI_Request_free(&e->requests[i]);
    free(e);
    if (--users == 0) {
        MPI_Type_free(&row);
        MPI_Type_free(&column);
    }
}
