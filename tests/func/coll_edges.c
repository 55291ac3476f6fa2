/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * coll_edges.c: where right and wrong meet.
 *
 * Catches: an operator refused for a type that it is defined for (MPI 5.9.2), or let through for another; an
 * argument looked at that is not significant in the caller; data written beyond the room for them, or
 * such a mistake not reported, or with what is left of it in the way of the next call.
 */
#include "coll_args.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- operators ---- */

static void expect_op(MPI_Op op, MPI_Datatype type, int allowed, const char *text)
{
    char in[64] = {0}, inout[64] = {0};
    int rc = ep_reduce_local(in, inout, 1, type, op);
    if (allowed)
        EXPECT_OK(rc);
    else
        refused(rc, MPI_ERR_OP, "ep_reduce_local", text);
}

/* Which operators are defined for one type of each group (MPI 5.9.2): columns as in `types` below. */
static void defined_operators(void)
{
    const MPI_Datatype types[] = {MPI_INT,  MPI_DOUBLE, MPI_C_BOOL, MPI_C_DOUBLE_COMPLEX,
                                  MPI_BYTE, MPI_AINT,   MPI_2INT,   MPI_CHAR};
    static const struct {
        const char *name, *defined;
    } want[] = {{"MPI_MAX", "11000100"},    {"MPI_MIN", "11000100"},    {"MPI_SUM", "11010100"},
                {"MPI_PROD", "11010100"},   {"MPI_LAND", "10100000"},   {"MPI_BAND", "10001100"},
                {"MPI_LOR", "10100000"},    {"MPI_BOR", "10001100"},    {"MPI_LXOR", "10100000"},
                {"MPI_BXOR", "10001100"},   {"MPI_MINLOC", "00000010"}, {"MPI_MAXLOC", "00000010"},
                {"MPI_REPLACE", "00000000"}};
    const MPI_Op ops[] = {MPI_MAX, MPI_MIN,  MPI_SUM,  MPI_PROD,   MPI_LAND,   MPI_BAND,   MPI_LOR,
                          MPI_BOR, MPI_LXOR, MPI_BXOR, MPI_MINLOC, MPI_MAXLOC, MPI_REPLACE};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        for (size_t k = 0; k < sizeof types / sizeof *types; k++)
            expect_op(ops[i], types[k], want[i].defined[k] == '1', want[i].name);
}

static void first_of_both(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void)type;
    memcpy(inout, in, (size_t)*n);
}

static void operators(team_t *t, void *arg)
{
    args a;
    ep_comm c = t->comm;
    MPI_Datatype pair;
    MPI_Op op = MPI_OP_NULL;
    int yes = -1;
    (void)arg;
    good_arguments(&a);
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    refused(ep_reduce(a.send, a.recv, 1, MPI_INT, MPI_OP_NULL, 0, c), MPI_ERR_OP, "ep_reduce",
            "op is MPI_OP_NULL");
    refused(ep_allreduce(a.send, a.recv, 1, MPI_WCHAR, MPI_SUM, c), MPI_ERR_OP, "ep_allreduce",
            "op is MPI_SUM, which is not defined for MPI_WCHAR");
    refused(ep_allreduce(a.send, a.recv, 1, MPI_BYTE, MPI_SUM, c), MPI_ERR_OP, "ep_allreduce", "MPI_BYTE");
    refused(ep_iallreduce(a.send, a.recv, 1, MPI_DOUBLE, MPI_BAND, c, &a.request), MPI_ERR_OP,
            "ep_iallreduce", "op is MPI_BAND, which is not defined for MPI_DOUBLE");
    refused(ep_scan(a.send, a.recv, 1, MPI_INT, MPI_MAXLOC, c), MPI_ERR_OP, "ep_scan", "MPI_MAXLOC");
    refused(ep_reduce_scatter_block(a.send, a.recv, 1, pair, MPI_SUM, c), MPI_ERR_OP,
            "ep_reduce_scatter_block", "op is MPI_SUM, which is not defined for a derived datatype");
    refused(ep_op_create(NULL, 1, &op), MPI_ERR_ARG, "ep_op_create", "user_fn");
    refused(ep_op_create(first_of_both, 1, NULL), MPI_ERR_ARG, "ep_op_create", "op");
    refused(ep_op_free(NULL), MPI_ERR_ARG, "ep_op_free", "op");
    refused(ep_op_free(&op), MPI_ERR_OP, "ep_op_free", "op is MPI_OP_NULL");
    op = MPI_SUM;
    refused(ep_op_free(&op), MPI_ERR_OP, "ep_op_free", "predefined");
    refused(ep_op_commutative(MPI_OP_NULL, &yes), MPI_ERR_OP, "ep_op_commutative", "op is MPI_OP_NULL");
    EXPECT_OK(ep_op_create(first_of_both, 0, &op));
    EXPECT_OK(ep_op_commutative(op, &yes));
    EXPECT_EQ(yes, 0);
    expect_op(op, MPI_CHAR, 1, ""); /* the user's may be applied to anything */
    expect_op(op, pair, 1, "");
    EXPECT_OK(ep_op_free(&op));
    EXPECT(op == MPI_OP_NULL);
    MPI_Type_free(&pair);
    still_good(c);
}

