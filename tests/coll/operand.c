/* SPDX-License-Identifier: BSD-3-Clause */
/* operand.c: see operand.h. */
#include "operand.h"
#include "area.h"
#include <complex.h>
#include <string.h>

enum { INTEGER, NATURAL, REAL, COMPLEX, LOGICAL, BITS, PAIR, MATRIX, SUMS, RIGHT };
enum { SUM, PROD, MAX, MIN, LAND, LOR, LXOR, BAND, BOR, BXOR, MAXLOC, MINLOC, VERBS };
enum { PRIME = 10007, ROOM = 300 };

static const char *const verbs[VERBS] = {"sum",  "prod", "max", "min",  "land",   "lor",
                                         "lxor", "band", "bor", "bxor", "maxloc", "minloc"};

#define ARITHMETIC (1 << SUM | 1 << PROD)
#define ORDER (1 << MAX | 1 << MIN)
#define LOGIC (1 << LAND | 1 << LOR | 1 << LXOR)
#define BITWISE (1 << BAND | 1 << BOR | 1 << BXOR)
#define PLACES (1 << MAXLOC | 1 << MINLOC)

static operand operands[ROOM];
static int count;
static MPI_Datatype matrix, gapped;
static MPI_Op matrix_op, gapped_op, gapped_sum, right_op;

/* ---- Predefined types: numbers are loaded into one wide type, and stored from it ---- */

static int64_t load_integer(const operand *o, const char *from)
{
    int64_t x = 0;
    memcpy(&x, from, (size_t)o->size);
    if (o->kind == INTEGER && o->size < 8)
        x = (int64_t)((uint64_t)x << (64 - 8 * o->size)) >> (64 - 8 * o->size);
    return x;
}

static long double load_real(int size, const char *from)
{
    float f;
    double d;
    long double l;
    if (size == sizeof f)
        return memcpy(&f, from, sizeof f), f;
    if (size == sizeof d)
        return memcpy(&d, from, sizeof d), d;
    return memcpy(&l, from, sizeof l), l;
}

static void store_real(int size, char *to, long double x)
{
    float f = (float)x;
    double d = (double)x;
    if (size == sizeof f)
        memcpy(to, &f, sizeof f);
    else if (size == sizeof d)
        memcpy(to, &d, sizeof d);
    else
        memcpy(to, &x, 10); /* the rest is padding */
}

static uint64_t combine_words(int verb, int64_t a, int64_t b, int natural)
{
    uint64_t x = (uint64_t)a, y = (uint64_t)b;
    int less = natural ? x < y : a < b;
    switch (verb) {
    case SUM:
        return x + y;
    case PROD:
        return x * y;
    case MAX:
        return less ? y : x;
    case MIN:
        return less ? x : y;
    case LAND:
        return x && y;
    case LOR:
        return x || y;
    case LXOR:
        return !x != !y;
    case BAND:
        return x & y;
    case BOR:
        return x | y;
    default:
        return x ^ y;
    }
}

static long double combine_reals(int verb, long double a, long double b)
{
    switch (verb) {
    case SUM:
        return a + b;
    case PROD:
        return a * b;
    case MAX:
        return a < b ? b : a;
    default:
        return a < b ? a : b;
    }
}

static void combine_complex(const operand *o, const char *in, char *inout)
{
    int half = o->size / 2;
    long double a = load_real(half, in), b = load_real(half, in + half);
    long double c = load_real(half, inout), d = load_real(half, inout + half);
    store_real(half, inout, o->verb == SUM ? a + c : a * c - b * d);
    store_real(half, inout + half, o->verb == SUM ? b + d : a * d + b * c);
}

/* The number of a pair is real (bytes 4 or more than 8 of a real type) or integer; the place is an int behind it. */
static long double pair_number(const operand *o, const char *from)
{
    operand integer = {.kind = INTEGER, .size = o->size};
    int real = strcmp(o->type_name, "float_int") == 0 || strstr(o->type_name, "double") != NULL;
    return real ? load_real(o->size, from) : (long double)load_integer(&integer, from);
}

static void combine_pair(const operand *o, const char *in, char *inout)
{
    long double a = pair_number(o, in), b = pair_number(o, inout);
    int i, j;
    memcpy(&i, in + o->at[1], sizeof i);
    memcpy(&j, inout + o->at[1], sizeof j);
    if (a == b ? i < j : (o->verb == MAXLOC ? a > b : a < b))
        operand_copy(o, in, inout);
}

/* ---- Users' types ---- */

