/* SPDX-License-Identifier: BSD-3-Clause */
#include "derive/party.h"

#include <stdlib.h>
#include <string.h>

#include "p2p/p2p.h"

/* The position-th process in the order of first appearance, as the index of its first member; without
 * memory. */
static int first_member(const struct party *p, int position)
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

static int rank_of(const void *arg, int position)
{
    const struct party *p = arg;
    if (p->rank)
        return p->rank[position];
    if (p->ranks)
        return p->ranks[first_member(p, position)];
    return position == 0 ? p->root
                         : rankmap_rank(&p->comm->map, (position + p->root_proc) % p->comm->nproc, 0);
}

static void start(struct party *p, struct meeting *m, ep_comm head, int tag)
{
    size_t n = (size_t)head->comm->nproc;
    memset(p, 0, sizeof *p);
    p->comm = head->comm;
    p->meeting = m;
    p->culprit = -1;
    p->proc = m->slot ? reserve_malloc(n * 3 * sizeof(int)) : NULL;
    if (p->proc) {
        p->count = p->proc + n;
        p->rank = p->count + n;
    }
    p->tree = (struct tree){
        .view = head, .tag = tag, .rank_of = rank_of, .arg = p, .rc = m->mixed ? MPI_ERR_ARG : MPI_SUCCESS};
}

