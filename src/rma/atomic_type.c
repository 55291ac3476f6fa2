/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The predefined types and operators of accumulates.
 *
 * A code is a place in a table of this file, so it is the same in all processes. Handles are found by hashing.
 * Types of MPI_Type_create_f90_real and the like stand for the type of the table that is made of the same numbers.
 */
#include "rma/atomic.h"

#include <float.h>
#include <limits.h>

#include "comm/comm.h"
#include "rma/atomic_shape.h"

/* ---- the tables ---- */

/* number: reals without a width are float, double or quad by what MPI says is their size. */
enum { NUMBER_REAL = NUMBER_QUAD + 1 };

static const struct known {
    MPI_Datatype mpi;
    uint8_t group, number;
    uint8_t width; /* of a part; 0: MPI says it. In pairs of C the value, and the index is an int. */
} known[] = {
    {MPI_INT, GROUP_C_INTEGER, NUMBER_SIGNED, 0},
    {MPI_LONG, GROUP_C_INTEGER, NUMBER_SIGNED, 0},
    {MPI_SHORT, GROUP_C_INTEGER, NUMBER_SIGNED, 0},
    {MPI_UNSIGNED_SHORT, GROUP_C_INTEGER, NUMBER_UNSIGNED, 0},
    {MPI_UNSIGNED, GROUP_C_INTEGER, NUMBER_UNSIGNED, 0},
    {MPI_UNSIGNED_LONG, GROUP_C_INTEGER, NUMBER_UNSIGNED, 0},
    {MPI_LONG_LONG_INT, GROUP_C_INTEGER, NUMBER_SIGNED, 0},
    {MPI_UNSIGNED_LONG_LONG, GROUP_C_INTEGER, NUMBER_UNSIGNED, 0},
    {MPI_SIGNED_CHAR, GROUP_C_INTEGER, NUMBER_SIGNED, 0},
    {MPI_UNSIGNED_CHAR, GROUP_C_INTEGER, NUMBER_UNSIGNED, 0},
    {MPI_INT8_T, GROUP_C_INTEGER, NUMBER_SIGNED, 0},
    {MPI_INT16_T, GROUP_C_INTEGER, NUMBER_SIGNED, 0},
    {MPI_INT32_T, GROUP_C_INTEGER, NUMBER_SIGNED, 0},
    {MPI_INT64_T, GROUP_C_INTEGER, NUMBER_SIGNED, 0},
    {MPI_UINT8_T, GROUP_C_INTEGER, NUMBER_UNSIGNED, 0},
    {MPI_UINT16_T, GROUP_C_INTEGER, NUMBER_UNSIGNED, 0},
    {MPI_UINT32_T, GROUP_C_INTEGER, NUMBER_UNSIGNED, 0},
    {MPI_UINT64_T, GROUP_C_INTEGER, NUMBER_UNSIGNED, 0},
    {MPI_AINT, GROUP_MULTI_LANGUAGE, NUMBER_SIGNED, 0},
    {MPI_OFFSET, GROUP_MULTI_LANGUAGE, NUMBER_SIGNED, 0},
    {MPI_COUNT, GROUP_MULTI_LANGUAGE, NUMBER_SIGNED, 0},
    {MPI_INTEGER, GROUP_FORTRAN_INTEGER, NUMBER_SIGNED, 0},
#ifdef MPI_INTEGER1
    {MPI_INTEGER1, GROUP_FORTRAN_INTEGER, NUMBER_SIGNED, 0},
#endif
#ifdef MPI_INTEGER2
    {MPI_INTEGER2, GROUP_FORTRAN_INTEGER, NUMBER_SIGNED, 0},
#endif
#ifdef MPI_INTEGER4
    {MPI_INTEGER4, GROUP_FORTRAN_INTEGER, NUMBER_SIGNED, 0},
#endif
#ifdef MPI_INTEGER8
    {MPI_INTEGER8, GROUP_FORTRAN_INTEGER, NUMBER_SIGNED, 0},
#endif
#ifdef MPI_INTEGER16
    {MPI_INTEGER16, GROUP_FORTRAN_INTEGER, NUMBER_SIGNED, 0},
#endif
    {MPI_FLOAT, GROUP_FLOATING, NUMBER_FLOAT, sizeof(float)},
    {MPI_DOUBLE, GROUP_FLOATING, NUMBER_DOUBLE, sizeof(double)},
    {MPI_LONG_DOUBLE, GROUP_FLOATING, NUMBER_LONG_DOUBLE, sizeof(long double)},
    {MPI_REAL, GROUP_FLOATING, NUMBER_REAL, 0},
    {MPI_DOUBLE_PRECISION, GROUP_FLOATING, NUMBER_REAL, 0},
#ifdef MPI_REAL4
    {MPI_REAL4, GROUP_FLOATING, NUMBER_REAL, 0},
#endif
#ifdef MPI_REAL8
    {MPI_REAL8, GROUP_FLOATING, NUMBER_REAL, 0},
#endif
#ifdef MPI_REAL16
    {MPI_REAL16, GROUP_FLOATING, NUMBER_REAL, 0},
#endif
    {MPI_LOGICAL, GROUP_LOGICAL, NUMBER_UNSIGNED, 0},
#ifdef MPI_LOGICAL1
    {MPI_LOGICAL1, GROUP_LOGICAL, NUMBER_UNSIGNED, 0},
#endif
#ifdef MPI_LOGICAL2
    {MPI_LOGICAL2, GROUP_LOGICAL, NUMBER_UNSIGNED, 0},
#endif
#ifdef MPI_LOGICAL4
    {MPI_LOGICAL4, GROUP_LOGICAL, NUMBER_UNSIGNED, 0},
#endif
#ifdef MPI_LOGICAL8
    {MPI_LOGICAL8, GROUP_LOGICAL, NUMBER_UNSIGNED, 0},
#endif
    {MPI_C_BOOL, GROUP_LOGICAL, NUMBER_UNSIGNED, 0},
    {MPI_CXX_BOOL, GROUP_LOGICAL, NUMBER_UNSIGNED, 0},
    {MPI_C_FLOAT_COMPLEX, GROUP_COMPLEX, NUMBER_FLOAT, sizeof(float)},
    {MPI_C_DOUBLE_COMPLEX, GROUP_COMPLEX, NUMBER_DOUBLE, sizeof(double)},
    {MPI_C_LONG_DOUBLE_COMPLEX, GROUP_COMPLEX, NUMBER_LONG_DOUBLE, sizeof(long double)},
    {MPI_CXX_FLOAT_COMPLEX, GROUP_COMPLEX, NUMBER_FLOAT, sizeof(float)},
    {MPI_CXX_DOUBLE_COMPLEX, GROUP_COMPLEX, NUMBER_DOUBLE, sizeof(double)},
    {MPI_CXX_LONG_DOUBLE_COMPLEX, GROUP_COMPLEX, NUMBER_LONG_DOUBLE, sizeof(long double)},
    {MPI_COMPLEX, GROUP_COMPLEX, NUMBER_REAL, 0},
    {MPI_DOUBLE_COMPLEX, GROUP_COMPLEX, NUMBER_REAL, 0},
#ifdef MPI_COMPLEX8
    {MPI_COMPLEX8, GROUP_COMPLEX, NUMBER_REAL, 0},
#endif
#ifdef MPI_COMPLEX16
    {MPI_COMPLEX16, GROUP_COMPLEX, NUMBER_REAL, 0},
#endif
#ifdef MPI_COMPLEX32
    {MPI_COMPLEX32, GROUP_COMPLEX, NUMBER_REAL, 0},
#endif
    {MPI_BYTE, GROUP_BYTE, NUMBER_UNSIGNED, 0},
    {MPI_CHAR, GROUP_CHARACTER, CHAR_MIN < 0 ? NUMBER_SIGNED : NUMBER_UNSIGNED, 0},
    {MPI_WCHAR, GROUP_TEXT, NUMBER_UNSIGNED, 0},
    {MPI_CHARACTER, GROUP_CHARACTER, NUMBER_UNSIGNED, 0},
    {MPI_PACKED, GROUP_TEXT, NUMBER_UNSIGNED, 0},
    {MPI_2INT, GROUP_PAIR, NUMBER_SIGNED, sizeof(int)},
    {MPI_SHORT_INT, GROUP_PAIR, NUMBER_SIGNED, sizeof(short)},
    {MPI_LONG_INT, GROUP_PAIR, NUMBER_SIGNED, sizeof(long)},
    {MPI_FLOAT_INT, GROUP_PAIR, NUMBER_FLOAT, sizeof(float)},
    {MPI_DOUBLE_INT, GROUP_PAIR, NUMBER_DOUBLE, sizeof(double)},
    {MPI_LONG_DOUBLE_INT, GROUP_PAIR, NUMBER_LONG_DOUBLE, sizeof(long double)},
    {MPI_2INTEGER, GROUP_PAIR, NUMBER_SIGNED, 0},
    {MPI_2REAL, GROUP_PAIR, NUMBER_REAL, 0},
    {MPI_2DOUBLE_PRECISION, GROUP_PAIR, NUMBER_REAL, 0},
};
enum { TYPES = sizeof known / sizeof known[0] };

