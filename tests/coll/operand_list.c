/* SPDX-License-Identifier: BSD-3-Clause */
/* operand_list.c: all types with their operators; see operand.h. */
#include "operand_kinds.h"
#include <string.h>

enum { ROOM = 300 };

#define ARITHMETIC (1 << SUM | 1 << PROD)
#define ORDER (1 << MAX | 1 << MIN)
#define LOGIC (1 << LAND | 1 << LOR | 1 << LXOR)
#define BITWISE (1 << BAND | 1 << BOR | 1 << BXOR)
#define PLACES (1 << MAXLOC | 1 << MINLOC)

static const char *const verbs[VERBS] = {"sum",  "prod", "max", "min",  "land",   "lor",
                                         "lxor", "band", "bor", "bxor", "maxloc", "minloc"};
static operand operands[ROOM];
static int count;
static MPI_Datatype matrix, gapped;
static MPI_Op matrix_op, gapped_op, gapped_sum, right_op;

const operand *operand_number(int i)
{
    return i < count ? &operands[i] : NULL;
}

const operand *operand_named(const char *op_name, const char *type_name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(operands[i].op_name, op_name) == 0 && strcmp(operands[i].type_name, type_name) == 0)
            return &operands[i];
    expect_true(0, type_name, __FILE__, __LINE__);
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
    if (kind == PAIR || kind == REAL_PAIR) {
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
    add_type("MPI_Offset", MPI_OFFSET, INTEGER, sizeof(MPI_Offset), ARITHMETIC | ORDER | BITWISE);
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
    add_type("float_int", MPI_FLOAT_INT, REAL_PAIR, sizeof(float), PLACES);
    add_type("double_int", MPI_DOUBLE_INT, REAL_PAIR, sizeof(double), PLACES);
    add_type("long_int", MPI_LONG_INT, PAIR, sizeof(long), PLACES);
    add_type("2int", MPI_2INT, PAIR, sizeof(int), PLACES);
    add_type("short_int", MPI_SHORT_INT, PAIR, sizeof(short), PLACES);
    add_type("long_double_int", MPI_LONG_DOUBLE_INT, REAL_PAIR, sizeof(long double), PLACES);
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
