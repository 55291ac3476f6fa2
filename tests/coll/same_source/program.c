/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program.c: all collectives in plain MPI. Rank 0 prints a hash of what each rank got in each part: it is the same
 * whether ranks are processes of MPI or endpoints of ep.
 */
#include "same.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 2048, RANKS = 64 };

typedef struct {
    MPI_Comm comm;
    int rank, size, peers; /* peers: ranks that data come from */
    uint64_t hash;
    int *in, *out; /* RANKS * MOST ints each */
    int counts[RANKS], displs[RANKS];
    MPI_Op product;
    MPI_Datatype matrix, spread;
} state;

static void prepare(state *s, int salt)
{
    uint32_t x = (uint32_t)(s->rank * 7919 + salt * 104729 + 1);
    for (int i = 0; i < s->peers * MOST; i++) {
        x = x * 1664525u + 1013904223u;
        s->in[i] = (int)(x >> 12);
        s->out[i] = -1 - i;
    }
}

static void digest(state *s)
{
    for (int i = 0; i < s->peers * MOST; i++)
        s->hash = (s->hash ^ (unsigned)s->out[i]) * 1099511628211u;
}

/* Blocks of other sizes, with holes, not ascending. */
static void vary(state *s, int n)
{
    for (int r = 0; r < s->peers; r++) {
        s->counts[r] = n ? (r * 37 + 5) % n : 0;
        s->displs[r] = (s->peers - 1 - r) * (n + 3);
    }
}

static void move(state *s, int n, int root)
{
    int mine = n ? (s->rank * 37 + 5) % n : 0, p = s->size;
    MPI_Comm c = s->comm;
    vary(s, n);
    prepare(s, n + root);
    memcpy(s->out, s->in, (size_t)n * sizeof(int));
    MPI_Bcast(s->out, n, MPI_INT, root, c);
    digest(s);
    MPI_Gather(s->in, n, MPI_INT, s->out, n, MPI_INT, root, c);
    digest(s);
    MPI_Gatherv(s->in, mine, MPI_INT, s->out, s->counts, s->displs, MPI_INT, root, c);
    digest(s);
    MPI_Scatter(s->in, n, MPI_INT, s->out, n, MPI_INT, root, c);
    digest(s);
    MPI_Scatterv(s->in, s->counts, s->displs, MPI_INT, s->out, mine, MPI_INT, root, c);
    digest(s);
    MPI_Allgather(s->in, n, MPI_INT, s->out, n / 2, s->spread, c);
    digest(s);
    MPI_Allgatherv(s->in, mine, MPI_INT, s->out, s->counts, s->displs, MPI_INT, c);
    digest(s);
    MPI_Alltoall(s->in, n / 2, s->spread, s->out, n, MPI_INT, c);
    digest(s);
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_INT, s->out, n, MPI_INT, c);
    digest(s);
    for (int r = 0; r < p; r++)
        s->counts[r] = (r + s->rank) % (n + 1);
    MPI_Alltoallv(s->in, s->counts, s->displs, MPI_INT, s->out, s->counts, s->displs, MPI_INT, c);
    digest(s);
    MPI_Barrier(c);
}

static void typed(state *s)
{
    MPI_Datatype types[RANKS];
    int out[RANKS], at[RANKS];
    prepare(s, 1);
    for (int r = 0; r < s->size; r++) {
        types[r] = (r + s->rank) % 2 ? s->spread : MPI_INT;
        out[r] = (r + s->rank) % 2 ? 10 : 20;
        at[r] = r * 200;
    }
    MPI_Alltoallw(s->in, out, at, types, s->out, out, at, types, s->comm);
    digest(s);
}