/* Types of MPI_Type_create_f90_... are predefined ones. */
static void types_of_f90(team_t *t, void *arg)
{
    double x = 1.5, sum = 0;
    int bits = 1 << t->rank % 16, all = 0;
    MPI_Datatype real, integer;
    ep_request r = EP_REQUEST_NULL;
    (void)arg;
    MPI_Type_create_f90_real(12, 30, &real);
    MPI_Type_create_f90_integer(9, &integer);
    EXPECT_OK(ep_allreduce(&x, &sum, 1, real, MPI_SUM, t->comm));
    EXPECT(sum == 1.5 * t->size);
    EXPECT_OK(ep_iallreduce(&bits, &all, 1, integer, MPI_BOR, t->comm, &r));
    EXPECT_OK(ep_wait(&r, EP_STATUS_IGNORE));
    EXPECT_EQ(all, (1 << (t->size < 16 ? t->size : 16)) - 1);
    refused(ep_allreduce(&x, &sum, 1, real, MPI_BOR, t->comm), MPI_ERR_OP, "ep_allreduce", "MPI_BOR");
}

/* Errors of ep_reduce_local and of ep_op_... go to the default handler of the process. */
static void operators_alone(void)
{
    EXPECT_OK(ep_comm_set_errhandler(EP_COMM_WORLD, EP_ERRORS_RETURN));
    team_run(operators, NULL);
    defined_operators();
    EXPECT_OK(ep_comm_set_errhandler(EP_COMM_WORLD, EP_ERRORS_ARE_FATAL));
}

/* ---- arguments that are not significant ---- */

/* Garbage where an argument is not significant. */
static void not_looked_at(team_t *t, void *arg)
{
    args a;
    ep_comm c = t->comm;
    int at_root = t->rank == 0, *volatile junk = (int *)(uintptr_t)0x10;
    const MPI_Datatype none = MPI_DATATYPE_NULL;
    (void)arg;
    good_arguments(&a);
    if (at_root) {
        EXPECT_OK(ep_gather(MPI_IN_PLACE, -3, none, a.recv, 1, MPI_INT, 0, c));
        EXPECT_OK(ep_gatherv(MPI_IN_PLACE, -3, none, a.recv, a.ones, a.displs, MPI_INT, 0, c));
        EXPECT_OK(ep_scatter(a.send, 1, MPI_INT, MPI_IN_PLACE, -3, none, 0, c));
        EXPECT_OK(ep_scatterv(a.send, a.ones, a.displs, MPI_INT, MPI_IN_PLACE, -3, none, 0, c));
        EXPECT_OK(ep_reduce(a.send, a.recv, 1, MPI_INT, MPI_SUM, 0, c));
        EXPECT_OK(ep_exscan(a.send, NULL, 1, MPI_INT, MPI_SUM, c));
    } else {
        EXPECT_OK(ep_gather(a.send, 1, MPI_INT, junk, -3, none, 0, c));
        EXPECT_OK(ep_gatherv(a.send, 1, MPI_INT, NULL, junk, NULL, none, 0, c));
        EXPECT_OK(ep_scatter(junk, -3, none, a.recv, 1, MPI_INT, 0, c));
        EXPECT_EQ(a.recv[0], t->rank);
        EXPECT_OK(ep_scatterv(NULL, NULL, junk, none, a.recv, 1, MPI_INT, 0, c));
        EXPECT_EQ(a.recv[0], t->rank);
        EXPECT_OK(ep_reduce(a.send, junk, 1, MPI_INT, MPI_SUM, 0, c));
        EXPECT_OK(ep_exscan(a.send, a.recv, 1, MPI_INT, MPI_SUM, c));
    }
    EXPECT_OK(ep_allgather(MPI_IN_PLACE, -3, none, a.recv, 1, MPI_INT, c));
    EXPECT_OK(ep_alltoall(MPI_IN_PLACE, -3, none, a.recv, 1, MPI_INT, c));
    EXPECT_OK(ep_alltoallw(MPI_IN_PLACE, junk, NULL, NULL, a.recv, a.ones, a.bytes, a.ints, c));
    EXPECT_OK(ep_bcast(NULL, 0, MPI_INT, 0, c));
    EXPECT_OK(ep_allreduce(NULL, NULL, 0, MPI_INT, MPI_SUM, c));
    still_good(c);
}

