/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operators for reductions that MPI carries out. MPI's own ones may be the faster way (a network that reduces), but not
 * all are right, and not all MPI libraries have what a program asks for. So MPI is asked once for each pair of type and
 * operator: if MPI_Reduce_local makes of some numbers what the kernel makes of them, MPI's operator is taken; else, and for
 * pairs that the standard does not define and for numbers of 16 bytes that libraries differ on, one of ours.
 *
 * All processes ask the same library the same thing, so they agree.
 */
#include <float.h>
#include <string.h>

#include "datatype/arith.h"

enum { UNKNOWN, THEIRS, OURS };

static _Atomic uint8_t
    choice[ARITH_MOST_TYPES][ARITH_OPS]; /* release when ours is there, acquire by who takes it */
static MPI_Op ours[ARITH_OPS];           /* under ours_lock; constant once made */
static unsigned ours_made;               /* by operator; under ours_lock */
static struct lock ours_lock = LOCK_FREE(ARITH_OPS);

/* ---- ours ---- */

static void arith_mpi_combine(enum arith_op op, const void *in, void *inout, int n, MPI_Datatype mpi)
{
    uint16_t code;
    const struct arith_type *t = arith_type_of(mpi, &code);
    if (t)
        t->kernels[op](in, inout, (size_t)n);
}

/* MPI tells a function its operands and their type, not which operator it is. */
#define EACH(X)                                                                                              \
    X(ARITH_SUM)                                                                                             \
    X(ARITH_PROD)                                                                                            \
    X(ARITH_MIN)                                                                                             \
    X(ARITH_MAX)                                                                                             \
    X(ARITH_LAND)                                                                                            \
    X(ARITH_LOR)                                                                                             \
    X(ARITH_LXOR)                                                                                            \
    X(ARITH_BAND)                                                                                            \
    X(ARITH_BOR)                                                                                             \
    X(ARITH_BXOR)                                                                                            \
    X(ARITH_MINLOC)                                                                                          \
    X(ARITH_MAXLOC)
#define FUNCTION(op)                                                                                         \
    static void combine_##op(void *in, void *inout, int *n, MPI_Datatype *type)                              \
    {                                                                                                        \
        arith_mpi_combine(op, in, inout, *n, *type);                                                         \
    }
#define ENTRY(op) [op] = combine_##op,

EACH(FUNCTION)
static MPI_User_function *const functions[ARITH_OPS] = {EACH(ENTRY)};

/* Under ours_lock, between mpi_enter and mpi_leave. False: MPI could not. */
static bool make_ours(enum arith_op op)
{
    if (!(ours_made >> op & 1) && MPI_Op_create(functions[op], 1, &ours[op]) == MPI_SUCCESS)
        ours_made |= 1u << op;
    return ours_made >> op & 1;
}

/* ---- theirs ---- */

/* The numbers that are tried, each with each. */
enum { VALUES = 8, TRIES = VALUES * VALUES, ARITH_MPI_LARGEST = 2 * sizeof(long double) };

static uint64_t arith_mpi_whole(const struct arith_type *t, unsigned width, int i)
{
    uint64_t top = (uint64_t)1 << (8 * width - 1);
    const uint64_t all[VALUES] = {0, 1, UINT64_MAX, top, top - 1, UINT64_MAX / 3, UINT64_MAX / 3 * 2, 2};
    return t->group == ARITH_LOGICAL ? (uint64_t)i % 2 : all[i];
}

static void put_whole(char *to, unsigned width, uint64_t v)
{
    uint8_t v1 = (uint8_t)v;
    uint16_t v2 = (uint16_t)v;
    uint32_t v4 = (uint32_t)v;
    memcpy(to, width == 1 ? (void *)&v1 : width == 2 ? (void *)&v2 : width == 4 ? (void *)&v4 : &v, width);
}

/* Their products and sums are exact. */
static void put_real(char *to, enum arith_number number, int i)
{
    static const double all[VALUES] = {0, 1, -1, 2, -0.5, 1024, 3, -7};
    float f = (float)all[i];
    long double l = all[i];
    if (number == ARITH_FLOAT)
        memcpy(to, &f, sizeof f);
    else if (number == ARITH_DOUBLE)
        memcpy(to, &all[i], sizeof all[i]);
    else
        memcpy(to, &l, sizeof l);
}

static void put_element(const struct arith_type *t, char *to, int i)
{
    for (int k = 0; k < t->parts; k++) {
        const struct arith_part *p = &t->part[k];
        int v = k == 0 ? i : (i + 3) % VALUES;
        if (arith_is_integer(p))
            put_whole(to + p->offset, p->width, arith_mpi_whole(t, p->width, v));
        else
            put_real(to + p->offset, p->number, v);
    }
}

/* The bytes of a part that hold the number. */
static size_t arith_mpi_bytes_of(const struct arith_part *p)
{
    return p->number == ARITH_LONG_DOUBLE && LDBL_MANT_DIG == 64 ? 10 : p->width;
}

static bool arith_mpi_same(const struct arith_type *t, const char *a, const char *b)
{
    bool equal = true;
    for (int k = 0; k < t->parts; k++) {
        size_t at = t->part[k].offset;
        equal &= memcmp(a + at, b + at, arith_mpi_bytes_of(&t->part[k])) == 0;
    }
    return equal;
}

/* Does MPI's operator make of them what ours does? */
static bool theirs_is_right(const struct arith_type *t, enum arith_op op)
{
    _Alignas(16) char left[TRIES * ARITH_MPI_LARGEST] = {0}, right[TRIES * ARITH_MPI_LARGEST] = {0},
                                   own[TRIES * ARITH_MPI_LARGEST];
    for (int i = 0; i < TRIES; i++) {
        put_element(t, left + i * t->size, i / VALUES);
        put_element(t, right + i * t->size, i % VALUES);
    }
    memcpy(own, right, sizeof own);
    t->kernels[op](left, own, TRIES);
    if (MPI_Reduce_local(left, right, TRIES, t->mpi, arith_op_handle(op)) != MPI_SUCCESS)
        return false;
    for (int i = 0; i < TRIES; i++)
        if (!arith_mpi_same(t, own + i * t->size, right + i * t->size))
            return false;
    return true;
}

/* ---- */

/* Do all libraries have it, for numbers that all mean the same by? */
static bool may_ask(const struct arith_type *t, enum arith_op op)
{
    return (t->defined >> op & 1) && t->part[0].number != ARITH_QUAD && t->size <= ARITH_MPI_LARGEST &&
           !(arith_is_integer(&t->part[0]) && t->part[0].width > sizeof(uint64_t));
}

static uint8_t arith_mpi_choose(const struct arith_type *t, enum arith_op op)
{
    mpi_enter();
    lock_acquire(&ours_lock);
    bool right = may_ask(t, op) && theirs_is_right(t, op);
    uint8_t c = right || !make_ours(op) ? THEIRS : OURS;
    lock_release(&ours_lock);
    mpi_leave();
    return c;
}

MPI_Op arith_mpi_op(MPI_Datatype mpi, MPI_Op op)
{
    uint16_t code;
    enum arith_op o = arith_op_of(op);
    const struct arith_type *t = o != ARITH_OPS && functions[o] ? arith_type_of(mpi, &code) : NULL;
    if (!t || !t->kernels[o])
        return op;
    uint8_t c = load_acquire(&choice[code][o]);
    if (unlikely(c == UNKNOWN)) {
        c = arith_mpi_choose(t, o);
        store_release(&choice[code][o], c);
    }
    return c == OURS ? ours[o] : op;
}