static void multiply(const int a[4], int b[4])
{
    int c[4];
    for (int i = 0; i < 4; i++)
        c[i] = (a[i / 2 * 2] * b[i % 2] + a[i / 2 * 2 + 1] * b[2 + i % 2]) % PRIME;
    memcpy(b, c, sizeof c);
}

static void load_ints(const operand *o, const char *from, int x[4])
{
    for (int i = 0; i < o->parts; i++)
        memcpy(&x[i], from + o->at[i], sizeof(int));
}

static void store_ints(const operand *o, char *to, const int x[4])
{
    for (int i = 0; i < o->parts; i++)
        memcpy(to + o->at[i], &x[i], sizeof(int));
}

static void combine_ints(const operand *o, const char *in, char *inout)
{
    int a[4], b[4];
    load_ints(o, in, a);
    load_ints(o, inout, b);
    if (o->kind == MATRIX)
        multiply(a, b);
    for (int i = 0; i < 4 && o->kind == SUMS; i++)
        b[i] = (a[i] + b[i]) % PRIME;
    store_ints(o, inout, b);
}

/* What users give to MPI: the same on an array. */
static void on_array(const operand *o, const char *in, char *inout, int len)
{
    for (int i = 0; i < len; i++)
        combine_ints(o, in + i * o->extent, inout + i * o->extent);
}

static const operand as_matrix = {.kind = MATRIX, .extent = 16, .parts = 4, .at = {0, 4, 8, 12}};
static const operand as_gapped = {.kind = MATRIX, .extent = 32, .parts = 4, .at = {8, 12, 20, 28}};
static const operand as_sums = {.kind = SUMS, .extent = 32, .parts = 4, .at = {8, 12, 20, 28}};

void matrix_product(void *in, void *inout, int *len, MPI_Datatype *type)
{
    (void)type;
    on_array(&as_matrix, in, inout, *len);
}

static void gapped_product(void *in, void *inout, int *len, MPI_Datatype *type)
{
    (void)type;
    on_array(&as_gapped, in, inout, *len);
}

static void gapped_add(void *in, void *inout, int *len, MPI_Datatype *type)
{
    (void)type;
    on_array(&as_sums, in, inout, *len);
}

/* inout stays what it is. */
static void right(void *in, void *inout, int *len, MPI_Datatype *type)
{
    (void)in;
    (void)inout;
    (void)len;
    (void)type;
}

MPI_Datatype matrix_type(void)
{
    MPI_Datatype type;
    MPI_Type_contiguous(4, MPI_INT, &type);
    MPI_Type_commit(&type);
    return type;
}

/* ---- For all ---- */

void operand_copy(const operand *o, const char *from, char *to)
{
    for (int i = 0; i < o->parts; i++)
        memcpy(to + o->at[i], from + o->at[i], (size_t)o->bytes[i]);
}

int operand_zeros(const operand *o, const char *a, const char *b)
{
    int half = o->size / 2;
    if (o->kind != COMPLEX)
        return 0;
    return load_real(half, a) == load_real(half, b) && load_real(half, a + half) == load_real(half, b + half);
}

void operand_combine(const operand *o, const char *in, char *inout)
{
    uint64_t x;
    switch (o->kind) {
    case REAL:
        store_real(o->size, inout, combine_reals(o->verb, load_real(o->size, in), load_real(o->size, inout)));
        return;
    case COMPLEX:
        combine_complex(o, in, inout);
        return;
    case PAIR:
        combine_pair(o, in, inout);
        return;
    case MATRIX:
    case SUMS:
    case RIGHT:
        combine_ints(o, in, inout);
        return;
    default:
        x = combine_words(o->verb, load_integer(o, in), load_integer(o, inout), o->kind != INTEGER);
        memcpy(inout, &x, (size_t)o->size);
    }
}

/* Small where overflow or rounding would matter; and no negative numbers for those unsigned, of which MPI libraries think
 * differently: Open MPI adds short types with saturation, and compares MPI_UNSIGNED_LONG as signed. */
static int64_t small_value(const operand *o, uint64_t x)
{
    int natural = o->kind == NATURAL;
    int64_t most = o->size == 1 ? 3 : 1000;
    switch (o->verb) {
    case SUM:
        return natural ? (int64_t)(x % (uint64_t)most) : (int64_t)(x % (uint64_t)(2 * most + 1)) - most;
    case PROD:
        return x % 16 == 0 ? 2 : natural || x % 2 ? 1 : -1;
    case LAND:
        return x % 16 != 0;
    case LOR:
    case LXOR:
        return x % 16 == 0;
    case MAX:
    case MIN:
        return natural ? (int64_t)(x >> (65 - 8 * o->size)) : (int64_t)x;
    default:
        return (int64_t)(x % 7) - 3;
    }
}

