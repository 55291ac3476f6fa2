/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Type maps: where the bytes of a datatype's elements are, found once from how the type was made (MPI 4.1.13), and kept
 * with its description (type.h). Everything that looks into data goes by them: packing, unpacking, copies from one layout to
 * another, windows' targets that are sent to another process.
 *
 * A map is a nest of loops, as dataloops (Ross et al.) are: a block is repeated `times` at a distance, and what is repeated is
 * a stretch of bytes or a list of blocks. So a map is as long as the calls that made the type and their arguments, however
 * many pieces the data are in. Blocks stand in type map order (the order in which MPI_Pack takes them); stretches that
 * follow each other without a gap are one, regular sequences of equal ones are one block.
 */
#ifndef EP_DATATYPE_MAP_H
#define EP_DATATYPE_MAP_H

#include "datatype/type.h"

/* The i-th of `times` repetitions is at offset + i * stride from where one repetition of the block around it begins. */
struct type_block {
    ptrdiff_t offset, stride;
    size_t bytes, times; /* bytes: of the data of one repetition */
    uint32_t parts,
        first; /* it is the blocks first, first + 1, ... of the map; no parts: a stretch of bytes */
    bool flat; /* several parts, each a stretch that is not repeated */
};

enum { TYPE_DEPTH = 10 }; /* loops within loops; what goes deeper is listed */

/* Of one element of a datatype. Constant. */
struct type_map {
    MPI_Datatype
        basic;    /* the one predefined type that it is made of; MPI_DATATYPE_NULL: several, or it is empty */
    size_t bytes; /* of all blocks */
    ptrdiff_t low, high; /* all blocks are in [low, high); 0, 0 if there are none */
    unsigned depth;      /* 0: there are no blocks; 1: all are stretches */
    bool flat;           /* several blocks, each a stretch that is not repeated */
    uint32_t n;          /* the element is the first n blocks, one after the other */
    uint32_t all;
    struct type_block *block;
};

/* What a stretch is. Pairs such as MPI_DOUBLE_INT have gaps: data (put, get) are without them, as in MPI_Pack, items
 * (accumulates) are whole elements of `extent` bytes. For all other types the two maps are the same. */
enum type_map_kind { TYPE_DATA, TYPE_ITEMS };

/* NULL without memory. It lives as long as t (hold the type if the call does not block). mpi: t's handle. */
const struct type_map *type_map_of(struct type *t, MPI_Datatype mpi, enum type_map_kind kind);

/* Is one element one stretch, or nothing? */
static inline bool type_map_is_stretch(const struct type_map *m)
{
    return m->n == 0 || (m->n == 1 && m->block[0].times == 1 && m->block[0].parts == 0);
}

/* [*low, *high): all data of count elements at displacement 0; 0, 0 if there are none; from PTRDIFF_MIN to PTRDIFF_MAX if
 * there are not so many addresses. */
void type_map_bounds(const struct type_map *m, const struct type *t, size_t count, ptrdiff_t *low,
                     ptrdiff_t *high);

/* ---- for type.c ---- */

/* Where its bytes are (places.c); m may be NULL. */
struct places type_map_places(const struct type_map *m);

/* Is it made of a predefined pair with gaps? */
bool type_map_has_gaps(const struct type_map *m);

/* Of a datatype whose map nobody has asked for; to be freed by reserve_free. Between mpi_enter and mpi_leave. */
struct type_map *type_map_build(MPI_Datatype datatype, enum type_map_kind kind);

#endif
