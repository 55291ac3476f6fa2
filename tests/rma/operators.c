/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * operators.c: accumulates with every operator on every predefined type that has it, aligned and not, one element and
 * several messages of them; what the collectives' tests know of operators says what is right (MPI 11.3.4, 5.9.2).
 */
#include "share.h"
#include "operand.h"
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 700, ROOM = LONGEST * ELEMENT_MOST + 16 };

typedef struct {
    char before[ROOM], operand[ROOM], got[ROOM], want[ROOM];
} workspace;

static int same(const operand *o, const char *a, const char *b)
{
    int equal = 1;
    for (int i = 0; i < o->parts; i++)
        equal = equal && memcmp(a + o->at[i], b + o->at[i], (size_t)o->bytes[i]) == 0;
    return equal || operand_zeros(o, a, b);
}

static void expect_same(const operand *o, const char *got, const char *want, int n)
{
    for (int i = 0; i < n; i++)
        if (!expect_true(same(o, got + i * o->extent, want + i * o->extent), o->type_name, o->op_name, i))
            return;
}

static void make(const operand *o, char *to, int n, uint64_t key)
{
    memset(to, 0, (size_t)(n * o->extent));
    for (int i = 0; i < n; i++)
        operand_make(o, to + i * o->extent, key + (uint64_t)i);
}

/* n elements at target, from the byte `skew` on: replace, combine, look. */
static void try_operator(const share *a, int target, const operand *o, int n, size_t skew, workspace *w)
{
    MPI_Aint at = share_at(a, target, skew);
    make(o, w->before, n, (uint64_t)(100 * a->rank));
    make(o, w->operand, n, (uint64_t)(100 * a->rank + 7777));
    memset(w->got, 0, sizeof w->got);
    EXPECT_OK(ep_accumulate(w->before, n, o->type, target, at, n, o->type, MPI_REPLACE, a->win));
    EXPECT_OK(
        ep_get_accumulate(w->operand, n, o->type, w->got, n, o->type, target, at, n, o->type, o->op, a->win));
    EXPECT_OK(ep_accumulate(w->operand, n, o->type, target, at, n, o->type, o->op, a->win));
    EXPECT_OK(ep_win_flush(target, a->win));
    expect_same(o, w->got, w->before, n);
    EXPECT_OK(
        ep_get_accumulate(NULL, 0, o->type, w->got, n, o->type, target, at, n, o->type, MPI_NO_OP, a->win));
    memcpy(w->want, w->before, sizeof w->want);
    for (int i = 0; i < 2 * n; i++)
        operand_combine(o, w->operand + i / 2 * o->extent, w->want + i / 2 * o->extent);
    EXPECT_OK(ep_win_flush_local(target, a->win));
    expect_same(o, w->got, w->want, n);
    memset(w->got, 0, sizeof w->got);
    EXPECT_OK(ep_fetch_and_op(w->before, w->got, o->type, target, at, MPI_REPLACE, a->win));
    EXPECT_OK(ep_win_flush(target, a->win));
    expect_same(o, w->got, w->want, 1);
}

static void all_operators(team_t *t, void *arg)
{
    workspace *w = xmalloc(sizeof *w);
    (void)arg;
    for (int kind = 0; kind < KINDS; kind += 2) {
        share a;
        if (!share_make(&a, t->comm, kind, ROOM))
            return;
        for (int far = 0; far < 2; far++) {
            int target = (t->rank + (far ? t->size / 2 : 1)) % t->size;
            EXPECT_OK(ep_win_lock(MPI_LOCK_EXCLUSIVE, target, 0, a.win));
            for (int i = 0; operand_number(i); i++) {
                const operand *o = operand_number(i);
                if (o->strict || strcmp(o->op_name, "right") == 0)
                    continue; /* a user's */
                try_operator(&a, target, o, i % 9 == far ? LONGEST : 5, 0, w);
                try_operator(&a, target, o, 3, 1 + (size_t)i % 7, w);
            }
            EXPECT_OK(ep_win_unlock(target, a.win));
        }
        share_free(&a);
    }
    free(w);
}