/* By code. */
static const MPI_Op operators[OPERATORS] = {
    [OPERATOR_SUM] = MPI_SUM,       [OPERATOR_REPLACE] = MPI_REPLACE, [OPERATOR_NO_OP] = MPI_NO_OP,
    [OPERATOR_PROD] = MPI_PROD,     [OPERATOR_MIN] = MPI_MIN,         [OPERATOR_MAX] = MPI_MAX,
    [OPERATOR_LAND] = MPI_LAND,     [OPERATOR_LOR] = MPI_LOR,         [OPERATOR_LXOR] = MPI_LXOR,
    [OPERATOR_BAND] = MPI_BAND,     [OPERATOR_BOR] = MPI_BOR,         [OPERATOR_BXOR] = MPI_BXOR,
    [OPERATOR_MINLOC] = MPI_MINLOC, [OPERATOR_MAXLOC] = MPI_MAXLOC,
};

enum {
    ALWAYS = 1 << OPERATOR_REPLACE | 1 << OPERATOR_NO_OP,
    ARITHMETIC = 1 << OPERATOR_SUM | 1 << OPERATOR_PROD,
    ORDER = 1 << OPERATOR_MIN | 1 << OPERATOR_MAX,
    LOGIC = 1 << OPERATOR_LAND | 1 << OPERATOR_LOR | 1 << OPERATOR_LXOR,
    BITWISE = 1 << OPERATOR_BAND | 1 << OPERATOR_BOR | 1 << OPERATOR_BXOR,
    LOCATION = 1 << OPERATOR_MINLOC | 1 << OPERATOR_MAXLOC
};

