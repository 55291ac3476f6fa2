/* SPDX-License-Identifier: BSD-3-Clause */
#include "derive/leaders.h"

#include <stdlib.h>
#include <string.h>

#include "p2p/p2p.h"

/* The position-th process in the order of first appearance, as the index of its first member; without
 * memory. */
static int first_member(const struct leaders *p, int position)
{
    const struct rankmap *map = &p->comm->map;
    for (int i = 0, seen = 0, index; i < p->nranks; i++) {
        int proc = rankmap_proc(map, p->ranks[i], &index), k = 0;
        while (rankmap_proc(map, p->ranks[k], &index) != proc)
            k++;
        if (k == i && seen++ == position)
            return i;
    }
    return -1;
}

static int leaders_rank_of(const void *arg, int position)
{
    const struct leaders *p = arg;
    if (p->rank)
        return p->rank[position];
    if (p->ranks)
        return p->ranks[first_member(p, position)];
    return position == 0 ? p->root
                         : rankmap_rank(&p->comm->map, (position + p->root_proc) % p->comm->nproc, 0);
}

static void leaders_start(struct leaders *p, struct gather *m, ep_comm leader, int tag)
{
    size_t n = (size_t)leader->comm->nproc;
    memset(p, 0, sizeof *p);
    p->comm = leader->comm;
    p->gather = m;
    p->culprit = -1;
    p->proc = m->slot ? reserve_malloc(n * 3 * sizeof(int)) : NULL;
    if (p->proc) {
        p->count = p->proc + n;
        p->rank = p->count + n;
    }
    p->tree = (struct tree){.view = leader,
                            .tag = tag,
                            .rank_of = leaders_rank_of,
                            .arg = p,
                            .rc = m->mixed ? MPI_ERR_ARG : MPI_SUCCESS};
}

void leaders_whole(struct leaders *p, struct gather *m, ep_comm leader, int tag, int root)
{
    struct comm *c = leader->comm;
    int index;
    leaders_start(p, m, leader, tag);
    p->root = root;
    p->root_proc = rankmap_proc(&c->map, root, &index);
    p->n = p->tree.n = c->nproc;
    p->me = p->tree.me = (c->proc - p->root_proc + c->nproc) % c->nproc;
    for (int v = 0; p->proc && v < p->n; v++) {
        int proc = (v + p->root_proc) % p->n;
        p->proc[v] = proc;
        p->count[v] = rankmap_count(&c->map, proc);
        p->rank[v] = v == 0 ? root : rankmap_rank(&c->map, proc, 0);
    }
}

/* Positions in the order in which processes first appear. */
static bool list_group(struct leaders *p)
{
    struct comm *c = p->comm;
    int *position = p->proc ? reserve_malloc((size_t)c->nproc * sizeof *position) : NULL, index;
    if (!position)
        return false;
    for (int proc = 0; proc < c->nproc; proc++)
        position[proc] = -1;
    for (int i = 0; i < p->nranks; i++) {
        int proc = rankmap_proc(&c->map, p->ranks[i], &index);
        if (position[proc] < 0) {
            position[proc] = p->n++;
            p->proc[position[proc]] = proc;
            p->rank[position[proc]] = p->ranks[i];
            p->count[position[proc]] = 0;
        }
        p->count[position[proc]]++;
    }
    p->me = position[c->proc];
    reserve_free(position);
    return true;
}

void leaders_group(struct leaders *p, struct gather *m, ep_comm leader, int tag, const int ranks[], int n)
{
    int index;
    leaders_start(p, m, leader, tag);
    p->ranks = ranks;
    p->nranks = n;
    if (!list_group(p)) {
        reserve_free(p->proc);
        p->proc = p->count = p->rank = NULL;
        for (int i; (i = first_member(p, p->n)) >= 0; p->n++)
            if (rankmap_proc(&p->comm->map, ranks[i], &index) == p->comm->proc)
                p->me = p->n;
    }
    p->tree.n = p->n;
    p->tree.me = p->me;
}

void leaders_free(struct leaders *p)
{
    reserve_free(p->proc);
    reserve_free(p->offset);
    reserve_free(p->data);
    reserve_free(p->votes);
}

const char leaders_at_odds[] =
    "endpoints of the communicator called different functions (EP_CHECK=1 says which)";

/* ---- exchange ---- */

const struct process_info *leaders_process_info(const struct leaders *p, int position)
{
    return (const void *)(p->data + p->offset[position]);
}

