/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mismatch.c: EP_CHECK=1 tells who calls what where collective calls do not fit together (MPI 5.13), and lets pass what
 * does.
 *
 * Catches: a hang, a result that does not reach everybody or names the wrong endpoints, and a communicator that is of
 * no use afterwards. In each test the last endpoint, the stranger, does something else than all others.
 */
#include "inter_plan.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROOM = 4 * TRAFFIC_MAX };

typedef struct {
    team_t *t;
    ep_comm comm;
    int size, stranger; /* 1 in the last endpoint */
    int in[ROOM], out[ROOM];
    int counts[TRAFFIC_MAX], displs[TRAFFIC_MAX];
} caller;

/* Everybody gets the error, and its text has both. */
static void expect_refused(int rc, int error_class, const char *one, const char *other)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length;
    if (!EXPECT_EQ(rc, error_class))
        return;
    EXPECT_OK(ep_error_string(rc, text, &length));
    EXPECT_CONTAINS(text, one);
    EXPECT_CONTAINS(text, other);
}

/* The same where the other one is the stranger. */
static void refused(const caller *c, int rc, int error_class, const char *one, const char *call)
{
    char other[100];
    snprintf(other, sizeof other, "endpoint %d called %s", c->size - 1, call);
    expect_refused(rc, error_class, one, other);
}

/* A right call goes through. */
static void expect_sound(caller *c)
{
    int sum = 0, one = 1;
    EXPECT_OK(ep_allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, c->comm));
    EXPECT_EQ(sum, c->size);
}

static caller begin(team_t *t)
{
    caller c = {.t = t, .comm = t->comm, .size = t->size, .stranger = t->rank == t->size - 1};
    for (int r = 0; r < t->size; r++) {
        c.counts[r] = 2;
        c.displs[r] = 2 * r;
    }
    return c;
}

static void functions(team_t *t, void *arg)
{
    caller c = begin(t);
    (void)arg;
    for (int round = 0; round < 3; round++) {
        int rc = c.stranger ? ep_reduce(c.out, c.in, 4, MPI_INT, MPI_SUM, 1, t->comm)
                            : ep_bcast(c.out, 10, MPI_INT, 0, t->comm);
        refused(&c, rc, MPI_ERR_ARG, "endpoint 0 called ep_bcast(root 0, 40 bytes)",
                "ep_reduce(root 1, MPI_SUM, 16 bytes)");
        expect_sound(&c);
    }
    refused(&c, c.stranger ? ep_scan(c.out, c.in, 1, MPI_INT, MPI_MAX, t->comm) : ep_barrier(t->comm),
            MPI_ERR_ARG, "endpoint 0 called ep_barrier()", "ep_scan(MPI_MAX, 4 bytes)");
    expect_sound(&c);
}

static void roots(team_t *t, void *arg)
{
    caller c = begin(t);
    (void)arg;
    refused(&c, ep_bcast(c.out, 1, MPI_INT, c.stranger, t->comm), MPI_ERR_ROOT,
            "endpoint 0 called ep_bcast(root 0, 4 bytes)", "ep_bcast(root 1, 4 bytes)");
    refused(&c, ep_gather(c.out, 1, MPI_INT, c.in, 1, MPI_INT, !c.stranger, t->comm), MPI_ERR_ROOT,
            "endpoint 0 called ep_gather(root 1, sends 4 bytes)", "ep_gather(root 0, sends 4 bytes)");
    refused(&c, ep_reduce(c.out, c.in, 2, MPI_INT, MPI_MIN, c.stranger, t->comm), MPI_ERR_ROOT,
            "endpoint 0 called ep_reduce(root 0, MPI_MIN, 8 bytes)", "ep_reduce(root 1, MPI_MIN, 8 bytes)");
    expect_sound(&c);
}

static void first_of_two(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void)type;
    memcpy(inout, in, (size_t)*n * sizeof(int));
}

