/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reproducible.c: with the hint ep_reproducible=true, sums of numbers that are rounded have the bits that a canonical
 * tree gives, whatever the layout: a node of it over n > 1 ranks has on its left the largest power of two below n.
 * Scans add from the left to the right.
 *
 * The last test prints a hash of its results; layouts.sh compares those of several layouts.
 */
#include "area.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 20000, RANKS_MOST = 64 };

/* Numbers of very different sizes and both signs. */
static double number(int rank, int i)
{
    uint64_t x = mix((uint64_t)rank + 1, (uint64_t)i);
    double size = (double)(1u << x % 30) / (double)(1u << x / 64 % 30);
    return ((double)(x >> 20) / 1e12 - 8.0) * size;
}

/* A vector of floats or doubles. */
typedef struct {
    int single;
    MPI_Datatype type;
    void *data;
} vector;

static vector vector_new(int single, int n)
{
    vector v = {single, single ? MPI_FLOAT : MPI_DOUBLE, xmalloc((size_t)n * sizeof(double))};
    memset(v.data, 0, (size_t)n * sizeof(double));
    return v;
}

static void put(const vector *v, int i, double x)
{
    if (v->single)
        ((float *)v->data)[i] = (float)x;
    else
        ((double *)v->data)[i] = x;
}

static double get(const vector *v, int i)
{
    return v->single ? (double)((const float *)v->data)[i] : ((const double *)v->data)[i];
}

static double rounded(int single, double x)
{
    volatile float f = (float)x;
    return single ? (double)f : x;
}

/* What ranks [first, first + n) give for element i. */
static double tree(int single, int first, int n, int i)
{
    if (n == 1)
        return rounded(single, number(first, i));
    int left = 1;
    while (2 * left < n)
        left *= 2;
    return rounded(single, tree(single, first, left, i) + tree(single, first + left, n - left, i));
}

static double line(int single, int n, int i)
{
    double sum = rounded(single, number(0, i));
    for (int r = 1; r < n; r++)
        sum = rounded(single, sum + rounded(single, number(r, i)));
    return sum;
}

/* Elements [first, first + n) of the sum are in v. */
static void expect_tree(const vector *v, int first, int n, int size)
{
    for (int i = 0; i < n; i++)
        if (get(v, i) != tree(v->single, 0, size, first + i)) {
            EXPECT_EQ(i, n); /* the first that is wrong */
            return;
        }
}

static void expect_line(const vector *v, int n, int ranks)
{
    for (int i = 0; i < n; i++)
        if (get(v, i) != line(v->single, ranks, i)) {
            EXPECT_EQ(i, n);
            return;
        }
}

static void sums(ep_comm c, int rank, int size, const vector *in, vector *out, int n)
{
    ep_request r;
    EXPECT_OK(ep_allreduce(in->data, out->data, n, in->type, MPI_SUM, c));
    expect_tree(out, 0, n, size);
    memcpy(out->data, in->data, (size_t)n * sizeof(double));
    EXPECT_OK(ep_iallreduce(MPI_IN_PLACE, out->data, n, in->type, MPI_SUM, c, &r));
    EXPECT_OK(ep_wait(&r, EP_STATUS_IGNORE));
    expect_tree(out, 0, n, size);
    for (int root = 0; root < size; root += n < 100 || size < 3 ? 1 : size - 1) {
        EXPECT_OK(ep_reduce(in->data, out->data, n, in->type, MPI_SUM, root, c));
        if (rank == root)
            expect_tree(out, 0, n, size);
    }
}

