/* SPDX-License-Identifier: BSD-3-Clause */
/* test_atomic.c: every predefined type with every operator, one thread. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "element.h"
#include "rma/atomic.h"
#include "unit.h"

enum { ELEMENTS = 3, MOST = ELEMENT_MOST, ROUNDS = 200, GUARD = 0x5a };

static const struct arena arena = {.stripes = &process_stripes};

/* ---- the oracle ---- */

static void copy_data(char *to, const char *from, const struct sample *t)
{
    int position = 0;
    char packed[MOST];
    MPI_Pack(from, 1, t->mpi, packed, sizeof packed, &position, MPI_COMM_SELF);
    position = 0;
    MPI_Unpack(packed, sizeof packed, &position, to, 1, t->mpi, MPI_COMM_SELF);
}

/* *into = *into op *operand */
static void oracle(char *into, const char *operand, const struct sample *t, MPI_Op op)
{
    if (op == MPI_REPLACE)
        copy_data(into, operand, t);
    else if (op != MPI_NO_OP)
        element_combine(t, op, operand, into);
}

/* ---- operators ---- */

static void dump(const char *what, const char *p, size_t n)
{
    printf("  %s", what);
    for (size_t i = 0; i < n; i++)
        printf("%s%02x", i % 4 ? "" : " ", (unsigned char)p[i]);
    printf("\n");
}

/* `shift` bytes from where it is aligned. */
static void check_operator(const struct sample *t, const struct sample_op *op, const struct atom *a,
                           int shift)
{
    static _Alignas(MOST) char at[(ELEMENTS + 1) * MOST], operand[sizeof at], old[sizeof at], want[sizeof at],
        want_old[sizeof at];
    size_t size = a->size;
    memset(at, GUARD, sizeof at);
    memset(old, GUARD, sizeof old);
    memset(operand, 0, sizeof operand);
    for (size_t i = 0; i < ELEMENTS; i++) {
        element_make(at + shift + i * size, t);
        element_make(operand + 1 + i * size, t);
    }
    memcpy(want, at, sizeof at);
    memcpy(want_old, old, sizeof old);
    for (size_t i = 0; i < ELEMENTS; i++) {
        char mine[MOST], other[MOST] = {0}; /* aligned for MPI */
        memcpy(mine, at + shift + i * size, size);
        memcpy(other, operand + 1 + i * size, size);
        copy_data(want_old + 1 + i * size, mine, t);
        oracle(mine, other, t, op->mpi);
        memcpy(want + shift + i * size, mine, size);
    }
    bool fetches = below(2);
    char before[MOST];
    memcpy(before, at + shift, sizeof before);
    atom_apply(a, &arena, at + shift, op->mpi == MPI_NO_OP ? NULL : operand + 1, fetches ? old + 1 : NULL,
               ELEMENTS);
    if (memcmp(at, want, sizeof at) == 0 && (!fetches || memcmp(old, want_old, sizeof old) == 0))
        return;
    printf("%s %s, misaligned by %d\n", t->name, op->name, shift);
    dump("old", before, size);
    dump("operand", operand + 1, size);
    dump("want", want + shift, size);
    dump("is", at + shift, size);
    ck_abort_msg("%s %s", t->name, op->name);
}

START_TEST(operators)
{
    for (int i = 0; i < nsamples; i++)
        for (int o = 0; o < nsample_ops; o++) {
            struct atom a;
            if (element_lacks(&samples[i]) || !is_defined(&sample_ops[o], &samples[i]))
                continue;
            ck_assert_int_eq(atom_find(samples[i].mpi, sample_ops[o].mpi, &a), MPI_SUCCESS);
            for (int n = 0; n < ROUNDS; n++)
                check_operator(&samples[i], &sample_ops[o], &a, n % 2 ? 0 : 1 + below(7));
        }
}
END_TEST