static void operators(team_t *t, void *arg)
{
    caller c = begin(t);
    MPI_Op mine;
    (void)arg;
    MPI_Op_create(first_of_two, 0, &mine);
    refused(&c, ep_allreduce(c.out, c.in, 1, MPI_INT, c.stranger ? MPI_PROD : MPI_SUM, t->comm), MPI_ERR_OP,
            "endpoint 0 called ep_allreduce(MPI_SUM, 4 bytes)", "ep_allreduce(MPI_PROD, 4 bytes)");
    refused(&c, ep_exscan(c.out, c.in, 1, MPI_INT, c.stranger ? MPI_BXOR : mine, t->comm), MPI_ERR_OP,
            "endpoint 0 called ep_exscan(user operator, 4 bytes)", "ep_exscan(MPI_BXOR, 4 bytes)");
    EXPECT_OK(
        ep_allreduce(&t->rank, c.in, 1, MPI_INT, mine, t->comm)); /* everybody has a handle of its own */
    EXPECT_EQ(c.in[0], 0);
    EXPECT_OK(ep_op_free(&mine));
}

static void counts(team_t *t, void *arg)
{
    caller c = begin(t);
    int n = 1 + c.stranger;
    (void)arg;
    refused(&c, ep_bcast(c.out, n, MPI_INT, 0, t->comm), MPI_ERR_COUNT,
            "endpoint 0 called ep_bcast(root 0, 4 bytes", "ep_bcast(root 0, 8 bytes");
    refused(&c, ep_allreduce(c.out, c.in, n, MPI_INT, MPI_SUM, t->comm), MPI_ERR_COUNT,
            "endpoint 0 called ep_allreduce(MPI_SUM, 4 bytes)", "ep_allreduce(MPI_SUM, 8 bytes)");
    refused(&c, ep_gather(c.out, n, MPI_INT, c.in, 1, MPI_INT, 0, t->comm), MPI_ERR_TRUNCATE,
            "endpoint 0 called ep_gather(root 0, 4 bytes from", "ep_gather(root 0, 8 bytes for rank 0)");
    refused(&c, ep_scatter(c.out, 1, MPI_INT, c.in, n, MPI_INT, 0, t->comm), MPI_ERR_COUNT,
            "endpoint 0 called ep_scatter(root 0, 4 bytes for", "ep_scatter(root 0, 8 bytes from rank 0)");
    refused(&c, ep_allgather(c.out, n, MPI_INT, c.in, n, MPI_INT, t->comm), MPI_ERR_COUNT,
            "endpoint 0 called ep_allgather(4 bytes for", "ep_allgather(8 bytes from rank 0)");
    refused(&c, ep_alltoall(c.out, n, MPI_INT, c.in, n, MPI_INT, t->comm), MPI_ERR_COUNT,
            "endpoint 0 called ep_alltoall(4 bytes for", "ep_alltoall(8 bytes from rank 0)");
    expect_sound(&c);
}

/* Counts by rank: what the stranger says of rank 0 is wrong, or what it says of itself. */
static void vectors(team_t *t, void *arg)
{
    caller c = begin(t);
    MPI_Datatype types[TRAFFIC_MAX];
    (void)arg;
    for (int r = 0; r < t->size; r++)
        types[r] = MPI_INT;
    c.counts[0] += c.stranger;
    refused(&c, ep_alltoallv(c.out, c.counts, c.displs, MPI_INT, c.in, c.counts, c.displs, MPI_INT, t->comm),
            MPI_ERR_COUNT, "endpoint 0 called ep_alltoallv(8 bytes for",
            "ep_alltoallv(12 bytes from rank 0)");
    refused(&c, ep_alltoallw(c.out, c.counts, c.displs, types, c.in, c.counts, c.displs, types, t->comm),
            MPI_ERR_COUNT, "endpoint 0 called ep_alltoallw(8 bytes for",
            "ep_alltoallw(12 bytes from rank 0)");
    refused(&c, ep_allgatherv(c.out, 2, MPI_INT, c.in, c.counts, c.displs, MPI_INT, t->comm), MPI_ERR_COUNT,
            "endpoint 0 called ep_allgatherv(8 bytes for", "ep_allgatherv(12 bytes from rank 0)");
    c.counts[1] -= c.stranger; /* the sum is right */
    refused(&c, ep_reduce_scatter(c.out, c.in, c.counts, MPI_INT, MPI_SUM, t->comm), MPI_ERR_COUNT,
            "endpoint 0 called ep_reduce_scatter(MPI_SUM", "ep_reduce_scatter(MPI_SUM");
    c = begin(t);
    refused(&c, ep_gatherv(c.out, 2 - c.stranger, MPI_INT, c.in, c.counts, c.displs, MPI_INT, 0, t->comm),
            MPI_ERR_COUNT, "endpoint 0 called ep_gatherv(root 0, 8 bytes from",
            "ep_gatherv(root 0, 4 bytes for rank 0)");
    refused(&c, ep_scatterv(c.out, c.counts, c.displs, MPI_INT, c.in, 2 + c.stranger, MPI_INT, 0, t->comm),
            MPI_ERR_COUNT, "endpoint 0 called ep_scatterv(root 0, 8 bytes for",
            "ep_scatterv(root 0, 12 bytes from rank 0)");
    expect_sound(&c);
}

