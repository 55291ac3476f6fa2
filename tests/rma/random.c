/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * random.c: operations, types, targets and epochs by chance, checked against a model.
 *
 * Each endpoint has a slice of every endpoint's memory to itself and does to it what chance says; what it must become is
 * done to a model at once. Cells of the slice remember what is under way there, so that nothing is asked for that MPI
 * leaves open: accumulates of one type may follow each other at will, puts and gets want a flush in between. At the end
 * of a round all compare what they have with the others' models. Beside the slices there are sums of all.
 */
#include "share.h"
#include <stdlib.h>
#include <string.h>

enum { CELL = 256, CELLS = 90, SLICE = CELL * CELLS, SUMS = 16, ROUND = 25, RESULTS = 4096 };
enum { IDLE, ACCUMULATED, PLAIN };
enum { BY_FENCE, BY_LOCK, BY_LOCK_ALL, BY_PSCW, WAYS };

static const MPI_Datatype basics[] = {MPI_UNSIGNED, MPI_UNSIGNED_LONG, MPI_UINT16_T, MPI_UNSIGNED_CHAR};

/* Something that will be in buf when the operation is complete. */
typedef struct {
    char *buf, *want;
    size_t bytes;
    int target;
} result;

typedef struct {
    team_t *t;
    share a;
    int way;
    char *model;          /* SLICE for each target */
    unsigned char *state; /* CELLS for each target */
    unsigned long *sums;  /* SUMS for each target: what I have added */
    char *heap;           /* origin buffers of this round */
    size_t used, room;
    result result[RESULTS];
    int results;
    ep_request request[RESULTS];
    int requests;
} player;

/* Elements at the target: `blocks` blocks of `length` elements, each `stride` after the other; from `first` on. */
typedef struct {
    int first, blocks, length, stride;
} pattern;

static char *buffer(player *p, size_t bytes)
{
    char *at = p->heap + p->used;
    p->used += (bytes + 15) / 16 * 16;
    return p->used <= p->room ? at : NULL;
}

static pattern choose_pattern(player *p, int size)
{
    uint64_t *r = &p->t->random;
    int most = SLICE / size, span;
    pattern c = {.blocks = 1, .length = 1 + random_below(r, random_below(r, 4) ? 40 : most / 2), .stride = 1};
    if (random_below(r, 3) == 0) {
        c.length = 1 + random_below(r, 8);
        c.blocks = 1 + random_below(r, 60);
        c.stride = c.length + random_below(r, 5);
    }
    span = (c.blocks - 1) * c.stride + c.length;
    c.first = random_below(r, most - span + 1);
    return c;
}

static MPI_Datatype pattern_type(const pattern *c, MPI_Datatype basic, int *count)
{
    MPI_Datatype type;
    *count = 1;
    if (c->blocks == 1) {
        *count = c->length;
        return basic;
    }
    MPI_Type_vector(c->blocks, c->length, c->stride, basic, &type);
    MPI_Type_commit(&type);
    return type;
}

/* Between the packed elements and where they are in the slice. */
static void gather_elements(const pattern *c, size_t size, const char *slice, char *packed)
{
    for (int b = 0; b < c->blocks; b++)
        memcpy(packed + (size_t)(b * c->length) * size, slice + (size_t)(c->first + b * c->stride) * size,
               (size_t)c->length * size);
}

static void scatter_elements(const pattern *c, size_t size, char *slice, const char *packed)
{
    for (int b = 0; b < c->blocks; b++)
        memcpy(slice + (size_t)(c->first + b * c->stride) * size, packed + (size_t)(b * c->length) * size,
               (size_t)c->length * size);
}

static void check_results(player *p, int target)
{
    int kept = 0;
    for (int i = 0; i < p->results; i++) {
        result *r = &p->result[i];
        if (target >= 0 && r->target != target)
            p->result[kept++] = *r;
        else
            EXPECT(memcmp(r->buf, r->want, r->bytes) == 0);
    }
    p->results = kept;
}

static void flush(player *p, int target)
{
    int all = random_below(&p->t->random, 8) == 0;
    EXPECT_OK(all ? ep_win_flush_all(p->a.win) : ep_win_flush(target, p->a.win));
    memset(p->state + (all ? 0 : target * CELLS), IDLE, (size_t)(all ? p->t->size * CELLS : CELLS));
    check_results(p, all ? -1 : target);
}