START_TEST(every_true_is_true)
{
    const unsigned char values[] = {0, 1, 2, 0x80, 0xff};
    for (int i = 0; i < 25; i++) {
        struct atom a;
        uint32_t at[2] = {0, 0}, operand[2] = {0, 0};
        bool x = values[i / 5] != 0, y = values[i % 5] != 0;
        const struct {
            MPI_Op op;
            bool want;
        } all[] = {{MPI_LAND, x && y}, {MPI_LOR, x || y}, {MPI_LXOR, x != y}};
        for (int o = 0; o < 3; o++) {
            at[0] = (uint32_t)values[i / 5] << 24;
            operand[0] = (uint32_t)values[i % 5] << 8;
            ck_assert_int_eq(atom_find(MPI_LOGICAL, all[o].op, &a), MPI_SUCCESS);
            atom_apply(&a, &arena, (char *)at, (char *)operand, NULL, 1);
            ck_assert_uint_eq(at[0], all[o].want);
        }
    }
}
END_TEST

/* ---- what is defined ---- */

START_TEST(definitions)
{
    for (int i = 0; i < nsamples; i++)
        for (int o = 0; o < nsample_ops; o++) {
            struct atom a;
            MPI_Aint lb, extent;
            int rc = atom_find(samples[i].mpi, sample_ops[o].mpi, &a);
            if (element_lacks(&samples[i])) {
                ck_assert_int_eq(rc, MPI_ERR_TYPE);
                continue;
            }
            ck_assert_msg(rc == (is_defined(&sample_ops[o], &samples[i]) ? MPI_SUCCESS : MPI_ERR_OP), "%s %s",
                          samples[i].name, sample_ops[o].name);
            if (rc != MPI_SUCCESS)
                continue;
            MPI_Type_get_extent(samples[i].mpi, &lb, &extent);
            ck_assert_uint_eq(a.size, (uint32_t)extent);
            ck_assert(a.mpi == samples[i].mpi && a.mpi_op == sample_ops[o].mpi);
        }
}
END_TEST

START_TEST(codes)
{
    struct atom a, b;
    for (int i = 0; i < nsamples; i++)
        for (int o = 0; o < nsample_ops; o++) {
            if (atom_find(samples[i].mpi, sample_ops[o].mpi, &a) != MPI_SUCCESS)
                continue;
            ck_assert(atom_of_codes(a.type, a.op, &b));
            ck_assert(a.mpi == b.mpi && a.mpi_op == b.mpi_op && a.size == b.size && a.type == b.type &&
                      a.op == b.op);
        }
    /* others: either the pair is defined, or the codes are refused */
    for (int type = 0; type < 300; type++)
        for (int op = 0; op < 256; op++)
            if (atom_of_codes((uint16_t)type, (uint8_t)op, &a)) {
                ck_assert_int_eq(atom_find(a.mpi, a.mpi_op, &b), MPI_SUCCESS);
                ck_assert(a.type == b.type && a.op == b.op);
            }
    ck_assert(!atom_of_codes(UINT16_MAX, 0, &a));
    ck_assert(!atom_of_codes(0, UINT8_MAX, &a));
}
END_TEST

static void add_nothing(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void)in, (void)inout, (void)n, (void)type;
}

START_TEST(refused)
{
    struct atom a;
    MPI_Datatype two, copy;
    MPI_Op mine;
    MPI_Type_contiguous(2, MPI_INT, &two);
    MPI_Type_dup(MPI_INT, &copy);
    MPI_Op_create(add_nothing, 1, &mine);
    ck_assert_int_eq(atom_find(two, MPI_SUM, &a), MPI_ERR_TYPE);
    ck_assert_int_eq(atom_find(copy, MPI_SUM, &a), MPI_ERR_TYPE);
    ck_assert_int_eq(atom_find(MPI_DATATYPE_NULL, MPI_SUM, &a), MPI_ERR_TYPE);
    ck_assert_int_eq(atom_find(MPI_INT, mine, &a), MPI_ERR_OP);
    ck_assert_int_eq(atom_find(MPI_INT, MPI_OP_NULL, &a), MPI_ERR_OP);
    ck_assert(!atom_can_swap(two));
    ck_assert(!atom_can_swap(MPI_DATATYPE_NULL));
    MPI_Type_free(&two);
    MPI_Type_free(&copy);
    MPI_Op_free(&mine);
}
END_TEST