static void combine(state *s, int n, int root)
{
    MPI_Comm c = s->comm;
    prepare(s, n + 100);
    MPI_Reduce(s->in, s->out, n, MPI_UNSIGNED, MPI_SUM, root, c);
    digest(s);
    MPI_Reduce(s->in, s->out, n / 4, s->matrix, s->product, root, c);
    digest(s);
    MPI_Allreduce(s->in, s->out, n, MPI_INT, MPI_MAX, c);
    digest(s);
    MPI_Allreduce(s->in, s->out, n / 4, s->matrix, s->product, c);
    digest(s);
    MPI_Allreduce(MPI_IN_PLACE, s->out, n, MPI_INT, MPI_BXOR, c);
    digest(s);
    MPI_Allreduce(s->in, s->out, n / 2, MPI_2INT, MPI_MINLOC, c);
    digest(s);
    vary(s, n);
    MPI_Reduce_scatter(s->in, s->out, s->counts, MPI_INT, MPI_MIN, c);
    digest(s);
    MPI_Reduce_scatter_block(s->in, s->out, n / 4, s->matrix, s->product, c);
    digest(s);
    MPI_Scan(s->in, s->out, n / 4, s->matrix, s->product, c);
    digest(s);
    memset(s->out, 1, (size_t)n * sizeof(int));
    MPI_Exscan(s->in, s->out, n / 4, s->matrix, s->product, c);
    digest(s);
}

static void nonblocking(state *s, int n, int root)
{
    enum { CALLS = 12 };
    MPI_Request r[CALLS];
    MPI_Comm c = s->comm;
    int *out = s->out, each = n * s->size, k = 0;
    prepare(s, n + 200);
    memcpy(out, s->in, (size_t)n * sizeof(int));
    MPI_Ibcast(out, n, MPI_INT, root, c, &r[k++]);
    MPI_Iallgather(s->in, n, MPI_INT, out += n, n, MPI_INT, c, &r[k++]);
    MPI_Ialltoall(s->in, n, MPI_INT, out += each, n, MPI_INT, c, &r[k++]);
    MPI_Igather(s->in, n, MPI_INT, out += each, n, MPI_INT, root, c, &r[k++]);
    MPI_Iscatter(s->in, n, MPI_INT, out += each, n, MPI_INT, root, c, &r[k++]);
    MPI_Ireduce(s->in, out += n, n, MPI_UNSIGNED, MPI_SUM, root, c, &r[k++]);
    MPI_Iallreduce(s->in, out += n, n / 4, s->matrix, s->product, c, &r[k++]);
    MPI_Ireduce_scatter_block(s->in, out += n, n, MPI_UNSIGNED, MPI_SUM, c, &r[k++]);
    MPI_Iscan(s->in, out += n, n, MPI_UNSIGNED, MPI_SUM, c, &r[k++]);
    MPI_Iexscan(s->in, out += n, n, MPI_INT, MPI_BXOR, c, &r[k++]);
    MPI_Ibarrier(c, &r[k++]);
    MPI_Iallreduce(s->in, out += n, n, MPI_INT, MPI_MIN, c, &r[k++]);
    MPI_Waitall(k, r, MPI_STATUSES_IGNORE);
    digest(s);
}

static void neighbors(state *s)
{
    MPI_Comm grid, graph, world = s->comm;
    int p = s->size, weights[2] = {1, 1}, to[2] = {(s->rank + 1) % p, (s->rank + 3) % p},
        from[2] = {(s->rank + p - 1) % p, (s->rank + p - 3) % p};
    MPI_Request r;
    MPI_Cart_create(world, 2, (int[]){p / 2, 2}, (int[]){1, 0}, 0, &grid);
    MPI_Dist_graph_create_adjacent(world, 2, from, weights, 2, to, weights, MPI_INFO_NULL, 0, &graph);
    prepare(s, 300);
    MPI_Neighbor_allgather(s->in, 50, MPI_INT, s->out, 50, MPI_INT, grid);
    digest(s);
    MPI_Neighbor_alltoall(s->in, 40, MPI_INT, s->out, 40, MPI_INT, grid);
    digest(s);
    MPI_Neighbor_alltoall(s->in, 40, MPI_INT, s->out, 20, s->spread, graph);
    digest(s);
    MPI_Neighbor_alltoallv(s->in, (int[]){5, 7}, (int[]){3, 50}, MPI_INT, s->out, (int[]){5, 7},
                           (int[]){60, 2}, MPI_INT, graph);
    digest(s);
    MPI_Ineighbor_alltoall(s->in, 60, MPI_INT, s->out, 60, MPI_INT, graph, &r);
    MPI_Waitall(1, &r, MPI_STATUSES_IGNORE);
    digest(s);
    MPI_Comm_free(&grid);
    MPI_Comm_free(&graph);
}

