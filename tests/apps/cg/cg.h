/* SPDX-License-Identifier: BSD-3-Clause */
/* cg.h: a sparse matrix whose rows are spread over processes, box by box. */
#ifndef CG_H
#define CG_H
#include <mpi.h>
#include <stddef.h>

/* Boxes of nx*ny*nz points in a grid of processes. */
typedef struct {
    int n[3];      /* points of my box */
    int procs[3];  /* processes in each direction */
    int coords[3]; /* my place among them */
    int rank, size;
} geometry;

typedef struct {
    int rank;      /* of the neighbour */
    int direction; /* 0..26, seen from me */
    int count;     /* points that we exchange: as many come as go */
    int *send;     /* which of mine go */
    int receive;   /* where the first of theirs is in a vector */
    double *buffer;
} neighbour;

typedef struct {
    const geometry *geo;
    int rows, columns; /* columns: rows and points of neighbours */
    int *start;        /* rows + 1 */
    int *column;
    double *value;
    neighbour neighbours[26];
    int neighbour_count;
} matrix;

extern MPI_Comm cg_comm;

void geometry_init(geometry *g, int nx, int ny, int nz);
/* Process beside me in direction 0..26, or MPI_PROC_NULL. */
int geometry_neighbour(const geometry *g, int direction);
void direction_offsets(int direction, int offset[3]);
/* The points of my box that touch a neighbour in this direction, in the order of the grid; returns how many. */
int geometry_face(const geometry *g, int direction, int *points);
/* Whether the point p of my box, moved by offset, is inside the whole domain; its global coordinates. */
int geometry_move(const geometry *g, int p, const int offset[3], long at[3]);

void matrix_create(matrix *a, const geometry *g);
void matrix_destroy(matrix *a);
/* y = A x; x has room for the points of neighbours. */
void matrix_multiply(const matrix *a, double *x, double *y);

void exchange_create(matrix *a, int *column_of);
void exchange_run(const matrix *a, double *x);
void exchange_destroy(matrix *a);

/* Steps of conjugate gradients until the residual has shrunk to tolerance; returns how many. */
int cg_solve(const matrix *a, const double *b, double *x, int most, double tolerance, double *residual);

void *cg_alloc(size_t count, size_t size);

/* Points with a halo of one around the box. */
static inline int halo_index(const geometry *g, int x, int y, int z)
{
    return ((z + 1) * (g->n[1] + 2) + y + 1) * (g->n[0] + 2) + x + 1;
}
#endif