/* As many bytes of other numbers. */
static void types(team_t *t, void *arg)
{
    caller c = begin(t);
    ep_request r = EP_REQUEST_NULL;
    MPI_Datatype own = c.stranger ? MPI_DOUBLE : MPI_LONG, doubles;
    (void)arg;
    MPI_Type_vector(1, 2, 5, MPI_DOUBLE, &doubles);
    MPI_Type_commit(&doubles);
    refused(&c, ep_allreduce(c.out, c.in, 1, own, MPI_SUM, t->comm), MPI_ERR_TYPE,
            "endpoint 0 called ep_allreduce(MPI_SUM, 8 bytes, 8-byte signed integers)",
            "ep_allreduce(MPI_SUM, 8 bytes, 8-byte reals)");
    refused(&c, ep_reduce(c.out, c.in, 3, own, MPI_MAX, 0, t->comm), MPI_ERR_TYPE, "8-byte signed integers",
            "ep_reduce(root 0, MPI_MAX, 24 bytes, 8-byte reals)");
    refused(&c, ep_bcast(c.out, 2 - c.stranger, c.stranger ? doubles : MPI_UNSIGNED_LONG, 0, t->comm),
            MPI_ERR_TYPE, "endpoint 0 called ep_bcast(root 0, 8-byte unsigned integers, for rank",
            "ep_bcast(root 0, 8-byte reals, from rank 0)");
    refused(&c, ep_gather(c.out, 1, own, c.in, 1, MPI_LONG, 0, t->comm), MPI_ERR_TYPE,
            "endpoint 0 called ep_gather(root 0, 8-byte signed integers",
            "ep_gather(root 0, 8-byte reals, for rank 0)");
    refused(&c,
            ep_alltoallv(c.out, c.counts, c.displs, c.stranger ? MPI_FLOAT : MPI_INT, c.in, c.counts,
                         c.displs, MPI_INT, t->comm),
            MPI_ERR_TYPE, "endpoint 0 called ep_alltoallv(4-byte signed integers",
            "ep_alltoallv(4-byte reals, for rank 0)");
    EXPECT_OK(ep_iallreduce(c.out, c.in, 1, own, MPI_SUM, t->comm, &r));
    refused(&c, ep_wait(&r, EP_STATUS_IGNORE), MPI_ERR_TYPE, "8-byte signed integers",
            "ep_iallreduce(MPI_SUM, 8 bytes, 8-byte reals)");
    MPI_Type_free(&doubles);
    expect_sound(&c);
}

/* Other names of the same numbers, bytes, pairs, and types of nothing. */
static void sound_types(team_t *t, void *arg)
{
    caller c = begin(t);
    MPI_Datatype mixed, like, types[2] = {MPI_FLOAT, MPI_INT}, none[2] = {MPI_DOUBLE, MPI_INT};
    (void)arg;
    MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, 4}, types, &mixed);
    MPI_Type_create_struct(2, (int[]){0, 2}, (MPI_Aint[]){0, 4}, none, &like);
    MPI_Type_commit(&mixed);
    MPI_Type_commit(&like);
    EXPECT_OK(ep_allreduce(c.out, c.in, 1, c.stranger ? MPI_INT64_T : MPI_LONG, MPI_SUM, t->comm));
    EXPECT_OK(ep_bcast(c.out, 1, c.stranger ? mixed : MPI_FLOAT_INT, 0, t->comm));
    EXPECT_OK(ep_bcast(c.out, c.stranger ? 1 : 2, c.stranger ? MPI_2INT : MPI_INT, 0, t->comm));
    EXPECT_OK(ep_bcast(c.out, c.stranger ? 1 : 2, c.stranger ? like : MPI_INT, 0, t->comm));
    EXPECT_OK(ep_bcast(c.out, 0, c.stranger ? MPI_DOUBLE : MPI_INT, 0, t->comm));
    EXPECT_OK(ep_allreduce(c.out, c.in, 0, c.stranger ? MPI_DOUBLE : MPI_INT, MPI_SUM, t->comm));
    EXPECT_OK(ep_bcast(c.out, 8, c.stranger ? MPI_CHAR : MPI_UNSIGNED_CHAR, 0, t->comm));
    EXPECT_OK(ep_gather(c.out, 8, MPI_BYTE, c.in, 1, MPI_DOUBLE, 0, t->comm));
    EXPECT_OK(ep_allgather(c.out, 1, MPI_DOUBLE, c.in, 8, MPI_PACKED, t->comm));
    MPI_Type_free(&mixed);
    MPI_Type_free(&like);
}

