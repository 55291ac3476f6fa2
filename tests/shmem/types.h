/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The standard's lists of types, for programs that call a function of each. X(name, type, before, after): the put, for example, is
 * shmem_##before##put##after.
 */
#ifndef SHMEM_TYPES_LISTS_H
#define SHMEM_TYPES_LISTS_H

#include <stddef.h>
#include <stdint.h>

#define STANDARD_INTEGERS(X) \
    X(int, int, int_, ) \
    X(long, long, long_, ) \
    X(longlong, long long, longlong_, ) \
    X(uint, unsigned, uint_, ) \
    X(ulong, unsigned long, ulong_, ) \
    X(ulonglong, unsigned long long, ulonglong_, ) \
    X(int32, int32_t, int32_, ) \
    X(int64, int64_t, int64_, ) \
    X(uint32, uint32_t, uint32_, ) \
    X(uint64, uint64_t, uint64_, ) \
    X(size, size_t, size_, ) \
    X(ptrdiff, ptrdiff_t, ptrdiff_, )
/* Of atomics and of waiting */
#define ATOMIC_TYPES(X) STANDARD_INTEGERS(X)
#define WAIT_TYPES(X) STANDARD_INTEGERS(X)
#define ATOMIC_EXTENDED(X) ATOMIC_TYPES(X) X(float, float, float_, ) X(double, double, double_, )
#define ATOMIC_BITWISE(X) \
    X(uint, unsigned, uint_, ) \
    X(ulong, unsigned long, ulong_, ) \
    X(ulonglong, unsigned long long, ulonglong_, ) \
    X(int32, int32_t, int32_, ) \
    X(int64, int64_t, int64_, ) \
    X(uint32, uint32_t, uint32_, ) \
    X(uint64, uint64_t, uint64_, )

#define SMALL_UNSIGNED(X) \
    X(uchar, unsigned char, uchar_, ) \
    X(ushort, unsigned short, ushort_, ) \
    X(int8, int8_t, int8_, ) \
    X(int16, int16_t, int16_, ) \
    X(uint8, uint8_t, uint8_, ) \
    X(uint16, uint16_t, uint16_, )
#define SMALL_INTEGERS(X) \
    X(char, char, char_, ) \
    X(schar, signed char, schar_, ) \
    X(short, short, short_, ) \
    SMALL_UNSIGNED(X)
#define FLOATS(X) \
    X(float, float, float_, ) \
    X(double, double, double_, ) \
    X(longdouble, long double, longdouble_, )
#define RMA_TYPES(X) FLOATS(X) SMALL_INTEGERS(X) STANDARD_INTEGERS(X)
#define RMA_SIZES(X) \
    X(bits8, int8_t, , 8) \
    X(bits16, int16_t, , 16) \
    X(bits32, int32_t, , 32) \
    X(bits64, int64_t, , 64) \
    X(bits128, long double, , 128)
#define RMA_MEM(X) X(mem, char, , mem)

/* Of reductions in teams */
#define REDUCE_BITWISE(X) SMALL_UNSIGNED(X) ATOMIC_BITWISE(X) X(size, size_t, size_, )
#define REDUCE_ORDERED(X) RMA_TYPES(X)
#define REDUCE_COMPLEX(X) X(complexf, float _Complex, complexf_, ) X(complexd, double _Complex, complexd_, )
/* In active sets */
#define TO_ALL_BITWISE(X) \
    X(short, short, short_, ) \
    X(int, int, int_, ) \
    X(long, long, long_, ) \
    X(longlong, long long, longlong_, )
#define TO_ALL_ORDERED(X) TO_ALL_BITWISE(X) FLOATS(X)

#endif