void party_whole(struct party *p, struct meeting *m, ep_comm head, int tag, int root)
{
    struct comm *c = head->comm;
    int index;
    start(p, m, head, tag);
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
static bool list_group(struct party *p)
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

void party_group(struct party *p, struct meeting *m, ep_comm head, int tag, const int ranks[], int n)
{
    int index;
    start(p, m, head, tag);
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

void party_free(struct party *p)
{
    reserve_free(p->proc);
    reserve_free(p->offset);
    reserve_free(p->data);
    reserve_free(p->votes);
}

const char party_at_odds[] =
    "endpoints of the communicator called different functions (EP_CHECK=1 says which)";

/* ---- exchange ---- */

const struct passport *party_passport(const struct party *p, int position)
{
    return (const void *)(p->data + p->offset[position]);
}

const void *party_item(const struct party *p, int position, int i)
{
    return p->data + p->offset[position] + sizeof(struct passport) + (size_t)i * p->item;
}

/* FNV-1a */
static uint32_t hash_name(const char *name)
{
    uint32_t hash = 2166136261u;
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * 16777619u;
    return hash;
}

static void write_own(struct party *p, uint64_t hash)
{
    char *at = p->data + p->offset[p->me];
    struct passport *pass = (void *)at;
    *pass = (struct passport){.process = turn_process(),
                              .universe = p->comm->universe->id,
                              .time = turn_time(),
                              .hash = hash,
                              .call = hash_name(p->meeting->first->call),
                              .inner = p->comm->universe->rank,
                              .world = process.rank,
                              .proc = p->comm->proc,
                              .checks = p->comm->checks};
    for (int i = 0; i < p->meeting->size; i++) {
        struct slot *s = p->meeting->slot[i];
        if (p->item)
            memcpy(at + sizeof *pass + (size_t)i * p->item, s->data, p->item);
        if (s->rc > pass->rc) {
            pass->rc = s->rc;
            pass->culprit = view_union_rank(s->view);
        }
    }
}

/* The same in every process. */
static int read_passports(struct party *p)
{
    int rc = MPI_SUCCESS;
    const struct passport *root = party_passport(p, 0);
    p->ticket = (struct ticket){.process = root->process, .serial = root->time};
    for (int v = 0; v < p->n; v++) {
        const struct passport *pass = party_passport(p, v);
        if (pass->time > p->ticket.time)
            p->ticket.time = pass->time;
        if (pass->rc > rc) {
            rc = pass->rc;
            p->culprit = pass->culprit;
        }
        if (pass->hash != root->hash && rc == MPI_SUCCESS)
            rc = MPI_ERR_GROUP;
    }
    turn_saw(p->ticket.time);
    return rc;
}

/* Where everybody's data is. Without memory this process has none, see tree.h. */
static void lay_out(struct party *p)
{
    p->offset = p->proc ? reserve_malloc(((size_t)p->n + 1) * sizeof *p->offset) : NULL;
    if (!p->offset)
        return;
    p->offset[0] = 0;
    for (int v = 0; v < p->n; v++) {
        size_t bytes = sizeof(struct passport) + (size_t)p->count[v] * p->item;
        p->offset[v + 1] = p->offset[v] + (bytes + TREE_GRAIN - 1) / TREE_GRAIN * TREE_GRAIN;
    }
    p->data = reserve_calloc(p->offset[p->n]);
}

void exchange_begin(struct party *p, size_t item, uint64_t hash)
{
    p->item = item;
    lay_out(p);
    if (p->data)
        write_own(p, hash);
    tree_gather(&p->tree, p->data, p->offset);
}

static bool calls_differ(const struct party *p)
{
    int v = 1;
    while (v < p->n && party_passport(p, v)->call == party_passport(p, 0)->call)
        v++;
    return v < p->n;
}

void exchange_middle(struct party *p)
{
    if (p->me == 0 && p->tree.rc == MPI_SUCCESS && calls_differ(p))
        p->tree.rc = MPI_ERR_ARG;
    tree_bcast(&p->tree, p->data, p->data ? p->offset[p->n] : 0);
}

/* That they are at odds all find out alike: items of another size are seen by a parent, which tells the root, and the root reads all
 * passports; it broadcasts the error in their place. They themselves may not reach some, for want of memory: those would vote while the
 * others, who know, go no further. */
int exchange_end(struct party *p)
{
    p->at_odds = p->tree.rc == MPI_ERR_ARG;
    return p->tree.rc ? p->tree.rc : read_passports(p);
}

int party_exchange(struct party *p, size_t item, uint64_t hash)
{
    exchange_begin(p, item, hash);
    tree_run(&p->tree);
    exchange_middle(p);
    tree_run(&p->tree);
    return exchange_end(p);
}

/* ---- voting ---- */

void vote_begin(struct party *p, int rc, bool want_turn)
{
    size_t n = (size_t)p->n;
    if (!p->votes && (p->votes = reserve_malloc(n * sizeof *p->votes + (n + 1) * sizeof *p->vote_offset))) {
        p->vote_offset = (size_t *)(void *)(p->votes + n);
        for (size_t v = 0; v <= n; v++)
            p->vote_offset[v] = v * sizeof *p->votes;
    }
    p->tree.rc = MPI_SUCCESS; /* what was wrong is in rc */
    p->got_turn = want_turn && p->votes && rc == MPI_SUCCESS && turn_try(p->ticket);
    if (p->votes)
        p->votes[p->me] = (struct vote){rc, p->got_turn || !want_turn};
    tree_gather(&p->tree, p->votes, p->vote_offset);
}

static void add_vote(struct vote *sum, struct vote v)
{
    sum->rc = v.rc > sum->rc ? v.rc : sum->rc;
    sum->got &= v.got;
}

void vote_middle(struct party *p)
{
    struct vote none = {MPI_ERR_NO_MEM, true}, *sum = p->votes ? &p->votes[0] : &none;
    for (int v = 1; v < p->n && p->me == 0 && p->votes; v++)
        add_vote(sum, p->votes[v]);
    if (p->bridge) {
        struct vote other = {0};
        add_vote(sum, (struct vote){p->tree.rc, true});
        int rc = bridge_swap(p->bridge, sum, sizeof other, &other, sizeof other);
        add_vote(sum, other);
        add_vote(sum, (struct vote){rc, true});
    }
    tree_bcast(&p->tree, p->votes, sizeof *p->votes);
}

bool vote_end(struct party *p, int *rc)
{
    *rc = p->tree.rc ? p->tree.rc : p->votes[0].rc;
    bool over = *rc != MPI_SUCCESS || p->votes[0].got;
    if (p->got_turn && (!over || *rc != MPI_SUCCESS))
        turn_give_back();
    if (*rc != MPI_SUCCESS)
        turn_forget(p->ticket);
    return over;
}

int party_vote(struct party *p, int rc, bool want_turn)
{
    if (p->at_odds)
        return MPI_ERR_ARG;
    do {
        vote_begin(p, rc, want_turn);
        tree_run(&p->tree);
        vote_middle(p);
        tree_run(&p->tree);
    } while (!vote_end(p, &rc));
    return rc;
}

void party_end_turn(struct party *p, bool had_turn)
{
    if (had_turn)
        turn_give_back();
    turn_forget(p->ticket);
}

void party_fail(struct party *p, int rc, const char *why)
{
    why = p->at_odds ? party_at_odds : why;
    for (struct slot *s = p->meeting->first; s; s = s->next) {
        if (s->rc != MPI_SUCCESS)
            continue;
        s->rc = rc;
        s->why = why;
        s->culprit = why ? -1 : p->culprit;
    }
}
