/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * exchange.c: the two exchanges of a step. Sums at nodes go to all who have a node: across faces, edges and corners, up to 26
 * neighbours. Each sends what its own cells add up to and adds what comes; these are integers, so all of them get
 * the same sum. Ghosts of cells come across faces only.
 */
#include "hydro.h"
#include <stdlib.h>
#include <string.h>

enum { SUMS_TAG = 1, GHOSTS_TAG = 2 };

/* Nodes or cells of a box, from..to-1 along each axis. */
typedef struct {
    int from[3], to[3];
} range;

static struct {
    sum *sent[DIRECTIONS], *received[DIRECTIONS];
    MPI_Datatype edge[DIRECTIONS], ghosts[DIRECTIONS]; /* layers of cells at faces */
    MPI_Request requests[2 * DIRECTIONS];
} wire;

static int offset_of(int direction, int axis)
{
    return axis == 0 ? direction % 3 - 1 : axis == 1 ? direction / 3 % 3 - 1 : direction / 9 - 1;
}

/* The nodes that I have in common with the neighbour there. */
static range shared_nodes(const mesh *m, int direction)
{
    range r;
    for (int d = 0; d < AXES; d++) {
        int o = offset_of(direction, d);
        r.from[d] = o > 0 ? m->n[d] : 0;
        r.to[d] = o < 0 ? 1 : m->n[d] + 1;
    }
    return r;
}

static int range_size(const range *r)
{
    return (r->to[0] - r->from[0]) * (r->to[1] - r->from[1]) * (r->to[2] - r->from[2]);
}

/* A layer of cells with ghosts: the outermost of mine, or the ghosts behind it. */
static MPI_Datatype layer_type(const mesh *m, int direction, int ghosts)
{
    int sizes[3], part[3], start[3];
    MPI_Datatype vector, layer;
    for (int d = 0; d < AXES; d++) {
        int o = offset_of(direction, d), slow = AXES - 1 - d;
        sizes[slow] = m->n[d] + 2;
        part[slow] = o == 0 ? m->n[d] : 1;
        start[slow] = o > 0 ? m->n[d] + ghosts : o < 0 ? 1 - ghosts : 1;
    }
    MPI_Type_contiguous(AXES, MPI_DOUBLE, &vector);
    MPI_Type_create_subarray(AXES, sizes, part, start, MPI_ORDER_C, vector, &layer);
    MPI_Type_commit(&layer);
    MPI_Type_free(&vector);
    return layer;
}

static int has_face(const mesh *m, int direction)
{
    return m->neighbour[direction] != MPI_PROC_NULL &&
           abs(offset_of(direction, 0)) + abs(offset_of(direction, 1)) + abs(offset_of(direction, 2)) == 1;
}

void exchange_create(const mesh *m)
{
    for (int d = 0; d < DIRECTIONS; d++) {
        range r = shared_nodes(m, d);
        if (m->neighbour[d] == MPI_PROC_NULL)
            continue;
        wire.sent[d] = hydro_alloc((size_t)range_size(&r), sizeof(sum));
        wire.received[d] = hydro_alloc((size_t)range_size(&r), sizeof(sum));
        if (has_face(m, d)) {
            wire.edge[d] = layer_type(m, d, 0);
            wire.ghosts[d] = layer_type(m, d, 1);
        }
    }
}

void exchange_destroy(const mesh *m)
{
    for (int d = 0; d < DIRECTIONS; d++) {
        free(wire.sent[d]);
        free(wire.received[d]);
        if (has_face(m, d)) {
            MPI_Type_free(&wire.edge[d]);
            MPI_Type_free(&wire.ghosts[d]);
        }
    }
    memset(&wire, 0, sizeof wire);
}

static void pack_sums(const mesh *m, const range *r, const sum *from, sum *to)
{
    size_t length = (size_t)(r->to[0] - r->from[0]);
    for (int z = r->from[2]; z < r->to[2]; z++)
        for (int y = r->from[1]; y < r->to[1]; y++, to += length)
            memcpy(to, from[node_at(m, r->from[0], y, z)], length * sizeof *to);
}

static void add_sums(const mesh *m, const range *r, const sum *from, sum *to)
{
    for (int z = r->from[2]; z < r->to[2]; z++)
        for (int y = r->from[1]; y < r->to[1]; y++)
            for (int x = r->from[0]; x < r->to[0]; x++, from++)
                for (int d = 0; d < AXES; d++)
                    to[node_at(m, x, y, z)][d] += (*from)[d];
}

void exchange_sums(const mesh *m, sum *of)
{
    int n = 0;
    for (int d = 0; d < DIRECTIONS; d++)
        if (m->neighbour[d] != MPI_PROC_NULL) {
            range r = shared_nodes(m, d);
            MPI_Irecv(wire.received[d], AXES * range_size(&r), MPI_INT64_T, m->neighbour[d], SUMS_TAG,
                      hydro_comm, &wire.requests[n++]);
        }
    for (int d = 0; d < DIRECTIONS; d++)
        if (m->neighbour[d] != MPI_PROC_NULL) {
            range r = shared_nodes(m, d);
            pack_sums(m, &r, of, wire.sent[d]);
            MPI_Isend(wire.sent[d], AXES * range_size(&r), MPI_INT64_T, m->neighbour[d], SUMS_TAG, hydro_comm,
                      &wire.requests[n++]);
        }
    MPI_Waitall(n, wire.requests, MPI_STATUSES_IGNORE);
    for (int d = 0; d < DIRECTIONS; d++)
        if (m->neighbour[d] != MPI_PROC_NULL) {
            range r = shared_nodes(m, d);
            add_sums(m, &r, wire.received[d], of);
        }
}

void exchange_ghosts(const mesh *m, vec *field)
{
    int n = 0;
    for (int d = 0; d < DIRECTIONS; d++)
        if (has_face(m, d)) {
            MPI_Irecv(field, 1, wire.ghosts[d], m->neighbour[d], GHOSTS_TAG, hydro_comm, &wire.requests[n++]);
            MPI_Isend(field, 1, wire.edge[d], m->neighbour[d], GHOSTS_TAG, hydro_comm, &wire.requests[n++]);
        }
    MPI_Waitall(n, wire.requests, MPI_STATUSES_IGNORE);
}
