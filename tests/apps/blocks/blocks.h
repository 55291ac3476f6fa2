/* SPDX-License-Identifier: BSD-3-Clause */
/* blocks.h: a square in blocks of equally many cells; where more happens, blocks are smaller. */
#ifndef BLOCKS_H
#define BLOCKS_H
#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

/* A block of level l is 1 / 2^l of the square wide. */
enum { COARSEST = 2, FINEST = 5, SIDES = 4, WHOLE = SIDES };

typedef struct {
    int level, x, y; /* place among the blocks of its level */
    int owner;
    int64_t *cells; /* with a halo; only where it is owned */
} block;

/* All processes know all blocks, in the order of a curve that fills the square. */
typedef struct {
    block *b;
    int count, room;
    int *cover; /* for each block of the finest level: which covers it */
} mesh;

/* What moves from one block to another. */
typedef struct {
    int from, to, side, count;
    int *source, *target; /* indices of cells */
    int64_t *buffer;
} piece;

typedef struct {
    const mesh *from;
    mesh *to;
    piece *p;
    int count, room;
} plan;

typedef struct {
    MPI_Comm comm, active; /* active: those who have blocks, or MPI_COMM_NULL */
    int rank, size;
    mesh m;
    plan halo;
    long split, merged; /* blocks, so far */
} domain;

extern int cells_per_side;

static inline int cell_index(int x, int y)
{
    return (y + 1) * (cells_per_side + 2) + x + 1;
}

/* mesh.c */
void *blocks_alloc(size_t count, size_t size);
mesh mesh_uniform(void);
/* change: -1 merge with the siblings if they want to, 0 stay, 1 split. */
mesh mesh_changed(const mesh *old, const int *change);
void mesh_balance(mesh *m, int parts);
void mesh_allocate(mesh *m, int rank);
void mesh_free(mesh *m);
/* The block that has a cell of the finest level, and which of its cells it is. */
int mesh_find(const mesh *m, int x, int y, int *cell);
/* Cells of the finest level along a cell of this one. */
static inline int cell_width(const block *b)
{
    return 1 << (FINEST - b->level);
}

/* transfer.c */
plan plan_halo(mesh *m, int rank);
plan plan_move(const mesh *from, mesh *to, int rank);
void plan_free(plan *p);
/* Calls ready for each block of this process as soon as it has got all that goes to it. */
void plan_run(const plan *p, const domain *d, void ready(block *b));

/* domain.c */
void domain_create(domain *d, MPI_Comm comm);
void domain_step(domain *d, int step);
void domain_adapt(domain *d);
uint64_t domain_checksum(const domain *d);
void domain_free(domain *d);
#endif