/* A null buffer is MPI_BOTTOM where types or displacements hold addresses. */
static void absolute_addresses(team_t *t, void *arg)
{
    int x[2] = {t->rank, -t->rank}, all[2 * MANY], out[2] = {1, 2}, in[2] = {0, 0}, one[2] = {1, 1};
    const int dims[] = {t->size}, periods[] = {1}, length = 1;
    MPI_Datatype type, ints[2] = {MPI_INT, MPI_INT};
    MPI_Aint address, to[2], from[2];
    ep_request r = EP_REQUEST_NULL;
    ep_comm ring = EP_COMM_NULL;
    (void)arg;
    MPI_Get_address(x, &address);
    MPI_Type_create_hindexed(1, &length, &address, MPI_2INT, &type);
    MPI_Type_commit(&type);
    EXPECT_OK(ep_allgather(MPI_BOTTOM, 1, type, all, 2, MPI_INT, t->comm));
    for (int i = 0; i < t->size; i++)
        EXPECT(all[2 * i] == i && all[2 * i + 1] == -i);
    EXPECT_OK(ep_bcast(MPI_BOTTOM, 1, type, t->size - 1, t->comm));
    EXPECT(x[0] == t->size - 1 && x[1] == 1 - t->size);
    x[0] = t->rank;
    EXPECT_OK(ep_ibcast(MPI_BOTTOM, 1, type, 0, t->comm, &r));
    MPI_Type_free(&type);
    EXPECT_OK(ep_wait(&r, EP_STATUS_IGNORE));
    EXPECT_EQ(x[0], 0);
    if (!EXPECT_OK(ep_cart_create(t->comm, 1, dims, periods, 0, &ring)))
        return;
    for (int i = 0; i < 2; i++) {
        MPI_Get_address(&out[i], &to[i]);
        MPI_Get_address(&in[i], &from[i]);
    }
    EXPECT_OK(ep_neighbor_alltoallw(MPI_BOTTOM, one, to, ints, MPI_BOTTOM, one, from, ints, ring));
    EXPECT(in[0] == 2 && in[1] == 1);
    EXPECT_OK(ep_comm_free(&ring));
}

/* ---- more data than room ---- */

/* Those with too little room are told so; the others, that all is well or the same. */
static void expect_truncated(int rc, int mine)
{
    if (mine || rc != MPI_SUCCESS)
        EXPECT_RC(rc, MPI_ERR_TRUNCATE);
}

/* Its text is a collective operation's, not one of a receive with a buffer. */
static void expect_truncated_later(int rc, int mine)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length;
    expect_truncated(rc, mine);
    if (rc == MPI_SUCCESS)
        return;
    EXPECT_OK(ep_error_string(rc, text, &length));
    EXPECT_CONTAINS(text, "that take part");
    EXPECT(!strstr(text, "the message from endpoint"));
}

/* The root has 3 more ints for each than they have room for; count as in `large`: of ints beside these. */
static void truncate_from_root(ep_comm c, int rank, int size, int large)
{
    size_t most = (size_t)size * (size_t)(large + 4);
    int *send = calloc(most, sizeof *send), *recv = calloc(most, sizeof *recv);
    ep_request r = EP_REQUEST_NULL;
    expect_truncated(ep_bcast(send, large + (rank ? 1 : 4), MPI_INT, 0, c), rank != 0);
    EXPECT_OK(ep_barrier(c));
    expect_truncated(
        ep_scatter(send, large + 4, MPI_INT, rank ? recv : MPI_IN_PLACE, large + 1, MPI_INT, 0, c),
        rank != 0);
    EXPECT_OK(ep_barrier(c));
    EXPECT_OK(ep_ibcast(send, large + (rank ? 1 : 4), MPI_INT, 0, c, &r));
    expect_truncated_later(ep_wait(&r, EP_STATUS_IGNORE), rank != 0);
    EXPECT_OK(ep_barrier(c));
    free(send);
    free(recv);
}

/* Everyone has too little room for what rank 1 sends. */
static void truncate_to_all(ep_comm c, int rank, int size, int large)
{
    size_t most = (size_t)size * (size_t)(large + 4);
    int *send = calloc(most, sizeof *send), *recv = calloc(most, sizeof *recv);
    int n = large + (rank == 1 ? 4 : 1);
    expect_truncated(ep_gather(send, n, MPI_INT, recv, large + 1, MPI_INT, 0, c), rank == 0);
    EXPECT_OK(ep_barrier(c));
    expect_truncated(ep_allgather(send, n, MPI_INT, recv, large + 1, MPI_INT, c), rank != 1);
    EXPECT_OK(ep_barrier(c));
    expect_truncated(ep_alltoall(send, n, MPI_INT, recv, large + 1, MPI_INT, c), rank != 1);
    EXPECT_OK(ep_barrier(c));
    free(send);
    free(recv);
}

