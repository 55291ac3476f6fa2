/* SPDX-License-Identifier: BSD-3-Clause */
/* sweeps.c: see sweeps.h. */
#include "sweeps.h"

enum { SMALL = 3, BIG = 131072 };

/* ---- Moving ---- */

/* With every root, or two of each side. */
static void with_roots(const seat *s, coll_plan p, int all)
{
    if (!has_root(p.kind)) {
        collective(s, &p);
        return;
    }
    for (p.root_side = 0; p.root_side <= s->inter; p.root_side++) {
        int n = s->n[p.root_side], step = all || n < 3 ? 1 : n - 1;
        for (p.root = 0; p.root < n; p.root += step, p.seed++)
            collective(s, &p);
    }
}

/* A block of so many units, in all forms. */
static void move_size(const seat *s, coll_kind kind, int units, int all_roots)
{
    coll_plan p = {.kind = kind, .units = units};
    for (int place = PLACE_PLAIN; place <= PLACE_IN_PLACE; place++)
        for (p.mixed = 0; p.mixed < 2; p.mixed++) {
            p.place = (placing)place;
            p.seed = (uint64_t)units * 1000 + (uint64_t)(place * 200 + p.mixed * 100 + (int)kind);
            if (can_be_placed(kind, p.place, s->inter))
                with_roots(s, p, all_roots && p.mixed == place);
        }
}

void sweep_movement(const seat *s, depth how)
{
    static const int full[] = {0, 1, SMALL, 512, 8192}, few[] = {0, SMALL, 1500};
    const int *sizes = how == SWEEP_FULL ? full : few;
    int n = how == SWEEP_FULL ? 5 : 3, ranks = s->n[0] > s->n[1] ? s->n[0] : s->n[1];
    for (int kind = BARRIER; kind < REDUCE; kind++) {
        for (int i = 0; i < n; i++)
            move_size(s, (coll_kind)kind, sizes[i], sizes[i] == SMALL);
        if (how == SWEEP_FULL)
            move_size(s, (coll_kind)kind, kind == BCAST ? BIG : BIG / ranks, 0);
    }
}

/* ---- Combining ---- */

static int per_call(const seat *s, coll_kind kind, int total)
{
    if (kind == REDUCE_SCATTER)
        return 2 * total / (s->n[0] + s->n[1]);
    if (kind == REDUCE_SCATTER_BLOCK)
        return total / (s->n[0] * (s->inter ? s->n[1] : 1));
    return total;
}

static void combine_count(const seat *s, coll_kind kind, const operand *o, int total, int all_roots)
{
    for (int place = PLACE_PLAIN; place <= PLACE_EQUAL; place++) {
        coll_plan p = {.kind = kind, .op = o, .place = (placing)place, .units = per_call(s, kind, total)};
        p.seed = (uint64_t)total * 1000 + (uint64_t)(place * 100 + (int)kind);
        if (can_be_placed(kind, p.place, s->inter))
            with_roots(s, p, all_roots && place == PLACE_PLAIN);
    }
}

/* Every kind with this operator. */
static void combine_kinds(const seat *s, const operand *o, depth how, int big)
{
    static const int totals[] = {0, 1, 37, 2100};
    for (int kind = REDUCE; kind < (s->inter ? SCAN : KINDS); kind++) {
        for (int i = how == SWEEP_FULL ? 0 : 2; i < 4; i++)
            combine_count(s, (coll_kind)kind, o, totals[i], totals[i] == 37);
        if (how == SWEEP_FULL && big)
            combine_count(s, (coll_kind)kind, o, big, 0);
    }
}

void sweep_reductions(const seat *s, depth how)
{
    combine_kinds(s, operand_named("product", "matrix"), how, 0);
    combine_kinds(s, operand_named("sum", "int"), how, BIG);
    combine_kinds(s, operand_named("product", "gapped"), how, 20000);
    if (how == SWEEP_SHORT)
        return;
    combine_kinds(s, operand_named("right", "int"), how, 0);
    combine_kinds(s, operand_named("sum", "gapped"), how, 0);
    combine_kinds(s, operand_named("maxloc", "double_int"), how, 10000);
    combine_kinds(s, operand_named("minloc", "2int"), how, 0);
    combine_kinds(s, operand_named("sum", "double"), how, BIG);
    combine_kinds(s, operand_named("bxor", "unsigned char"), how, 0);
    for (int i = 0; operand_number(i); i++) {
        coll_plan p = {.kind = i % 3 ? ALLREDUCE : REDUCE, .op = operand_number(i), .units = 1 + i % 40};
        p.seed = (uint64_t)i;
        p.root = i % s->n[0];
        collective(s, &p);
    }
}

/* ---- By chance ---- */

coll_plan random_plan(const seat *s, coll_kind kind, uint64_t seed, int units)
{
    static const char *const few[][2] = {{"product", "matrix"}, {"sum", "int"},    {"product", "gapped"},
                                         {"minloc", "2int"},    {"max", "double"}, {"right", "int"}};
    uint64_t state = seed;
    coll_plan p = {.kind = kind, .seed = seed, .units = random_below(&state, units + 1)};
    p.root_side = s->inter ? random_below(&state, 2) : 0;
    p.root = random_below(&state, s->n[p.root_side]);
    p.mixed = random_below(&state, 2);
    p.place = (placing)random_below(&state, 3);
    if (!can_be_placed(kind, p.place, s->inter))
        p.place = PLACE_PLAIN;
    if (has_operator(kind)) {
        int i = random_below(&state, 6);
        p.op = operand_named(few[i][0], few[i][1]);
        p.units = per_call(s, kind, p.units);
    }
    return p;
}

void sweep_once(const seat *s, uint64_t seed, int units)
{
    for (int kind = BARRIER; kind < (s->inter ? SCAN : KINDS); kind++) {
        coll_plan p = random_plan(s, (coll_kind)kind, mix(seed, (uint64_t)kind), units);
        collective(s, &p);
    }
}
