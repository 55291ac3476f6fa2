/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows: stretches of one length at a regular distance. */
#ifndef EP_DATATYPE_ROW_H
#define EP_DATATYPE_ROW_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct type_row {
    char *at;
    ptrdiff_t stride;
    size_t bytes, times;
};

/* Addresses may be absolute, from a base of NULL, where the language knows no arithmetic. */
static inline char *row_shifted(const char *base, ptrdiff_t by)
{
    return (char *)((uintptr_t)base + (uintptr_t)by);
}

/* How many of `times` stretches of so many bytes there are in n, mostly all. times * bytes is a number of bytes in memory. */
static inline size_t rows_of(size_t times, size_t bytes, size_t n)
{
    return times * bytes <= n ? times : n / bytes;
}

static inline __attribute__((always_inline)) void row_copy_by(char *to, ptrdiff_t to_stride, const char *from,
                                                              ptrdiff_t from_stride, size_t bytes,
                                                              size_t times)
{
    for (ptrdiff_t i = 0; i < (ptrdiff_t)times; i++)
        memcpy(row_shifted(to, i * to_stride), row_shifted(from, i * from_stride), bytes);
}

/* Small ones without a call each. */
static inline void row_copy(char *to, ptrdiff_t to_stride, const char *from, ptrdiff_t from_stride,
                            size_t bytes, size_t times)
{
    switch (bytes) {
    case 1:
        row_copy_by(to, to_stride, from, from_stride, 1, times);
        break;
    case 2:
        row_copy_by(to, to_stride, from, from_stride, 2, times);
        break;
    case 4:
        row_copy_by(to, to_stride, from, from_stride, 4, times);
        break;
    case 8:
        row_copy_by(to, to_stride, from, from_stride, 8, times);
        break;
    case 12:
        row_copy_by(to, to_stride, from, from_stride, 12, times);
        break;
    case 16:
        row_copy_by(to, to_stride, from, from_stride, 16, times);
        break;
    case 24:
        row_copy_by(to, to_stride, from, from_stride, 24, times);
        break;
    case 32:
        row_copy_by(to, to_stride, from, from_stride, 32, times);
        break;
    default:
        row_copy_by(to, to_stride, from, from_stride, bytes, times);
    }
}

#endif