const void *leaders_item(const struct leaders *p, int position, int i)
{
    return p->data + p->offset[position] + sizeof(struct process_info) + (size_t)i * p->item;
}

/* FNV-1a */
static uint32_t hash_name(const char *name)
{
    uint32_t hash = 2166136261u;
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * 16777619u;
    return hash;
}

static void write_own(struct leaders *p, uint64_t hash)
{
    char *at = p->data + p->offset[p->me];
    struct process_info *pass = (void *)at;
    *pass = (struct process_info){.process = process_random_id(),
                                  .domain = p->comm->domain->id,
                                  .time = creation_clock(),
                                  .hash = hash,
                                  .call = hash_name(p->gather->first->call),
                                  .inner = p->comm->domain->rank,
                                  .world = process.rank,
                                  .proc = p->comm->proc,
                                  .checks = p->comm->checks};
    for (int i = 0; i < p->gather->size; i++) {
        struct gather_slot *s = p->gather->slot[i];
        if (p->item)
            memcpy(at + sizeof *pass + (size_t)i * p->item, s->data, p->item);
        if (s->rc > pass->rc) {
            pass->rc = s->rc;
            pass->culprit = view_union_rank(s->view);
        }
    }
}

/* The same in every process. */
static int read_process_infos(struct leaders *p)
{
    int rc = MPI_SUCCESS;
    const struct process_info *root = leaders_process_info(p, 0);
    p->ticket = (struct ticket){.process = root->process, .serial = root->time};
    for (int v = 0; v < p->n; v++) {
        const struct process_info *pass = leaders_process_info(p, v);
        if (pass->time > p->ticket.time)
            p->ticket.time = pass->time;
        if (pass->rc > rc) {
            rc = pass->rc;
            p->culprit = pass->culprit;
        }
        if (pass->hash != root->hash && rc == MPI_SUCCESS)
            rc = MPI_ERR_GROUP;
    }
    creation_clock_saw(p->ticket.time);
    return rc;
}

/* Where everybody's data is. Without memory this process has none, see tree.h. */
static void leaders_lay_out(struct leaders *p)
{
    p->offset = p->proc ? reserve_malloc(((size_t)p->n + 1) * sizeof *p->offset) : NULL;
    if (!p->offset)
        return;
    p->offset[0] = 0;
    for (int v = 0; v < p->n; v++) {
        size_t bytes = sizeof(struct process_info) + (size_t)p->count[v] * p->item;
        p->offset[v + 1] = p->offset[v] + (bytes + TREE_GRAIN - 1) / TREE_GRAIN * TREE_GRAIN;
    }
    p->data = reserve_calloc(p->offset[p->n]);
}

void exchange_begin(struct leaders *p, size_t item, uint64_t hash)
{
    p->item = item;
    leaders_lay_out(p);
    if (p->data)
        write_own(p, hash);
    tree_gather(&p->tree, p->data, p->offset);
}

static bool calls_differ(const struct leaders *p)
{
    int v = 1;
    while (v < p->n && leaders_process_info(p, v)->call == leaders_process_info(p, 0)->call)
        v++;
    return v < p->n;
}

void exchange_middle(struct leaders *p)
{
    if (p->me == 0 && p->tree.rc == MPI_SUCCESS && calls_differ(p))
        p->tree.rc = MPI_ERR_ARG;
    tree_bcast(&p->tree, p->data, p->data ? p->offset[p->n] : 0);
}

/* That they are at odds all find out alike: items of another size are seen by a parent, which tells the root, and the root reads all
 * process infos; it broadcasts the error in their place. They themselves may not reach some, for want of memory: those would vote while the
 * others, who know, go no further. */
int exchange_end(struct leaders *p)
{
    p->at_odds = p->tree.rc == MPI_ERR_ARG;
    return p->tree.rc ? p->tree.rc : read_process_infos(p);
}

int leaders_exchange(struct leaders *p, size_t item, uint64_t hash)
{
    exchange_begin(p, item, hash);
    tree_run(&p->tree);
    exchange_middle(p);
    tree_run(&p->tree);
    return exchange_end(p);
}

void leaders_fail(struct leaders *p, int rc, const char *why)
{
    why = p->at_odds ? leaders_at_odds : why;
    for (struct gather_slot *s = p->gather->first; s; s = s->next) {
        if (s->rc != MPI_SUCCESS && !s->over)
            continue;
        s->rc = rc; /* who does not wait brings what all are told */
        s->why = why;
        s->culprit = why ? -1 : p->culprit;
    }
}
