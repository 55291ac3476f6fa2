/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives through the team's communicator. */
#include <stdlib.h>

#include "coll/coll.h"
#include "shmem/coll.h"

static int through_run(const struct shmem_coll *c, const struct call *call)
{
    int rc = coll_run((struct where){c->team->comm, c->call}, call, NULL);
    return rc == MPI_SUCCESS ? 0 : spot_tell((struct pe_spot){c->pe, c->call}, rc);
}

static struct blocks through_bytes(enum form form, const void *at, size_t bytes)
{
    return (struct blocks){.form = form,
                           .buf = (char *)(uintptr_t)at,
                           .count = bytes,
                           .type = type_find(MPI_BYTE),
                           .mpi = MPI_BYTE};
}

int through_sync(const struct shmem_coll *c)
{
    return through_run(c, &(struct call){.name = c->call, .kind = COLL_BARRIER});
}

int through_broadcast(const struct shmem_coll *c)
{
    struct call call = {.name = c->call, .kind = COLL_BCAST, .root = c->root};
    broadcast_at_root(c);
    if (c->root == c->team->me)
        call.send = through_bytes(FORM_WHOLE, c->source, c->bytes);
    else
        call.recv = through_bytes(FORM_WHOLE, c->dest, c->bytes);
    return through_run(c, &call);
}

int through_fcollect(const struct shmem_coll *c)
{
    return through_run(c, &(struct call){.name = c->call,
                                         .kind = COLL_ALLGATHER,
                                         .send = through_bytes(FORM_WHOLE, c->source, c->bytes),
                                         .recv = through_bytes(FORM_EQUAL, c->dest, c->bytes)});
}

/* ---- collect ---- */

/* Do all have memory? */
static int through_agree(const struct shmem_coll *c, bool ok)
{
    int mine = ok, all = 0;
    struct type *type = type_find(MPI_INT);
    struct call call = {
        .name = c->call,
        .kind = COLL_ALLREDUCE,
        .send = {.form = FORM_WHOLE, .buf = (char *)&mine, .count = 1, .type = type, .mpi = MPI_INT},
        .recv = {.form = FORM_WHOLE, .buf = (char *)&all, .count = 1, .type = type, .mpi = MPI_INT},
        .op = MPI_MIN};
    int rc = through_run(c, &call);
    if (rc != MPI_SUCCESS || all)
        return rc;
    return pe_error(c->pe, c->call, MPI_ERR_NO_MEM, "a PE has no memory for the operation");
}

/* What each brings, into sizes. */
static int through_sizes(const struct shmem_coll *c, uint64_t *sizes)
{
    uint64_t mine = c->bytes;
    return through_run(c, &(struct call){.name = c->call,
                                         .kind = COLL_ALLGATHER,
                                         .send = through_bytes(FORM_WHOLE, &mine, sizeof mine),
                                         .recv = through_bytes(FORM_EQUAL, sizes, sizeof mine)});
}

/* blocks: room for them, which the call takes over. */
static int through_gather(const struct shmem_coll *c, const uint64_t *sizes, struct span *blocks)
{
    size_t all = 0;
    for (int i = 0; i < c->team->members.n; i++) {
        blocks[i] = (struct span){c->dest + all, sizes[i], type_find(MPI_BYTE), MPI_BYTE};
        all += sizes[i];
    }
    struct call call = {.name = c->call,
                        .kind = COLL_ALLGATHER,
                        .varying = true,
                        .send = through_bytes(FORM_WHOLE, c->source, c->bytes),
                        .recv = {.form = FORM_TYPED, .typed = blocks}};
    if (!collect_fits(c, all)) {
        reserve_free(blocks);
        return MPI_ERR_BUFFER;
    }
    return through_run(c, &call);
}

int through_collect(const struct shmem_coll *c)
{
    size_t n = (size_t)c->team->members.n;
    uint64_t *sizes = reserve_malloc(n * sizeof *sizes);
    struct span *blocks = reserve_malloc(n * sizeof *blocks);
    int rc = through_agree(c, sizes && blocks);
    if (rc == MPI_SUCCESS)
        rc = through_sizes(c, sizes);
    if (rc == MPI_SUCCESS)
        rc = through_gather(c, sizes, blocks);
    else
        reserve_free(blocks);
    reserve_free(sizes);
    return rc;
}

/* ---- alltoall ---- */

int through_alltoall(const struct shmem_coll *c)
{
    return through_run(c, &(struct call){.name = c->call,
                                         .kind = COLL_ALLTOALL,
                                         .send = through_bytes(FORM_EQUAL, c->source, c->bytes),
                                         .recv = through_bytes(FORM_EQUAL, c->dest, c->bytes)});
}

/* What is sent is packed, as what comes is. */
int through_alltoalls(const struct shmem_coll *c)
{
    size_t n = (size_t)c->team->members.n * c->nelems, bytes = n * c->width;
    ptrdiff_t width = (ptrdiff_t)c->width;
    char *packed = malloc(2 * bytes + 1);
    int rc = through_agree(c, packed);
    if (rc == MPI_SUCCESS) {
        struct shmem_coll dense = *c;
        copy_strided(packed, width, c->source, c->sst * width, n, c->width);
        dense.source = packed;
        dense.dest = packed + bytes;
        rc = through_alltoall(&dense);
    }
    if (rc == MPI_SUCCESS)
        copy_strided(c->dest, c->dst * width, packed + bytes, width, n, c->width);
    free(packed);
    return rc;
}

/* ---- reductions ---- */

int through_reduce(const struct shmem_coll *c)
{
    MPI_Op ops[] = {MPI_BAND, MPI_BOR, MPI_BXOR, MPI_MIN, MPI_MAX, MPI_SUM, MPI_PROD};
    struct blocks result = {
        .form = FORM_WHOLE, .buf = c->dest, .count = c->nelems, .type = type_find(c->type), .mpi = c->type};
    struct call call = {.name = c->call,
                        .kind = COLL_ALLREDUCE,
                        .in_place = c->dest == c->source,
                        .send = result,
                        .recv = result,
                        .op = ops[c->op]};
    call.send.buf = (char *)(uintptr_t)c->source;
    return through_run(c, &call);
}