/* The sequence of numbers counts where they are of several kinds, in one type or in those of several blocks. */
static void signatures(team_t *t, void *arg)
{
    enum { DOUBLES_FIRST, INTS_FIRST, PAIRS, FLOATS, KINDS };
    MPI_Datatype parts[2] = {MPI_DOUBLE, MPI_INT}, other[2] = {MPI_INT, MPI_DOUBLE},
                 floats[2] = {MPI_DOUBLE, MPI_FLOAT}, k[KINDS];
    const MPI_Aint at[2] = {0, 8};
    caller c = begin(t);
    MPI_Datatype *mixed = xmalloc((size_t)t->size * sizeof *mixed);
    (void)arg;
    MPI_Type_create_struct(2, (int[]){1, 2}, at, parts, &k[DOUBLES_FIRST]);
    MPI_Type_create_struct(2, (int[]){2, 1}, at, other, &k[INTS_FIRST]);
    MPI_Type_create_struct(2, (int[]){1, 2}, at, floats, &k[FLOATS]);
    MPI_Type_contiguous(2, MPI_2INT, &k[PAIRS]);
    for (int i = 0; i < KINDS; i++)
        MPI_Type_commit(&k[i]);
    for (int r = 0; r < t->size; r++) {
        c.displs[r] = 0;
        c.counts[r] = 1;
        mixed[r] = k[c.stranger && r == 0 ? FLOATS : DOUBLES_FIRST];
    }
    for (int other_kind = INTS_FIRST; other_kind < KINDS; other_kind++)
        refused(&c, ep_bcast(c.out, 1, k[c.stranger ? other_kind : DOUBLES_FIRST], 0, t->comm), MPI_ERR_TYPE,
                "endpoint 0 called ep_bcast(root 0, several kinds of numbers, for rank", "ep_bcast(root 0, ");
    refused(&c,
            ep_gather(c.out, 1, k[DOUBLES_FIRST], c.in, c.stranger + 1,
                      c.stranger ? MPI_DOUBLE : k[INTS_FIRST], t->size - 1, t->comm),
            MPI_ERR_TYPE, "endpoint 0 called ep_gather(", "ep_gather(");
    refused(&c, ep_alltoallw(c.out, c.counts, c.displs, mixed, c.in, c.counts, c.displs, mixed, t->comm),
            MPI_ERR_TYPE, "endpoint 0 called ep_alltoallw(several kinds of numbers",
            "ep_alltoallw(several kinds of numbers that are others, or");
    for (int i = 0; i < KINDS; i++)
        MPI_Type_free(&k[i]);
    free(mixed);
    expect_sound(&c);
}

/* Equal ones, made otherwise; and what bytes stand for. */
static void sound_signatures(team_t *t, void *arg)
{
    enum { STRUCT, ALTERNATE, TWICE, TEXT, KINDS };
    caller c = begin(t);
    MPI_Datatype parts[2] = {MPI_FLOAT, MPI_INT}, four[4] = {MPI_FLOAT, MPI_INT, MPI_FLOAT, MPI_INT},
                 text[2] = {MPI_FLOAT, MPI_CHAR};
    MPI_Datatype k[KINDS], six;
    (void)arg;
    MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, 4}, parts, &k[STRUCT]);
    MPI_Type_create_struct(4, (int[]){1, 1, 1, 1}, (MPI_Aint[]){4, 0, 12, 8}, four, &k[ALTERNATE]);
    MPI_Type_create_hvector(2, 1, 16, MPI_FLOAT_INT, &k[TWICE]);
    MPI_Type_create_struct(2, (int[]){1, 4}, (MPI_Aint[]){0, 4}, text, &k[TEXT]);
    MPI_Type_contiguous(3, MPI_INT, &six);
    for (int i = 0; i < KINDS; i++)
        MPI_Type_commit(&k[i]);
    MPI_Type_commit(&six);
    EXPECT_OK(ep_bcast(c.out, c.stranger ? 6 : 2, c.stranger ? MPI_INT : six, 0, t->comm));
    EXPECT_OK(ep_bcast(c.out, c.stranger ? 1 : 2, k[c.stranger ? ALTERNATE : STRUCT], 0, t->comm));
    EXPECT_OK(ep_bcast(c.out, 1, k[c.stranger ? ALTERNATE : TWICE], 0, t->comm));
    EXPECT_OK(ep_gather(c.out, 2, MPI_FLOAT_INT, c.in, 1, k[TWICE], 0, t->comm));
    EXPECT_OK(ep_bcast(c.out, c.stranger ? 16 : 1, c.stranger ? MPI_BYTE : k[TWICE], 0, t->comm));
    EXPECT_OK(ep_bcast(c.out, c.stranger ? 16 : 1, c.stranger ? MPI_PACKED : k[ALTERNATE], 0, t->comm));
    EXPECT_OK(ep_bcast(c.out, 1, k[c.stranger ? TEXT : STRUCT], 0, t->comm));
    EXPECT_OK(ep_allgather(c.out, 1, k[TEXT], c.in, 8, MPI_BYTE, t->comm));
    for (int i = 0; i < KINDS; i++)
        MPI_Type_free(&k[i]);
    MPI_Type_free(&six);
}

