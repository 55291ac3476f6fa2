/* SPDX-License-Identifier: BSD-3-Clause */
/* The collective functions: their arguments, and who does them. */
#include "shmem/coll.h"

/* ---- checks ---- */

/* Find the team; it has its communicator then. False after an error. */
static bool coll_begin(struct shmem_coll *c, shmem_team_t team)
{
    c->pe = pe_here(c->call);
    c->team = c->pe ? team_find_open((struct pe_spot){c->pe, c->call}, team) : NULL;
    return c->team;
}

/* Symmetric memory, which is looked at only where there are data in it. */
static bool coll_has(const struct shmem_coll *c, const void *at, size_t bytes, const char *argument)
{
    return bytes == 0 || pe_is_symmetric(c->pe, at, bytes, argument, c->call);
}

/* Dest and source of a call that must not have data in both. same: they may be one. */
static bool coll_are_apart(const struct shmem_coll *c, size_t dest_bytes, size_t source_bytes, bool same)
{
    const char *dest = c->dest, *source = c->source;
    if (dest_bytes == 0 || source_bytes == 0 || dest + dest_bytes <= source ||
        source + source_bytes <= dest || (same && dest == source))
        return true;
    pe_error(c->pe, c->call, MPI_ERR_BUFFER, "arguments dest and source overlap, which they must not");
    return false;
}

static bool coll_check(const struct shmem_coll *c, size_t dest_bytes, size_t source_bytes, bool same)
{
    return coll_has(c, c->dest, dest_bytes, "dest") && coll_has(c, c->source, source_bytes, "source") &&
           coll_are_apart(c, dest_bytes, source_bytes, same);
}

bool collect_fits(const struct shmem_coll *c, size_t bytes)
{
    return coll_check(c, bytes, c->bytes, false);
}

void copy_strided(char *to, ptrdiff_t to_step, const char *from, ptrdiff_t from_step, size_t n, size_t width)
{
    for (size_t i = 0; i < n; i++, to += to_step, from += from_step)
        if (width == 8)
            memcpy(to, from, 8);
        else if (width == 4)
            memcpy(to, from, 4);
        else
            memcpy(to, from, width);
}

/* ---- calls ---- */

int ep_shmem_sync(shmem_team_t team, bool complete, const char *call)
{
    struct shmem_coll c = {.call = call};
    if (!coll_begin(&c, team))
        return MPI_ERR_ARG;
    if (complete)
        pe_quiet(c.pe);
    if (unlikely(!c.team->sync.used))
        return through_sync(&c);
    direct_sync(c.team, call);
    return 0;
}

int ep_shmem_broadcast(shmem_team_t team, void *dest, const void *source, size_t bytes, int root,
                       bool at_root, const char *call)
{
    struct shmem_coll c = {.call = call, .dest = dest, .source = source, .bytes = bytes, .root = root};
    if (!coll_begin(&c, team))
        return MPI_ERR_ARG;
    if ((unsigned)root >= (unsigned)c.team->members.n)
        return pe_error(c.pe, call, MPI_ERR_ROOT, "argument PE_root is %d: it must be in 0..%d", root,
                        c.team->members.n - 1);
    bool is_root = root == c.team->me;
    if ((is_root && !coll_has(&c, source, bytes, "source")) ||
        ((!is_root || at_root) && !coll_has(&c, dest, bytes, "dest")))
        return MPI_ERR_BUFFER;
    c.at_root = is_root && at_root;
    if (unlikely(!c.team->sync.used))
        return through_broadcast(&c);
    direct_broadcast(&c);
    return 0;
}

int ep_shmem_collect(shmem_team_t team, void *dest, const void *source, size_t bytes, const char *call)
{
    struct shmem_coll c = {.call = call, .dest = dest, .source = source, .bytes = bytes};
    if (!coll_begin(&c, team))
        return MPI_ERR_ARG;
    if (!coll_check(&c, bytes, bytes, false))
        return MPI_ERR_BUFFER;
    return likely(c.team->sync.used) ? direct_collect(&c) : through_collect(&c);
}

