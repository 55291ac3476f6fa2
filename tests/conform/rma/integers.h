/* SPDX-License-Identifier: BSD-3-Clause */
/* Integers of all types and what the operators make of them. */
#ifndef CONFORM_INTEGERS_H
#define CONFORM_INTEGERS_H

#include "rma.h"

#include <stdint.h>

static const struct {
    MPI_Datatype mpi;
    int swaps; /* allowed in compare-and-swap (MPI 11.3.4) */
} integer_types[] = {
    {MPI_CHAR, 0},           {MPI_SIGNED_CHAR, 1}, {MPI_UNSIGNED_CHAR, 1}, {MPI_SHORT, 1},
    {MPI_UNSIGNED_SHORT, 1}, {MPI_INT, 1},         {MPI_UNSIGNED, 1},      {MPI_LONG, 1},
    {MPI_UNSIGNED_LONG, 1},  {MPI_INT8_T, 1},      {MPI_INT16_T, 1},       {MPI_INT32_T, 1},
    {MPI_INT64_T, 1},        {MPI_UINT8_T, 1},     {MPI_UINT16_T, 1},      {MPI_UINT32_T, 1},
    {MPI_UINT64_T, 1},       {MPI_LONG_LONG, 1},   {MPI_LONG_LONG_INT, 1}, {MPI_UNSIGNED_LONG_LONG, 1},
    {MPI_AINT, 1},           {MPI_OFFSET, 1},      {MPI_COUNT, 1},         {MPI_BYTE, 1},
};
enum { INTEGER_TYPES = sizeof integer_types / sizeof *integer_types };

static const MPI_Op integer_ops[] = {MPI_SUM,  MPI_PROD, MPI_MAX, MPI_MIN,  MPI_BAND,    MPI_BOR,
                                     MPI_BXOR, MPI_LAND, MPI_LOR, MPI_LXOR, MPI_REPLACE, MPI_NO_OP};
enum { INTEGER_OPS = sizeof integer_ops / sizeof *integer_ops };

/* MPI_BYTE is for the bit operators, MPI_CHAR, which is for characters, for none (MPI 5.9.2). */
HELPER int integer_allowed(int type, int op)
{
    MPI_Datatype mpi = integer_types[type].mpi;

    return op >= 10 || (mpi != MPI_CHAR && (mpi != MPI_BYTE || (op >= 4 && op <= 6)));
}

HELPER long long integer_combine(int op, long long at, long long operand)
{
    switch (op) {
    case 0:
        return at + operand;
    case 1:
        return at * operand;
    case 2:
        return at > operand ? at : operand;
    case 3:
        return at < operand ? at : operand;
    case 4:
        return at & operand;
    case 5:
        return at | operand;
    case 6:
        return at ^ operand;
    case 7:
        return at && operand;
    case 8:
        return at || operand;
    case 9:
        return !at != !operand;
    case 10:
        return operand;
    default:
        return at;
    }
}

/* Values from 0 to 127 fit into all types. */
HELPER void integer_set(void *data, int size, int i, long long value)
{
    char *at = (char *)data + size * i;

    if (size == 1)
        *(int8_t *)at = (int8_t)value;
    else if (size == 2)
        *(int16_t *)at = (int16_t)value;
    else if (size == 4)
        *(int32_t *)at = (int32_t)value;
    else
        *(int64_t *)at = value;
}

HELPER long long integer_get(const void *data, int size, int i)
{
    const char *at = (const char *)data + size * i;

    return size == 1   ? *(const int8_t *)at
           : size == 2 ? *(const int16_t *)at
           : size == 4 ? *(const int32_t *)at
                       : *(const int64_t *)at;
}

#endif
