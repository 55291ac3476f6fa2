/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * equal_types.c: every endpoint describes the same data in a way of its own: predefined types, duplicates, derived types of all
 * constructors, and where MPI lets them, other counts. How a call is done must not depend on that.
 *
 * Catches: a choice of algorithm by what differs between endpoints (they wait for each other, or get wrong data); in reductions
 * what is written as another endpoint's elements lie. EP_TEST_SEED repeats a run.
 */
#include "area.h"
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 90, MOST = 3000 };

/* ---- equal types ---- */

enum { FORMS = 10 };

/* One element of `of`, made in one of FORMS ways; the first is `of` itself. */
static MPI_Datatype another(MPI_Datatype of, int form)
{
    const int one = 1, none = 0;
    const MPI_Aint nowhere = 0;
    MPI_Aint lb, extent;
    MPI_Datatype t = of;
    MPI_Type_get_extent(of, &lb, &extent);
    switch (form) {
    case 1:
        MPI_Type_dup(of, &t);
        break;
    case 2:
        MPI_Type_contiguous(1, of, &t);
        break;
    case 3:
        MPI_Type_vector(1, 1, 5, of, &t);
        break;
    case 4:
        MPI_Type_create_hvector(1, 1, 100, of, &t);
        break;
    case 5:
        MPI_Type_indexed(1, &one, &none, of, &t);
        break;
    case 6:
        MPI_Type_create_hindexed_block(1, 1, &nowhere, of, &t);
        break;
    case 7:
        MPI_Type_create_struct(1, &one, &nowhere, &of, &t);
        break;
    case 8:
        MPI_Type_create_subarray(1, &one, &one, &none, MPI_ORDER_C, of, &t);
        break;
    case 9:
        MPI_Type_create_resized(of, lb, extent, &t);
        break;
    }
    if (t != of)
        MPI_Type_commit(&t);
    return t;
}

/* An int in an element: alone, before a gap, behind one. */
enum { BASES = 3 };
static MPI_Datatype bases[BASES];

static void make_bases(void)
{
    const MPI_Aint at[BASES] = {0, 0, 8}, extent[BASES] = {sizeof(int), 12, 12};
    const int one = 1;
    bases[0] = MPI_INT;
    for (int b = 1; b < BASES; b++) {
        MPI_Datatype moved;
        MPI_Type_create_hindexed(1, &one, &at[b], MPI_INT, &moved);
        MPI_Type_create_resized(moved, 0, extent[b], &bases[b]);
        MPI_Type_commit(&bases[b]);
        MPI_Type_free(&moved);
    }
}

/* ---- buffers ---- */

/* n ints, as count elements of type. */
typedef struct {
    void *buf;
    MPI_Datatype type, base;
    int count, n;
} data;

enum { ELEMENT = 12, GUARD = 64 };

static void *room(int n)
{
    return calloc((size_t)n * ELEMENT + GUARD, 1);
}

static void data_free(data *d)
{
    if (d->type != d->base)
        MPI_Type_free(&d->type);
    free(d->buf);
}

static void put(data *d, const int *ints)
{
    int at = 0;
    if (d->n > 0)
        MPI_Unpack(ints, d->n * (int)sizeof(int), &at, d->buf, d->count, d->type, MPI_COMM_SELF);
}

static void get(const data *d, int *ints)
{
    int at = 0;
    if (d->n > 0)
        MPI_Pack(d->buf, d->count, d->type, ints, d->n * (int)sizeof(int), &at, MPI_COMM_SELF);
}

/* Nothing is in the room but the data. */
static void expect_alone(data *d, const char *what)
{
    int *zeros = xmalloc(((size_t)d->n + 1) * sizeof *zeros);
    const char *room = d->buf;
    size_t i = 0, bytes = (size_t)d->n * ELEMENT + GUARD;
    memset(zeros, 0, ((size_t)d->n + 1) * sizeof *zeros);
    put(d, zeros);
    while (i < bytes && room[i] == 0)
        i++;
    if (i < bytes)
        expect_eq((long)i, -1, what, __FILE__, __LINE__);
    free(zeros);
}

/* As many elements as ints. */
static data same_count(team_t *t, int n, int base)
{
    data d = {room(n), MPI_DATATYPE_NULL, bases[base], n, n};
    d.type = another(d.base, random_below(&t->random, FORMS));
    return d;
}

