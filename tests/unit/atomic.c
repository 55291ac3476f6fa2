/* SPDX-License-Identifier: BSD-3-Clause */
#include "atomic.h"

#include <string.h>

#define C_INTEGER "(C integer)"
#define FORTRAN_INTEGER "(Fortran integer)"
#define FLOATING "(floating point)"
#define LOGICAL "(logical)"
#define COMPLEX "(complex)"
#define BYTE "(byte)"
#define MULTI_LANGUAGE "(multi-language)"
#define PAIR "(pair)"
#define TEXT "(text)"

const struct sample samples[] = {
    {"int", MPI_INT, C_INTEGER, INT, INT},
    {"long", MPI_LONG, C_INTEGER, INT, INT},
    {"short", MPI_SHORT, C_INTEGER, INT, INT},
    {"unsigned short", MPI_UNSIGNED_SHORT, C_INTEGER, UINT, INT},
    {"unsigned", MPI_UNSIGNED, C_INTEGER, UINT, INT},
    {"unsigned long", MPI_UNSIGNED_LONG, C_INTEGER, UINT, INT},
    {"long long int", MPI_LONG_LONG_INT, C_INTEGER, INT, INT},
    {"long long", MPI_LONG_LONG, C_INTEGER, INT, INT},
    {"unsigned long long", MPI_UNSIGNED_LONG_LONG, C_INTEGER, UINT, INT},
    {"signed char", MPI_SIGNED_CHAR, C_INTEGER, INT, INT},
    {"unsigned char", MPI_UNSIGNED_CHAR, C_INTEGER, UINT, INT},
    {"int8_t", MPI_INT8_T, C_INTEGER, INT, INT},
    {"int16_t", MPI_INT16_T, C_INTEGER, INT, INT},
    {"int32_t", MPI_INT32_T, C_INTEGER, INT, INT},
    {"int64_t", MPI_INT64_T, C_INTEGER, INT, INT},
    {"uint8_t", MPI_UINT8_T, C_INTEGER, UINT, INT},
    {"uint16_t", MPI_UINT16_T, C_INTEGER, UINT, INT},
    {"uint32_t", MPI_UINT32_T, C_INTEGER, UINT, INT},
    {"uint64_t", MPI_UINT64_T, C_INTEGER, UINT, INT},
    {"aint", MPI_AINT, MULTI_LANGUAGE, INT, INT},
    {"offset", MPI_OFFSET, MULTI_LANGUAGE, INT, INT},
    {"count", MPI_COUNT, MULTI_LANGUAGE, INT, INT},
    {"integer", MPI_INTEGER, FORTRAN_INTEGER, INT, INT},
    {"integer1", MPI_INTEGER1, FORTRAN_INTEGER, INT, INT},
    {"integer2", MPI_INTEGER2, FORTRAN_INTEGER, INT, INT},
    {"integer4", MPI_INTEGER4, FORTRAN_INTEGER, INT, INT},
    {"integer8", MPI_INTEGER8, FORTRAN_INTEGER, INT, INT},
#ifdef MPI_INTEGER16
    {"integer16", MPI_INTEGER16, FORTRAN_INTEGER, INT, INT},
#endif
    {"float", MPI_FLOAT, FLOATING, FLOAT, INT},
    {"double", MPI_DOUBLE, FLOATING, DOUBLE, INT},
    {"long double", MPI_LONG_DOUBLE, FLOATING, LONG_DOUBLE, INT},
    {"real", MPI_REAL, FLOATING, FLOAT, INT},
    {"double precision", MPI_DOUBLE_PRECISION, FLOATING, DOUBLE, INT},
    {"real4", MPI_REAL4, FLOATING, FLOAT, INT},
    {"real8", MPI_REAL8, FLOATING, DOUBLE, INT},
#ifdef MPI_REAL16
    {"real16", MPI_REAL16, FLOATING, QUAD, INT},
#endif
    {"logical", MPI_LOGICAL, LOGICAL, BOOLEAN, INT},
#ifdef MPI_LOGICAL1
    {"logical1", MPI_LOGICAL1, LOGICAL, BOOLEAN, INT},
#endif
#ifdef MPI_LOGICAL2
    {"logical2", MPI_LOGICAL2, LOGICAL, BOOLEAN, INT},
#endif
#ifdef MPI_LOGICAL4
    {"logical4", MPI_LOGICAL4, LOGICAL, BOOLEAN, INT},
#endif
#ifdef MPI_LOGICAL8
    {"logical8", MPI_LOGICAL8, LOGICAL, BOOLEAN, INT},
#endif
    {"c bool", MPI_C_BOOL, LOGICAL, BOOLEAN, INT},
    {"c++ bool", MPI_CXX_BOOL, LOGICAL, BOOLEAN, INT},
    {"c complex", MPI_C_COMPLEX, COMPLEX, FLOAT, INT},
    {"c float complex", MPI_C_FLOAT_COMPLEX, COMPLEX, FLOAT, INT},
    {"c double complex", MPI_C_DOUBLE_COMPLEX, COMPLEX, DOUBLE, INT},
    {"c long double complex", MPI_C_LONG_DOUBLE_COMPLEX, COMPLEX, LONG_DOUBLE, INT},
    {"c++ float complex", MPI_CXX_FLOAT_COMPLEX, COMPLEX, FLOAT, INT},
    {"c++ double complex", MPI_CXX_DOUBLE_COMPLEX, COMPLEX, DOUBLE, INT},
    {"c++ long double complex", MPI_CXX_LONG_DOUBLE_COMPLEX, COMPLEX, LONG_DOUBLE, INT},
    {"complex", MPI_COMPLEX, COMPLEX, FLOAT, INT},
    {"double complex", MPI_DOUBLE_COMPLEX, COMPLEX, DOUBLE, INT},
    {"complex8", MPI_COMPLEX8, COMPLEX, FLOAT, INT},
    {"complex16", MPI_COMPLEX16, COMPLEX, DOUBLE, INT},
#ifdef MPI_COMPLEX32
    {"complex32", MPI_COMPLEX32, COMPLEX, QUAD, INT},
#endif
    {"byte", MPI_BYTE, BYTE, UINT, INT},
    {"char", MPI_CHAR, TEXT, BYTES, INT},
    {"wchar", MPI_WCHAR, TEXT, BYTES, INT},
    {"character", MPI_CHARACTER, TEXT, BYTES, INT},
    {"packed", MPI_PACKED, TEXT, BYTES, INT},
    {"2int", MPI_2INT, PAIR, INT, INT},
    {"short int", MPI_SHORT_INT, PAIR, INT, INT},
    {"long int", MPI_LONG_INT, PAIR, INT, INT},
    {"float int", MPI_FLOAT_INT, PAIR, FLOAT, INT},
    {"double int", MPI_DOUBLE_INT, PAIR, DOUBLE, INT},
    {"long double int", MPI_LONG_DOUBLE_INT, PAIR, LONG_DOUBLE, INT},
    {"2integer", MPI_2INTEGER, PAIR, INT, INT},
    {"2real", MPI_2REAL, PAIR, FLOAT, FLOAT},
    {"2double precision", MPI_2DOUBLE_PRECISION, PAIR, DOUBLE, DOUBLE},
};
const int nsamples = sizeof samples / sizeof samples[0];

