/* SPDX-License-Identifier: BSD-3-Clause */
#include "derive/builder.h"

#include <stdlib.h>

#include "comm/comm.h"
#include "p2p/p2p.h"

/* Processes of the new communicator are counted in the order in which they first appear, so that regular
 * ranks give a regular map. number[]: by index in the list. Returns how many. */
static int count_processes(const struct comm_member members[], int n, int number[], int nprocs, int proc_of[])
{
    int count = 0;
    for (int p = 0; p < nprocs; p++)
        number[p] = -1;
    for (int i = 0; i < n; i++) {
        int p = members[i].proc;
        if (number[p] < 0)
            number[p] = count++;
        proc_of[i] = number[p];
    }
    return count;
}

static bool list_processes(struct comm_builder *d, const int number[], int nprocs, int count,
                           const struct process_info *const procs[])
{
    d->inner = malloc((size_t)count * 3 * sizeof(int));
    if (!d->inner)
        return false;
    d->world = d->inner + count;
    d->side_inner = d->world + count;
    for (int p = 0; p < nprocs; p++)
        if (number[p] >= 0) {
            d->inner[number[p]] = procs[p]->inner;
            d->world[number[p]] = procs[p]->world;
        }
    return true;
}

static bool builder_make_views(struct comm_builder *d, const struct comm_member members[], int n)
{
    struct comm *c = d->comm;
    int index = 0;
    d->slots = calloc((size_t)c->nlocal, sizeof *d->slots);
    for (int i = 0; i < n && d->slots; i++) {
        struct gather_slot *s = members[i].slot;
        if (!s)
            continue;
        ep_comm v = view_new();
        if (!v)
            return false;
        d->slots[index] = s;
        view_init(v, c, index++, s->errhandler);
        endpoint_add_view(v, s->view->endpoint);
        if (s->extras && !view_extras(v))
            return false;
    }
    return d->slots;
}

static const struct comm *parent_of(const struct comm_member members[])
{
    int i = 0;
    while (!members[i].slot)
        i++;
    return members[i].slot->view->comm;
}

