/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collectives: coll.c checks the arguments, then one of two does the call. direct.c, where all members reach each
 * other's memory by load and store: by flags (sync.h) and copies from where the data are to where they go. through.c,
 * for all others and with EP_CHECK: by ep's collectives on the team's communicator.
 */
#ifndef EP_SHMEM_COLL_H
#define EP_SHMEM_COLL_H

#include "datatype/datatype.h"
#include "shmem/team.h"

/* A call of this PE's; what it has of these is checked. */
struct shmem_coll {
    struct shmem_pe *pe;
    struct shmem_team *team;
    const char *call;
    char *dest;
    const char *source;
    size_t bytes; /* of a block; a collect: what this PE brings; a reduction: all */
    int root;
    bool at_root;         /* a broadcast: this PE is the root and wants data in dest, too */
    size_t nelems, width; /* alltoalls, of a block; width 0: not strided */
    ptrdiff_t dst, sst;   /* in elements */
    MPI_Datatype type;
    enum shmem_reduce op;
    arith_kernel *kernel;
};

/* In bytes; SIZE_MAX where it does not fit. */
static inline size_t bytes_of(size_t count, size_t width)
{
    size_t bytes;
    return __builtin_mul_overflow(count, width, &bytes) ? SIZE_MAX : bytes;
}

/* Copy n elements with strides. */
void copy_strided(char *to, ptrdiff_t to_step, const char *from, ptrdiff_t from_step, size_t n, size_t width);
/* The root's own dest, while others read its source. */
static inline void broadcast_at_root(const struct shmem_coll *c)
{
    if (c->at_root && c->bytes && c->dest != c->source)
        memmove(c->dest, c->source, c->bytes);
}

/* A collect's dest has room for so many bytes? Else an error. */
bool collect_fits(const struct shmem_coll *c, size_t bytes);

/* ---- direct.c. 0 or an error class, which is told ---- */

void direct_sync(struct shmem_team *t, const char *call);
void direct_broadcast(const struct shmem_coll *c);
int direct_collect(const struct shmem_coll *c);
void direct_fcollect(const struct shmem_coll *c);
void direct_alltoall(const struct shmem_coll *c);
void direct_reduce(const struct shmem_coll *c);

/* ---- through.c: the same ---- */

int through_sync(const struct shmem_coll *c);
int through_broadcast(const struct shmem_coll *c);
int through_collect(const struct shmem_coll *c);
int through_fcollect(const struct shmem_coll *c);
int through_alltoall(const struct shmem_coll *c);
int through_alltoalls(const struct shmem_coll *c);
int through_reduce(const struct shmem_coll *c);

#endif