/* A predefined type that the library has not seen before the comparison. */
static void unseen(team_t *t, void *arg)
{
    caller c = begin(t);
    MPI_Datatype real;
    (void)arg;
    MPI_Type_create_f90_real(5, 20, &real);
    EXPECT_OK(ep_bcast(c.out, 1, real, 0, t->comm));
    refused(&c, ep_bcast(c.out, 1, c.stranger ? MPI_INT : real, 0, t->comm), MPI_ERR_TYPE,
            "endpoint 0 called ep_bcast(root 0, ", "ep_bcast(root 0, ");
    expect_sound(&c);
}

/* The result is the request's. */
static void later(team_t *t, void *arg)
{
    caller c = begin(t);
    ep_request r[3] = {EP_REQUEST_NULL, EP_REQUEST_NULL, EP_REQUEST_NULL};
    int first = 0, last = 0, one = 1;
    (void)arg;
    EXPECT_OK(ep_iallreduce(&one, &first, 1, MPI_INT, MPI_SUM, t->comm, &r[0]));
    EXPECT_OK(ep_ibcast(c.out, 1 + c.stranger, MPI_INT, 0, t->comm, &r[1]));
    EXPECT_OK(ep_iallreduce(&one, &last, 1, MPI_INT, MPI_SUM, t->comm, &r[2]));
    EXPECT_OK(ep_wait(&r[2], EP_STATUS_IGNORE));
    refused(&c, ep_wait(&r[1], EP_STATUS_IGNORE), MPI_ERR_COUNT,
            "endpoint 0 called ep_ibcast(root 0, 4 bytes", "ep_ibcast(root 0, 8 bytes");
    EXPECT_OK(ep_wait(&r[0], EP_STATUS_IGNORE));
    EXPECT_EQ(first, t->size);
    EXPECT_EQ(last, t->size);
    EXPECT_OK(ep_iallreduce(c.out, c.in, 1, MPI_INT, c.stranger ? MPI_MAX : MPI_SUM, t->comm, &r[0]));
    refused(&c, ep_wait(&r[0], EP_STATUS_IGNORE), MPI_ERR_OP,
            "endpoint 0 called ep_iallreduce(MPI_SUM, 4 bytes)", "ep_iallreduce(MPI_MAX, 4 bytes)");
    EXPECT_OK(ep_iscatter(c.out, 2, MPI_INT, c.in, 2 - c.stranger, MPI_INT, 0, t->comm, &r[0]));
    refused(&c, ep_wait(&r[0], EP_STATUS_IGNORE), MPI_ERR_TRUNCATE,
            "endpoint 0 called ep_iscatter(root 0, 8 bytes for", "ep_iscatter(root 0, 4 bytes from rank 0)");
    refused(&c, ep_scatter(c.out, 2, MPI_INT, c.in, 2 - c.stranger, MPI_INT, 0, t->comm), MPI_ERR_TRUNCATE,
            "endpoint 0 called ep_scatter(root 0, 8 bytes for", "ep_scatter(root 0, 4 bytes from rank 0)");
    EXPECT_OK(c.stranger ? ep_ibarrier(t->comm, &r[0]) : MPI_SUCCESS);
    refused(&c, c.stranger ? ep_wait(&r[0], EP_STATUS_IGNORE) : ep_barrier(t->comm), MPI_ERR_ARG,
            "endpoint 0 called ep_barrier()", "ep_ibarrier()");
    expect_sound(&c);
}