/* MPI 5.9.2, 5.9.4 */
static const uint16_t defined_for[GROUPS] = {
    [GROUP_C_INTEGER] = ALWAYS | ARITHMETIC | ORDER | LOGIC | BITWISE,
    [GROUP_FORTRAN_INTEGER] = ALWAYS | ARITHMETIC | ORDER | BITWISE,
    [GROUP_FLOATING] = ALWAYS | ARITHMETIC | ORDER,
    [GROUP_LOGICAL] = ALWAYS | LOGIC,
    [GROUP_COMPLEX] = ALWAYS | ARITHMETIC,
    [GROUP_BYTE] = ALWAYS | BITWISE,
    [GROUP_MULTI_LANGUAGE] = ALWAYS | ARITHMETIC | ORDER | BITWISE,
    [GROUP_PAIR] = ALWAYS | LOCATION,
    [GROUP_CHARACTER] = ALWAYS,
    [GROUP_TEXT] = ALWAYS,
};

/* What the MPI libraries have beyond the standard, for programs that know nothing of endpoints (api/reduce_op.c has the same
 * for reductions). */
static const uint16_t libraries_have[GROUPS] = {
    [GROUP_FORTRAN_INTEGER] = LOGIC,
    [GROUP_MULTI_LANGUAGE] = LOGIC,
    [GROUP_CHARACTER] = ARITHMETIC | ORDER | LOGIC | BITWISE,
};

