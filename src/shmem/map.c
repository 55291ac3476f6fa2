/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where symmetric memory of all PEs is, as a process sees it.
 *
 * The first PE of each machine makes one segment for the heaps of all PEs of the machine, in the order of PEs:
 *
 *   page of segment.h | gap | slice | slice ...      each slice and the mapping begin at a multiple of HEAP_ALIGN
 *   slice: HEAP_ALIGN bytes, the last SHMEM_CONTROL_BYTES of which are for flags; then the heap, in whole ALIGNs
 *
 * so an offset in a heap has the same alignment in every mapping. Pages cost nothing until they are touched. The first PE of each
 * process maps the segment, and the data segments of PEs of the machine's other processes, and makes the tables that all PEs of the
 * process use (struct shmem_process).
 *
 * Which processes are one machine is tried first as the system says, and where a process cannot map another's memory (containers)
 * all processes together fall back to machines of one process each, as with EP_SHARED_MEMORY=0. What is not reached is exposed in
 * windows.
 *
 *   all                 of a process: published by its first PE before a collective call that the others come out of after it;
 *                       taken back by the last one that ends
 */
#include <stdlib.h>
#include <unistd.h>

#include "dropin/dropin.h"
#include "p2p/p2p.h"
#include "shmem/pe.h"

enum { HEAP_ALIGN = SEGMENT_ALIGN, HEAP_LEAST = 1 << 20, HEAP_USUAL = 256 << 20 };

/* What a PE says of itself. */
struct hello {
    uint64_t machine;
    int64_t process;    /* rank in MPI_COMM_WORLD */
    uint64_t heap_bytes; /* that the environment wants, or 0 */
    uint64_t room;      /* of memory on its machine */
    char *data;         /* in its process */
    struct segment_key data_key; /* fd -1: not in a file */
    struct segment_key heap_key; /* of who made the machine's segment */
    int32_t makes;      /* it did; bytes are 0 where it could not */
};

struct shmem_process {
    char **heap_of, **data_of; /* by PE */
    struct segment heap;
    struct segment *data; /* by PE: mapped here; base NULL: it is not */
    int npes;
    _Atomic int users; /* PEs of the process that have not ended; acq_rel map_end */
};

static struct shmem_process *all; /* see above: ordered by collective calls */

struct mapping {
    struct shmem_pe *pe;
    const char *call;
    int me, npes;
    struct hello *hello;
    size_t heap_bytes, slice;
};

/* ---- who is where ---- */

static bool map_same_machine(const struct mapping *m, int a, int b)
{
    return m->hello[a].machine == m->hello[b].machine;
}

static bool map_same_process(const struct mapping *m, int a, int b)
{
    return m->hello[a].process == m->hello[b].process;
}

typedef bool together(const struct mapping *m, int a, int b);

/* The first PE that is there together with `pe`. */
static int map_first(const struct mapping *m, int pe, together *are)
{
    int first = 0;
    while (!are(m, first, pe))
        first++;
    return first;
}

/* PEs on pe's machine. */
static size_t map_count(const struct mapping *m, int pe)
{
    size_t n = 0;
    for (int i = 0; i < m->npes; i++)
        n += map_same_machine(m, i, pe);
    return n;
}

static int map_exchange(struct mapping *m)
{
    struct hello mine = m->hello[m->me];
    return ep_allgather(&mine, sizeof mine, MPI_BYTE, m->hello, sizeof mine, MPI_BYTE, m->pe->comm);
}

static void map_introduce(struct mapping *m, size_t heap_bytes)
{
    const struct ep_rank_data *data = ep_rank_data(ep_rank_bound());
    struct hello *h = &m->hello[m->me];
    *h = (struct hello){.machine = process.machine,
                        .process = process.rank,
                        .heap_bytes = heap_bytes,
                        .room = memory_at_most(),
                        .data_key.fd = -1};
    if (!load_relaxed(&settings.shared_memory))
        h->machine = (uint64_t)process.rank;
    if (data) {
        h->data = data->start;
        h->data_key = (struct segment_key){
            .pid = getpid(), .fd = data->fd, .id = {data->id[0], data->id[1]}, .bytes = data->bytes};
    }
}

/* ---- how large ---- */

/* If nobody says: half of the memory of the machine that has the least for each, and not more than is usual. */
static size_t map_usual_size(const struct mapping *m)
{
    size_t least = HEAP_USUAL;
    for (int i = 0; i < m->npes; i++) {
        if (map_first(m, i, map_same_machine) != i)
            continue;
        size_t share = m->hello[i].room / 2 / map_count(m, i);
        least = share < least ? share : least;
    }
    return least > HEAP_LEAST ? least : HEAP_LEAST;
}