/* Types that are made from digits and ranges are those of the same numbers. */
static void check_f90(MPI_Datatype f90, MPI_Datatype same, MPI_Op op)
{
    struct atom a, b;
    for (int i = 0; i < 2; i++) { /* learnt, found again */
        ck_assert_int_eq(atom_find(f90, op, &a), MPI_SUCCESS);
        ck_assert_int_eq(atom_find(same, op, &b), MPI_SUCCESS);
        MPI_Datatype code = a.mpi;
        ck_assert_int_eq(atom_find(code, op, &b), MPI_SUCCESS);
        ck_assert(a.type == b.type && a.op == b.op && a.size == b.size);
        MPI_Aint lb, extent;
        MPI_Type_get_extent(same, &lb, &extent);
        ck_assert_uint_eq(a.size, (uint32_t)extent);
    }
}

START_TEST(f90)
{
    MPI_Datatype t;
    struct atom a;
    double at = 1.5, two = 2;
    MPI_Type_create_f90_integer(9, &t);
    check_f90(t, MPI_INTEGER4, MPI_BAND);
    ck_assert(atom_can_swap(t));
    MPI_Type_create_f90_integer(18, &t);
    check_f90(t, MPI_INTEGER8, MPI_MAX);
    MPI_Type_create_f90_real(6, MPI_UNDEFINED, &t);
    check_f90(t, MPI_FLOAT, MPI_SUM);
    MPI_Type_create_f90_complex(15, MPI_UNDEFINED, &t);
    check_f90(t, MPI_DOUBLE_COMPLEX, MPI_PROD);
    ck_assert_int_eq(atom_find(t, MPI_MAX, &a), MPI_ERR_OP);
    MPI_Type_create_f90_real(15, 307, &t);
    check_f90(t, MPI_DOUBLE, MPI_PROD);
    ck_assert(!atom_can_swap(t));
    ck_assert_int_eq(atom_find(t, MPI_PROD, &a), MPI_SUCCESS);
    atom_apply(&a, &arena, (char *)&at, (char *)&two, NULL, 1);
    ck_assert(at == 3.0);
    if (MPI_Type_create_f90_real(18, MPI_UNDEFINED, &t) == MPI_SUCCESS) { /* Open MPI: a long double */
        long double l = 1.5L, third = 1 / 3.0L, want = l * third;
        check_f90(t, MPI_LONG_DOUBLE, MPI_SUM);
        ck_assert_int_eq(atom_find(t, MPI_PROD, &a), MPI_SUCCESS);
        atom_apply(&a, &arena, (char *)&l, (char *)&third, NULL, 1);
        ck_assert(l == want);
    }
}
END_TEST

/* ---- compare and swap ---- */

static void check_swap(const struct atom *a, int shift, bool equal)
{
    _Alignas(MOST) char at[2 * MOST], before[sizeof at], compare[MOST], desired[MOST], old[MOST];
    size_t size = a->size;
    element_random_bytes(at, sizeof at);
    element_random_bytes(desired, sizeof desired);
    memcpy(before, at, sizeof at);
    memcpy(compare, at + shift, size);
    if (!equal)
        compare[below((int)size)] ^= (char)(1 << below(8));
    atom_swap(a, &arena, at + shift, compare, desired, old);
    ck_assert_mem_eq(old, before + shift, size);
    if (equal)
        memcpy(before + shift, desired, size);
    ck_assert_mem_eq(at, before, sizeof at);
}

START_TEST(swap)
{
    for (int i = 0; i < nsamples; i++) {
        const struct sample *t = &samples[i];
        struct atom a;
        if (element_lacks(t))
            continue;
        bool may = strstr("(C integer)(Fortran integer)(logical)(multi-language)(byte)", t->group);
        ck_assert_msg(atom_can_swap(t->mpi) == may, "%s", t->name);
        ck_assert_int_eq(atom_find(t->mpi, MPI_REPLACE, &a), MPI_SUCCESS);
        for (int n = 0; may && n < ROUNDS; n++)
            check_swap(&a, n % 3 ? 0 : 1 + below(7), n % 2);
    }
}
END_TEST

int main(int argc, char **argv)
{
    const TTest *tests[] = {codes, definitions, refused, f90, operators, every_true_is_true, swap};
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    int status = UNIT_MAIN("atomic", tests);
    MPI_Finalize();
    return status;
}