static void scattered(ep_comm c, int rank, int size, const vector *in, vector *out, int n)
{
    int counts[RANKS_MOST], first = 0, each = n / size;
    EXPECT_OK(ep_reduce_scatter_block(in->data, out->data, each, in->type, MPI_SUM, c));
    expect_tree(out, rank * each, each, size);
    for (int r = 0; r < size; r++) {
        counts[r] = r == size - 1 ? n - first : (int)(mix((uint64_t)r, 3) % (unsigned)(each + 1));
        first += counts[r];
    }
    EXPECT_OK(ep_reduce_scatter(in->data, out->data, counts, in->type, MPI_SUM, c));
    first = 0;
    for (int r = 0; r < rank; r++)
        first += counts[r];
    expect_tree(out, first, counts[rank], size);
}

static void scans(ep_comm c, int rank, const vector *in, vector *out, int n)
{
    EXPECT_OK(ep_scan(in->data, out->data, n, in->type, MPI_SUM, c));
    expect_line(out, n, rank + 1);
    EXPECT_OK(ep_exscan(in->data, out->data, n, in->type, MPI_SUM, c));
    if (rank)
        expect_line(out, n, rank);
}

static void all_sums(ep_comm c)
{
    static const int counts[] = {1, 9, 130, 1500, MOST};
    int rank = -1, size = 0;
    EXPECT_OK(ep_comm_rank(c, &rank));
    EXPECT_OK(ep_comm_size(c, &size));
    for (int k = 0; k < 10; k++) {
        int n = counts[k / 2];
        vector in = vector_new(k % 2, n), out = vector_new(k % 2, n);
        for (int i = 0; i < n; i++)
            put(&in, i, number(rank, i));
        sums(c, rank, size, &in, &out, n);
        scattered(c, rank, size, &in, &out, n);
        scans(c, rank, &in, &out, n);
        free(in.data);
        free(out.data);
    }
}

/* Ranks in order, and in other orders. */
static void orders(team_t *t, void *arg)
{
    const int keys[4] = {0, -t->rank, t->index, (int)(mix(5, (uint64_t)t->rank) % 1000)};
    for (int i = 0; i < 4; i++) {
        ep_comm turned = EP_COMM_NULL, c = EP_COMM_NULL;
        EXPECT_OK(ep_comm_split(t->comm, 0, keys[i], &turned));
        EXPECT_OK(ep_comm_dup_with_info(turned, *(MPI_Info *)arg, &c));
        all_sums(c);
        EXPECT_OK(ep_comm_free(&turned));
        EXPECT_OK(ep_comm_free(&c));
    }
}

/* Of all results of a sum, in bits, and of its parts. */
static void hashed(team_t *t, void *arg)
{
    enum { N = 3000 };
    ep_comm c = EP_COMM_NULL;
    double in[N], out[N], part[N];
    uint64_t hash = 0, bits;
    EXPECT_OK(ep_comm_dup_with_info(t->comm, *(MPI_Info *)arg, &c));
    for (int i = 0; i < N; i++)
        in[i] = number(t->rank, i);
    EXPECT_OK(ep_allreduce(in, out, N, MPI_DOUBLE, MPI_SUM, c));
    EXPECT_OK(ep_scan(in, part, N, MPI_DOUBLE, MPI_SUM, c));
    EXPECT_OK(ep_bcast(part, N, MPI_DOUBLE, t->size - 1, c));
    for (int i = 0; i < N; i++) {
        memcpy(&bits, &out[i], sizeof bits);
        hash = mix(hash, bits);
        memcpy(&bits, &part[i], sizeof bits);
        hash = mix(hash, bits);
    }
    if (t->rank == 0)
        printf("hash %d %016llx\n", t->size, (unsigned long long)hash);
    EXPECT_OK(ep_comm_free(&c));
}

static void with_hint(team_body *body)
{
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "ep_reproducible", "true");
    team_run(body, &info);
    MPI_Info_free(&info);
}

static void run_orders(void)
{
    with_hint(orders);
}

static void run_hashed(void)
{
    with_hint(hashed);
}

static const harness_test tests[] = {
    {"orders", NULL, run_orders},
    {"hashed", NULL, run_hashed},
};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "reproducible", tests);
}