static int map_choose_size(struct mapping *m)
{
    for (int i = 1; i < m->npes; i++) {
        if (m->hello[i].heap_bytes != m->hello[0].heap_bytes)
            return pe_error(m->pe, m->call, MPI_ERR_ARG, "SHMEM_SYMMETRIC_SIZE is %llu bytes for PE 0 and %llu for PE %d",
                            (unsigned long long)m->hello[0].heap_bytes, (unsigned long long)m->hello[i].heap_bytes, i);
        if (m->hello[i].data_key.bytes != m->hello[0].data_key.bytes)
            return pe_error(m->pe, m->call, MPI_ERR_OTHER, "PE 0 and PE %d run different programs", i);
    }
    size_t bytes = m->hello[0].heap_bytes ? m->hello[0].heap_bytes : map_usual_size(m);
    m->heap_bytes = (bytes + HEAP_ALIGN - 1) / HEAP_ALIGN * HEAP_ALIGN;
    m->slice = m->heap_bytes + HEAP_ALIGN;
    return MPI_SUCCESS;
}

/* ---- mapping ---- */

static char *map_heap_at(const struct mapping *m, const struct segment *s, size_t index)
{
    size_t gap = (size_t)(-(uintptr_t)s->base % HEAP_ALIGN);
    return s->base + gap + HEAP_ALIGN + index * m->slice;
}

/* Of the first PE of a machine. */
static void map_make_segment(struct mapping *m, struct segment *s)
{
    struct hello *h = &m->hello[m->me];
    size_t n = map_count(m, m->me);
    h->makes = 1;
    if (m->slice > (SIZE_MAX >> 2) / n || !segment_make(s, n * m->slice + HEAP_ALIGN, &h->heap_key))
        h->heap_key = (struct segment_key){.fd = -1};
}

/* Data of a PE of another process of this machine. */
static bool map_data(const struct mapping *m, struct shmem_process *p, int pe)
{
    const struct hello *h = &m->hello[pe];
    if (h->data_key.fd < 0)
        return true;
    if (!segment_open(&p->data[pe], &h->data_key))
        return false;
    p->data_of[pe] = p->data[pe].base;
    return true;
}

/* Of the first PE of a process: p->heap is mapped. */
static bool map_fill(const struct mapping *m, struct shmem_process *p)
{
    bool ok = true;
    size_t index = 0;
    for (int i = 0; i < m->npes && ok; i++) {
        if (!map_same_machine(m, i, m->me))
            continue;
        p->heap_of[i] = map_heap_at(m, &p->heap, index++);
        if (map_same_process(m, i, m->me))
            p->data_of[i] = m->hello[i].data;
        else
            ok = map_data(m, p, i);
        p->users += map_same_process(m, i, m->me);
    }
    return ok;
}

static void process_free(struct shmem_process *p)
{
    for (int i = 0; p->data && i < p->npes; i++)
        if (p->data[i].base)
            segment_free(&p->data[i]);
    segment_free(&p->heap);
    free(p->heap_of);
    free(p->data_of);
    free(p->data);
    free(p);
}

static struct shmem_process *process_new(int npes)
{
    struct shmem_process *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->npes = npes;
    p->heap.fd = -1;
    p->heap_of = calloc((size_t)npes, sizeof *p->heap_of);
    p->data_of = calloc((size_t)npes, sizeof *p->data_of);
    p->data = calloc((size_t)npes, sizeof *p->data);
    if (p->heap_of && p->data_of && p->data)
        return p;
    process_free(p);
    return NULL;
}

/* Of the first PE of a process. made: what it made, if it is the first of its machine. */
static int map_open(const struct mapping *m, struct segment *made)
{
    const struct segment_key *key = &m->hello[map_first(m, m->me, map_same_machine)].heap_key;
    struct shmem_process *p = process_new(m->npes);
    if (!p)
        return MPI_ERR_NO_MEM;
    if (made->base) {
        p->heap = *made;
        *made = (struct segment){.fd = -1};
    } else if (key->fd < 0 || !segment_open(&p->heap, key)) {
        process_free(p);
        return key->fd < 0 ? MPI_ERR_NO_MEM : MPI_ERR_RMA_SHARED;
    }
    if (!map_fill(m, p)) {
        process_free(p);
        return MPI_ERR_RMA_SHARED;
    }
    all = p;
    return MPI_SUCCESS;
}

