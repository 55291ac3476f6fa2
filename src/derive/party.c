/* SPDX-License-Identifier: BSD-3-Clause */
#include "derive/party.h"

#include <stdlib.h>
#include <string.h>

#include "p2p/p2p.h"

static bool allocate(struct party *p, struct meeting *m, int head, int tag, int n)
{
    memset(p, 0, sizeof *p);
    p->comm = m->slot[head]->view->comm;
    p->meeting = m;
    p->n = n;
    p->culprit = -1;
    p->proc = malloc((size_t)n * 3 * sizeof(int));
    if (!p->proc)
        return false;
    p->count = p->proc + n;
    p->rank = p->count + n;
    p->tree = (struct tree){.view = m->slot[head]->view, .tag = tag, .n = n, .rank = p->rank};
    return true;
}

bool party_whole(struct party *p, struct meeting *m, int head, int tag, int root)
{
    struct comm *c = m->slot[head]->view->comm;
    int index, root_proc = rankmap_proc(&c->map, root, &index);
    if (!allocate(p, m, head, tag, c->nproc))
        return false;
    for (int v = 0; v < p->n; v++) {
        int proc = (v + root_proc) % p->n;
        p->proc[v] = proc;
        p->count[v] = rankmap_count(&c->map, proc);
        p->rank[v] = v == 0 ? root : rankmap_rank(&c->map, proc, 0);
        if (proc == c->proc)
            p->me = p->tree.me = v;
    }
    return true;
}

/* Positions in the order in which processes first appear. */
bool party_group(struct party *p, struct meeting *m, int head, int tag, const int ranks[], int n)
{
    struct comm *c = m->slot[head]->view->comm;
    int *position = malloc((size_t)c->nproc * sizeof *position), index;
    if (!position || !allocate(p, m, head, tag, c->nproc)) {
        free(position);
        return false;
    }
    for (int proc = 0; proc < c->nproc; proc++)
        position[proc] = -1;
    p->n = 0;
    for (int i = 0; i < n; i++) {
        int proc = rankmap_proc(&c->map, ranks[i], &index);
        if (position[proc] < 0) {
            position[proc] = p->n++;
            p->proc[position[proc]] = proc;
            p->rank[position[proc]] = ranks[i];
            p->count[position[proc]] = 0;
        }
        p->count[position[proc]]++;
    }
    p->tree.n = p->n;
    p->me = p->tree.me = position[c->proc];
    free(position);
    return true;
}

void party_free(struct party *p)
{
    free(p->proc);
    free(p->offset);
    free(p->data);
    free(p->votes);
    free(p->vote_offset);
}

/* ---- exchange ---- */

const struct passport *party_passport(const struct party *p, int position)
{
    return (const void *)(p->data + p->offset[position]);
}

const void *party_item(const struct party *p, int position, int i)
{
    return p->data + p->offset[position] + sizeof(struct passport) + (size_t)i * p->item;
}

static void write_own(struct party *p, uint64_t hash)
{
    char *at = p->data + p->offset[p->me];
    struct passport *pass = (void *)at;
    *pass = (struct passport){.process = turn_process(),
                              .universe = p->comm->universe->id,
                              .time = turn_time(),
                              .hash = hash,
                              .inner = p->comm->universe->rank,
                              .world = process.rank,
                              .proc = p->comm->proc};
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

int exchange_begin(struct party *p, size_t item, uint64_t hash)
{
    p->item = item;
    p->offset = malloc(((size_t)p->n + 1) * sizeof *p->offset);
    if (!p->offset)
        return MPI_ERR_NO_MEM;
    p->offset[0] = 0;
    for (int v = 0; v < p->n; v++) {
        size_t bytes = sizeof(struct passport) + (size_t)p->count[v] * item;
        p->offset[v + 1] = p->offset[v] + (bytes + 7) / 8 * 8;
    }
    p->data = calloc(1, p->offset[p->n]);
    if (!p->data)
        return MPI_ERR_NO_MEM;
    write_own(p, hash);
    tree_gather(&p->tree, p->data, p->offset);
    return MPI_SUCCESS;
}

void exchange_middle(struct party *p)
{
    tree_bcast(&p->tree, p->data, p->offset[p->n]);
}

int exchange_end(struct party *p)
{
    return p->tree.rc ? p->tree.rc : read_passports(p);
}

int party_exchange(struct party *p, size_t item, uint64_t hash)
{
    int rc = exchange_begin(p, item, hash);
    if (rc != MPI_SUCCESS)
        return rc;
    tree_run(&p->tree);
    exchange_middle(p);
    tree_run(&p->tree);
    return exchange_end(p);
}

/* ---- voting ---- */

int vote_begin(struct party *p, int rc, bool want_turn)
{
    size_t n = (size_t)p->n;
    if (!p->votes) {
        p->votes = malloc(n * sizeof *p->votes);
        p->vote_offset = malloc((n + 1) * sizeof *p->vote_offset);
    }
    if (!p->votes || !p->vote_offset)
        return MPI_ERR_NO_MEM;
    for (size_t v = 0; v <= n; v++)
        p->vote_offset[v] = v * sizeof *p->votes;
    p->got_turn = want_turn && rc == MPI_SUCCESS && turn_try(p->ticket);
    p->votes[p->me] = (struct vote){rc, p->got_turn || !want_turn};
    tree_gather(&p->tree, p->votes, p->vote_offset);
    return MPI_SUCCESS;
}

static void add_vote(struct vote *sum, struct vote v)
{
    sum->rc = v.rc > sum->rc ? v.rc : sum->rc;
    sum->got &= v.got;
}

void vote_middle(struct party *p)
{
    for (int v = 1; v < p->n && p->me == 0; v++)
        add_vote(&p->votes[0], p->votes[v]);
    if (p->bridge) {
        struct vote other = {0};
        int rc = bridge_swap(p->bridge, &p->votes[0], sizeof other, &other, sizeof other);
        add_vote(&p->votes[0], other);
        add_vote(&p->votes[0], (struct vote){rc, true});
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
    do {
        int mine = vote_begin(p, rc, want_turn);
        if (mine != MPI_SUCCESS)
            return mine;
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
    for (int i = 0; i < p->meeting->size; i++) {
        struct slot *s = p->meeting->slot[i];
        if (s->rc != MPI_SUCCESS)
            continue;
        s->rc = rc;
        s->why = why;
        s->culprit = why ? -1 : p->culprit;
    }
}
