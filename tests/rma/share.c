/* SPDX-License-Identifier: BSD-3-Clause */
#include "share.h"
#include <stdlib.h>
#include <string.h>

static int make(share *a, int kind)
{
    switch (kind) {
    case CREATED:
        a->base = xmalloc(a->bytes);
        return EXPECT_OK(ep_win_create(a->base, (MPI_Aint)a->bytes, 1, MPI_INFO_NULL, a->comm, &a->win));
    case ALLOCATED:
        return EXPECT_OK(ep_win_allocate((MPI_Aint)a->bytes, 1, MPI_INFO_NULL, a->comm, &a->base, &a->win));
    case SHARED:
        return EXPECT_OK(
            ep_win_allocate_shared((MPI_Aint)a->bytes, 1, MPI_INFO_NULL, a->comm, &a->base, &a->win));
    default:
        a->base = xmalloc(a->bytes);
        return EXPECT_OK(ep_win_create_dynamic(MPI_INFO_NULL, a->comm, &a->win)) &&
               EXPECT_OK(ep_win_attach(a->win, a->base, (MPI_Aint)a->bytes));
    }
}

int share_make(share *a, ep_comm comm, int kind, size_t bytes)
{
    MPI_Aint mine = 0;
    *a = (share){.comm = comm, .kind = kind, .bytes = bytes};
    EXPECT_OK(ep_comm_rank(comm, &a->rank));
    EXPECT_OK(ep_comm_size(comm, &a->size));
    if (!make(a, kind))
        return 0;
    EXPECT_OK(ep_win_set_errhandler(a->win, EP_ERRORS_RETURN));
    if (bytes > 0)
        memset(a->base, 0, bytes);
    a->first = xmalloc((size_t)a->size * sizeof *a->first);
    if (kind == DYNAMIC)
        EXPECT_OK(MPI_Get_address(a->base, &mine));
    return EXPECT_OK(ep_allgather(&mine, 1, MPI_AINT, a->first, 1, MPI_AINT, comm));
}

void share_free(share *a)
{
    if (a->kind == DYNAMIC) {
        EXPECT_OK(ep_barrier(a->comm)); /* nobody's business with it any more */
        EXPECT_OK(ep_win_detach(a->win, a->base));
    }
    EXPECT_OK(ep_win_free(&a->win));
    EXPECT(a->win == EP_WIN_NULL);
    if (a->kind == CREATED || a->kind == DYNAMIC)
        free(a->base);
    free(a->first);
}

MPI_Aint share_at(const share *a, int rank, size_t offset)
{
    return MPI_Aint_add(a->first[rank], (MPI_Aint)offset);
}

int times(const team_t *t, int n)
{
    int size = t->size > 4 ? t->size : 4;
    n = n * 4 / size / harness_slowness();
    return n > 1 ? n : 1;
}

long add(const share *a, int rank, size_t offset, long value)
{
    long old = -1;
    EXPECT_OK(ep_fetch_and_op(&value, &old, MPI_LONG, rank, share_at(a, rank, offset), MPI_SUM, a->win));
    EXPECT_OK(ep_win_flush(rank, a->win));
    return old;
}

long look(const share *a, int rank, size_t offset)
{
    long value = -1;
    EXPECT_OK(ep_fetch_and_op(NULL, &value, MPI_LONG, rank, share_at(a, rank, offset), MPI_NO_OP, a->win));
    EXPECT_OK(ep_win_flush(rank, a->win));
    return value;
}
