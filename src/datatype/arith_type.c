/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The predefined types and operators.
 *
 * A code is a place in a table of this file, so it is the same in all processes. Handles are found by hashing.
 * Types of MPI_Type_create_f90_real and the like stand for the type of the table that is made of the same numbers.
 */
#include <float.h>
#include <limits.h>

#include "datatype/arith.h"

#include "comm/comm.h"
#include "datatype/contents.h"

/* ---- the tables ---- */

/* number: reals without a width are float, double or quad by what MPI says is their size. */
enum { REAL_BY_SIZE = ARITH_QUAD + 1 };

static const struct known {
    MPI_Datatype mpi;
    uint8_t group, number;
    uint8_t width; /* of a part; 0: MPI says it. In pairs of C the value, and the index is an int. */
} known[] = {
    {MPI_INT, ARITH_C_INTEGER, ARITH_SIGNED, 0},
    {MPI_LONG, ARITH_C_INTEGER, ARITH_SIGNED, 0},
    {MPI_SHORT, ARITH_C_INTEGER, ARITH_SIGNED, 0},
    {MPI_UNSIGNED_SHORT, ARITH_C_INTEGER, ARITH_UNSIGNED, 0},
    {MPI_UNSIGNED, ARITH_C_INTEGER, ARITH_UNSIGNED, 0},
    {MPI_UNSIGNED_LONG, ARITH_C_INTEGER, ARITH_UNSIGNED, 0},
    {MPI_LONG_LONG_INT, ARITH_C_INTEGER, ARITH_SIGNED, 0},
    {MPI_UNSIGNED_LONG_LONG, ARITH_C_INTEGER, ARITH_UNSIGNED, 0},
    {MPI_SIGNED_CHAR, ARITH_C_INTEGER, ARITH_SIGNED, 0},
    {MPI_UNSIGNED_CHAR, ARITH_C_INTEGER, ARITH_UNSIGNED, 0},
    {MPI_INT8_T, ARITH_C_INTEGER, ARITH_SIGNED, 0},
    {MPI_INT16_T, ARITH_C_INTEGER, ARITH_SIGNED, 0},
    {MPI_INT32_T, ARITH_C_INTEGER, ARITH_SIGNED, 0},
    {MPI_INT64_T, ARITH_C_INTEGER, ARITH_SIGNED, 0},
    {MPI_UINT8_T, ARITH_C_INTEGER, ARITH_UNSIGNED, 0},
    {MPI_UINT16_T, ARITH_C_INTEGER, ARITH_UNSIGNED, 0},
    {MPI_UINT32_T, ARITH_C_INTEGER, ARITH_UNSIGNED, 0},
    {MPI_UINT64_T, ARITH_C_INTEGER, ARITH_UNSIGNED, 0},
    {MPI_AINT, ARITH_MULTI_LANGUAGE, ARITH_SIGNED, 0},
    {MPI_OFFSET, ARITH_MULTI_LANGUAGE, ARITH_SIGNED, 0},
    {MPI_COUNT, ARITH_MULTI_LANGUAGE, ARITH_SIGNED, 0},
    {MPI_INTEGER, ARITH_FORTRAN_INTEGER, ARITH_SIGNED, 0},
#ifdef MPI_INTEGER1
    {MPI_INTEGER1, ARITH_FORTRAN_INTEGER, ARITH_SIGNED, 0},
#endif
#ifdef MPI_INTEGER2
    {MPI_INTEGER2, ARITH_FORTRAN_INTEGER, ARITH_SIGNED, 0},
#endif
#ifdef MPI_INTEGER4
    {MPI_INTEGER4, ARITH_FORTRAN_INTEGER, ARITH_SIGNED, 0},
#endif
#ifdef MPI_INTEGER8
    {MPI_INTEGER8, ARITH_FORTRAN_INTEGER, ARITH_SIGNED, 0},
#endif
#ifdef MPI_INTEGER16
    {MPI_INTEGER16, ARITH_FORTRAN_INTEGER, ARITH_SIGNED, 0},
#endif
    {MPI_FLOAT, ARITH_FLOATING, ARITH_FLOAT, sizeof(float)},
    {MPI_DOUBLE, ARITH_FLOATING, ARITH_DOUBLE, sizeof(double)},
    {MPI_LONG_DOUBLE, ARITH_FLOATING, ARITH_LONG_DOUBLE, sizeof(long double)},
    {MPI_REAL, ARITH_FLOATING, REAL_BY_SIZE, 0},
    {MPI_DOUBLE_PRECISION, ARITH_FLOATING, REAL_BY_SIZE, 0},
#ifdef MPI_REAL4
    {MPI_REAL4, ARITH_FLOATING, REAL_BY_SIZE, 0},
#endif
#ifdef MPI_REAL8
    {MPI_REAL8, ARITH_FLOATING, REAL_BY_SIZE, 0},
#endif
#ifdef MPI_REAL16
    {MPI_REAL16, ARITH_FLOATING, REAL_BY_SIZE, 0},
#endif
    {MPI_LOGICAL, ARITH_LOGICAL, ARITH_UNSIGNED, 0},
#ifdef MPI_LOGICAL1
    {MPI_LOGICAL1, ARITH_LOGICAL, ARITH_UNSIGNED, 0},
#endif
#ifdef MPI_LOGICAL2
    {MPI_LOGICAL2, ARITH_LOGICAL, ARITH_UNSIGNED, 0},
#endif
#ifdef MPI_LOGICAL4
    {MPI_LOGICAL4, ARITH_LOGICAL, ARITH_UNSIGNED, 0},
#endif
#ifdef MPI_LOGICAL8
    {MPI_LOGICAL8, ARITH_LOGICAL, ARITH_UNSIGNED, 0},
#endif
    {MPI_C_BOOL, ARITH_LOGICAL, ARITH_UNSIGNED, 0},
    {MPI_CXX_BOOL, ARITH_LOGICAL, ARITH_UNSIGNED, 0},
    {MPI_C_FLOAT_COMPLEX, ARITH_COMPLEX, ARITH_FLOAT, sizeof(float)},
    {MPI_C_DOUBLE_COMPLEX, ARITH_COMPLEX, ARITH_DOUBLE, sizeof(double)},
    {MPI_C_LONG_DOUBLE_COMPLEX, ARITH_COMPLEX, ARITH_LONG_DOUBLE, sizeof(long double)},
    {MPI_CXX_FLOAT_COMPLEX, ARITH_COMPLEX, ARITH_FLOAT, sizeof(float)},
    {MPI_CXX_DOUBLE_COMPLEX, ARITH_COMPLEX, ARITH_DOUBLE, sizeof(double)},
    {MPI_CXX_LONG_DOUBLE_COMPLEX, ARITH_COMPLEX, ARITH_LONG_DOUBLE, sizeof(long double)},
    {MPI_COMPLEX, ARITH_COMPLEX, REAL_BY_SIZE, 0},
    {MPI_DOUBLE_COMPLEX, ARITH_COMPLEX, REAL_BY_SIZE, 0},
#ifdef MPI_COMPLEX8
    {MPI_COMPLEX8, ARITH_COMPLEX, REAL_BY_SIZE, 0},
#endif
#ifdef MPI_COMPLEX16
    {MPI_COMPLEX16, ARITH_COMPLEX, REAL_BY_SIZE, 0},
#endif
#ifdef MPI_COMPLEX32
    {MPI_COMPLEX32, ARITH_COMPLEX, REAL_BY_SIZE, 0},
#endif
    {MPI_BYTE, ARITH_BYTE, ARITH_UNSIGNED, 0},
    {MPI_CHAR, ARITH_CHARACTER, CHAR_MIN < 0 ? ARITH_SIGNED : ARITH_UNSIGNED, 0},
    {MPI_WCHAR, ARITH_TEXT, ARITH_UNSIGNED, 0},
    {MPI_CHARACTER, ARITH_CHARACTER, ARITH_UNSIGNED, 0},
    {MPI_PACKED, ARITH_TEXT, ARITH_UNSIGNED, 0},
    {MPI_2INT, ARITH_PAIR, ARITH_SIGNED, sizeof(int)},
    {MPI_SHORT_INT, ARITH_PAIR, ARITH_SIGNED, sizeof(short)},
    {MPI_LONG_INT, ARITH_PAIR, ARITH_SIGNED, sizeof(long)},
    {MPI_FLOAT_INT, ARITH_PAIR, ARITH_FLOAT, sizeof(float)},
    {MPI_DOUBLE_INT, ARITH_PAIR, ARITH_DOUBLE, sizeof(double)},
    {MPI_LONG_DOUBLE_INT, ARITH_PAIR, ARITH_LONG_DOUBLE, sizeof(long double)},
    {MPI_2INTEGER, ARITH_PAIR, ARITH_SIGNED, 0},
    {MPI_2REAL, ARITH_PAIR, REAL_BY_SIZE, 0},
    {MPI_2DOUBLE_PRECISION, ARITH_PAIR, REAL_BY_SIZE, 0},
};
enum { TYPES = sizeof known / sizeof known[0] };
_Static_assert((int)TYPES <= ARITH_MOST_TYPES, "too many types");

