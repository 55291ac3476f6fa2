/* SPDX-License-Identifier: BSD-3-Clause */
/* What a datatype's numbers are, to compare types of several processes (EP_CHECK). */
#ifndef EP_P2P_FAMILY_H
#define EP_P2P_FAMILY_H

#include "comm/comm.h"

/* Types of one family have the same numbers, whatever they are called: MPI_LONG, MPI_INT64_T, MPI_AINT. */
struct family {
    uint8_t
        is_known; /* 0: several kinds of numbers, or what may stand for others: bytes, characters, pairs, packed data */
    uint8_t is_complex;
    uint8_t number; /* enum arith_number */
    uint8_t width;  /* bytes */
};

struct family family_of(MPI_Datatype datatype);

/* Both are known, and are not the same. */
static inline bool family_differs(struct family a, struct family b)
{
    return a.is_known && b.is_known &&
           (a.is_complex != b.is_complex || a.number != b.number || a.width != b.width);
}

enum { FAMILY_WORDS = 40 };
/* "8-byte unsigned integers" */
const char *family_words(struct family f, char words[FAMILY_WORDS]);

#endif
