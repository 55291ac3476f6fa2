/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory runs out in collective calls. Who gets success has the right data. */
#include "trial.h"

#include <stdlib.h>
#include <string.h>

enum { SHORT = 1, MIDDLE = 300, LARGE = 40000 }; /* elements: a flag slot, one message, several segments */

struct buffers {
    int n;
    long *in, *out; /* n elements for each rank */
};

static struct buffers begin(const struct trial *x, int n)
{
    size_t bytes = (size_t)n * (size_t)x->size * sizeof(long);
    struct buffers b = {n, xmalloc(bytes), xmalloc(bytes)};
    for (int i = 0; i < n * x->size; i++)
        b.in[i] = 1000000L * x->rank + i;
    memset(b.out, 0xff, bytes);
    return b;
}

static int end(struct buffers *b, int rc)
{
    free(b->in);
    free(b->out);
    return rc;
}

/* out[at + i] is what rank brought in in[from + i]. */
static void check_copy(struct trial *x, const struct buffers *b, int at, int rank, int from)
{
    for (int i = 0; i < b->n; i++)
        if (b->out[at + i] != 1000000L * rank + from + i) {
            wrong_if(x, true, "data are wrong");
            return;
        }
}

/* out[i] is the sum of in[from + i] of the ranks below n. */
static void check_sum(struct trial *x, const struct buffers *b, int n, int from)
{
    for (int i = 0; i < b->n; i++)
        if (b->out[i] != 1000000L * n * (n - 1) / 2 + (long)n * (from + i)) {
            wrong_if(x, true, "the sum is wrong");
            return;
        }
}

/* Every other element, in memory of which the elements between stay. */
static MPI_Datatype scattered(int n)
{
    MPI_Datatype type;
    MPI_Type_vector(n, 1, 2, MPI_LONG, &type);
    MPI_Type_commit(&type);
    return type;
}

static int finish(struct trial *x, int rc, ep_request *request)
{
    int got = rc;
    if (rc == MPI_SUCCESS)
        note(x, &got, ep_wait(request, EP_STATUS_IGNORE));
    return got;
}

/* ---- the calls, blocking and not ---- */

static int barrier(struct trial *x)
{
    int rc = MPI_SUCCESS;
    note(x, &rc, ep_barrier(x->comm));
    return rc;
}

static int ibarrier(struct trial *x)
{
    ep_request r;
    int rc = MPI_SUCCESS;
    note(x, &rc, ep_ibarrier(x->comm, &r));
    return finish(x, rc, &r);
}

static int bcast(struct trial *x, int n, bool later)
{
    struct buffers b = begin(x, n);
    ep_request r;
    int rc = MPI_SUCCESS, root = x->size - 1;
    memcpy(b.out, b.in, (size_t)n * sizeof(long));
    note(x, &rc, later ? ep_ibcast(b.out, n, MPI_LONG, root, x->comm, &r) : ep_bcast(b.out, n, MPI_LONG, root, x->comm));
    if (later)
        rc = finish(x, rc, &r);
    if (rc == MPI_SUCCESS)
        check_copy(x, &b, 0, root, 0);
    return end(&b, rc);
}

static int bcast_scattered(struct trial *x, bool later)
{
    struct buffers b = begin(x, 2 * LARGE);
    MPI_Datatype type = scattered(LARGE);
    ep_request r;
    int rc = MPI_SUCCESS, root = x->size - 1;
    note(x, &rc, later ? ep_ibcast(b.in, 1, type, root, x->comm, &r) : ep_bcast(b.in, 1, type, root, x->comm));
    if (later)
        rc = finish(x, rc, &r);
    for (int i = 0; i < LARGE && rc == MPI_SUCCESS; i++) {
        wrong_if(x, b.in[2 * i] != 1000000L * root + 2 * i, "data are wrong");
        wrong_if(x, b.in[2 * i + 1] != 1000000L * x->rank + 2 * i + 1, "gaps were written to");
    }
    MPI_Type_free(&type);
    return end(&b, rc);
}

static int allreduce(struct trial *x, int n, bool later, bool in_place)
{
    struct buffers b = begin(x, n);
    ep_request r;
    int rc = MPI_SUCCESS;
    const void *in = in_place ? MPI_IN_PLACE : b.in;
    memcpy(b.out, b.in, (size_t)n * sizeof(long));
    note(x, &rc,
         later ? ep_iallreduce(in, b.out, n, MPI_LONG, MPI_SUM, x->comm, &r)
               : ep_allreduce(in, b.out, n, MPI_LONG, MPI_SUM, x->comm));
    if (later)
        rc = finish(x, rc, &r);
    if (rc == MPI_SUCCESS)
        check_sum(x, &b, x->size, 0);
    return end(&b, rc);
}

