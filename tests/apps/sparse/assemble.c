/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * assemble.c: as with finite elements, who makes an edge has entries for rows of others: they are sent to the owners, who add
 * them up. Weights are multiples of 1/128, so sums do not depend on their order.
 */
#include "sparse.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const double shift = 1.0 / 128;

typedef struct {
    int row, column;
    double value;
} entry;

static MPI_Datatype entry_type(void)
{
    int lengths[2] = {2, 1};
    MPI_Aint at[2] = {offsetof(entry, row), offsetof(entry, value)};
    MPI_Datatype parts[2] = {MPI_INT, MPI_DOUBLE}, type;
    MPI_Type_create_struct(2, lengths, at, parts, &type);
    MPI_Type_commit(&type);
    return type;
}

static uint32_t chance(int point, int what)
{
    uint64_t v = (uint64_t)point * 64 + (uint64_t)what + 1;
    v = (v ^ v >> 30) * 0xbf58476d1ce4e5b9u * 0x9e3779b97f4a7c15u;
    v = (v ^ v >> 27) * 0x94d049bb133111ebu;
    return (uint32_t)(v >> 32);
}

/* The other end of an edge of point i, or -1. Edge 0 goes to the next point, so that all hang together. */
static int other_end(const graph *g, int i, int edge)
{
    int width = g->points / 50 + 2, end;
    if (edge == 0)
        end = i + 1;
    else if (edge <= g->near_edges)
        end = i + 1 + (int)(chance(i, edge) % (unsigned)width);
    else
        end = chance(i, edge) % (unsigned)g->far_every == 0 ? (int)(chance(i, 63) % (unsigned)g->points) : i;
    return end < g->points && end != i ? end : -1;
}

/* Four entries for each of my points' edges; returns how many there are. */
static int make_entries(const matrix *a, const graph *g, double drift, entry *out)
{
    entry *next = out;
    for (int i = a->first; i < a->first + a->rows; i++) {
        *next++ = (entry){i, i, shift};
        for (int edge = 0; edge <= g->near_edges + 1; edge++) {
            int j = other_end(g, i, edge);
            double weight = (1 + chance(i, 32 + edge) % 8) / 8.0, there = weight * (1 + drift),
                   back = weight * (1 - drift);
            if (j < 0)
                continue;
            *next++ = (entry){i, j, -there};
            *next++ = (entry){i, i, there};
            *next++ = (entry){j, i, -back};
            *next++ = (entry){j, j, back};
        }
    }
    return (int)(next - out);
}

static int compare_entries(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    return x->row != y->row ? (x->row > y->row) - (x->row < y->row)
                            : (x->column > y->column) - (x->column < y->column);
}

/* To the owners of their rows. Returns what I get, sorted; frees what I had. */
static entry *send_entries(const matrix *a, entry *mine, int count, int *received)
{
    size_t size = (size_t)sparse_size;
    int *counts = sparse_alloc(4 * size, sizeof *counts), *at = counts + size, *got = at + size,
        *got_at = got + size, all = 0;
    MPI_Datatype type = entry_type();
    entry *theirs;
    qsort(mine, (size_t)count, sizeof *mine, compare_entries);
    for (int i = 0; i < count; i++)
        counts[owner_of(a->all, mine[i].row)]++;
    MPI_Alltoall(counts, 1, MPI_INT, got, 1, MPI_INT, sparse_comm);
    for (int r = 0, sent = 0; r < sparse_size; r++) {
        at[r] = sent;
        got_at[r] = all;
        sent += counts[r];
        all += got[r];
    }
    theirs = sparse_alloc((size_t)all, sizeof *theirs);
    MPI_Alltoallv(mine, counts, at, type, theirs, got, got_at, type, sparse_comm);
    qsort(theirs, (size_t)all, sizeof *theirs, compare_entries);
    MPI_Type_free(&type);
    free(counts);
    free(mine);
    *received = all;
    return theirs;
}

/* Sorted entries become rows, those of one place one; columns are numbers of the whole. */
static void make_rows(matrix *a, const entry *e, int count)
{
    int used = 0;
    a->start = sparse_alloc((size_t)a->rows + 1, sizeof *a->start);
    a->column = sparse_alloc((size_t)count, sizeof *a->column);
    a->value = sparse_alloc((size_t)count, sizeof *a->value);
    a->diagonal = sparse_alloc((size_t)a->rows, sizeof *a->diagonal);
    for (int i = 0; i < count; i++) {
        int row = e[i].row - a->first;
        if (i == 0 || compare_entries(&e[i - 1], &e[i]) != 0) {
            a->column[used++] = e[i].column;
            a->start[row + 1] = used;
        }
        a->value[used - 1] += e[i].value;
        if (e[i].column == e[i].row)
            a->diagonal[row] = a->value[used - 1];
    }
}

void matrix_create(matrix *a, const graph *g, double drift)
{
    int first = first_of(g->points, sparse_rank), count;
    entry *entries;
    *a = (matrix){.all = g->points, .first = first, .rows = first_of(g->points, sparse_rank + 1) - first};
    entries = sparse_alloc((size_t)a->rows * (4 * ((size_t)g->near_edges + 2) + 1), sizeof *entries);
    count = make_entries(a, g, drift, entries);
    entries = send_entries(a, entries, count, &count);
    make_rows(a, entries, count);
    free(entries);
    exchange_create(a);
}

void matrix_destroy(matrix *a)
{
    exchange_destroy(a);
    free(a->start);
    free(a->column);
    free(a->value);
    free(a->diagonal);
}