/* May something of this kind be done to the cells now? If it takes a flush and the epoch has none: no. */
static int make_way(player *p, int target, const pattern *c, int size, int kind)
{
    unsigned char *state = p->state + target * CELLS;
    int from = c->first * size / CELL,
        to = ((c->first + (c->blocks - 1) * c->stride + c->length) * size - 1) / CELL;
    int busy = 0;
    for (int i = from; i <= to; i++)
        busy |= state[i] == PLAIN || (state[i] == ACCUMULATED && kind == PLAIN);
    if (busy) {
        if (p->way == BY_FENCE || p->way == BY_PSCW)
            return 0;
        flush(p, target);
    }
    memset(state + from, kind, (size_t)(to - from + 1));
    return 1;
}

static void expect_result(player *p, int target, char *buf, const char *want, size_t bytes)
{
    char *copy = buffer(p, bytes);
    memcpy(copy, want, bytes);
    p->result[p->results++] = (result){buf, copy, bytes, target};
}

static MPI_Op choose_op(player *p)
{
    const MPI_Op ops[] = {MPI_SUM, MPI_PROD, MPI_MAX, MPI_MIN, MPI_BXOR, MPI_BAND, MPI_LOR, MPI_REPLACE};
    return ops[random_below(&p->t->random, (int)(sizeof ops / sizeof *ops))];
}

/* What the operators do to natural numbers. MPI_Reduce_local of Open MPI 4.1.4 and MPICH 4.0.2 takes MPI_UNSIGNED_LONG for
 * signed in MPI_MAX and MPI_MIN. */
static uint64_t combine(MPI_Op op, uint64_t x, uint64_t y)
{
    if (op == MPI_SUM)
        return x + y;
    if (op == MPI_PROD)
        return x * y;
    if (op == MPI_MAX)
        return x > y ? x : y;
    if (op == MPI_MIN)
        return x < y ? x : y;
    if (op == MPI_BXOR)
        return x ^ y;
    if (op == MPI_BAND)
        return x & y;
    return op == MPI_LOR ? x || y : x;
}

static void combine_all(MPI_Op op, size_t size, size_t bytes, const char *in, char *inout)
{
    for (size_t i = 0; i < bytes; i += size) {
        uint64_t x = 0, y = 0;
        memcpy(&x, in + i, size);
        memcpy(&y, inout + i, size);
        y = combine(op, x, y);
        memcpy(inout + i, &y, size);
    }
}

/* One operation on my slice at target. */
static void operate(player *p, int target)
{
    uint64_t *random = &p->t->random;
    MPI_Datatype basic = basics[(target + p->t->rank) % 4], type;
    int size, count, what = random_below(random, 6), asks = p->way == BY_LOCK || p->way == BY_LOCK_ALL;
    MPI_Type_size(basic, &size);
    pattern c = choose_pattern(p, size);
    int n = c.blocks * c.length;
    size_t bytes = (size_t)(n * size);
    if (p->used + 3 * bytes + 64 > p->room || p->results == RESULTS || p->requests == RESULTS ||
        !make_way(p, target, &c, size, what < 2 ? PLAIN : ACCUMULATED))
        return;
    char *slice = p->model + (size_t)target * SLICE, *mine = buffer(p, bytes), *got = buffer(p, bytes),
         *old = xmalloc(bytes);
    MPI_Aint at = share_at(&p->a, target, (size_t)(p->t->rank * SLICE + c.first * size));
    ep_request *request = asks && random_below(random, 4) == 0 ? &p->request[p->requests++] : NULL;
    ep_win win = p->a.win;
    MPI_Op op = choose_op(p);
    for (size_t i = 0; i < bytes; i++)
        mine[i] = (char)random_next(random);
    gather_elements(&c, (size_t)size, slice, old);
    type = pattern_type(&c, basic, &count);
    if (what == 0)
        EXPECT_OK(request ? ep_rput(mine, n, basic, target, at, count, type, win, request)
                          : ep_put(mine, n, basic, target, at, count, type, win));
    else if (what == 1)
        EXPECT_OK(request ? ep_rget(got, n, basic, target, at, count, type, win, request)
                          : ep_get(got, n, basic, target, at, count, type, win));
    else if (what < 4)
        EXPECT_OK(request ? ep_raccumulate(mine, n, basic, target, at, count, type, op, win, request)
                          : ep_accumulate(mine, n, basic, target, at, count, type, op, win));
    else if (what == 4 && n == 1 && !request)
        EXPECT_OK(ep_fetch_and_op(mine, got, basic, target, at, op, win));
    else
        EXPECT_OK(
            request
                ? ep_rget_accumulate(mine, n, basic, got, n, basic, target, at, count, type, op, win, request)
                : ep_get_accumulate(mine, n, basic, got, n, basic, target, at, count, type, op, win));
    if (type != basic)
        MPI_Type_free(&type);
    if (what == 1 || what >= 4)
        expect_result(p, target, got, old, bytes);
    if (what != 1)
        combine_all(what ? op : MPI_REPLACE, (size_t)size, bytes, mine, old);
    scatter_elements(&c, (size_t)size, slice, old);
    free(old);
}