/* The same signature, which is empty, from many elements and from none. */
static void empty_types(team_t *t, void *arg)
{
    (void)arg;
    MPI_Datatype empty, mine = MPI_INT;
    int n = t->rank == 0 ? 200 : 0;
    char buf[1] = {0}, other[1];
    MPI_Type_contiguous(0, MPI_INT, &empty);
    MPI_Type_commit(&empty);
    mine = n ? empty : mine;
    for (int root = 0; root < t->size && root < 3; root++)
        EXPECT_OK(ep_bcast(buf, n, mine, root, t->comm));
    EXPECT_OK(ep_allgather(buf, n, mine, other, n, mine, t->comm));
    EXPECT_OK(ep_alltoall(buf, n, mine, other, n, mine, t->comm));
    MPI_Type_free(&empty);
}

/* A hint set after a call has begun is for the next, also in endpoints that come late. */
static void hint_between(team_t *t, void *arg)
{
    (void)arg;
    enum { N = 1000 };
    double in[N], out[N];
    ep_request r;
    MPI_Info info;
    for (int i = 0; i < N; i++)
        in[i] = t->rank + i;
    MPI_Info_create(&info);
    MPI_Info_set(info, "ep_reproducible", "true");
    if (t->rank == t->size - 1) /* the others are through with the hint by then */
        for (double end = ep_wtime() + 0.02; ep_wtime() < end;)
            continue;
    EXPECT_OK(ep_iallreduce(in, out, N, MPI_DOUBLE, MPI_SUM, t->comm, &r));
    EXPECT_OK(ep_comm_set_info(t->comm, info));
    EXPECT_OK(ep_wait(&r, EP_STATUS_IGNORE));
    EXPECT(out[1] == t->size * (t->size - 1) / 2.0 + t->size);
    MPI_Info_free(&info);
}

/* No elements and no buffers. */
static void nothing(team_t *t, void *arg)
{
    (void)arg;
    for (int root = 0; root < t->size && root < 9; root++) {
        EXPECT_OK(ep_bcast(NULL, 0, MPI_INT, root, t->comm));
        EXPECT_OK(ep_reduce(NULL, NULL, 0, MPI_INT, MPI_SUM, root, t->comm));
        EXPECT_OK(ep_gather(NULL, 0, MPI_INT, NULL, 0, MPI_INT, root, t->comm));
        EXPECT_OK(ep_scatter(NULL, 0, MPI_INT, NULL, 0, MPI_INT, root, t->comm));
    }
    EXPECT_OK(ep_allreduce(NULL, NULL, 0, MPI_DOUBLE, MPI_MAX, t->comm));
    EXPECT_OK(ep_allgather(NULL, 0, MPI_INT, NULL, 0, MPI_INT, t->comm));
    EXPECT_OK(ep_alltoall(NULL, 0, MPI_INT, NULL, 0, MPI_INT, t->comm));
    EXPECT_OK(ep_reduce_scatter_block(NULL, NULL, 0, MPI_INT, MPI_SUM, t->comm));
    EXPECT_OK(ep_scan(NULL, NULL, 0, MPI_INT, MPI_SUM, t->comm));
    EXPECT_OK(ep_exscan(NULL, NULL, 0, MPI_INT, MPI_SUM, t->comm));
}

static void truncation(team_t *t, void *arg)
{
    static const int large[] = {0, 100, 50000};
    ep_comm near = EP_COMM_NULL;
    int rank = 0, size = 0;
    (void)arg;
    if (!EXPECT_OK(ep_comm_split_type(t->comm, EP_COMM_TYPE_PROCESS, 0, MPI_INFO_NULL, &near)))
        return;
    EXPECT_OK(ep_comm_rank(near, &rank));
    EXPECT_OK(ep_comm_size(near, &size));
    for (int i = 0; i < 3 && size > 1; i++) {
        truncate_from_root(near, rank, size, large[i]);
        truncate_to_all(near, rank, size, large[i]);
        still_good(near);
    }
    EXPECT_OK(ep_comm_free(&near));
}

static const harness_test tests[] = {
    {"operators", NULL, operators_alone},   {"types of Fortran 90", types_of_f90, NULL},
    {"not looked at", not_looked_at, NULL}, {"absolute addresses", absolute_addresses, NULL},
    {"truncation", truncation, NULL},       {"nothing", nothing, NULL},
    {"empty types", empty_types, NULL},     {"hint between", hint_between, NULL},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "coll_edges", tests);
}