/* n ints in `blocks` blocks, any number of elements in each. */
static data any_count(team_t *t, int n, int blocks)
{
    int each = n / blocks, parts = each;
    data d = {room(n), MPI_DATATYPE_NULL, MPI_DATATYPE_NULL, 0, n};
    MPI_Datatype element;
    while (parts > 1 && (each % parts || random_below(&t->random, 3)))
        parts--;
    MPI_Datatype one = another(bases[random_below(&t->random, BASES)], 2);
    if (each == 0)
        MPI_Type_dup(one, &element);
    else
        MPI_Type_contiguous(each / parts, one, &element);
    MPI_Type_commit(&element);
    d.type = another(element, random_below(&t->random, FORMS));
    d.count = each == 0 ? 0 : parts; /* of one block */
    if (d.type != element)
        MPI_Type_free(&element);
    MPI_Type_free(&one);
    return d;
}

static int value(uint64_t seed, int rank, int i)
{
    return (int)(mix(seed, (uint64_t)rank * 100003 + (uint64_t)i) % 1000);
}

/* ---- reductions ---- */

/* Where the operator finds the ints of these elements. */
static int *int_at(void *elements, MPI_Datatype type, int i)
{
    MPI_Aint lb, extent, low, length;
    MPI_Type_get_extent(type, &lb, &extent);
    MPI_Type_get_true_extent(type, &low, &length);
    return (int *)(void *)((char *)elements + i * extent + low);
}

static void add(void *in, void *inout, int *n, MPI_Datatype *type)
{
    for (int i = 0; i < *n; i++)
        *int_at(inout, *type, i) += *int_at(in, *type, i);
}

/* a op b = b: the order counts. */
static void last(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void)in, (void)inout, (void)n, (void)type;
}

enum { OPERATORS = 2 };
static MPI_Op operators[OPERATORS];

/* Of the ranks below end. */
static int folded(uint64_t seed, int op, int end, int i)
{
    int sum = 0;
    for (int r = 0; r < end; r++)
        sum = (op == 0 ? sum : 0) + value(seed, r, i);
    return sum;
}

enum { REDUCE, ALLREDUCE, BLOCK, SCAN, EXSCAN, REDUCTIONS };

static int call_reduction(const team_t *t, int which, const void *from, const data *out, int op, int root,
                          ep_request *r)
{
    MPI_Op o = operators[op];
    MPI_Datatype type = out->type;
    int n = out->n;
    switch (which) {
    case REDUCE:
        return r ? ep_ireduce(from, out->buf, n, type, o, root, t->comm, r)
                 : ep_reduce(from, out->buf, n, type, o, root, t->comm);
    case ALLREDUCE:
        return r ? ep_iallreduce(from, out->buf, n, type, o, t->comm, r)
                 : ep_allreduce(from, out->buf, n, type, o, t->comm);
    case BLOCK:
        return r ? ep_ireduce_scatter_block(from, out->buf, n, type, o, t->comm, r)
                 : ep_reduce_scatter_block(from, out->buf, n, type, o, t->comm);
    case SCAN:
        return r ? ep_iscan(from, out->buf, n, type, o, t->comm, r)
                 : ep_scan(from, out->buf, n, type, o, t->comm);
    default:
        return r ? ep_iexscan(from, out->buf, n, type, o, t->comm, r)
                 : ep_exscan(from, out->buf, n, type, o, t->comm);
    }
}

static void expect_ints(const data *d, const int *want, const char *what)
{
    int *got = xmalloc(((size_t)d->n + 1) * sizeof *got), i = 0;
    get(d, got);
    while (i < d->n && got[i] == want[i])
        i++;
    if (i < d->n)
        expect_eq(got[i], want[i], what, __FILE__, __LINE__);
    free(got);
}

/* out has in's type: the argument is one. */
static void reduction(team_t *t, uint64_t seed, int which, int n, int base, int later)
{
    static const char *const names[REDUCTIONS] = {"reduce", "allreduce", "reduce_scatter_block", "scan",
                                                  "exscan"};
    int op = (int)(seed % OPERATORS), root = (int)(seed / 7 % (uint64_t)t->size),
        brought = which == BLOCK ? n * t->size : n;
    int *ints = xmalloc(((size_t)brought + 1) * sizeof *ints);
    int in_place = seed / 64 % 3 == 0 && (which != REDUCE || t->rank == root);
    data in = same_count(t, brought, base), out = in;
    ep_request r = EP_REQUEST_NULL;
    out.n = out.count = n;
    out.buf = in_place ? in.buf : room(n);
    for (int i = 0; i < brought; i++)
        ints[i] = value(seed, t->rank, i);
    put(&in, ints);
    EXPECT_OK(call_reduction(t, which, in_place ? MPI_IN_PLACE : in.buf, &out, op, root, later ? &r : NULL));
    EXPECT_OK(ep_wait(&r, EP_STATUS_IGNORE));
    if (!in_place)
        expect_ints(&in, ints, "what was brought");
    int end = which == SCAN ? t->rank + 1 : which == EXSCAN ? t->rank : t->size;
    for (int i = 0; i < n; i++)
        ints[i] = folded(seed, op, end, which == BLOCK ? t->rank * n + i : i);
    if (end > 0 && (which != REDUCE || t->rank == root))
        expect_ints(&out, ints, names[which]);
    expect_alone(&in, "what was brought, beside its data");
    if (!in_place) {
        expect_alone(&out, names[which]);
        free(out.buf);
    }
    data_free(&in);
    free(ints);
}