/* Nobody else makes something with this ticket and this first member. */
static uint64_t context_of(const struct ticket *t, const struct identity *first)
{
    const uint64_t parts[] = {t->process, t->serial, first->origin, (uint64_t)first->rank};
    uint64_t hash = 0;
    for (int i = 0; i < 4; i++) {
        hash = (hash ^ parts[i]) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    return hash;
}

static bool fill_in(struct comm_builder *d, const struct comm_member members[], int lower, int upper,
                    const int proc_of[], int nproc)
{
    struct comm *c = d->comm;
    const struct comm *parent = parent_of(members);
    c->inter = upper > 0;
    c->single_owner = parent->single_owner;
    c->domain = d->id ? domain_new(d->id, c->proc, d->checks) : domain_hold(parent->domain);
    c->context = context_of(&d->ticket, &members[0].who);
    c->group[0] = group_map_from(members, sizeof *members, lower);
    if (c->inter)
        c->group[1] = group_map_from(members + lower, sizeof *members, upper);
    return c->domain && c->group[0] && (c->group[1] || !c->inter) &&
           rankmap_list(&c->map, proc_of, lower + upper, nproc) && comm_complete(c) &&
           (d->id || comm_set_inner(c, d->inner));
}

/* ---- the classic intercommunicator ---- */

/*
 * An intercommunicator's groups are disjoint as endpoints but may share processes; the classic MPI
 * intercommunicator that stands for it wants disjoint processes. Each shared process is given to one side:
 *   1   no leader lives in it: to the upper group
 *   2   one leader: to that leader's group
 *   3   both leaders:
 *   3a    the lower group has another process: to the upper; the lower group's leader moves to the lowest
 *         of its other processes
 *   3b    else, the upper group has another process: the mirror image
 *   3c    both have this one alone: there is no intercommunicator
 * The lower group is the one whose leader has the lower rank in the peer communicator. Case 0: nothing is
 * shared.
 */
enum { LIVES_LOWER = 1, LIVES_UPPER = 2, LIVES_BOTH = LIVES_LOWER | LIVES_UPPER };

/* The lowest process but one of those where the group lives, -1 if there is none. */
static int lowest_other(int n, const unsigned char lives[], const int world[], int group, int but)
{
    int lowest = -1;
    for (int p = 0; p < n; p++)
        if (p != but && (lives[p] & group) && (lowest < 0 || world[p] < world[lowest]))
            lowest = p;
    return lowest;
}

/* Both leaders live in one process. */
static const char *part_leaders(int n, const unsigned char lives[], const int world[], int leader[2])
{
    int both = leader[0], other = lowest_other(n, lives, world, LIVES_LOWER, both);
    if (other >= 0) {
        leader[0] = other;
        return "3a";
    }
    other = lowest_other(n, lives, world, LIVES_UPPER, both);
    if (other >= 0) {
        leader[1] = other;
        return "3b";
    }
    return "3c";
}

/* lives[p]: which groups have endpoints in process p; world[p]: what orders processes. leader[]: processes
 * of the two leaders, changed where they move. side[p] = 0 or 1 is set. Returns the case of the
 * intercommunicator, the highest that occurs. */
static const char *overlap_sides(int n, const unsigned char lives[], const int world[], int leader[2],
                                 unsigned char side[])
{
    const char *found = "0";
    if (leader[0] == leader[1])
        found = part_leaders(n, lives, world, leader);
    for (int p = 0; p < n; p++) {
        side[p] = lives[p] & LIVES_UPPER ? 1 : 0;
        if (lives[p] != LIVES_BOTH)
            continue;
        if (p == leader[0])
            side[p] = 0;
        if (found[0] < '2')
            found = p == leader[0] || p == leader[1] ? "2" : "1";
    }
    return found;
}

static bool take_sides(struct comm_builder *d, const int proc_of[], int lower)
{
    struct comm *c = d->comm;
    unsigned char *lives = calloc((size_t)c->nproc, 1);
    d->side = malloc((size_t)c->nproc);
    bool ok = lives && d->side;
    for (int i = 0; ok && i < c->map.size; i++)
        lives[proc_of[i]] |= i < lower ? LIVES_LOWER : LIVES_UPPER;
    if (ok) {
        c->overlap = overlap_sides(c->nproc, lives, d->world, d->leader, d->side);
        c->leader[0] = d->world[d->leader[0]];
        c->leader[1] = d->world[d->leader[1]];
    }
    free(lives);
    return ok;
}

/* ---- from the list of members ---- */

int builder_make(struct comm_builder *d, const struct comm_member members[], int lower, int upper,
                 const struct process_info *const procs[], int nprocs, int me, const int leaders[2],
                 struct ticket ticket)
{
    int n = lower + upper;
    d->ticket = ticket;
    int *proc_of = malloc((size_t)n * sizeof *proc_of), *number = malloc((size_t)nprocs * sizeof *number);
    d->comm = comm_new();
    bool ok = proc_of && number && d->comm;
    if (ok) {
        int count = count_processes(members, n, number, nprocs, proc_of);
        d->comm->proc = number[me];
        ok = list_processes(d, number, nprocs, count, procs) &&
             fill_in(d, members, lower, upper, proc_of, count) && builder_make_views(d, members, n);
    }
    if (ok && upper > 0) {
        d->leader[0] = proc_of[leaders[0]];
        d->leader[1] = proc_of[lower + leaders[1]];
        ok = take_sides(d, proc_of, lower);
    }
    free(proc_of);
    free(number);
    if (ok)
        far_prepare(d->comm);
    return ok ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}

static bool copy_common(struct comm *c, const struct comm *from)
{
    c->inter = from->inter;
    c->single_owner = from->single_owner;
    c->overlap = from->overlap;
    c->leader[0] = from->leader[0];
    c->leader[1] = from->leader[1];
    c->proc = from->proc;
    c->domain = domain_hold(from->domain);
    c->group[0] = group_map_hold(from->group[0]);
    c->group[1] = from->inter ? group_map_hold(from->group[1]) : NULL;
    rankmap_copy(&c->map, &from->map);
    return comm_complete(c) && comm_copy_inner(c, from);
}

int builder_copy(struct comm_builder *d, const struct leaders *p)
{
    const struct comm *from = p->comm;
    struct comm *c = d->comm = comm_new();
    d->original = from;
    d->inner = malloc((size_t)p->n * sizeof *d->inner);
    if (!c || !d->inner || !copy_common(c, from) ||
        !(d->slots = malloc((size_t)c->nlocal * sizeof *d->slots)))
        return MPI_ERR_NO_MEM;
    struct identity first = group_map_at(from->group[0], 0);
    c->context = context_of(&p->ticket, &first);
    for (int v = 0; v < p->n; v++)
        d->inner[p->proc[v]] = leaders_process_info(p, v)->inner;
    for (int i = 0; i < c->nlocal; i++) {
        struct gather_slot *s = d->slots[i] = p->gather->slot[i];
        ep_comm v = s->result;
        s->result = EP_COMM_NULL; /* the builder's now */
        view_init(v, c, i, s->errhandler);
        endpoint_add_view(v, s->view->endpoint);
    }
    far_prepare(c);
    return MPI_SUCCESS;
}

bool builder_is_far(const struct comm_builder *d)
{
    return d->comm && d->comm->nproc > 1;
}

static void builder_clean(struct comm_builder *d)
{
    free(d->slots);
    free(d->inner);
    free(d->side);
    free(d);
}

void builder_open(struct comm_builder *d)
{
    struct comm *c = d->comm;
    for (int i = 0; i < c->nlocal; i++) {
        endpoint_view_live(c->local[i]);
        d->slots[i]->result = c->local[i];
    }
    far_open(c);
    builder_clean(d);
}

void builder_give_up(struct comm_builder *d)
{
    struct comm *c = d->comm;
    if (c)
        far_give_up(c);
    for (int i = 0; c && c->local && i < c->nlocal; i++)
        if (c->local[i])
            endpoint_remove_view(c->local[i]);
    if (c)
        comm_destroy(c);
    builder_clean(d);
}