static int reduce(struct trial *x, int n, int root, bool later)
{
    struct buffers b = begin(x, n);
    ep_request r;
    int rc = MPI_SUCCESS;
    note(x, &rc,
         later ? ep_ireduce(b.in, b.out, n, MPI_LONG, MPI_SUM, root, x->comm, &r)
               : ep_reduce(b.in, b.out, n, MPI_LONG, MPI_SUM, root, x->comm));
    if (later)
        rc = finish(x, rc, &r);
    if (rc == MPI_SUCCESS && x->rank == root)
        check_sum(x, &b, x->size, 0);
    return end(&b, rc);
}

static int scan(struct trial *x, int n, bool later, bool exclusive)
{
    struct buffers b = begin(x, n);
    ep_request r;
    int rc = MPI_SUCCESS;
    if (exclusive)
        note(x, &rc,
             later ? ep_iexscan(b.in, b.out, n, MPI_LONG, MPI_SUM, x->comm, &r)
                   : ep_exscan(b.in, b.out, n, MPI_LONG, MPI_SUM, x->comm));
    else
        note(x, &rc,
             later ? ep_iscan(b.in, b.out, n, MPI_LONG, MPI_SUM, x->comm, &r)
                   : ep_scan(b.in, b.out, n, MPI_LONG, MPI_SUM, x->comm));
    if (later)
        rc = finish(x, rc, &r);
    if (rc == MPI_SUCCESS && (!exclusive || x->rank > 0))
        check_sum(x, &b, x->rank + !exclusive, 0);
    return end(&b, rc);
}

static int reduce_scatter(struct trial *x, int n, bool later, bool in_place)
{
    struct buffers b = begin(x, n);
    ep_request r;
    int rc = MPI_SUCCESS;
    const void *in = in_place ? MPI_IN_PLACE : b.in;
    memcpy(b.out, b.in, (size_t)n * (size_t)x->size * sizeof(long));
    note(x, &rc,
         later ? ep_ireduce_scatter_block(in, b.out, n, MPI_LONG, MPI_SUM, x->comm, &r)
               : ep_reduce_scatter_block(in, b.out, n, MPI_LONG, MPI_SUM, x->comm));
    if (later)
        rc = finish(x, rc, &r);
    if (rc == MPI_SUCCESS)
        check_sum(x, &b, x->size, x->rank * n);
    return end(&b, rc);
}

static int allgather(struct trial *x, int n, bool later)
{
    struct buffers b = begin(x, n);
    ep_request r;
    int rc = MPI_SUCCESS;
    note(x, &rc,
         later ? ep_iallgather(b.in, n, MPI_LONG, b.out, n, MPI_LONG, x->comm, &r)
               : ep_allgather(b.in, n, MPI_LONG, b.out, n, MPI_LONG, x->comm));
    if (later)
        rc = finish(x, rc, &r);
    for (int p = 0; p < x->size && rc == MPI_SUCCESS; p++)
        check_copy(x, &b, p * n, p, 0);
    return end(&b, rc);
}

static int alltoall(struct trial *x, int n, bool later, bool in_place)
{
    struct buffers b = begin(x, n);
    ep_request r;
    int rc = MPI_SUCCESS;
    const void *in = in_place ? MPI_IN_PLACE : b.in;
    memcpy(b.out, b.in, (size_t)n * (size_t)x->size * sizeof(long));
    note(x, &rc,
         later ? ep_ialltoall(in, n, MPI_LONG, b.out, n, MPI_LONG, x->comm, &r)
               : ep_alltoall(in, n, MPI_LONG, b.out, n, MPI_LONG, x->comm));
    if (later)
        rc = finish(x, rc, &r);
    for (int p = 0; p < x->size && rc == MPI_SUCCESS; p++)
        check_copy(x, &b, p * n, p, x->rank * n);
    return end(&b, rc);
}

static int alltoallw(struct trial *x, int n, bool in_place)
{
    struct buffers b = begin(x, n);
    int rc = MPI_SUCCESS, counts[64], displs[64];
    MPI_Datatype types[64];
    const void *in = in_place ? MPI_IN_PLACE : b.in;
    for (int p = 0; p < x->size; p++) {
        counts[p] = n;
        displs[p] = p * n * (int)sizeof(long);
        types[p] = MPI_LONG;
    }
    memcpy(b.out, b.in, (size_t)n * (size_t)x->size * sizeof(long));
    note(x, &rc, ep_alltoallw(in, counts, displs, types, b.out, counts, displs, types, x->comm));
    for (int p = 0; p < x->size && rc == MPI_SUCCESS; p++)
        check_copy(x, &b, p * n, p, x->rank * n);
    return end(&b, rc);
}

