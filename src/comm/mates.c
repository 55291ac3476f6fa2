/* SPDX-License-Identifier: BSD-3-Clause */
#include "comm/mates.h"

#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

/* What a process tells the others. */
struct card {
    uint32_t layout; /* programs of one job may have different versions of ep: this and the size stay */
    uint32_t rank;   /* for messages */
    uint64_t machine, name;
    uint64_t hall; /* where its hall is in its own memory; 0: it has none */
    struct segment_key key;
};

static struct lock meeting_lock; /* of everything here; several universes may be made at a time */
static _Atomic(struct mate *) first;
static struct card own;
static struct segment hall;
static bool tried;

struct mate *mates_first(void)
{
    return load_acquire(&first);
}

void *mates_own_hall(void)
{
    return hall.base;
}

/* meeting_lock is held. */
static void open_hall(void)
{
    if (tried)
        return;
    tried = true;
    own = (struct card){.layout = MATES_LAYOUT,
                        .rank = (uint32_t)process.rank,
                        .machine = process.machine,
                        .name = random_id()};
    if (!load_relaxed(&settings.shared_memory) || !segment_make(&hall, MATES_HALL_BYTES, &own.key))
        return;
    own.hall = (uintptr_t)hall.base;
}

/* Large messages are read out of their sender's memory, which is often forbidden in containers. */
static bool can_read(const struct card *c)
{
    uint64_t id[2];
    long page = sysconf(_SC_PAGESIZE); /* the page in front of the hall begins with the id */
    struct iovec to = {id, sizeof id}, from = {(void *)(uintptr_t)(c->hall - (uint64_t)page), sizeof id};
    return process_vm_readv((pid_t)c->key.pid, &to, 1, &from, 1, 0) == sizeof id &&
           memcmp(id, c->key.id, sizeof id) == 0;
}

uint64_t mates_name(void)
{
    return own.name;
}

struct mate *mates_find(uint64_t name)
{
    struct mate *m = mates_first();
    while (m && m->name != name)
        m = m->next;
    return m;
}

/* meeting_lock is held. NULL: not to be reached. */
static struct mate *meet_one(const struct card *c)
{
    struct mate *m = mates_find(c->name);
    if (m || !c->hall || !own.hall || c->layout != own.layout)
        return m;
    m = aligned_alloc(CACHE_LINE, sizeof *m);
    if (!m)
        return NULL;
    memset(m, 0, sizeof *m);
    m->name = c->name;
    m->pid = (pid_t)c->key.pid;
    m->rank = (int)c->rank;
    if (!can_read(c) || !segment_open(&m->memory, &c->key)) {
        free(m);
        return NULL;
    }
    m->next = load_relaxed(&first);
    store_release(&first, m);
    return m;
}

/* False if one of this machine is not reached. */
static bool meet_all(struct mate *mates[], const struct card cards[], int n, int me)
{
    bool ok = true;
    lock_acquire(&meeting_lock);
    for (int p = 0; p < n && ok; p++) {
        mates[p] = NULL;
        if (p == me || cards[p].machine != process.machine)
            continue;
        mates[p] = meet_one(&cards[p]);
        ok = mates[p] != NULL;
    }
    lock_release(&meeting_lock);
    return ok;
}

static bool everybody(const struct universe *u, bool ok)
{
    int mine = ok, all = 0;
    return MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, u->inner) == MPI_SUCCESS && all;
}

void mates_meet(struct universe *u)
{
    int n, me = u->rank;
    MPI_Comm_size(u->inner, &n);
    lock_acquire(&meeting_lock);
    open_hall();
    lock_release(&meeting_lock);
    struct mate **mates = malloc((size_t)n * sizeof(struct mate *));
    struct card *cards = malloc((size_t)n * sizeof *cards);
    bool ok = everybody(u, mates && cards && own.hall);
    if (ok) {
        ok = MPI_Allgather(&own, sizeof own, MPI_BYTE, cards, sizeof own, MPI_BYTE, u->inner) == MPI_SUCCESS;
        ok = everybody(u, ok && meet_all(mates, cards, n, me));
    }
    if (ok) {
        u->mates = mates;
        mates = NULL;
    }
    free(mates);
    free(cards);
}

bool comm_set_mates(struct comm *c, const int inner[])
{
    int first_inner = inner[0], step = c->nproc > 1 ? inner[1] - inner[0] : 1;
    bool regular = true;
    for (int p = 0; p < c->nproc; p++)
        regular &= inner[p] == first_inner + p * step;
    c->inner_first = first_inner;
    c->inner_step = step;
    if (regular)
        return true;
    c->inner_of = malloc((size_t)c->nproc * sizeof *c->inner_of);
    if (c->inner_of)
        memcpy(c->inner_of, inner, (size_t)c->nproc * sizeof *c->inner_of);
    return c->inner_of != NULL;
}

bool comm_copy_mates(struct comm *c, const struct comm *from)
{
    c->inner_first = from->inner_first;
    c->inner_step = from->inner_step;
    return !from->inner_of || comm_set_mates(c, from->inner_of);
}

void comm_count_mates(struct comm *c)
{
    c->all_mates = true;
    for (int p = 0; p < c->nproc; p++)
        c->all_mates &= p == c->proc || comm_mate(c, p);
}
