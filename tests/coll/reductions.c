/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reductions.c: collectives with operators, on the communicator of all endpoints.
 *
 * Catches: operands in the wrong order (matrix product), elements of the wrong size or with gaps, results in place that
 * are read before they are complete, types with an operator that they do not know.
 */
#include "sweeps.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void all_forms(team_t *t, void *arg)
{
    seat s = seat_on(t->comm);
    (void)arg;
    sweep_reductions(&s, SWEEP_FULL);
}

/* ep_reduce_local with every operator. */
static void local(team_t *t, void *arg)
{
    _Alignas(16) char in[ELEMENT_MOST] = {0}, inout[ELEMENT_MOST] = {0}, want[ELEMENT_MOST] = {0};
    _Alignas(16) char combined[ELEMENT_MOST];
    char text[100];
    const operand *o;
    (void)arg;
    for (int i = 0; (o = operand_number(i)); i++) {
        memset(inout, 0, sizeof inout);
        operand_make(o, in, (uint64_t)(t->rank + i));
        operand_make(o, inout, 1000 + (uint64_t)i);
        memcpy(combined, inout, sizeof combined);
        operand_combine(o, in, combined);
        snprintf(text, sizeof text, "%s of %s", o->op_name, o->type_name);
        EXPECT_OK(ep_reduce_local(in, inout, 1, o->type, o->op));
        memcpy(want, inout, sizeof want);
        operand_copy(o, combined, want);
        expect_true(!memcmp(want, inout, sizeof want), text, __FILE__, __LINE__);
        EXPECT_OK(ep_reduce_local(NULL, NULL, 0, o->type, o->op));
    }
}

/* Operators are known by what they are created with. */
static void operators(team_t *t, void *arg)
{
    MPI_Op op = MPI_OP_NULL;
    int commute = -1;
    (void)t;
    (void)arg;
    EXPECT_OK(ep_op_commutative(MPI_SUM, &commute));
    EXPECT_EQ(commute, 1);
    for (int i = 0; i < 2; i++) {
        EXPECT_OK(ep_op_create(matrix_product, i, &op));
        EXPECT_OK(ep_op_commutative(op, &commute));
        EXPECT_EQ(commute, i);
        EXPECT_OK(ep_op_free(&op));
        EXPECT(op == MPI_OP_NULL);
    }
}

/* The operator and the type go away as soon as the call is over; both handles are new for every call. */
static void own_handles(team_t *t, void *arg)
{
    const operand *known = operand_named("product", "matrix");
    seat s = seat_on(t->comm);
    (void)arg;
    for (int i = 0; i < 60 / harness_slowness() + 1; i++) {
        operand o = *known;
        o.type = matrix_type();
        EXPECT_OK(ep_op_create(matrix_product, 0, &o.op));
        coll_plan p = {.kind = (coll_kind)(REDUCE + i % (KINDS - REDUCE)), .op = &o, .units = 1 + i % 50};
        p.root = i % t->size;
        p.seed = (uint64_t)i;
        collective(&s, &p);
        EXPECT_OK(ep_op_free(&o.op));
        MPI_Type_free(&o.type);
    }
}

static void with_oracle(team_body *body)
{
    oracle_open();
    team_run(body, NULL);
    oracle_close();
}

static void run_all_forms(void)
{
    with_oracle(all_forms);
}

static void run_local(void)
{
    with_oracle(local);
}

static void run_own_handles(void)
{
    int level;
    MPI_Query_thread(&level); /* the types are made while others are in ep */
    if (level == MPI_THREAD_MULTIPLE)
        with_oracle(own_handles);
}

static const harness_test tests[] = {
    {"local", NULL, run_local},
    {"operators", operators, NULL},
    {"all forms", NULL, run_all_forms},
    {"own handles", NULL, run_own_handles},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "reductions", tests);
}