static int gather(struct trial *x, int n, int root)
{
    struct buffers b = begin(x, n);
    int rc = MPI_SUCCESS;
    note(x, &rc, ep_gather(b.in, n, MPI_LONG, b.out, n, MPI_LONG, root, x->comm));
    for (int p = 0; p < x->size && rc == MPI_SUCCESS && x->rank == root; p++)
        check_copy(x, &b, p * n, p, 0);
    return end(&b, rc);
}

static int scatter(struct trial *x, int n, int root)
{
    struct buffers b = begin(x, n);
    int rc = MPI_SUCCESS;
    note(x, &rc, ep_scatter(b.in, n, MPI_LONG, b.out, n, MPI_LONG, root, x->comm));
    if (rc == MPI_SUCCESS)
        check_copy(x, &b, 0, root, x->rank * n);
    return end(&b, rc);
}

/* A type whose elements lie apart goes another way (coll/reduce/exchange.c). */
static void add_pairs(void *in, void *out, int *n, MPI_Datatype *type)
{
    long *from = in, *to = out;
    (void)type;
    for (int i = 0; i < *n; i++, from += 3, to += 3) {
        to[0] += from[0];
        to[1] += from[1];
    }
}

static int reduce_pairs(struct trial *x, int which)
{
    enum { N = 3000 };
    static const char *const what[] = {"allreduce of pairs", "scan of pairs"};
    MPI_Datatype two, pair;
    MPI_Op op;
    int rc = MPI_SUCCESS, n = which ? x->rank + 1 : x->size;
    long *in = xmalloc(3 * N * sizeof *in), *out = xmalloc(3 * N * sizeof *out);
    for (int i = 0; i < 3 * N; i++)
        in[i] = 1000L * x->rank + i;
    MPI_Type_contiguous(2, MPI_LONG, &two);
    MPI_Type_create_resized(two, 0, 3 * sizeof(long), &pair);
    MPI_Type_commit(&pair);
    MPI_Type_free(&two);
    MPI_Op_create(add_pairs, 1, &op);
    note(x, &rc, which ? ep_scan(in, out, N, pair, op, x->comm) : ep_allreduce(in, out, N, pair, op, x->comm));
    for (int i = 0; i < 3 * N && rc == MPI_SUCCESS; i++)
        if (i % 3 != 2 && out[i] != 1000L * n * (n - 1) / 2 + (long)n * i) {
            wrong_if(x, true, what[which]);
            break;
        }
    ep_op_free(&op);
    MPI_Type_free(&pair);
    free(in);
    free(out);
    return rc;
}

/* A ring: each rank gets from both sides. */
static int neighbours(struct trial *x, int n, bool later)
{
    struct buffers b = begin(x, n);
    int rc = MPI_SUCCESS, periodic = 1, left = (x->rank + x->size - 1) % x->size, right = (x->rank + 1) % x->size;
    ep_comm ring;
    ep_request r;
    trial_quiet(x); /* making it is another scenario */
    if (ep_cart_create(x->comm, 1, &x->size, &periodic, 0, &ring) != MPI_SUCCESS) {
        wrong_if(x, true, "no ring");
        return end(&b, MPI_SUCCESS);
    }
    trial_arm(x);
    note(x, &rc,
         later ? ep_ineighbor_allgather(b.in, n, MPI_LONG, b.out, n, MPI_LONG, ring, &r)
               : ep_neighbor_allgather(b.in, n, MPI_LONG, b.out, n, MPI_LONG, ring));
    if (later)
        rc = finish(x, rc, &r);
    if (rc == MPI_SUCCESS) {
        check_copy(x, &b, 0, left, 0);
        check_copy(x, &b, n, right, 0);
    }
    trial_quiet(x);
    wrong_if(x, ep_comm_free(&ring) != MPI_SUCCESS, "the ring cannot be freed");
    return end(&b, rc);
}

#define BOTH(name, call)                                                                                     \
    static int name(struct trial *x)                                                                         \
    {                                                                                                        \
        return call;                                                                                         \
    }