static void make_reals(const operand *o, char *element, uint64_t x)
{
    if (o->kind == REAL) {
        store_real(o->size, element, (long double)(small_value(o, x) % 1000));
        return;
    }
    /* PROD: one of 1, -1, i, -i, 1+i, ... of which powers are exact */
    int r = o->verb == SUM ? (int)(x % 100) : (int)(x % 3) - 1, i = (int)(x / 128 % 3) - 1;
    store_real(o->size / 2, element, r || i ? r : 1);
    store_real(o->size / 2, element + o->size / 2, i);
}

static void make_pair(const operand *o, char *element, uint64_t x)
{
    int place = (int)(x / 64 % 50);
    int64_t number = small_value(o, x);
    if (strcmp(o->type_name, "float_int") == 0 || strstr(o->type_name, "double"))
        store_real(o->size, element, (long double)number);
    else
        memcpy(element, &number, (size_t)o->size);
    memcpy(element + o->at[1], &place, sizeof place);
}

void operand_make(const operand *o, char *element, uint64_t key)
{
    uint64_t x = mix(key, 77);
    int64_t small = small_value(o, x);
    int ints[4];
    switch (o->kind) {
    case REAL:
    case COMPLEX:
        make_reals(o, element, x);
        return;
    case PAIR:
        make_pair(o, element, x);
        return;
    case MATRIX:
    case SUMS:
    case RIGHT:
        for (int i = 0; i < 4; i++)
            ints[i] = (int)(mix(x, (uint64_t)i) % PRIME);
        store_ints(o, element, ints);
        return;
    default:
        if (o->verb >= BAND)
            small = (int64_t)x;
        memcpy(element, &small, (size_t)o->size);
    }
}

/* ---- The list ---- */

const operand *operand_number(int i)
{
    return i < count ? &operands[i] : NULL;
}

const operand *operand_named(const char *op_name, const char *type_name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(operands[i].op_name, op_name) == 0 && strcmp(operands[i].type_name, type_name) == 0)
            return &operands[i];
    EXPECT(op_name == type_name);
    return NULL;
}

static void add(operand o, MPI_Op op, const char *op_name)
{
    MPI_Aint lb, extent;
    if (!EXPECT(count < ROOM))
        return;
    MPI_Type_get_extent(o.type, &lb, &extent);
    o.lb = lb;
    o.extent = extent;
    o.op = op;
    o.op_name = op_name;
    operands[count++] = o;
}

static void add_type(const char *name, MPI_Datatype type, int kind, int size, int which)
{
    const MPI_Op ops[VERBS] = {MPI_SUM,  MPI_PROD, MPI_MAX, MPI_MIN,  MPI_LAND,   MPI_LOR,
                               MPI_LXOR, MPI_BAND, MPI_BOR, MPI_BXOR, MPI_MAXLOC, MPI_MINLOC};
    operand o = {name, NULL, type, MPI_OP_NULL, kind, size, 0, 0, 0, 1, {0}, {size > 10 ? 10 : size}, 0};
    if (kind == COMPLEX) {
        o.parts = 2;
        o.at[1] = size / 2;
        o.bytes[0] = o.bytes[1] = size / 2 > 10 ? 10 : size / 2;
    }
    if (kind == PAIR) {
        o.parts = 2;
        o.at[1] = size < 4 ? 4 : size;
        o.bytes[1] = sizeof(int);
    }
    for (int v = 0; v < VERBS; v++)
        if (which >> v & 1) {
            o.verb = v;
            add(o, ops[v], verbs[v]);
        }
}