/* ---- movement ---- */

enum { BCAST, GATHER, SCATTER, ALLGATHER, ALLTOALL, MOVEMENTS };

static int call_movement(const team_t *t, int which, const data *in, const data *out, int root, ep_request *r)
{
    switch (which) {
    case BCAST:
        return r ? ep_ibcast(out->buf, out->count, out->type, root, t->comm, r)
                 : ep_bcast(out->buf, out->count, out->type, root, t->comm);
    case GATHER:
        return r ? ep_igather(in->buf, in->count, in->type, out->buf, out->count, out->type, root, t->comm, r)
                 : ep_gather(in->buf, in->count, in->type, out->buf, out->count, out->type, root, t->comm);
    case SCATTER:
        return r ? ep_iscatter(in->buf, in->count, in->type, out->buf, out->count, out->type, root, t->comm,
                               r)
                 : ep_scatter(in->buf, in->count, in->type, out->buf, out->count, out->type, root, t->comm);
    case ALLGATHER:
        return r ? ep_iallgather(in->buf, in->count, in->type, out->buf, out->count, out->type, t->comm, r)
                 : ep_allgather(in->buf, in->count, in->type, out->buf, out->count, out->type, t->comm);
    default:
        return r ? ep_ialltoall(in->buf, in->count, in->type, out->buf, out->count, out->type, t->comm, r)
                 : ep_alltoall(in->buf, in->count, in->type, out->buf, out->count, out->type, t->comm);
    }
}

/* All blocks at once. */
static data whole(const data *d, int blocks)
{
    data all = *d;
    all.count *= blocks;
    return all;
}

/* Int i of block b of what a rank sends. */
static int sent(uint64_t seed, int rank, int b, int n, int i)
{
    return value(seed, rank, b * n + i);
}

static void movement(team_t *t, uint64_t seed, int which, int n, int later)
{
    static const char *const names[MOVEMENTS] = {"bcast", "gather", "scatter", "allgather", "alltoall"};
    int root = (int)(seed / 7 % (uint64_t)t->size), size = t->size, is_root = t->rank == root;
    int outgoing = which == SCATTER || which == ALLTOALL ? size : 1;
    int incoming = which == BCAST || which == SCATTER ? 1 : size;
    int *ints = xmalloc(((size_t)n * (size_t)size + 1) * sizeof *ints);
    data in = any_count(t, n * outgoing, outgoing), out = any_count(t, n * incoming, incoming);
    data to = whole(&in, outgoing), from = whole(&out, incoming);
    ep_request r = EP_REQUEST_NULL;
    for (int b = 0; b < outgoing; b++)
        for (int i = 0; i < n; i++)
            ints[b * n + i] = sent(seed, t->rank, b, n, i);
    put(which == BCAST ? &from : &to, ints);
    EXPECT_OK(call_movement(t, which, &in, &out, root, later ? &r : NULL));
    EXPECT_OK(ep_wait(&r, EP_STATUS_IGNORE));
    for (int b = 0; b < incoming; b++)
        for (int i = 0; i < n; i++)
            ints[b * n + i] = incoming == 1 ? sent(seed, root, which == SCATTER ? t->rank : 0, n, i)
                                            : sent(seed, b, which == ALLTOALL ? t->rank : 0, n, i);
    if (which != GATHER || is_root)
        expect_ints(&from, ints, names[which]);
    data_free(&in);
    data_free(&out);
    free(ints);
}

/* ---- by chance ---- */

/* Most fit into a slot of coll/small/flag_slots.h, or do not by a little. */
static int some_ints(uint64_t *shared)
{
    static const int about[6] = {2, 28, 60, 500, 1, MOST};
    return random_below(shared, about[random_below(shared, 6)] + 1);
}

