/* SPDX-License-Identifier: BSD-3-Clause */
/* exchange.c: values of neighbouring points, behind the own ones in a vector. */
#include "cg.h"
#include <stdlib.h>
#include <string.h>

static MPI_Request requests[26];

/* The halo points that a neighbour's box covers, in the order of the grid. */
static void number_halo(const geometry *g, neighbour *n, int *column_of)
{
    int offset[3], from[3], to[3], next = n->receive;
    direction_offsets(n->direction, offset);
    for (int d = 0; d < 3; d++) {
        from[d] = offset[d] == 0 ? 0 : offset[d] < 0 ? -1 : g->n[d];
        to[d] = offset[d] == 0 ? g->n[d] : from[d] + 1;
    }
    for (int z = from[2]; z < to[2]; z++)
        for (int y = from[1]; y < to[1]; y++)
            for (int x = from[0]; x < to[0]; x++)
                column_of[halo_index(g, x, y, z)] = next++;
}

void exchange_create(matrix *a, int *column_of)
{
    int next = a->rows;
    for (int d = 0; d < 27; d++) {
        int rank = geometry_neighbour(a->geo, d);
        neighbour *n = &a->neighbours[a->neighbour_count];
        if (d == 13 || rank == MPI_PROC_NULL)
            continue;
        n->rank = rank;
        n->direction = d;
        n->receive = next;
        n->send = cg_alloc((size_t)a->rows, sizeof *n->send);
        n->count = geometry_face(a->geo, d, n->send);
        n->buffer = cg_alloc((size_t)n->count, sizeof *n->buffer);
        number_halo(a->geo, n, column_of);
        next += n->count;
        a->neighbour_count++;
    }
    a->columns = next;
}

void exchange_run(const matrix *a, double *x)
{
    int count = a->neighbour_count;
    /* What comes from direction d was sent in the opposite one. */
    for (int i = 0; i < count; i++) {
        const neighbour *n = &a->neighbours[i];
        MPI_Irecv(x + n->receive, n->count, MPI_DOUBLE, n->rank, 100 + 26 - n->direction, cg_comm,
                  &requests[i]);
    }
    for (int i = 0; i < count; i++) {
        const neighbour *n = &a->neighbours[i];
        for (int k = 0; k < n->count; k++)
            n->buffer[k] = x[n->send[k]];
        MPI_Send(n->buffer, n->count, MPI_DOUBLE, n->rank, 100 + n->direction, cg_comm);
    }
    for (int i = 0; i < count; i++)
        MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
}

void exchange_destroy(matrix *a)
{
    for (int i = 0; i < a->neighbour_count; i++) {
        free(a->neighbours[i].send);
        free(a->neighbours[i].buffer);
    }
    memset(a->neighbours, 0, sizeof a->neighbours);
    a->neighbour_count = 0;
}