/* By code. */
static const struct {
    MPI_Op mpi;
    const char *name;
} operators[ARITH_OPS] = {
    [ARITH_SUM] = {MPI_SUM, "MPI_SUM"},          [ARITH_REPLACE] = {MPI_REPLACE, "MPI_REPLACE"},
    [ARITH_NO_OP] = {MPI_NO_OP, "MPI_NO_OP"},    [ARITH_PROD] = {MPI_PROD, "MPI_PROD"},
    [ARITH_MIN] = {MPI_MIN, "MPI_MIN"},          [ARITH_MAX] = {MPI_MAX, "MPI_MAX"},
    [ARITH_LAND] = {MPI_LAND, "MPI_LAND"},       [ARITH_LOR] = {MPI_LOR, "MPI_LOR"},
    [ARITH_LXOR] = {MPI_LXOR, "MPI_LXOR"},       [ARITH_BAND] = {MPI_BAND, "MPI_BAND"},
    [ARITH_BOR] = {MPI_BOR, "MPI_BOR"},          [ARITH_BXOR] = {MPI_BXOR, "MPI_BXOR"},
    [ARITH_MINLOC] = {MPI_MINLOC, "MPI_MINLOC"}, [ARITH_MAXLOC] = {MPI_MAXLOC, "MPI_MAXLOC"},
};