int ep_shmem_fcollect(shmem_team_t team, void *dest, const void *source, size_t bytes, const char *call)
{
    struct shmem_coll c = {.call = call, .dest = dest, .source = source, .bytes = bytes};
    if (!coll_begin(&c, team))
        return MPI_ERR_ARG;
    if (!coll_check(&c, bytes_of((size_t)c.team->members.n, bytes), bytes, false))
        return MPI_ERR_BUFFER;
    if (unlikely(!c.team->sync.used))
        return through_fcollect(&c);
    direct_fcollect(&c);
    return 0;
}

int ep_shmem_alltoall(shmem_team_t team, void *dest, const void *source, size_t bytes, const char *call)
{
    struct shmem_coll c = {.call = call, .dest = dest, .source = source, .bytes = bytes};
    if (!coll_begin(&c, team))
        return MPI_ERR_ARG;
    size_t all = bytes_of((size_t)c.team->members.n, bytes);
    if (!coll_check(&c, all, all, false))
        return MPI_ERR_BUFFER;
    if (unlikely(!c.team->sync.used))
        return through_alltoall(&c);
    direct_alltoall(&c);
    return 0;
}

/* From the first of n elements to behind the last. */
static size_t strided_bytes(size_t n, ptrdiff_t stride, size_t width)
{
    size_t last = n ? bytes_of(bytes_of(n - 1, (size_t)stride), width) : 0;
    return n == 0 ? 0 : last > SIZE_MAX - width ? SIZE_MAX : last + width;
}

int ep_shmem_alltoalls(shmem_team_t team, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst,
                       size_t nelems, size_t width, const char *call)
{
    struct shmem_coll c = {.call = call, .dest = dest, .source = source, .dst = dst, .sst = sst};
    if (!coll_begin(&c, team))
        return MPI_ERR_ARG;
    if (dst < 1 || sst < 1)
        return pe_error(c.pe, call, MPI_ERR_ARG, "argument %s is %td: it must be 1 or more",
                        dst < 1 ? "dst" : "sst", dst < 1 ? dst : sst);
    size_t n = bytes_of((size_t)c.team->members.n, nelems);
    if (!coll_check(&c, strided_bytes(n, dst, width), strided_bytes(n, sst, width), false))
        return MPI_ERR_BUFFER;
    c.nelems = nelems;
    c.width = width;
    c.bytes = nelems * width;
    if (unlikely(!c.team->sync.used))
        return through_alltoalls(&c);
    direct_alltoall(&c);
    return 0;
}

static arith_kernel *reduce_kernel(MPI_Datatype type, enum shmem_reduce op)
{
    static const enum arith_op ops[] = {
        [SHMEM_REDUCE_AND] = ARITH_BAND, [SHMEM_REDUCE_OR] = ARITH_BOR,  [SHMEM_REDUCE_XOR] = ARITH_BXOR,
        [SHMEM_REDUCE_MIN] = ARITH_MIN,  [SHMEM_REDUCE_MAX] = ARITH_MAX, [SHMEM_REDUCE_SUM] = ARITH_SUM,
        [SHMEM_REDUCE_PROD] = ARITH_PROD};
    uint16_t code;
    const struct arith_type *t = arith_type_of(type, &code);
    return t ? t->kernels[ops[op]] : NULL;
}

int ep_shmem_reduce(shmem_team_t team, void *dest, const void *source, size_t nreduce, MPI_Datatype type,
                    enum shmem_reduce op, const char *call)
{
    struct shmem_coll c = {
        .call = call, .dest = dest, .source = source, .nelems = nreduce, .type = type, .op = op};
    if (!coll_begin(&c, team))
        return MPI_ERR_ARG;
    c.kernel = reduce_kernel(type, op);
    if (!c.kernel)
        return pe_error(c.pe, call, MPI_ERR_OP, "the type has no such operation");
    c.width = type_find(type)->size;
    c.bytes = bytes_of(nreduce, c.width);
    if (!coll_check(&c, c.bytes, c.bytes, true))
        return MPI_ERR_BUFFER;
    if (unlikely(!c.team->sync.used))
        return through_reduce(&c);
    direct_reduce(&c);
    return 0;
}
