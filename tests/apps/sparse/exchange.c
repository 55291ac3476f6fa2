/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * exchange.c: values of a vector that rows of other processes need. Each process finds which ones it needs and tells their owners
 * by MPI_Alltoallv; from then on only those who share something talk. A row is multiplied when the last piece that
 * it needs has come, so its sum is the same whatever came first.
 */
#include "sparse.h"
#include <stdlib.h>
#include <string.h>

static int compare_numbers(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* Columns become places of a vector: mine, and behind them the needed ones in order. */
static void number_columns(matrix *a)
{
    int entries = a->start[a->rows], count = 0, unique = 0;
    a->needed = sparse_alloc((size_t)entries, sizeof *a->needed);
    for (int k = 0; k < entries; k++)
        if (a->column[k] < a->first || a->column[k] >= a->first + a->rows)
            a->needed[count++] = a->column[k];
    qsort(a->needed, (size_t)count, sizeof *a->needed, compare_numbers);
    for (int i = 0; i < count; i++)
        if (i == 0 || a->needed[i] != a->needed[i - 1])
            a->needed[unique++] = a->needed[i];
    a->columns = a->rows + unique;
    for (int k = 0; k < entries; k++) {
        int mine = a->column[k] - a->first;
        if (mine < 0 || mine >= a->rows) {
            int *at = bsearch(&a->column[k], a->needed, (size_t)unique, sizeof *at, compare_numbers);
            mine = a->rows + (int)(at - a->needed);
        }
        a->column[k] = mine;
    }
}

static void add_neighbour(matrix *a, int rank, int receive, int receive_count, const int *send,
                          int send_count)
{
    neighbour *n = &a->neighbours[a->neighbour_count++];
    *n = (neighbour){.rank = rank, .receive = a->rows + receive, .receive_count = receive_count};
    n->send_count = send_count;
    n->send = sparse_alloc((size_t)send_count, sizeof *n->send);
    n->buffer = sparse_alloc((size_t)send_count, sizeof *n->buffer);
    n->rows = sparse_alloc((size_t)a->rows, sizeof *n->rows);
    for (int i = 0; i < send_count; i++)
        n->send[i] = send[i] - a->first;
}

/* Everybody learns which of its rows others need. */
static void find_neighbours(matrix *a)
{
    size_t size = (size_t)sparse_size;
    int *counts = sparse_alloc(4 * size, sizeof *counts), *at = counts + size, *asked = at + size,
        *asked_at = asked + size, all = 0, *wanted;
    for (int i = 0; i < a->columns - a->rows; i++)
        counts[owner_of(a->all, a->needed[i])]++;
    MPI_Alltoall(counts, 1, MPI_INT, asked, 1, MPI_INT, sparse_comm);
    for (int r = 0, sum = 0; r < sparse_size; r++) {
        at[r] = sum;
        asked_at[r] = all;
        sum += counts[r];
        all += asked[r];
    }
    wanted = sparse_alloc((size_t)all, sizeof *wanted);
    MPI_Alltoallv(a->needed, counts, at, MPI_INT, wanted, asked, asked_at, MPI_INT, sparse_comm);
    a->neighbours = sparse_alloc(size, sizeof *a->neighbours);
    for (int r = 0; r < sparse_size; r++)
        if (counts[r] > 0 || asked[r] > 0)
            add_neighbour(a, r, at[r], counts[r], wanted + asked_at[r], asked[r]);
    free(wanted);
    free(counts);
}

/* Which rows need a piece, and how many pieces a row. */
static void find_rows(matrix *a)
{
    a->pieces = sparse_alloc((size_t)a->rows, sizeof *a->pieces);
    a->missing = sparse_alloc((size_t)a->rows, sizeof *a->missing);
    for (int i = 0; i < a->neighbour_count; i++) {
        neighbour *n = &a->neighbours[i];
        for (int row = 0; row < a->rows; row++) {
            int k = a->start[row], end = a->start[row + 1];
            while (k < end && (a->column[k] < n->receive || a->column[k] >= n->receive + n->receive_count))
                k++;
            if (k < end) {
                n->rows[n->row_count++] = row;
                a->pieces[row]++;
            }
        }
    }
}

void exchange_create(matrix *a)
{
    number_columns(a);
    find_neighbours(a);
    find_rows(a);
    a->requests = sparse_alloc(2 * (size_t)a->neighbour_count, sizeof(MPI_Request));
}

void exchange_destroy(matrix *a)
{
    for (int i = 0; i < a->neighbour_count; i++) {
        free(a->neighbours[i].send);
        free(a->neighbours[i].buffer);
        free(a->neighbours[i].rows);
    }
    free(a->neighbours);
    free(a->needed);
    free(a->pieces);
    free(a->missing);
    free(a->requests);
}

/* Who only sends gets nothing, and the other way round: then the request is none. */
static void begin(const matrix *a, double *x)
{
    MPI_Request *receives = a->requests, *sends = receives + a->neighbour_count;
    for (int i = 0; i < a->neighbour_count; i++) {
        const neighbour *n = &a->neighbours[i];
        receives[i] = MPI_REQUEST_NULL;
        if (n->receive_count > 0)
            MPI_Irecv(x + n->receive, n->receive_count, MPI_DOUBLE, n->rank, 0, sparse_comm, &receives[i]);
    }
    for (int i = 0; i < a->neighbour_count; i++) {
        const neighbour *n = &a->neighbours[i];
        sends[i] = MPI_REQUEST_NULL;
        for (int k = 0; k < n->send_count; k++)
            n->buffer[k] = x[n->send[k]];
        if (n->send_count > 0)
            MPI_Isend(n->buffer, n->send_count, MPI_DOUBLE, n->rank, 0, sparse_comm, &sends[i]);
    }
}

static double multiply_row(const matrix *a, const double *x, int row)
{
    double sum = 0;
    for (int k = a->start[row]; k < a->start[row + 1]; k++)
        sum += a->value[k] * x[a->column[k]];
    return sum;
}

void matrix_multiply(const matrix *a, double *x, double *y)
{
    int which;
    begin(a, x);
    for (int row = 0; row < a->rows; row++)
        if (a->pieces[row] == 0)
            y[row] = multiply_row(a, x, row);
    memcpy(a->missing, a->pieces, (size_t)a->rows * sizeof *a->missing);
    while (MPI_Waitany(a->neighbour_count, a->requests, &which, MPI_STATUS_IGNORE), which != MPI_UNDEFINED) {
        const neighbour *n = &a->neighbours[which];
        for (int i = 0; i < n->row_count; i++)
            if (--a->missing[n->rows[i]] == 0)
                y[n->rows[i]] = multiply_row(a, x, n->rows[i]);
    }
    MPI_Waitall(a->neighbour_count, a->requests + a->neighbour_count, MPI_STATUSES_IGNORE);
}