enum {
    ALWAYS = 1 << ARITH_REPLACE | 1 << ARITH_NO_OP,
    ARITHMETIC = 1 << ARITH_SUM | 1 << ARITH_PROD,
    ORDER = 1 << ARITH_MIN | 1 << ARITH_MAX,
    LOGIC = 1 << ARITH_LAND | 1 << ARITH_LOR | 1 << ARITH_LXOR,
    BITWISE = 1 << ARITH_BAND | 1 << ARITH_BOR | 1 << ARITH_BXOR,
    LOCATION = 1 << ARITH_MINLOC | 1 << ARITH_MAXLOC
};

/* MPI 5.9.2, 5.9.4 */
static const uint16_t defined_for[ARITH_GROUPS] = {
    [ARITH_C_INTEGER] = ALWAYS | ARITHMETIC | ORDER | LOGIC | BITWISE,
    [ARITH_FORTRAN_INTEGER] = ALWAYS | ARITHMETIC | ORDER | BITWISE,
    [ARITH_FLOATING] = ALWAYS | ARITHMETIC | ORDER,
    [ARITH_LOGICAL] = ALWAYS | LOGIC,
    [ARITH_COMPLEX] = ALWAYS | ARITHMETIC,
    [ARITH_BYTE] = ALWAYS | BITWISE,
    [ARITH_MULTI_LANGUAGE] = ALWAYS | ARITHMETIC | ORDER | BITWISE,
    [ARITH_PAIR] = ALWAYS | LOCATION,
    [ARITH_CHARACTER] = ALWAYS,
    [ARITH_TEXT] = ALWAYS,
};

