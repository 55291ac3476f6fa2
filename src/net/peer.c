/* SPDX-License-Identifier: BSD-3-Clause */
#include "net/peer.h"

#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "net/route.h"

/* What a process tells the others. */
struct card {
    uint32_t layout; /* programs of one job may have different versions of ep: this and the size stay */
    uint32_t rank;   /* for messages */
    uint64_t machine, name;
    uint64_t segment; /* where its segment is in its own memory; 0: it has none */
    struct segment_key key;
};

static struct lock gather_lock =
    LOCK_FREE(PEERS);                    /* of everything here; several domains may be made at a time */
static _Atomic(struct net_peer *) first; /* release meet_one, acquire net_peers */
static struct card own;
static struct segment segment;
static void *_Atomic memory; /* of the segment: release open_segment, acquire net_shm_own */
static bool tried;

struct net_peer *net_peers(void)
{
    return load_acquire(&first);
}

struct net_shm *net_shm_own(void)
{
    return load_acquire(&memory);
}

static void open_segment(void)
{
    lock_assert_held(&gather_lock);
    if (tried)
        return;
    tried = true;
    own = (struct card){.layout = NET_LAYOUT,
                        .rank = (uint32_t)process.rank,
                        .machine = process.machine,
                        .name = random_id()};
    if (!load_relaxed(&settings.shared_memory) || !segment_make(&segment, NET_SEGMENT_BYTES, &own.key))
        return;
    own.segment = (uintptr_t)segment.base;
    store_release(&memory, segment.base);
}

/* Large messages are read out of their sender's memory, which is often forbidden in containers. */
static bool can_read(const struct card *c)
{
    uint64_t id[2];
    long page = sysconf(_SC_PAGESIZE); /* the page in front of the segment begins with the id */
    struct iovec to = {id, sizeof id}, from = {(void *)(uintptr_t)(c->segment - (uint64_t)page), sizeof id};
    return process_vm_readv((pid_t)c->key.pid, &to, 1, &from, 1, 0) == sizeof id &&
           memcmp(id, c->key.id, sizeof id) == 0;
}

uint64_t net_own_name(void)
{
    return own.name;
}

struct net_peer *net_peer_find(uint64_t name)
{
    struct net_peer *m = net_peers();
    while (m && m->name != name)
        m = m->next;
    return m;
}

/* NULL: not to be reached. */
static struct net_peer *meet_one(const struct card *c)
{
    lock_assert_held(&gather_lock);
    struct net_peer *m = net_peer_find(c->name);
    if (m || !c->segment || !own.segment || c->layout != own.layout)
        return m;
    m = aligned_alloc(CACHE_LINE, sizeof *m);
    if (!m)
        return NULL;
    memset(m, 0, sizeof *m);
    lock_init(&m->lock, LOCK_PEER);
    m->name = c->name;
    m->pid = (pid_t)c->key.pid;
    m->rank = (int)c->rank;
    if (!can_read(c) || !segment_open(&m->memory, &c->key)) {
        free(m);
        return NULL;
    }
    m->shm = (struct net_shm *)(void *)m->memory.base;
    m->next = load_relaxed(&first);
    store_release(&first, m);
    return m;
}

/* False if one of this machine is not reached. */
static bool meet_all(struct net_peer *peers[], const struct card cards[], int n, int me)
{
    bool ok = true;
    lock_acquire(&gather_lock);
    for (int p = 0; p < n && ok; p++) {
        peers[p] = NULL;
        if (p == me || cards[p].machine != process.machine)
            continue;
        peers[p] = meet_one(&cards[p]);
        ok = peers[p] != NULL;
    }
    lock_release(&gather_lock);
    return ok;
}

static bool peer_everybody(const struct domain *u, bool ok)
{
    int mine = ok, all = 0;
    return MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, u->inner) == MPI_SUCCESS && all;
}

void net_meet(struct domain *u)
{
    int n, me = u->rank;
    MPI_Comm_size(u->inner, &n);
    lock_acquire(&gather_lock);
    open_segment();
    lock_release(&gather_lock);
    struct net_peer **peers = malloc((size_t)n * sizeof(struct net_peer *));
    struct card *cards = malloc((size_t)n * sizeof *cards);
    bool ok = peer_everybody(u, peers && cards && own.segment);
    if (ok) {
        ok = MPI_Allgather(&own, sizeof own, MPI_BYTE, cards, sizeof own, MPI_BYTE, u->inner) == MPI_SUCCESS;
        ok = peer_everybody(u, ok && meet_all(peers, cards, n, me));
    }
    for (int p = 0; p < n; p++)
        u->remote |= p != me && !(ok && peers[p]);
    if (ok) {
        u->peers = peers;
        peers = NULL;
    }
    free(peers);
    free(cards);
}

struct net_route net_route_from(ep_comm view, int rank, ep_comm near)
{
    const struct comm *c = view->comm;
    struct net_route to = {.near = near};
    if (near)
        return to;
    to.proc = rankmap_proc(&c->map, rank, &to.index);
    to.peer = net_peer_of(c, to.proc);
    to.source = view_union_rank(view);
    to.context = c->context;
    return to;
}

bool net_all_peers(const struct comm *c)
{
    bool all = true;
    for (int p = 0; p < c->nproc; p++)
        all &= p == c->proc || net_peer_of(c, p);
    return all;
}