/* Add to the sums that all add to. */
static void contribute(player *p, int target)
{
    unsigned long *v = (unsigned long *)(void *)buffer(p, SUMS * sizeof *v);
    if (!v)
        return;
    for (int i = 0; i < SUMS; i++)
        p->sums[target * SUMS + i] += v[i] = random_next(&p->t->random);
    EXPECT_OK(ep_accumulate(v, SUMS, MPI_UNSIGNED_LONG, target,
                            share_at(&p->a, target, (size_t)p->t->size * SLICE), SUMS, MPI_UNSIGNED_LONG,
                            MPI_SUM, p->a.win));
}

static void begin(player *p)
{
    ep_group all;
    if (p->way == BY_FENCE)
        EXPECT_OK(ep_win_fence(0, p->a.win));
    else if (p->way == BY_LOCK_ALL)
        EXPECT_OK(ep_win_lock_all(0, p->a.win));
    for (int r = 0; r < p->t->size && p->way == BY_LOCK; r++)
        EXPECT_OK(ep_win_lock(MPI_LOCK_SHARED, r, 0, p->a.win));
    if (p->way == BY_PSCW) {
        EXPECT_OK(ep_win_get_group(p->a.win, &all));
        EXPECT_OK(ep_win_post(all, 0, p->a.win));
        EXPECT_OK(ep_win_start(all, 0, p->a.win));
        EXPECT_OK(ep_group_free(&all));
    }
}

static void end(player *p)
{
    EXPECT_OK(ep_waitall(p->requests, p->request, EP_STATUSES_IGNORE));
    if (p->way == BY_FENCE)
        EXPECT_OK(ep_win_fence(MPI_MODE_NOSUCCEED, p->a.win));
    else if (p->way == BY_LOCK_ALL)
        EXPECT_OK(ep_win_unlock_all(p->a.win));
    for (int r = 0; r < p->t->size && p->way == BY_LOCK; r++)
        EXPECT_OK(ep_win_unlock(r, p->a.win));
    if (p->way == BY_PSCW) {
        EXPECT_OK(ep_win_complete(p->a.win));
        EXPECT_OK(ep_win_wait(p->a.win));
    }
    check_results(p, -1);
    memset(p->state, IDLE, (size_t)p->t->size * CELLS);
    p->used = 0;
    p->requests = 0;
}

/* All memory is what the models say. */
static void compare(player *p)
{
    int size = p->t->size;
    char *all = xmalloc((size_t)size * SLICE);
    unsigned long sums[SUMS];
    EXPECT_OK(ep_alltoall(p->model, SLICE, MPI_BYTE, all, SLICE, MPI_BYTE, p->t->comm));
    EXPECT(memcmp(all, p->a.base, (size_t)size * SLICE) == 0);
    EXPECT_OK(ep_reduce_scatter_block(p->sums, sums, SUMS, MPI_UNSIGNED_LONG, MPI_SUM, p->t->comm));
    EXPECT(memcmp(sums, p->a.base + (size_t)size * SLICE, sizeof sums) == 0);
    EXPECT_OK(ep_barrier(p->t->comm));
    free(all);
}

static void play(team_t *t, void *arg)
{
    int rounds = times(t, 24) / KINDS + 2;
    size_t n = (size_t)t->size;
    player *p = calloc(1, sizeof *p);
    (void)arg;
    p->t = t;
    p->room = 8 << 20;
    p->heap = xmalloc(p->room);
    for (int kind = 0; kind < KINDS; kind++) {
        uint64_t common = harness_seed() + (unsigned)kind;
        p->model = calloc(n, SLICE);
        p->state = calloc(n, CELLS);
        p->sums = calloc(n, SUMS * sizeof *p->sums);
        if (!share_make(&p->a, t->comm, kind, n * SLICE + SUMS * sizeof *p->sums))
            return;
        for (int i = 0; i < rounds; i++) {
            p->way = random_below(&common, WAYS);
            begin(p);
            for (int k = 0; k < 4 * ROUND; k++) {
                int target = random_below(&t->random, t->size);
                if (random_below(&t->random, 10))
                    operate(p, target);
                else
                    contribute(p, target);
            }
            end(p);
            compare(p);
        }
        share_free(&p->a);
        free(p->model);
        free(p->state);
        free(p->sums);
    }
    free(p->heap);
    free(p);
}

static const harness_test tests[] = {{"play", play, NULL}};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "rma random", tests);
}
