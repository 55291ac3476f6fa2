/* SPDX-License-Identifier: BSD-3-Clause */
/* What a datatype's numbers are, to compare types of several endpoints. */
#ifndef EP_DATATYPE_FAMILY_H
#define EP_DATATYPE_FAMILY_H

#include "datatype/arith.h"

/* Types of one family have the same numbers, whatever they are called: MPI_LONG, MPI_INT64_T, MPI_AINT. */
struct family {
    uint8_t
        is_known; /* 0: several kinds of numbers, or what may stand for others: bytes, characters, pairs, packed data */
    uint8_t is_complex;
    uint8_t number; /* enum arith_number */
    uint8_t width;  /* bytes */
};

/* Between mpi_enter and mpi_leave, as signature_of is. Who has the type's description asks type_makeup, which keeps both. */
struct family family_of(MPI_Datatype datatype);

/* Both are known, and are not the same. */
static inline bool family_differs(struct family a, struct family b)
{
    return a.is_known && b.is_known &&
           (a.is_complex != b.is_complex || a.number != b.number || a.width != b.width);
}

/*
 * Type signatures (MPI 4.1.1) of data of one length, for where several families are in it: each number counts with its family and
 * the bytes before it, so what type it is part of and how that was made does not matter. Sums modulo 2^64; two that differ
 * may be equal by an unlikely chance, the other way round never.
 */
struct signature {
    uint64_t numbers;
    uint64_t
        others; /* where bytes are that may stand for anything: the rest cannot be compared unless those are the same */
};
struct signature_sum {
    struct signature s;
    uint64_t weight; /* of what comes behind */
};

/* Of n elements; and of a behind which b comes. */
struct signature_sum signature_of(MPI_Datatype datatype);
struct signature_sum signature_times(struct signature_sum of, size_t n);
struct signature_sum signature_join(struct signature_sum a, struct signature_sum b);

static inline bool signature_differs(struct signature a, struct signature b)
{
    return a.others == b.others && a.numbers != b.numbers;
}

enum { FAMILY_WORDS = 40 };
/* "8-byte unsigned integers"; what is not known: "several kinds of numbers" */
const char *family_words(struct family f, char words[FAMILY_WORDS]);

#endif