/* ---- what MPI says of them, learnt once ---- */

static struct shape shapes[TYPES]; /* size 0: MPI lacks the type. Constant once learnt. */
static _Atomic bool learnt;        /* release when shapes are complete, acquire by who reads them */
static struct lock learn_lock;

enum { SLOTS = 256 };
static struct slot {
    _Atomic uintptr_t key; /* release when code is there, acquire in find */
    uint16_t code;
} slots[SLOTS];

static size_t hash(uintptr_t key)
{
    return (size_t)((uint64_t)key * 0x9e3779b97f4a7c15u >> 56);
}

static bool find(MPI_Datatype mpi, uint16_t *code)
{
    uintptr_t key = (uintptr_t)mpi;
    for (size_t i = hash(key), n = 0; n < SLOTS; i = (i + 1) % SLOTS, n++) {
        uintptr_t there = load_acquire(&slots[i].key);
        if (there == key) {
            *code = slots[i].code;
            return true;
        }
        if (there == 0)
            return false;
    }
    return false;
}

/* Under learn_lock. One slot stays empty or all are full: find ends in either case. */
static void remember(MPI_Datatype mpi, uint16_t code)
{
    uintptr_t key = (uintptr_t)mpi;
    for (size_t i = hash(key), n = 0; n < SLOTS; i = (i + 1) % SLOTS, n++) {
        uintptr_t there = load_relaxed(&slots[i].key);
        if (there == key)
            return; /* two names of one type: the first counts */
        if (there != 0)
            continue;
        slots[i].code = code;
        store_release(&slots[i].key, key);
        return;
    }
}

static uint8_t number_of(const struct known *k, int width)
{
    if (k->number != NUMBER_REAL)
        return k->number;
    return width == sizeof(float) ? NUMBER_FLOAT : width == sizeof(double) ? NUMBER_DOUBLE : NUMBER_QUAD;
}

static void describe(struct shape *s, const struct known *k)
{
    MPI_Aint lb, extent;
    int bytes;
    MPI_Type_size(k->mpi, &bytes);
    MPI_Type_get_extent(k->mpi, &lb, &extent);
    bool twin = k->group == GROUP_COMPLEX || (k->group == GROUP_PAIR && k->width == 0);
    int width = k->width ? k->width : twin ? bytes / 2 : bytes;
    s->group = k->group;
    s->parts = k->group == GROUP_COMPLEX || k->group == GROUP_PAIR ? 2 : 1;
    s->part[0] = (struct part){number_of(k, width), (uint8_t)width, 0};
    s->part[1] = s->part[0];
    if (s->parts == 2 && !twin)
        s->part[1] = (struct part){NUMBER_SIGNED, sizeof(int), 0};
    s->part[1].offset = (uint8_t)(width < s->part[1].width ? s->part[1].width : width);
    s->gaps = extent != (MPI_Aint)bytes;
    s->size = (uint8_t)extent;
}

/* Under learn_lock, between mpi_enter and mpi_leave. */
static void learn_table(void)
{
    if (load_relaxed(&learnt))
        return;
    for (uint16_t i = 0; i < TYPES; i++) {
        if (known[i].mpi == MPI_DATATYPE_NULL)
            continue;
        describe(&shapes[i], &known[i]);
        if (shapes[i].size)
            remember(known[i].mpi, i);
    }
    store_release(&learnt, true);
}

static bool like(const struct shape *s, enum group group, const struct part *p)
{
    return s->size && s->group == group && s->part[0].number == p->number && s->part[0].width == p->width;
}

static bool find_like(enum group group, const struct part *p, uint16_t *code)
{
    for (*code = 0; *code < TYPES; ++*code)
        if (like(&shapes[*code], group, p))
            return true;
    return false;
}