/* What the MPI libraries have beyond the standard, for programs that know nothing of endpoints. */
static const uint16_t libraries_have[ARITH_GROUPS] = {
    [ARITH_FORTRAN_INTEGER] = LOGIC,
    [ARITH_MULTI_LANGUAGE] = LOGIC,
    [ARITH_CHARACTER] = ARITHMETIC | ORDER | LOGIC | BITWISE,
};

/* ---- what MPI says of them, learnt once ---- */

static struct arith_type types[TYPES]; /* size 0: MPI lacks the type. Constant once learnt. */
static _Atomic bool learnt;            /* the types are complete: release learn_table, acquire arith_type */
static struct lock learn_lock = LOCK_FREE(ARITH_TYPES);

enum { SLOTS = 256 };
static struct slot {
    _Atomic uintptr_t key; /* code is there: release learn_named, acquire arith_type_find */
    uint16_t code;
} slots[SLOTS];

static size_t arith_type_hash(uintptr_t key)
{
    return (size_t)((uint64_t)key * 0x9e3779b97f4a7c15u >> 56);
}

static bool arith_type_find(MPI_Datatype mpi, uint16_t *code)
{
    uintptr_t key = (uintptr_t)mpi;
    for (size_t i = arith_type_hash(key), n = 0; n < SLOTS; i = (i + 1) % SLOTS, n++) {
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
static void arith_type_remember(MPI_Datatype mpi, uint16_t code)
{
    lock_assert_held(&learn_lock);
    uintptr_t key = (uintptr_t)mpi;
    for (size_t i = arith_type_hash(key), n = 0; n < SLOTS; i = (i + 1) % SLOTS, n++) {
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

static uint8_t arith_type_number_of(const struct known *k, int width)
{
    if (k->number != REAL_BY_SIZE)
        return k->number;
    return width == sizeof(float) ? ARITH_FLOAT : width == sizeof(double) ? ARITH_DOUBLE : ARITH_QUAD;
}

static void arith_type_describe(struct arith_type *s, const struct known *k)
{
    MPI_Aint lb, extent;
    int bytes;
    MPI_Type_size(k->mpi, &bytes);
    MPI_Type_get_extent(k->mpi, &lb, &extent);
    bool twin = k->group == ARITH_COMPLEX || (k->group == ARITH_PAIR && k->width == 0);
    int width = k->width ? k->width : twin ? bytes / 2 : bytes;
    s->group = k->group;
    s->defined = defined_for[k->group];
    s->beyond = libraries_have[k->group];
    s->parts = k->group == ARITH_COMPLEX || k->group == ARITH_PAIR ? 2 : 1;
    s->part[0] = (struct arith_part){arith_type_number_of(k, width), (uint8_t)width, 0};
    s->part[1] = s->part[0];
    if (s->parts == 2 && !twin)
        s->part[1] = (struct arith_part){ARITH_SIGNED, sizeof(int), 0};
    s->part[1].offset = (uint8_t)(width < s->part[1].width ? s->part[1].width : width);
    s->gaps = extent != (MPI_Aint)bytes;
    s->mpi = k->mpi;
    s->size = (uint8_t)extent;
    s->kernels = arith_kernels_of(s);
    if (!s->kernels) /* numbers that nobody calculates with */
        s->size = 0;
}

/* Under learn_lock, between mpi_enter and mpi_leave. */
static void learn_table(void)
{
    lock_assert_held(&learn_lock);
    if (load_relaxed(&learnt))
        return;
    for (uint16_t i = 0; i < TYPES; i++) {
        if (known[i].mpi == MPI_DATATYPE_NULL)
            continue;
        arith_type_describe(&types[i], &known[i]);
        if (types[i].size)
            arith_type_remember(known[i].mpi, i);
    }
    store_release(&learnt, true);
}

void arith_start(void)
{
    lock_acquire(&learn_lock);
    learn_table();
    lock_release(&learn_lock);
}

static bool arith_type_like(const struct arith_type *s, enum arith_group group, const struct arith_part *p)
{
    return s->size && s->group == group && s->part[0].number == p->number && s->part[0].width == p->width;
}

static bool find_like(enum arith_group group, const struct arith_part *p, uint16_t *code)
{
    for (*code = 0; *code < TYPES; ++*code)
        if (arith_type_like(&types[*code], group, p))
            return true;
    return false;
}

/* The type of the table that a Fortran 90 type with parameters stands for. More digits than a long double has: quad. */
static bool find_f90(MPI_Datatype mpi, uint16_t *code)
{
    struct type_envelope e;
    int bytes, want[2];
    struct arith_part p = {0};
    enum arith_group group = ARITH_FLOATING;
    if (!type_envelope_get(&e, mpi) || e.combiner == MPI_COMBINER_NAMED ||
        !combiner_is_predefined(e.combiner))
        return false;
    MPI_Type_size(mpi, &bytes);
    MPI_Aint no_address[1];
    MPI_Datatype no_type[1];
    if (MPI_Type_get_contents(mpi, (int)e.ints, 0, 0, want, no_address, no_type) != MPI_SUCCESS)
        return false;
    if (e.combiner == MPI_COMBINER_F90_INTEGER) {
        group = ARITH_FORTRAN_INTEGER;
        p = (struct arith_part){ARITH_SIGNED, (uint8_t)bytes, 0};
        return find_like(group, &p, code) || find_like(ARITH_C_INTEGER, &p, code);
    }
    if (e.combiner == MPI_COMBINER_F90_COMPLEX) {
        group = ARITH_COMPLEX;
        bytes /= 2;
    }
    p.width = (uint8_t)bytes;
    p.number = bytes == sizeof(float)    ? ARITH_FLOAT
               : bytes == sizeof(double) ? ARITH_DOUBLE
               : want[0] <= LDBL_DIG     ? ARITH_LONG_DOUBLE
                                         : ARITH_QUAD;
    return find_like(group, &p, code);
}

/* A handle that is seen for the first time. Between mpi_enter and mpi_leave. */
static bool learn_within(MPI_Datatype mpi, uint16_t *code)
{
    if (mpi == MPI_DATATYPE_NULL)
        return false;
    lock_acquire(&learn_lock);
    learn_table();
    bool found = arith_type_find(mpi, code);
    if (!found && (found = find_f90(mpi, code)))
        arith_type_remember(mpi, *code); /* MPI keeps it for ever */
    lock_release(&learn_lock);
    return found;
}

static bool arith_type_learn(MPI_Datatype mpi, uint16_t *code)
{
    mpi_enter();
    bool found = learn_within(mpi, code);
    mpi_leave();
    return found;
}

const struct arith_type *arith_type_of(MPI_Datatype mpi, uint16_t *code)
{
    return likely(arith_type_find(mpi, code)) || arith_type_learn(mpi, code) ? &types[*code] : NULL;
}

const struct arith_type *arith_type_within(MPI_Datatype mpi, uint16_t *code)
{
    return arith_type_find(mpi, code) || learn_within(mpi, code) ? &types[*code] : NULL;
}

const struct arith_type *arith_type_known(MPI_Datatype mpi)
{
    uint16_t code;
    return arith_type_find(mpi, &code) ? &types[code] : NULL;
}

const struct arith_type *arith_type(uint16_t code)
{
    uint16_t any;
    if (unlikely(!load_acquire(&learnt)))
        arith_type_learn(MPI_BYTE, &any);
    return code < TYPES && types[code].size ? &types[code] : NULL;
}

/* ---- operators ---- */

enum arith_op arith_op_of(MPI_Op op)
{
    unsigned i = 0;
    while (i < ARITH_OPS && op != operators[i].mpi)
        i++;
    return (enum arith_op)i;
}

MPI_Op arith_op_handle(enum arith_op op)
{
    return operators[op].mpi;
}

const char *arith_op_name(enum arith_op op)
{
    return operators[op].name;
}

arith_kernel *arith_find(MPI_Datatype mpi, MPI_Op op)
{
    uint16_t code;
    enum arith_op o = arith_op_of(op);
    const struct arith_type *t = o != ARITH_OPS ? arith_type_of(mpi, &code) : NULL;
    return t ? t->kernels[o] : NULL;
}