/* With machines as m->hello has them. The same class in all PEs. */
static int map_try(struct mapping *m)
{
    struct segment made = {.fd = -1};
    bool first = map_first(m, m->me, map_same_process) == m->me;
    if (map_first(m, m->me, map_same_machine) == m->me)
        map_make_segment(m, &made);
    int rc = map_exchange(m);
    if (rc == MPI_SUCCESS && first)
        rc = map_open(m, &made);
    rc = pe_agree(m->pe, rc);
    if (made.base)
        segment_free(&made);
    if (first && all) {
        segment_seal(&all->heap);
        if (rc) {
            process_free(all);
            all = NULL;
        }
    }
    return rc;
}

/* ---- windows ---- */

static int map_window(struct mapping *m, void *base, size_t bytes, ep_win *window)
{
    int rc = ep_win_create(base, (MPI_Aint)bytes, 1, MPI_INFO_NULL, m->pe->comm, window);
    return rc ? rc : ep_win_lock_all(MPI_MODE_NOCHECK, *window);
}

static bool map_is_whole(const struct mapping *m, char *const *of)
{
    bool whole = true;
    for (int i = 0; i < m->npes; i++)
        whole = whole && of[i];
    return whole;
}

/* Where any PE does not reach all: a window for that kind of memory. Its targets may be elsewhere while others wait for an answer,
 * so each process has a helper thread that makes progress. */
static int map_windows(struct mapping *m)
{
    struct shmem_pe *pe = m->pe;
    const struct shmem_reach *r = &pe->reach;
    int lacks[2] = {!map_is_whole(m, r->heap_of), r->data_bytes > 0 && !map_is_whole(m, r->data_of)}, any[2] = {0, 0};
    int rc = ep_allreduce(lacks, any, 2, MPI_INT, MPI_MAX, pe->comm);
    pe->direct = !any[0] && !any[1];
    if (rc == MPI_SUCCESS && any[0])
        rc = map_window(m, r->heap, r->heap_bytes, &pe->heap_window);
    if (rc == MPI_SUCCESS && any[1])
        rc = map_window(m, r->data, r->data_bytes, &pe->data_window);
    if (rc == MPI_SUCCESS && !pe->direct)
        async_need();
    return rc;
}

static void map_take(struct mapping *m)
{
    struct shmem_pe *pe = m->pe;
    pe->process = all;
    pe->reach = (struct shmem_reach){.heap = all->heap_of[m->me],
                                     .data = m->hello[m->me].data,
                                     .heap_bytes = m->heap_bytes,
                                     .data_bytes = m->hello[m->me].data_key.bytes,
                                     .heap_of = all->heap_of,
                                     .data_of = all->data_of,
                                     .me = m->me,
                                     .npes = m->npes};
}

/* ---- all ---- */

static int map_memory(struct mapping *m, size_t heap_bytes)
{
    int rc = pe_agree(m->pe, m->hello ? MPI_SUCCESS : MPI_ERR_NO_MEM);
    if (rc)
        return pe_error(m->pe, m->call, rc, "no memory");
    map_introduce(m, heap_bytes);
    if ((rc = map_exchange(m)) || (rc = map_choose_size(m)))
        return rc;
    rc = map_try(m);
    if (rc == MPI_ERR_RMA_SHARED) {
        for (int i = 0; i < m->npes; i++)
            m->hello[i].machine = (uint64_t)m->hello[i].process;
        rc = map_try(m);
    }
    if (rc)
        return pe_error(m->pe, m->call, rc, "the system has no memory for symmetric heaps of %zu bytes (SHMEM_SYMMETRIC_SIZE)",
                        m->heap_bytes);
    map_take(m);
    return map_windows(m);
}

int map_begin(struct shmem_pe *pe, size_t heap_bytes, const char *call)
{
    struct mapping m = {.pe = pe, .call = call, .me = pe->comm->rank, .npes = pe->comm->size};
    m.hello = calloc((size_t)m.npes, sizeof *m.hello);
    int rc = map_memory(&m, heap_bytes);
    free(m.hello);
    return rc;
}

static void map_close_window(ep_win *window)
{
    if (!*window)
        return;
    ep_win_unlock_all(*window);
    ep_win_free(window);
}

void map_end(struct shmem_pe *pe)
{
    struct shmem_process *p = pe->process;
    map_close_window(&pe->heap_window);
    map_close_window(&pe->data_window);
    pe->process = NULL;
    if (!p || sub_acq_rel(&p->users, 1) > 1)
        return;
    all = NULL;
    process_free(p);
}
