/* SPDX-License-Identifier: BSD-3-Clause */
/* sparse.h: a sparse matrix without any structure, whose rows are spread over processes block by block. */
#ifndef SPARSE_H
#define SPARSE_H
#include <mpi.h>
#include <stddef.h>

extern MPI_Comm sparse_comm;
extern int sparse_rank, sparse_size;
void *sparse_alloc(size_t count, size_t size);

/* What a graph has, from which matrices are made. */
typedef struct {
    int points;
    int near_edges; /* that each point makes to points not far from it */
    int far_every;  /* one point of so many makes one to any other */
} graph;

/* Another process with which I exchange values of a vector. */
typedef struct {
    int rank;
    int send_count, *send; /* which of my rows it needs */
    double *buffer;
    int receive, receive_count; /* where its values are in a vector, behind mine */
    int row_count, *rows;       /* of mine that need some of them */
} neighbour;

typedef struct {
    int all, first, rows; /* of the whole; of mine: the first one's number, and how many */
    int columns;          /* rows, and behind them those of others that are needed: the length of a vector */
    int *start;           /* rows + 1 */
    int *column;          /* of a vector */
    double *value;
    double *diagonal;
    int *needed; /* columns - rows: their numbers in the whole, in order */
    int neighbour_count;
    neighbour *neighbours;
    int *pieces; /* of neighbours that each row needs */
    int *missing;
    MPI_Request *requests;
} matrix;

static inline int first_of(int all, int rank)
{
    return (int)((long)all * rank / sparse_size);
}

static inline int owner_of(int all, int row)
{
    int rank = (int)((long)row * sparse_size / all);
    while (row < first_of(all, rank))
        rank--;
    while (row >= first_of(all, rank + 1))
        rank++;
    return rank;
}

/* The number in the whole of a column of mine. */
static inline int number_of(const matrix *a, int column)
{
    return column < a->rows ? a->first + column : a->needed[column - a->rows];
}

/* assemble.c: the Laplacian of a graph and a little on its diagonal. Drift: edges weigh more in one direction, and the matrix
 * is not symmetric. */
void matrix_create(matrix *a, const graph *g, double drift);
void matrix_destroy(matrix *a);

/* exchange.c */
void exchange_create(matrix *a);
void exchange_destroy(matrix *a);
/* y = A x; writes what it gets from others behind the rows of x. */
void matrix_multiply(const matrix *a, double *x, double *y);

/* solve.c: steps until the residual has shrunk to tolerance, at most `most`; how many. x: the first guess, then the solution.
 * *residual: as the solver believes, a part of that of the first guess. */
int solve_cg(const matrix *a, const double *b, double *x, int most, double tolerance, double *residual);
int solve_bicgstab(const matrix *a, const double *b, double *x, int most, double tolerance, double *residual);
double vector_dot(const matrix *a, const double *x, const double *y);
double *vector_create(const matrix *a);
#endif
