/* SPDX-License-Identifier: BSD-3-Clause */
/* area.h: a buffer of blocks, an image of what it must become, and the datatypes it is made of. */
#ifndef EP_TEST_COLL_AREA_H
#define EP_TEST_COLL_AREA_H

#include "harness.h"

/* Data come in units of two ints. A layout says where they lie. */
typedef struct {
    MPI_Datatype type;
    int per_unit; /* elements of type */
    ptrdiff_t lb, extent;
    ptrdiff_t at[2]; /* of the ints in a unit */
} layout;

enum { LAYOUTS = 4 };
const layout *layout_number(unsigned i); /* any number; 0: MPI_INT */
void layouts_open(void);
void layouts_close(void);

typedef struct {
    char *memory, *image; /* bytes long: what there is and what must be */
    size_t bytes;
    char *buf; /* the argument, inside of memory */
    int blocks;
    int *units;           /* of each block */
    const layout **form;  /* of each block */
    ptrdiff_t *at;        /* offset of each block from buf */
    int count;            /* arguments: of the first block, */
    MPI_Datatype type;    /* */
    int *counts, *displs; /* v and w forms: of each block */
    MPI_Datatype *types;  /* w forms */
} area;

/* How the blocks lie: one behind the other, or anywhere with displacements in elements or in bytes. */
typedef enum { DENSE, SPREAD, SPREAD_BYTES } spacing;

/* Blocks of these units; pick: number of the layout, in SPREAD_BYTES each block has another one. */
void area_make(area *a, int blocks, const int units[], unsigned pick, spacing how, uint64_t seed);
/* One block of n elements of a type with this extent and lower bound. */
void area_plain(area *a, int n, MPI_Datatype type, ptrdiff_t lb, ptrdiff_t extent, uint64_t seed);
void area_free(area *a);

/* Write the data of key into block b of the memory and the image, or of the image alone. */
void area_fill(area *a, int b, uint64_t key);
void area_expect(area *a, int b, uint64_t key);
/* Bytes of the image that may be anything. */
void area_forgive(area *a, const char *from, size_t n);
/* First byte that differs, or -1. */
ptrdiff_t area_differs(const area *a);

/* A good hash of some numbers. */
uint64_t mix(uint64_t a, uint64_t b);

#endif
