/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Moving data between memory and a file, both walked over piece by piece. What lies together in the file is
 * one call of the system, whatever pieces the memory is in: those are handed over as they are, or copied
 * together if they are small. What lies in pieces in the file, close together, is read with what is between
 * them (data sieving); written so only if nobody else writes there meanwhile.
 */
#ifndef EP_IO_TRANSFER_H
#define EP_IO_TRANSFER_H

#include "io/file.h"

struct file_transfer {
    struct file *file;
    bool writes;
    bool sieves;  /* see above */
    bool locks;   /* block by block, before they are changed */
    size_t room;  /* bytes of an own buffer */
    size_t left;  /* bytes still to be moved */
    size_t moved; /* bytes that were, all before the first that was not */
    int error;    /* errno, or 0 */
    bool ended;   /* at the end of the file, or by an error */
    struct type_iter memory, place;
    /* where a buffer is kept between calls; acq_rel file_buffer_take (by pointer) */
    _Atomic(struct file_buffer *) *kept;
    struct file_buffer *buffer; /* NULL until it is needed */
};

/* Until nothing is left, or it has ended. */
void file_transfer_run(struct file_transfer *t);

/* ---- its parts ---- */

/* n bytes at `at`, in one piece in the file (direct.c). */
void file_transfer_direct(struct file_transfer *t, int64_t at, size_t n);
/* The next `data` bytes of both walks, in pieces in [from, to) of the file, through the buffer (sieve.c). */
void file_transfer_sieve(struct file_transfer *t, int64_t from, int64_t to, size_t data);

/* Both walks go on. */
void file_transfer_skip(struct file_transfer *t, size_t n);

/* So many bytes at `at` of the file, in as many calls as it takes; fewer: *error, or the end of the file. */
size_t file_read_bytes(int fd, void *to, size_t n, int64_t at, int *error);
size_t file_write_bytes(int fd, const void *from, size_t n, int64_t at, int *error);

/* The next piece of a walk that is together, at most `most` bytes; the walk goes on behind it. */
size_t file_piece_take(struct type_iter *i, size_t most, int64_t *at);

/* ---- buffers ---- */

/* Of at least so many bytes. NULL without memory. */
struct file_buffer *file_buffer_take(_Atomic(struct file_buffer *) *kept, size_t bytes);
void file_buffer_give(_Atomic(struct file_buffer *) *kept, struct file_buffer *b);

#endif
