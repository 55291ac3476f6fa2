/* SPDX-License-Identifier: BSD-3-Clause */
/* types.h: many layouts of one signature, to send any of them to any other. */
#ifndef EP_TEST_TYPES_H
#define EP_TEST_TYPES_H

#include <mpi.h>

/* A committed datatype, `count` elements of which hold 24 ints. */
typedef struct {
    const char *name;
    MPI_Datatype type;
    int count;
} layout;

enum { LAYOUTS = 12, LAYOUT_INTS = 24 };

void layouts_make(layout l[LAYOUTS]);
void layouts_free(layout l[LAYOUTS]);

/* Bytes below and above the buffer address that `count` elements of type touch. */
void layout_bounds(MPI_Datatype type, int count, MPI_Aint *below, MPI_Aint *above);

#endif
