/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What of an endpoint's access lies in a stretch of the file. In a collective call others move it: those of
 * its process straight from and to its memory, other processes as a list of places and packed bytes.
 */
#ifndef EP_IO_PART_H
#define EP_IO_PART_H

#include "io/file.h"

/* An access, for the others of its process; constant until all are through. */
struct file_part {
    const struct file_layout *layout;
    struct span data;
    size_t pos, bytes; /* in the data of the layout */
};

/* Walks over places in the file and in memory. */
struct file_source {
    struct type_iter place, memory;
    size_t left;
    int64_t from, to; /* all its places are in [from, to) */
};

/* Those in [from, to) of the file; left is 0 if there are none. False without memory. */
bool file_part_source(const struct file_part *p, int64_t from, int64_t to, struct file_source *s);

/* How many of the source's bytes are before `end` in the file. */
size_t file_source_before(const struct file_source *s, int64_t end);

/* Pieces, about. */
size_t file_part_pieces(const struct file_part *p);

/* ---- as a list ---- */

/* Places of another process's, in order. */
struct file_places {
    struct type type;
    struct type_map map;
    struct type_block block[]; /* map.n */
};

/* The rows of a source's places, malloc'd; *n of them. NULL without memory. */
struct type_iov *file_source_rows(const struct file_source *s, size_t *n);
/* A walk over such rows, with bytes that lie together. NULL without memory; else to be freed when the walk is
 * over. */
struct file_places *file_places_source(const struct type_iov *rows, size_t n, char *bytes,
                                       struct file_source *s);

#endif