static void play(team_t *t, void *arg)
{
    uint64_t shared = harness_seed();
    int rounds = ROUNDS / harness_slowness() + 10;
    (void)arg;
    for (int i = 0; i < rounds; i++) {
        uint64_t seed = random_next(&shared);
        int n = some_ints(&shared), later = random_below(&shared, 3) == 0;
        /* all lie alike, or those of a process do, or none */
        int alike = random_below(&shared, 3), any = random_below(&shared, BASES);
        int base = alike == 0 ? any : (alike == 1 ? t->process : t->rank) % BASES;
        reduction(t, seed, (int)(random_next(&shared) % REDUCTIONS), n, base, later);
        n = n * t->size > 20 * MOST ? 20 * MOST / t->size : n;
        movement(t, seed, (int)(random_next(&shared) % MOVEMENTS), n, later);
    }
}

static void run(void)
{
    make_bases();
    for (int i = 0; i < OPERATORS; i++)
        EXPECT_OK(ep_op_create(i ? last : add, !i, &operators[i]));
    team_run(play, NULL);
    for (int i = 0; i < OPERATORS; i++)
        EXPECT_OK(ep_op_free(&operators[i]));
    for (int b = 1; b < BASES; b++)
        MPI_Type_free(&bases[b]);
}

/* One int and a duplicate of its type. */
static void pair(team_t *t, void *arg)
{
    int in = t->rank + 1, out = 0;
    MPI_Datatype type = another(MPI_INT, t->rank % 2);
    (void)arg;
    EXPECT_OK(ep_allreduce(&in, &out, 1, type, operators[0], t->comm));
    EXPECT_EQ(out, t->size * (t->size + 1) / 2);
    if (type != MPI_INT)
        MPI_Type_free(&type);
}

static void run_pair(void)
{
    EXPECT_OK(ep_op_create(add, 1, &operators[0]));
    team_run(pair, NULL);
    EXPECT_OK(ep_op_free(&operators[0]));
}

/* ---- halves that have changed places ---- */

enum { HALF = 65536 };

static void add_halves(void *in, void *inout, int *n, MPI_Datatype *type)
{
    const double *x = in;
    double *y = inout;
    (void)type;
    for (int i = 0; i < *n * 2 * HALF; i++)
        y[i] += x[i];
}

/* One large element, whose first half lies behind the second in every other endpoint: all else of the types is alike. */
static void halves(team_t *t, void *arg)
{
    int odd = t->rank % 2, lengths[2] = {HALF, HALF};
    MPI_Aint at[2] = {odd ? HALF * (MPI_Aint)sizeof(double) : 0, odd ? 0 : HALF * (MPI_Aint)sizeof(double)};
    double *in = xmalloc(2 * HALF * sizeof *in), *out = xmalloc(2 * HALF * sizeof *out);
    MPI_Datatype type;
    (void)arg;
    MPI_Type_create_hindexed(2, lengths, at, MPI_DOUBLE, &type);
    MPI_Type_commit(&type);
    for (int i = 0; i < HALF; i++) {
        in[(odd ? HALF : 0) + i] = 1;
        in[(odd ? 0 : HALF) + i] = 100;
    }
    EXPECT_OK(ep_allreduce(in, out, 1, type, operators[0], t->comm));
    EXPECT_EQ((int)out[odd ? HALF : 0], t->size);
    EXPECT_EQ((int)out[odd ? 0 : HALF], 100 * t->size);
    MPI_Type_free(&type);
    free(out);
    free(in);
}

static void run_halves(void)
{
    EXPECT_OK(ep_op_create(add_halves, 1, &operators[0]));
    team_run(halves, NULL);
    EXPECT_OK(ep_op_free(&operators[0]));
}

/* ---- types that share parts ---- */

enum { LEVELS = 40 };

/* An int, and nothing 2^LEVELS times; the int lies at `at`. */
static MPI_Datatype nested(MPI_Aint at)
{
    const int ones[2] = {1, 1};
    const MPI_Aint nowhere[2] = {0, 0}, places[2] = {at, 0};
    MPI_Datatype t[2], all, sized;
    MPI_Type_contiguous(0, MPI_INT, &t[0]);
    for (int i = 0; i < LEVELS; i++) {
        MPI_Datatype twice;
        t[1] = t[0];
        MPI_Type_create_struct(2, ones, nowhere, t, &twice);
        MPI_Type_free(&t[1]);
        t[0] = twice;
    }
    MPI_Type_create_struct(2, ones, places, (MPI_Datatype[]){MPI_INT, t[0]}, &all);
    MPI_Type_create_resized(all, 0, ELEMENT, &sized);
    MPI_Type_commit(&sized);
    MPI_Type_free(&all);
    MPI_Type_free(&t[0]);
    return sized;
}