/* Even ranks and odd ranks. */
static void across(state *s)
{
    MPI_Comm local, inter, world = s->comm;
    int odd = s->rank % 2, n = 60, size = s->size, rank, root;
    MPI_Comm_split(world, odd, s->rank, &local);
    MPI_Intercomm_create(local, 0, world, !odd, 5, &inter);
    MPI_Comm_rank(inter, &rank);
    MPI_Comm_remote_size(inter, &s->peers);
    prepare(s, 400);
    root = odd ? 1 : rank == 1 ? MPI_ROOT : MPI_PROC_NULL;
    MPI_Bcast(odd ? s->out : s->in, n, MPI_INT, root, inter);
    digest(s);
    MPI_Gather(s->in, n, MPI_INT, s->out, n, MPI_INT, root, inter);
    digest(s);
    MPI_Scatter(s->in, n, MPI_INT, s->out, n, MPI_INT, root, inter);
    digest(s);
    MPI_Reduce(s->in, s->out, n / 4, s->matrix, s->product, root, inter);
    digest(s);
    MPI_Allgather(s->in, n, MPI_INT, s->out, n, MPI_INT, inter);
    digest(s);
    MPI_Alltoall(s->in, n, MPI_INT, s->out, n, MPI_INT, inter);
    digest(s);
    MPI_Allreduce(s->in, s->out, n / 4, s->matrix, s->product, inter);
    digest(s);
    MPI_Barrier(inter);
    s->peers = size;
    MPI_Comm_free(&inter);
    MPI_Comm_free(&local);
}

static void product(void *in, void *inout, int *len, MPI_Datatype *type)
{
    const unsigned *a = in;
    unsigned *b = inout;
    (void)type;
    for (int i = 0; i < *len; i++, a += 4, b += 4) {
        unsigned c[4] = {a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3], a[2] * b[0] + a[3] * b[2],
                         a[2] * b[1] + a[3] * b[3]};
        memcpy(b, c, sizeof c);
    }
}

static void all_kinds(state *s)
{
    static const int sizes[] = {0, 8, 100, 1000};
    for (int i = 0; i < 4; i++)
        for (int root = 0; root < s->size; root += 3) {
            move(s, sizes[i], root);
            combine(s, sizes[i], root);
            nonblocking(s, sizes[i] / 40 * 16, root);
        }
    typed(s);
}

/* What each rank has got since the last time. */
static void report(state *s, const char *name)
{
    unsigned long long mine = s->hash, all[RANKS] = {0};
    MPI_Gather(&mine, 1, MPI_UNSIGNED_LONG_LONG, all, 1, MPI_UNSIGNED_LONG_LONG, 0, s->comm);
    for (int r = 0; r < s->size && s->rank == 0; r++)
        printf("%s, rank %d: %016llx\n", name, r, all[r]);
    s->hash = 14695981039346656037u;
}

static void on_comm(state *s, MPI_Comm c)
{
    s->comm = c;
    MPI_Comm_rank(c, &s->rank);
    MPI_Comm_size(c, &s->size);
    s->peers = s->size;
}

void rank_main(MPI_Comm world)
{
    state s = {.in = malloc(RANKS * MOST * sizeof(int)), .out = malloc(RANKS * MOST * sizeof(int))};
    MPI_Comm turned;
    MPI_Datatype pair;
    MPI_Op_create(product, 0, &s.product);
    MPI_Type_contiguous(4, MPI_INT, &s.matrix);
    MPI_Type_vector(2, 1, 2, MPI_INT, &pair);
    MPI_Type_create_resized(pair, 0, 12, &s.spread);
    MPI_Type_commit(&s.matrix);
    MPI_Type_commit(&s.spread);
    MPI_Type_free(&pair);
    on_comm(&s, world);
    all_kinds(&s);
    report(&s, "world");
    neighbors(&s);
    report(&s, "neighbours");
    across(&s);
    report(&s, "even and odd");
    MPI_Comm_split(world, 0, s.rank * 5 % s.size, &turned);
    on_comm(&s, turned);
    s.hash += (unsigned)s.rank;
    all_kinds(&s);
    report(&s, "turned");
    MPI_Comm_free(&turned);
    MPI_Op_free(&s.product);
    MPI_Type_free(&s.matrix);
    MPI_Type_free(&s.spread);
    free(s.in);
    free(s.out);
}