BOTH(bcast_short, bcast(x, SHORT, false))
BOTH(bcast_middle, bcast(x, MIDDLE, false))
BOTH(ibcast_large, bcast(x, LARGE, true))
BOTH(bcast_typed, bcast_scattered(x, false))
BOTH(ibcast_typed, bcast_scattered(x, true))
BOTH(allreduce_short, allreduce(x, SHORT, false, false))
BOTH(allreduce_middle, allreduce(x, MIDDLE, false, false))
BOTH(allreduce_large, allreduce(x, LARGE, false, false))
BOTH(iallreduce_in_place, allreduce(x, LARGE, true, true))
BOTH(reduce_short, reduce(x, SHORT, x->size - 1, false))
BOTH(reduce_large, reduce(x, LARGE, 1, false))
BOTH(ireduce, reduce(x, MIDDLE, x->size - 1, true))
BOTH(scan_middle, scan(x, MIDDLE, false, false))
BOTH(iscan_large, scan(x, LARGE, true, false))
BOTH(exscan_large, scan(x, LARGE, false, true))
BOTH(reduce_scatter_middle, reduce_scatter(x, MIDDLE, false, true))
BOTH(ireduce_scatter, reduce_scatter(x, 8000, true, false))
BOTH(allgather_short, allgather(x, SHORT, false))
BOTH(allgather_middle, allgather(x, MIDDLE, false))
BOTH(iallgather_large, allgather(x, LARGE, true))
BOTH(alltoall_short, alltoall(x, SHORT, false, false))
BOTH(alltoall_in_place, alltoall(x, MIDDLE, false, true))
BOTH(alltoall_in_place_short, alltoall(x, SHORT, false, true))
BOTH(ialltoall_large, alltoall(x, LARGE, true, false))
BOTH(alltoallw_middle, alltoallw(x, MIDDLE, false))
BOTH(alltoallw_in_place, alltoallw(x, MIDDLE, true))
BOTH(gather_middle, gather(x, MIDDLE, 1))
BOTH(gather_large, gather(x, LARGE, x->size - 1))
BOTH(scatter_middle, scatter(x, MIDDLE, 1))
BOTH(scatter_large, scatter(x, LARGE, x->size - 1))
BOTH(allreduce_pairs, reduce_pairs(x, 0))
BOTH(scan_pairs, reduce_pairs(x, 1))
BOTH(neighbors_short, neighbours(x, SHORT, false))
BOTH(ineighbors_large, neighbours(x, LARGE, true))

static const struct scenario list[] = {{.name = "barrier", .run = barrier},
                                       {.name = "ibarrier", .run = ibarrier},
                                       {.name = "bcast short", .run = bcast_short},
                                       {.name = "bcast", .run = bcast_middle},
                                       {.name = "ibcast large", .run = ibcast_large},
                                       {.name = "bcast scattered", .run = bcast_typed},
                                       {.name = "ibcast scattered", .run = ibcast_typed},
                                       {.name = "allreduce short", .run = allreduce_short},
                                       {.name = "allreduce", .run = allreduce_middle},
                                       {.name = "allreduce large", .run = allreduce_large},
                                       {.name = "iallreduce in place", .run = iallreduce_in_place},
                                       {.name = "reduce short", .run = reduce_short},
                                       {.name = "reduce large", .run = reduce_large},
                                       {.name = "ireduce", .run = ireduce},
                                       {.name = "scan", .run = scan_middle},
                                       {.name = "iscan large", .run = iscan_large},
                                       {.name = "exscan large", .run = exscan_large},
                                       {.name = "reduce_scatter in place", .run = reduce_scatter_middle},
                                       {.name = "ireduce_scatter", .run = ireduce_scatter},
                                       {.name = "allgather short", .run = allgather_short},
                                       {.name = "allgather", .run = allgather_middle},
                                       {.name = "iallgather large", .run = iallgather_large},
                                       {.name = "alltoall short", .run = alltoall_short},
                                       {.name = "alltoall in place", .run = alltoall_in_place},
                                       {.name = "alltoall short in place", .run = alltoall_in_place_short},
                                       {.name = "ialltoall large", .run = ialltoall_large},
                                       {.name = "alltoallw", .run = alltoallw_middle},
                                       {.name = "alltoallw in place", .run = alltoallw_in_place},
                                       {.name = "gather", .run = gather_middle},
                                       {.name = "gather large", .run = gather_large},
                                       {.name = "scatter", .run = scatter_middle},
                                       {.name = "scatter large", .run = scatter_large},
                                       {.name = "allreduce of pairs", .run = allreduce_pairs},
                                       {.name = "scan of pairs", .run = scan_pairs},
                                       {.name = "neighbors", .run = neighbors_short},
                                       {.name = "ineighbors large", .run = ineighbors_large}};

static void all(void)
{
    TRIALS(list);
}

static const harness_test tests[] = {{"collectives", NULL, all}};

int main(int argc, char **argv)
{
    return HARNESS_MAIN(argc, argv, "alloc collectives", tests);
}