/* Each level is looked at once, not twice as often as the one above. */
static void share(team_t *t, void *arg)
{
    enum { N = 100 };
    MPI_Datatype type = nested(t->rank % 2 * 4);
    data in = {room(N), type, MPI_INT, N, N}, out = in;
    int ints[N];
    (void)arg;
    out.buf = room(N);
    for (int i = 0; i < N; i++)
        ints[i] = t->rank + i;
    put(&in, ints);
    EXPECT_OK(call_reduction(t, ALLREDUCE, in.buf, &out, 0, 0, NULL));
    for (int i = 0; i < N; i++)
        ints[i] = t->size * (t->size - 1) / 2 + i * t->size;
    expect_ints(&out, ints, "shared parts");
    expect_alone(&out, "shared parts");
    free(in.buf);
    free(out.buf);
    MPI_Type_free(&type);
}

static void run_share(void)
{
    EXPECT_OK(ep_op_create(add, 1, &operators[0]));
    team_run(share, NULL);
    EXPECT_OK(ep_op_free(&operators[0]));
}

/* ---- what is not equal ---- */

/* The last endpoint of process 0 gives another type or another count than the one before it. */
typedef struct {
    const char *what;
    int error, count;   /* its own; the others give 100 elements of one int */
    MPI_Datatype *type; /* the same */
} odd;

static MPI_Datatype wide, real;

/* Nothing is written. */
static void refusal(team_t *t, const odd *o, int which, ep_request *r)
{
    int is_odd = t->process == 0 && t->index == t->local - 1, n = is_odd ? o->count : 100;
    data in = {room(200 * t->size), is_odd ? *o->type : bases[1], MPI_INT, n, n}, out = in;
    out.buf = room(200);
    int rc = call_reduction(t, which, in.buf, &out, 0, 0, r);
    rc = rc == MPI_SUCCESS && r ? ep_wait(r, EP_STATUS_IGNORE) : rc;
    if (t->process == 0)
        EXPECT_RC(rc, o->error);
    else if (which == ALLREDUCE)
        EXPECT(rc != MPI_SUCCESS);
    const char *memory = out.buf;
    size_t i = 0;
    while (t->process == 0 && i < 200 * ELEMENT && memory[i] == 0)
        i++;
    if (t->process == 0)
        EXPECT_EQ(i, 200 * ELEMENT);
    free(out.buf);
    free(in.buf);
}

static void refuse(team_t *t, void *arg)
{
    /* EP_CHECK looks at the lengths first */
    const odd odds[] = {{"longer elements", getenv("EP_CHECK") ? MPI_ERR_COUNT : MPI_ERR_TYPE, 100, &wide},
                        {"other numbers", MPI_ERR_TYPE, 100, &real},
                        {"more elements", MPI_ERR_COUNT, 150, &bases[1]},
                        {"fewer elements", MPI_ERR_COUNT, 50, &bases[1]}};
    (void)arg;
    if (t->counts[0] < 2)
        return;
    for (size_t i = 0; i < sizeof odds / sizeof odds[0]; i++)
        for (int which = 0; which < REDUCTIONS; which++) {
            ep_request r = EP_REQUEST_NULL;
            refusal(t, &odds[i], which, which % 2 ? &r : NULL);
            EXPECT_OK(ep_barrier(t->comm));
        }
}

static void run_refuse(void)
{
    make_bases();
    MPI_Type_vector(2, 1, 2, MPI_INT, &wide);
    MPI_Type_create_resized(MPI_FLOAT, 0, 12, &real);
    MPI_Type_commit(&wide);
    MPI_Type_commit(&real);
    EXPECT_OK(ep_op_create(add, 1, &operators[0]));
    team_run(refuse, NULL);
    EXPECT_OK(ep_op_free(&operators[0]));
    MPI_Type_free(&wide);
    MPI_Type_free(&real);
    for (int b = 1; b < BASES; b++)
        MPI_Type_free(&bases[b]);
}

static const harness_test tests[] = {{"pair", NULL, run_pair},
                                     {"play", NULL, run},
                                     {"share", NULL, run_share},
                                     {"refuse", NULL, run_refuse},
                                     {"halves", NULL, run_halves}};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "equal_types", tests);
}
