/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A block of the file that one endpoint moves for several. Small pieces go through a buffer, in which all of
 * them meet; large ones straight between the file and everybody's memory, as many as one call of the system
 * takes.
 */
#ifndef EP_IO_MERGE_H
#define EP_IO_MERGE_H

#include "io/part.h"
#include "io/transfer.h"

struct file_merge {
    struct file *file;
    bool writes;
    bool vector;                /* large pieces */
    struct file_source *source; /* n of them, in any order; those with nothing left are allowed */
    int n;
    /* of the endpoint that moves: a buffer as large as a block; acq_rel file_buffer_take (by pointer) */
    _Atomic(struct file_buffer *) *kept;
    size_t room; /* bytes that it is to have */
    int error;   /* result: errno, or 0 */
    int64_t eof; /* result: where a read found the end of the file; else INT64_MAX */
};

/* A read advances the memory walks; sources' places beyond the end of the file get nothing. */
void file_merge_run(struct file_merge *m);

/* Its second half (vector.c): straight from and to memory. */
void file_merge_vector(struct file_merge *m);

#endif