/* A derived type says as much as its elements. */
static void sound(team_t *t, void *arg)
{
    caller c = begin(t);
    MPI_Datatype pair;
    (void)arg;
    MPI_Type_vector(2, 1, 2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    EXPECT_OK(ep_barrier(t->comm));
    EXPECT_OK(t->rank % 2 ? ep_bcast(c.in, 1, pair, 1, t->comm) : ep_bcast(c.in, 2, MPI_INT, 1, t->comm));
    EXPECT_OK(ep_gatherv(c.out, 1, pair, c.in, c.counts, c.displs, MPI_INT, t->size - 1, t->comm));
    EXPECT_OK(ep_scatter(c.out, 8, MPI_BYTE, c.in, 2, MPI_INT, 0, t->comm));
    EXPECT_OK(ep_allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, c.in, 2, MPI_INT, t->comm));
    EXPECT_OK(ep_alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, c.in, c.counts, c.displs, MPI_INT,
                           t->comm));
    EXPECT_OK(ep_reduce(t->rank ? c.out : MPI_IN_PLACE, c.in, 3, MPI_INT, MPI_SUM, 0, t->comm));
    EXPECT_OK(ep_reduce_scatter(c.out, c.in, c.counts, MPI_INT, MPI_MAX, t->comm));
    EXPECT_OK(ep_exscan(c.out, c.in, 2, MPI_INT, MPI_SUM, t->comm));
    MPI_Type_free(&pair);
}

static int is_odd(const team_t *t, int rank)
{
    (void)t;
    return rank % 2;
}

/* From the first of one group to the other; then some do not agree who is the root. */
static void intercommunicator(team_t *t, void *arg)
{
    inter_plan b;
    caller c = begin(t);
    (void)arg;
    if (!EXPECT(inter_by_rule(t, &b, is_odd)) || !inter_build(t, &b))
        return;
    int rank = -1, wrong;
    EXPECT_OK(ep_comm_rank(b.inter, &rank));
    int root = b.mine ? 0 : rank ? MPI_PROC_NULL : MPI_ROOT;
    EXPECT_OK(ep_bcast(c.out, 2, MPI_INT, root, b.inter));
    EXPECT_OK(ep_allgather(c.out, 1 + b.mine, MPI_INT, c.in, 2 - b.mine, MPI_INT, b.inter));
    EXPECT_OK(ep_reduce(c.out, c.in, 2, MPI_INT, MPI_SUM, root, b.inter));
    expect_refused(ep_bcast(c.out, 1 + b.mine, MPI_INT, root, b.inter), MPI_ERR_COUNT,
                   "endpoint 0 (lower group) called ep_bcast(root MPI_ROOT, 4 bytes",
                   "endpoint 0 (upper group) called ep_bcast(root 0, 8 bytes");
    wrong = b.mine || rank ? root : MPI_PROC_NULL; /* nobody is the root */
    expect_refused(ep_reduce(c.out, c.in, 2, MPI_INT, MPI_SUM, wrong, b.inter), MPI_ERR_ROOT,
                   "endpoint 0 (lower group) called ep_reduce(root MPI_PROC_NULL",
                   "endpoint 0 (upper group) called ep_reduce(root 0");
    EXPECT_OK(ep_barrier(b.inter));
    inter_free(&b);
}

static const harness_test tests[] = {
    {"unseen", unseen, NULL},
    {"functions", functions, NULL},
    {"roots", roots, NULL},
    {"operators", operators, NULL},
    {"counts", counts, NULL},
    {"vectors", vectors, NULL},
    {"later", later, NULL},
    {"types", types, NULL},
    {"sound_types", sound_types, NULL},
    {"signatures", signatures, NULL},
    {"sound_signatures", sound_signatures, NULL},
    {"sound", sound, NULL},
    {"intercommunicator", intercommunicator, NULL},
};

/* The setting is read when the library is loaded. */
int main(int argc, char **argv)
{
    if (!getenv("EP_CHECK")) {
        setenv("EP_CHECK", "1", 1);
        execv("/proc/self/exe", argv);
    }
    return HARNESS_MAIN(argc, argv, "mismatch", tests);
}
