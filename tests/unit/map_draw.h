/* SPDX-License-Identifier: BSD-3-Clause */
/* map_draw.h: random datatypes, nested, of all constructors. */
#ifndef EP_MAP_DRAW_H
#define EP_MAP_DRAW_H

#include <mpi.h>

struct drawn {
    MPI_Datatype type;
    MPI_Datatype basic; /* what it is made of; MPI_DATATYPE_NULL: nothing or several */
};

/* Not committed. At most `depth` constructors deep, and a few ten thousand bytes large. */
struct drawn map_draw(int depth);
/* Does nothing to predefined types. */
void map_draw_free(MPI_Datatype *type);
/* Is it a pair of a value and an index? Gives the bytes of the value and the place of the index. */
int map_draw_pair(MPI_Datatype basic, int *value, int *index);

#endif
