/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_arith.c: every predefined operator on every predefined type, against plain C: ep's kernels, and what MPI's own
 * reductions are given (MPI_MIN of unsigned long in Open MPI 4.1, of unsigned char in MPICH 4.0, sums of short integers
 * that Open MPI saturates).
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "datatype/datatype.h"
#include "element.h"
#include "unit.h"

enum { LENGTH = 67, ROUNDS = 20 };

struct operands {
    _Alignas(16) char left[(LENGTH + 1) * ELEMENT_MOST];
    _Alignas(16) char right[(LENGTH + 1) * ELEMENT_MOST];
    _Alignas(16) char want[(LENGTH + 1) * ELEMENT_MOST];
};

static size_t size_of(const struct sample *t)
{
    MPI_Aint lb, extent;
    MPI_Type_get_extent(t->mpi, &lb, &extent);
    return (size_t)extent;
}

/* `shift` bytes from where they are aligned. */
static void make(struct operands *x, const struct sample *t, const struct sample_op *op, size_t shift)
{
    size_t size = size_of(t);
    memset(x, 0, sizeof *x);
    for (size_t i = 0; i < LENGTH; i++) {
        element_make(x->left + shift + i * size, t);
        element_make(x->right + shift + i * size, t);
    }
    memcpy(x->want, x->right, sizeof x->want);
    for (size_t i = 0; i < LENGTH; i++)
        element_combine(t, op->mpi, x->left + shift + i * size, x->want + shift + i * size);
}

static void expect_right(const struct operands *x, const struct sample *t, const struct sample_op *op)
{
    ck_assert_msg(memcmp(x->right, x->want, sizeof x->want) == 0, "%s %s", t->name, op->name);
}

static void each(void (*check)(const struct sample *t, const struct sample_op *op))
{
    for (int i = 0; i < nsamples; i++)
        for (int o = 0; o < nsample_ops; o++)
            if (!element_lacks(&samples[i]) && is_defined(&sample_ops[o], &samples[i]) &&
                sample_ops[o].mpi != MPI_REPLACE && sample_ops[o].mpi != MPI_NO_OP)
                check(&samples[i], &sample_ops[o]);
}

static void check_kernel(const struct sample *t, const struct sample_op *op)
{
    static struct operands x;
    arith_kernel *kernel = arith_find(t->mpi, op->mpi);
    ck_assert_msg(kernel != NULL, "%s %s", t->name, op->name);
    for (int n = 0; n < ROUNDS; n++) {
        size_t shift = n % 2 ? 0 : (size_t)(1 + below(15));
        make(&x, t, op, shift);
        kernel(x.left + shift, x.right + shift, LENGTH);
        expect_right(&x, t, op);
    }
}

START_TEST(kernels)
{
    each(check_kernel);
}
END_TEST

/* What comes behind the number in memory may become anything. */
static void forget_padding(char *p, const struct sample *t)
{
    size_t size = size_of(t);
    for (size_t i = 0; t->sort == LONG_DOUBLE && i < LENGTH * size; i += sizeof(long double))
        if (size == sizeof(long double) || strcmp(t->group, "(complex)") == 0 || i % size == 0)
            memset(p + i + 10, 0, 6);
}

static void check_mpi_op(const struct sample *t, const struct sample_op *op)
{
    static struct operands x;
    MPI_Op given = arith_mpi_op(t->mpi, op->mpi);
    ck_assert(given == arith_mpi_op(t->mpi, op->mpi));
    for (int n = 0; n < ROUNDS; n++) {
        make(&x, t, op, 0);
        ck_assert_int_eq(MPI_Reduce_local(x.left, x.right, LENGTH, t->mpi, given), MPI_SUCCESS);
        forget_padding(x.right, t);
        forget_padding(x.want, t);
        expect_right(&x, t, op);
    }
}

START_TEST(operators_for_mpi)
{
    each(check_mpi_op);
    /* those that are right everywhere are not replaced: networks know them */
    ck_assert(arith_mpi_op(MPI_DOUBLE, MPI_SUM) == MPI_SUM);
    ck_assert(arith_mpi_op(MPI_INT, MPI_MAX) == MPI_MAX);
}
END_TEST

static void nothing(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void)in, (void)inout, (void)n, (void)type;
}

/* What is not ours to calculate is left to who can. */
START_TEST(others)
{
    MPI_Op mine;
    MPI_Datatype two;
    MPI_Op_create(nothing, 1, &mine);
    MPI_Type_contiguous(2, MPI_INT, &two);
    ck_assert(arith_find(MPI_INT, mine) == NULL);
    ck_assert(arith_find(two, MPI_SUM) == NULL);
    ck_assert(arith_find(MPI_DOUBLE, MPI_BAND) == NULL);
    ck_assert(arith_find(MPI_INT, MPI_REPLACE) == NULL);
    ck_assert(arith_mpi_op(MPI_INT, mine) == mine);
    ck_assert(arith_mpi_op(two, mine) == mine);
    ck_assert_int_eq(arith_op_of(mine), ARITH_OPS);
    MPI_Op_free(&mine);
    MPI_Type_free(&two);
}
END_TEST

/* The same memory on both sides. */
START_TEST(in_place)
{
    int32_t x[5] = {1, -2, 3, -4, 5};
    double d[3] = {0.5, 1.5, -2};
    arith_find(MPI_INT32_T, MPI_SUM)((char *)x, (char *)x, 5);
    arith_find(MPI_DOUBLE, MPI_PROD)((char *)d, (char *)d, 3);
    for (int i = 0; i < 5; i++)
        ck_assert_int_eq(x[i], i % 2 ? -2 * (i + 1) : 2 * (i + 1));
    ck_assert(d[0] == 0.25 && d[1] == 2.25 && d[2] == 4);
}
END_TEST

int main(int argc, char **argv)
{
    const TTest *tests[] = {kernels, operators_for_mpi, others, in_place};
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    int status = UNIT_MAIN("arith", tests);
    MPI_Finalize();
    return status;
}
