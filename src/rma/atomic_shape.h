/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What elements of predefined types are made of, and what operators do to them. Arithmetic is our own: calling MPI
 * for it while a stripe is held might wait for a thread that waits for the stripe. It is also right where that of MPI
 * libraries is not (Open MPI 4.1.4: MIN and MAX of unsigned long; quads).
 */
#ifndef EP_RMA_ATOMIC_SHAPE_H
#define EP_RMA_ATOMIC_SHAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The codes of operators. */
enum operator{
    OPERATOR_SUM,
    OPERATOR_REPLACE,
    OPERATOR_NO_OP,
    OPERATOR_PROD,
    OPERATOR_MIN,
    OPERATOR_MAX,
    OPERATOR_LAND,
    OPERATOR_LOR,
    OPERATOR_LXOR,
    OPERATOR_BAND,
    OPERATOR_BOR,
    OPERATOR_BXOR,
    OPERATOR_MINLOC,
    OPERATOR_MAXLOC,
    OPERATORS
};

/* MPI's groups of types (5.9.2), which say what operators are defined. */
enum group {
    GROUP_C_INTEGER,
    GROUP_FORTRAN_INTEGER,
    GROUP_FLOATING,
    GROUP_LOGICAL,
    GROUP_COMPLEX,
    GROUP_BYTE,
    GROUP_MULTI_LANGUAGE, /* MPI_AINT and so on */
    GROUP_PAIR,
    GROUP_CHARACTER,
    GROUP_TEXT, /* wide characters, packed data: only replaced and fetched */
    GROUPS
};

enum number { NUMBER_SIGNED, NUMBER_UNSIGNED, NUMBER_FLOAT, NUMBER_DOUBLE, NUMBER_LONG_DOUBLE, NUMBER_QUAD };

struct part {
    uint8_t number; /* enum number */
    uint8_t width;  /* bytes */
    uint8_t offset;
};

struct shape {
    uint8_t group; /* enum group */
    bool gaps;     /* between or behind parts: bytes that belong to somebody else */
    uint8_t parts; /* complex, pairs: 2 */
    uint8_t size;  /* from one element to the next */
    struct part part[2];
};

/* *into = *into op *operand, for the operators that calculate. Neither need be aligned. */
void shape_combine(const struct shape *s, enum operator op, char *into, const char *operand);

static inline bool part_is_integer(const struct part *p)
{
    return p->number == NUMBER_SIGNED || p->number == NUMBER_UNSIGNED;
}

static inline void shape_copy(const struct shape *s, char *to, const char *from)
{
    if (!s->gaps) {
        memcpy(to, from, s->size);
        return;
    }
    for (int i = 0; i < s->parts; i++)
        memcpy(to + s->part[i].offset, from + s->part[i].offset, s->part[i].width);
}

/* Of a type's code. */
const struct shape *item_shape_of(uint16_t type);

#endif