#define NUMBERS C_INTEGER FORTRAN_INTEGER FLOATING MULTI_LANGUAGE
#define BITS C_INTEGER FORTRAN_INTEGER BYTE MULTI_LANGUAGE
#define ALL NUMBERS LOGICAL COMPLEX BYTE PAIR TEXT

const struct sample_op sample_ops[] = {
    {"max", MPI_MAX, NUMBERS},
    {"min", MPI_MIN, NUMBERS},
    {"sum", MPI_SUM, NUMBERS COMPLEX},
    {"prod", MPI_PROD, NUMBERS COMPLEX},
    {"land", MPI_LAND, C_INTEGER LOGICAL},
    {"lor", MPI_LOR, C_INTEGER LOGICAL},
    {"lxor", MPI_LXOR, C_INTEGER LOGICAL},
    {"band", MPI_BAND, BITS},
    {"bor", MPI_BOR, BITS},
    {"bxor", MPI_BXOR, BITS},
    {"minloc", MPI_MINLOC, PAIR},
    {"maxloc", MPI_MAXLOC, PAIR},
    {"replace", MPI_REPLACE, ALL},
    {"no_op", MPI_NO_OP, ALL},
};
const int nsample_ops = sizeof sample_ops / sizeof sample_ops[0];

bool is_defined(const struct sample_op *op, const struct sample *type)
{
    return strstr(op->groups, type->group) != NULL;
}