static void add_integers(void)
{
    const struct {
        const char *name;
        MPI_Datatype type;
        int natural, size;
    } all[] = {
        {"signed char", MPI_SIGNED_CHAR, 0, 1},
        {"short", MPI_SHORT, 0, sizeof(short)},
        {"int", MPI_INT, 0, sizeof(int)},
        {"long", MPI_LONG, 0, sizeof(long)},
        {"long long", MPI_LONG_LONG_INT, 0, sizeof(long long)},
        {"unsigned char", MPI_UNSIGNED_CHAR, 1, 1},
        {"unsigned short", MPI_UNSIGNED_SHORT, 1, sizeof(short)},
        {"unsigned", MPI_UNSIGNED, 1, sizeof(int)},
        {"unsigned long", MPI_UNSIGNED_LONG, 1, sizeof(long)},
        {"unsigned long long", MPI_UNSIGNED_LONG_LONG, 1, sizeof(long long)},
        {"int8_t", MPI_INT8_T, 0, 1},
        {"int16_t", MPI_INT16_T, 0, 2},
        {"int32_t", MPI_INT32_T, 0, 4},
        {"int64_t", MPI_INT64_T, 0, 8},
        {"uint8_t", MPI_UINT8_T, 1, 1},
        {"uint16_t", MPI_UINT16_T, 1, 2},
        {"uint32_t", MPI_UINT32_T, 1, 4},
        {"uint64_t", MPI_UINT64_T, 1, 8},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        add_type(all[i].name, all[i].type, all[i].natural ? NATURAL : INTEGER, all[i].size,
                 ARITHMETIC | ORDER | LOGIC | BITWISE);
    add_type("MPI_Aint", MPI_AINT, INTEGER, sizeof(MPI_Aint), ARITHMETIC | ORDER | BITWISE);
    add_type("MPI_Offset", MPI_OFFSET, NATURAL, sizeof(MPI_Offset), ARITHMETIC | ORDER | BITWISE);
    add_type("MPI_Count", MPI_COUNT, INTEGER, sizeof(MPI_Count), ARITHMETIC | ORDER | BITWISE);
}

static void add_others(void)
{
    add_type("float", MPI_FLOAT, REAL, sizeof(float), ARITHMETIC | ORDER);
    add_type("double", MPI_DOUBLE, REAL, sizeof(double), ARITHMETIC | ORDER);
    add_type("long double", MPI_LONG_DOUBLE, REAL, sizeof(long double), ARITHMETIC | ORDER);
    add_type("float complex", MPI_C_FLOAT_COMPLEX, COMPLEX, 2 * sizeof(float), ARITHMETIC);
    add_type("double complex", MPI_C_DOUBLE_COMPLEX, COMPLEX, 2 * sizeof(double), ARITHMETIC);
    add_type("long double complex", MPI_C_LONG_DOUBLE_COMPLEX, COMPLEX, 2 * sizeof(long double), ARITHMETIC);
    add_type("bool", MPI_C_BOOL, LOGICAL, sizeof(_Bool), LOGIC);
    add_type("byte", MPI_BYTE, BITS, 1, BITWISE);
    add_type("float_int", MPI_FLOAT_INT, PAIR, sizeof(float), PLACES);
    add_type("double_int", MPI_DOUBLE_INT, PAIR, sizeof(double), PLACES);
    add_type("long_int", MPI_LONG_INT, PAIR, sizeof(long), PLACES);
    add_type("2int", MPI_2INT, PAIR, sizeof(int), PLACES);
    add_type("short_int", MPI_SHORT_INT, PAIR, sizeof(short), PLACES);
    add_type("long_double_int", MPI_LONG_DOUBLE_INT, PAIR, sizeof(long double), PLACES);
}

static void add_users(void)
{
    const int four[4] = {4, 4, 4, 4};
    operand m = as_matrix, g = as_gapped, s = as_sums;
    operand r = {.type_name = "int", .type = MPI_INT, .kind = RIGHT, .size = 4, .parts = 1, .bytes = {4}};
    MPI_Datatype type;
    MPI_Type_create_indexed_block(4, 1, (int[]){2, 3, 5, 7}, MPI_INT, &type);
    MPI_Type_create_resized(type, 4, 32, &gapped);
    MPI_Type_free(&type);
    MPI_Type_commit(&gapped);
    matrix = matrix_type();
    EXPECT_OK(ep_op_create(matrix_product, 0, &matrix_op));
    EXPECT_OK(ep_op_create(gapped_product, 0, &gapped_op));
    EXPECT_OK(ep_op_create(gapped_add, 1, &gapped_sum));
    MPI_Op_create(right, 0, &right_op);
    memcpy(m.bytes, four, sizeof four);
    memcpy(g.bytes, four, sizeof four);
    memcpy(s.bytes, four, sizeof four);
    m.type = matrix;
    g.type = s.type = gapped;
    m.type_name = "matrix";
    g.type_name = s.type_name = "gapped";
    m.strict = g.strict = s.strict = 1;
    add(m, matrix_op, "product");
    add(g, gapped_op, "product");
    add(s, gapped_sum, "sum");
    add(r, right_op, "right");
}

void operands_open(void)
{
    count = 0;
    add_integers();
    add_others();
    add_users();
}

void operands_close(void)
{
    EXPECT_OK(ep_op_free(&matrix_op));
    EXPECT_OK(ep_op_free(&gapped_op));
    EXPECT_OK(ep_op_free(&gapped_sum));
    MPI_Op_free(&right_op);
    MPI_Type_free(&matrix);
    MPI_Type_free(&gapped);
}