/* The type of the table that a Fortran 90 type with parameters stands for. More digits than a long double has: quad. */
static bool find_f90(MPI_Datatype mpi, uint16_t *code)
{
    int ints, addresses, types, combiner, bytes, want[2];
    struct part p = {0};
    enum group group = GROUP_FLOATING;
    if (MPI_Type_get_envelope(mpi, &ints, &addresses, &types, &combiner) != MPI_SUCCESS ||
        (combiner != MPI_COMBINER_F90_REAL && combiner != MPI_COMBINER_F90_COMPLEX &&
         combiner != MPI_COMBINER_F90_INTEGER))
        return false;
    MPI_Type_size(mpi, &bytes);
    MPI_Aint no_address[1];
    MPI_Datatype no_type[1];
    if (MPI_Type_get_contents(mpi, ints, 0, 0, want, no_address, no_type) != MPI_SUCCESS)
        return false;
    if (combiner == MPI_COMBINER_F90_INTEGER) {
        group = GROUP_FORTRAN_INTEGER;
        p = (struct part){NUMBER_SIGNED, (uint8_t)bytes, 0};
        return find_like(group, &p, code) || find_like(GROUP_C_INTEGER, &p, code);
    }
    if (combiner == MPI_COMBINER_F90_COMPLEX) {
        group = GROUP_COMPLEX;
        bytes /= 2;
    }
    p.width = (uint8_t)bytes;
    p.number = bytes == sizeof(float)    ? NUMBER_FLOAT
               : bytes == sizeof(double) ? NUMBER_DOUBLE
               : want[0] <= LDBL_DIG     ? NUMBER_LONG_DOUBLE
                                         : NUMBER_QUAD;
    return find_like(group, &p, code);
}

/* A handle that is seen for the first time. */
static bool learn(MPI_Datatype mpi, uint16_t *code)
{
    if (mpi == MPI_DATATYPE_NULL)
        return false;
    mpi_enter();
    lock_acquire(&learn_lock);
    learn_table();
    bool found = find(mpi, code);
    if (!found && (found = find_f90(mpi, code)))
        remember(mpi, *code); /* MPI keeps it for ever */
    lock_release(&learn_lock);
    mpi_leave();
    return found;
}

static bool code_of(MPI_Datatype mpi, uint16_t *code)
{
    return likely(find(mpi, code)) || learn(mpi, code);
}

const struct shape *item_shape_of(uint16_t type)
{
    return &shapes[type];
}

/* ---- atoms ---- */

static bool fill(struct atom *a, uint16_t type, unsigned op)
{
    const struct shape *s = &shapes[type];
    *a = (struct atom){type, (uint8_t)op, s->size, known[type].mpi, operators[op]};
    unsigned defined = defined_for[s->group];
    if (unlikely(!(defined >> op & 1)) && load_relaxed(&process.runs_ranks))
        defined |= libraries_have[s->group];
    return defined >> op & 1;
}

int atom_find(MPI_Datatype basic, MPI_Op op, struct atom *a)
{
    uint16_t type;
    if (!code_of(basic, &type))
        return MPI_ERR_TYPE;
    for (unsigned i = 0; i < OPERATORS; i++)
        if (op == operators[i])
            return fill(a, type, i) ? MPI_SUCCESS : MPI_ERR_OP;
    return MPI_ERR_OP;
}

bool atom_of_codes(uint16_t type, uint8_t op, struct atom *a)
{
    uint16_t any;
    if (unlikely(!load_acquire(&learnt)))
        learn(MPI_BYTE, &any);
    return type < TYPES && op < OPERATORS && shapes[type].size && fill(a, type, op);
}

bool atom_can_swap(MPI_Datatype basic)
{
    uint16_t type;
    if (!code_of(basic, &type))
        return false;
    uint8_t group = shapes[type].group;
    return group == GROUP_C_INTEGER || group == GROUP_FORTRAN_INTEGER || group == GROUP_LOGICAL ||
           group == GROUP_MULTI_LANGUAGE || group == GROUP_BYTE;
}
