/* SPDX-License-Identifier: BSD-3-Clause */
/* Walks over data, stretch by stretch in type map order. */
#ifndef EP_DATATYPE_ITER_H
#define EP_DATATYPE_ITER_H

#include "datatype/map.h"

/* Where a walk is in one of the loops around it. */
struct type_frame {
    const struct type_block *block, *end; /* end: of the blocks that follow it in its list */
    char *at;                             /* of this repetition */
    size_t time;                          /* which one it is */
};

/* A walk over the data of `elements` elements of a type. */
struct type_iter {
    const struct type_map *map;
    char *element;    /* the element that the walk is in */
    ptrdiff_t extent; /* to the next element */
    size_t elements;  /* left, with this one */
    size_t left;      /* bytes; at 0 the rest means nothing */
    size_t done;      /* bytes of this stretch */
    unsigned depth;   /* frames in use; the last is a block of stretches */
    struct type_frame frame[TYPE_DEPTH];
};

void type_iter_init(struct type_iter *i, char *buf, size_t count, const struct type *t,
                    const struct type_map *m);
/* The same data lie `by` bytes further on. */
void type_iter_shift(struct type_iter *i, ptrdiff_t by);
/* Packed bytes. */
void type_iter_bytes(struct type_iter *i, void *bytes, size_t n);

/* The bytes from the walk's position to the end of their stretch (or of a longer one that continues without a gap), at
 * *at. 0: the walk is over. */
size_t type_iter_peek(const struct type_iter *i, char **at);
/* Go on by n bytes, at most all that are left. */
void type_iter_skip(struct type_iter *i, size_t n);

/* Copy n bytes, no more than are left in either, and go on in both. */
void type_iter_copy(struct type_iter *to, struct type_iter *from, size_t n);
/* The same between equal places of two buffers of one type: the other one's data lie `apart` bytes further on. */
void type_iter_move(struct type_iter *from, ptrdiff_t apart, size_t n);
/* The same to and from bytes that lie together. */
void type_iter_read(struct type_iter *from, void *to, size_t n);
void type_iter_write(struct type_iter *to, const void *from, size_t n);

/* A piece of a walk for another process: `times` stretches, the i-th at offset + i * stride from buf = NULL of
 * type_iter_init. */
struct type_iov {
    int64_t offset, stride;
    uint32_t bytes, times;
};

/* Take up to max_bytes off the walk as at most `room` pieces (*n of them) and go on. Returns their bytes. Stretches larger than
 * max_bytes are cut at multiples of `unit` bytes, of which all stretches are multiples. */
size_t type_iter_take(struct type_iter *i, size_t max_bytes, size_t unit, struct type_iov *iov, unsigned room,
                      unsigned *n);

/* Call with each stretch of the pieces, in order. */
void type_iov_each(const struct type_iov *iov, unsigned n, char *base,
                   void (*stretch)(void *arg, char *at, size_t bytes), void *arg);

#endif