/* The pattern of bytes is what is compared, whatever the type. */
static void swaps(team_t *t, void *arg)
{
    const MPI_Datatype types[] = {MPI_INT,         MPI_LONG,
                                  MPI_SHORT,       MPI_UNSIGNED_CHAR,
                                  MPI_SIGNED_CHAR, MPI_AINT,
                                  MPI_COUNT,       MPI_OFFSET,
                                  MPI_INT8_T,      MPI_UINT16_T,
                                  MPI_INT32_T,     MPI_UINT64_T,
                                  MPI_BYTE,        MPI_UNSIGNED_LONG_LONG};
    (void)arg;
    for (int kind = 0; kind < KINDS; kind++) {
        share a;
        if (!share_make(&a, t->comm, kind, 32))
            return;
        int target = (t->rank + t->size / 2) % t->size;
        EXPECT_OK(ep_win_lock_all(0, a.win));
        for (int i = 0; i < 2 * (int)(sizeof types / sizeof *types); i++) {
            MPI_Datatype type = types[i / 2];
            MPI_Aint at = share_at(&a, target, i % 2 ? 3 : 0);
            char zero[8] = {0}, one[8], old[16];
            int size;
            MPI_Type_size(type, &size);
            fill(one, sizeof one, (unsigned)(i + 1));
            one[0] = (char)(i | 1);
            memset(old, 1, sizeof old);
            EXPECT_OK(ep_compare_and_swap(one, zero, old, type, target, at, a.win));
            EXPECT_OK(ep_win_flush(target, a.win));
            EXPECT(memcmp(old, zero, (size_t)size) == 0);
            EXPECT_OK(ep_compare_and_swap(one, zero, old, type, target, at, a.win));
            EXPECT_OK(ep_win_flush(target, a.win));
            EXPECT(memcmp(old, one, (size_t)size) == 0);
            EXPECT_EQ(old[size], 1);
            EXPECT_OK(ep_compare_and_swap(zero, one, old, type, target, at, a.win));
            EXPECT_OK(ep_win_flush(target, a.win));
            EXPECT(memcmp(old, one, (size_t)size) == 0);
        }
        EXPECT_OK(ep_win_unlock_all(a.win));
        EXPECT_OK(ep_barrier(t->comm));
        for (int i = 0; i < 32; i++)
            EXPECT_EQ(a.base[i], 0);
        share_free(&a);
    }
}

/* Operators that a type has not, or that are the user's. */
static void refused(team_t *t, void *arg)
{
    int target = (t->rank + t->size / 2) % t->size, i = 1;
    double d[2] = {1, 2}, old[2];
    MPI_Op own;
    MPI_Datatype two, both;
    share a;
    (void)arg;
    if (!share_make(&a, t->comm, CREATED, 32))
        return;
    MPI_Aint at = share_at(&a, target, 0);
    MPI_Op_create(matrix_product, 0, &own);
    MPI_Type_contiguous(2, MPI_DOUBLE, &two);
    MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, 8}, (MPI_Datatype[]){MPI_INT, MPI_DOUBLE},
                           &both);
    MPI_Type_commit(&two);
    MPI_Type_commit(&both);
    EXPECT_OK(ep_win_lock(MPI_LOCK_SHARED, target, 0, a.win));
    EXPECT_RC(ep_accumulate(d, 1, MPI_DOUBLE, target, at, 1, MPI_DOUBLE, MPI_BAND, a.win), MPI_ERR_OP);
    EXPECT_RC(ep_accumulate(d, 1, MPI_C_DOUBLE_COMPLEX, target, at, 1, MPI_C_DOUBLE_COMPLEX, MPI_MAX, a.win),
              MPI_ERR_OP);
    EXPECT_RC(ep_accumulate(d, 1, MPI_2INT, target, at, 1, MPI_2INT, MPI_SUM, a.win), MPI_ERR_OP);
    EXPECT_RC(ep_accumulate(&i, 1, MPI_INT, target, at, 1, MPI_INT, MPI_MAXLOC, a.win), MPI_ERR_OP);
    EXPECT_RC(ep_accumulate(&i, 1, MPI_INT, target, at, 1, MPI_INT, MPI_NO_OP, a.win), MPI_ERR_OP);
    EXPECT_RC(ep_accumulate(&i, 1, MPI_INT, target, at, 1, MPI_INT, own, a.win), MPI_ERR_OP);
    EXPECT_RC(ep_accumulate(&i, 1, MPI_INT, target, at, 1, MPI_INT, MPI_OP_NULL, a.win), MPI_ERR_OP);
    EXPECT_RC(ep_accumulate(d, 1, both, target, at, 1, both, MPI_SUM, a.win), MPI_ERR_TYPE);
    EXPECT_RC(ep_fetch_and_op(d, old, two, target, at, MPI_SUM, a.win), MPI_ERR_TYPE);
    EXPECT_RC(ep_compare_and_swap(d, d, old, MPI_DOUBLE, target, at, a.win), MPI_ERR_TYPE);
    EXPECT_RC(ep_compare_and_swap(d, d, old, two, target, at, a.win), MPI_ERR_TYPE);
    EXPECT_OK(ep_accumulate(d, 1, two, target, at, 2, MPI_DOUBLE, MPI_SUM, a.win));
    EXPECT_OK(ep_win_unlock(target, a.win));
    EXPECT_OK(ep_barrier(t->comm));
    EXPECT(((double *)(void *)a.base)[0] == 1 && ((double *)(void *)a.base)[1] == 2);
    share_free(&a);
    MPI_Type_free(&two);
    MPI_Type_free(&both);
    MPI_Op_free(&own);
}

