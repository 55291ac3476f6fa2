/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_disjoint.c: does what is sent overlap what is received? Against looking at each pair, with and without memory;
 * and with so many blocks that each pair cannot be looked at in the test's time.
 */
#include "api/disjoint.h"

#include <stdlib.h>

#include "unit.h"

enum { MOST = 700, ROUNDS = 3000, PEERS = 200000, ARENA = 4096 };

static struct type number = {.size = 4, .extent = 4, .contiguous = true, .named = true};
static struct type shifted = {.size = 2, .extent = 2, .lb = 6, .contiguous = true};
static struct type gaps = {.size = 4, .extent = 8}, other_gaps = {.size = 4, .extent = 8}, empty = {.contiguous = true};
static struct type *const kinds[] = {&number, &shifted, &gaps, &other_gaps, &empty};
static char arena[PEERS * 8];

static struct span random_span(int room, int longest)
{
    struct type *t = kinds[below(10) ? below(2) : below(5)];
    return (struct span){arena + below(room), (size_t)below(longest), t, MPI_DATATYPE_NULL};
}

static bool pair_overlaps(const struct span *a, const struct span *b)
{
    if (a->count * a->type->size == 0 || b->count * b->type->size == 0)
        return false;
    if (!a->type->contiguous || !b->type->contiguous)
        return a->type == b->type && a->buf == b->buf;
    const char *x = a->buf + a->type->lb, *y = b->buf + b->type->lb;
    return x < y + b->count * b->type->size && y < x + a->count * a->type->size;
}

static bool is_marked(const void *marks, int block)
{
    return ((const bool *)marks)[block];
}

static bool any_overlaps(const struct side *a, const struct side *b)
{
    for (int i = 0; i < a->n; i++)
        for (int k = 0; k < b->n; k++) {
            struct span x = block_at(a->blocks, i), y = block_at(b->blocks, k);
            if ((!a->is_used || a->is_used(a->arg, i)) && (!b->is_used || b->is_used(b->arg, k)) &&
                pair_overlaps(&x, &y))
                return true;
        }
    return false;
}

/* As many overlap as not. */
START_TEST(as_pairs)
{
    static struct span sent[MOST], received[MOST];
    static bool marks[MOST];
    int overlapping = 0;
    for (int round = 0; round < ROUNDS; round++) {
        struct blocks s = {.form = FORM_TYPED, .typed = sent}, r = {.form = FORM_TYPED, .typed = received};
        int most = round % 50 == 0 ? MOST : 25, n = below(most + 1), m = below(most + 1), used = below(2);
        int room = n * m > 0 ? 1 + below(n * m * 16) : ARENA;
        for (int i = 0; i < MOST; i++) {
            marks[i] = below(4) > 0;
            sent[i] = random_span(room < (int)sizeof arena - 64 ? room : (int)sizeof arena - 64, 4);
            received[i] = random_span(room < (int)sizeof arena - 64 ? room : (int)sizeof arena - 64, 4);
        }
        struct side a = {&s, n, used ? is_marked : NULL, marks}, b = {&r, m, used ? is_marked : NULL, marks};
        bool want = any_overlaps(&a, &b);
        ck_assert_int_eq(sides_overlap(&a, &b), want);
        ck_assert_int_eq(sides_overlap(&b, &a), want);
        overlapping += want;
    }
    ck_assert_int_gt(overlapping, ROUNDS / 10);
    ck_assert_int_lt(overlapping, ROUNDS - ROUNDS / 10);
}
END_TEST

/* One array for both, element by element in turn, of very many peers. */
START_TEST(very_many)
{
    static int ones[PEERS], even[PEERS], odd[PEERS];
    struct blocks s = {.form = FORM_VARYING, .buf = arena, .type = &number, .counts = ones, .displs = even};
    struct blocks r = {.form = FORM_VARYING, .buf = arena, .type = &number, .counts = ones, .displs = odd};
    struct side send = {&s, PEERS, NULL, NULL}, recv = {&r, PEERS, NULL, NULL};
    for (int i = 0; i < PEERS; i++) {
        ones[i] = 1;
        even[i] = 2 * i;
        odd[i] = 2 * i + 1;
    }
    ck_assert(!sides_overlap(&send, &recv));
    odd[PEERS - 1]--;
    ck_assert(sides_overlap(&send, &recv));
    odd[PEERS - 1] = 0;
    ck_assert(sides_overlap(&send, &recv));
}
END_TEST

/* Few blocks need no memory; without memory for many they are not looked at. */
START_TEST(without_memory)
{
    int ones[40], displs[40];
    struct blocks s = {.form = FORM_VARYING, .buf = arena, .type = &number, .counts = ones, .displs = displs};
    struct side few = {&s, 15, NULL, NULL}, many = {&s, 40, NULL, NULL};
    for (int i = 0; i < 40; i++) {
        ones[i] = 1;
        displs[i] = i;
    }
    fail_allocation(0);
    bool found = sides_overlap(&few, &few), failed = allocation_failed();
    bool found_among_many = sides_overlap(&many, &many), failed_then = allocation_failed();
    fail_allocation(-1); /* the checks need memory, too */
    ck_assert(found);
    ck_assert(!failed);
    ck_assert(!found_among_many);
    ck_assert(failed_then);
    ck_assert(sides_overlap(&many, &many));
}
END_TEST

int main(void)
{
    const TTest *tests[] = {as_pairs, very_many, without_memory};
    return UNIT_MAIN("disjoint", tests);
}
