/* SPDX-License-Identifier: BSD-3-Clause */
/* What a program may ask (OpenSHMEM 1.5, 9.1 and 9.2). */
#include "shmem/pe.h"

int ep_shmem_my_pe(const char *call)
{
    const struct shmem_pe *pe = pe_here(call);
    return pe ? pe->reach.me : -1;
}

int ep_shmem_n_pes(const char *call)
{
    const struct shmem_pe *pe = pe_here(call);
    return pe ? pe->reach.npes : -1;
}

void ep_shmem_query_thread(int *provided, const char *call)
{
    const struct shmem_pe *pe = pe_here(call);
    if (pe)
        *provided = pe->level;
}

/* Programs ask about any number. */
int ep_shmem_pe_accessible(int other, const char *call)
{
    const struct shmem_pe *pe = pe_here(call);
    return pe && other >= 0 && other < pe->reach.npes;
}

static bool is_symmetric(const struct shmem_reach *r, const void *at)
{
    return (size_t)((const char *)at - r->heap) < r->heap_bytes || (size_t)((const char *)at - r->data) < r->data_bytes;
}

int ep_shmem_addr_accessible(const void *address, int other, const char *call)
{
    const struct shmem_pe *pe = pe_here(call);
    return pe && other >= 0 && other < pe->reach.npes && is_symmetric(&pe->reach, address);
}

/* NULL is an answer, and no error: of what is not symmetric, of PEs that are reached by messages. */
void *ep_shmem_ptr(const void *address, int other, const char *call)
{
    const struct shmem_pe *pe = pe_here(call);
    return pe ? shmem_reach(&pe->reach, address, 1, other) : NULL;
}