/* Pairs of a double and an int in elements of `extent` bytes: closer than C has them, or with bytes of somebody else's in their gap. */
enum { PAIR = sizeof(double) + sizeof(int), PAIRS = 300, GUARD = 16, OTHERS = 0x55 };

static void put_pair(char *at, double value, int index)
{
    memcpy(at, &value, sizeof value);
    memcpy(at + sizeof value, &index, sizeof index);
}

static void make_pairs(char *to, size_t extent, int n, double value, double more)
{
    memset(to, OTHERS, (size_t)n * extent + GUARD);
    for (int i = 0; i < n; i++)
        put_pair(to + (size_t)i * extent, value + 10 * i + (i % 2 ? more : -more), i + (int)value);
}

static void try_pairs(const share *a, int target, size_t extent, int n, workspace *w)
{
    MPI_Aint at =
        share_at(a, target, a->bytes - (size_t)(n - 1) * extent - PAIR); /* the last ends with the memory */
    int bytes = (n - 1) * (int)extent + PAIR;
    MPI_Datatype pair;
    MPI_Type_create_resized(MPI_DOUBLE_INT, 0, (MPI_Aint)extent, &pair);
    MPI_Type_commit(&pair);
    make_pairs(w->before, extent, n, 100, 0);
    make_pairs(w->operand, extent, n, 100, 3);
    make_pairs(w->want, extent, n, 100, 0);
    for (int i = 1; i < n; i += 2)
        put_pair(w->want + (size_t)i * extent, 100 + 10 * i + 3, i + 100);
    memset(w->got, OTHERS, (size_t)bytes + GUARD);
    EXPECT_OK(ep_put(w->before, bytes, MPI_BYTE, target, at, bytes, MPI_BYTE, a->win));
    EXPECT_OK(ep_win_flush(target, a->win));
    EXPECT_OK(
        ep_get_accumulate(w->operand, n, pair, w->got, n, pair, target, at, n, pair, MPI_MAXLOC, a->win));
    EXPECT_OK(ep_win_flush(target, a->win));
    EXPECT(memcmp(w->got, w->before, (size_t)bytes + 4) == 0);
    EXPECT_OK(ep_get(w->got, bytes, MPI_BYTE, target, at, bytes, MPI_BYTE, a->win));
    EXPECT_OK(ep_win_flush(target, a->win));
    EXPECT(memcmp(w->got, w->want, (size_t)bytes) == 0);
    MPI_Type_free(&pair);
}

static void pairs(team_t *t, void *arg)
{
    workspace *w = xmalloc(sizeof *w);
    share a;
    (void)arg;
    if (!share_make(&a, t->comm, CREATED, PAIRS * 16))
        return;
    for (int far = 0; far < 2; far++) {
        int target = (t->rank + (far ? t->size / 2 : 1)) % t->size;
        EXPECT_OK(ep_win_lock(MPI_LOCK_EXCLUSIVE, target, 0, a.win));
        for (size_t extent = PAIR; extent <= PAIR + 8; extent += 4)
            for (int n = 1; n <= PAIRS / 2; n += n < 4 ? 1 : 73)
                try_pairs(&a, target, extent, n, w);
        EXPECT_OK(ep_win_unlock(target, a.win));
    }
    share_free(&a);
    free(w);
}

static void run_operators(void)
{
    operands_open();
    team_run(all_operators, NULL);
    operands_close();
}

static const harness_test tests[] = {
    {"operators", NULL, run_operators},
    {"swaps", swaps, NULL},
    {"pairs", pairs, NULL},
    {"refused", refused, NULL},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "rma operators", tests);
}
