/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What an endpoint sees of a file (MPI 13.3): the data of filetype from disp on, again and again. They are
 * walked over as memory is (datatype/iter.h), from a base that is the place in the file.
 */
#ifndef EP_IO_LAYOUT_H
#define EP_IO_LAYOUT_H

#include <assert.h>

#include "datatype/datatype.h"

/* How numbers are written (MPI 13.5). */
enum file_datarep { DATAREP_NATIVE, DATAREP_INTERNAL, DATAREPS };
extern const char *const file_datarep_names[DATAREPS];

struct file_layout {
    int64_t disp;
    struct type *etype, *filetype;
    MPI_Datatype etype_mpi, filetype_mpi; /* held (type_hold) */
    const struct type_map *map;           /* filetype's */
    size_t pieces;                        /* of the data of one filetype, about */
    bool sorted; /* places ascend with the data, also from one filetype to the next */
    enum file_datarep datarep;
};

/* Of bytes from 0 on. False without memory. */
bool file_layout_init(struct file_layout *l);
/* Both types are the user's; disp and datarep are set. MPI_SUCCESS; MPI_ERR_NO_MEM; or MPI_ERR_TYPE with
 * *why. What is there may be written to if `written`. The types are held then. */
int file_layout_make(struct file_layout *l, MPI_Datatype etype, MPI_Datatype filetype, bool written,
                     const char **why);
void file_layout_free(struct file_layout *l);

/* Are all of n bytes of data from etype `offset` on at places that a file can have? Else nothing below may be asked of
 * them. */
bool file_layout_reaches(const struct file_layout *l, int64_t offset, size_t n);
/* A walk from the pos-th byte of data on, over n bytes and what is left of their element. False: there are no
 * data. */
bool file_layout_walk(const struct file_layout *l, struct type_iter *i, size_t pos, size_t n);
/* Where in the file the pos-th byte of data is; where they end if there are none. */
int64_t file_layout_place(const struct file_layout *l, size_t pos);
/* How many bytes of data begin before `end` in the file. */
size_t file_layout_data_before(const struct file_layout *l, int64_t end);
/* The first and last place of n > 0 bytes of data from pos on: [*from, *to). */
void file_layout_bounds(const struct file_layout *l, size_t pos, size_t n, int64_t *from, int64_t *to);

#endif
