/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Joining two groups by an intercommunicator. Each group has leaders (leaders.h), one in each of its
 * processes, whose root is the leader that the user named. The leaders of a group exchange what its members
 * are, the two roots exchange that over the peer communicator, and give what they got to the leaders of their
 * groups (creation.c has the states). Then everybody knows both groups; the group whose leader has the lower rank in
 * the peer communicator is the lower one (side 0). A process that has members of one group makes its part of the
 * communicator. Votes are summed up over the leaders of both.
 *
 * Where the groups share a process, two leaders of this process act for it, one per group, and one communicator is to
 * come of it. They find each other by a number that both groups know (struct intercomm_shared). The second to come
 * builds; the first only votes, and waits until the other is through. The builder blocks in MPI, with
 * MPI_THREAD_SERIALIZED to the exclusion of all other threads, so it first waits until the other has passed the result
 * of the vote on.
 *
 * All of it belongs to one struct joining, on the stack of the leader.
 */
#include <stdlib.h>
#include <string.h>

#include "derive/creation.h"
#include "derive/derive.h"
#include "p2p/p2p.h"

/* What roots tell each other first. */
struct summary {
    int size, nproc; /* endpoints and processes of the group */
    int peer_rank;   /* of the leader */
    int leader;      /* rank in its group */
    int rc;
    int unused;
    struct ticket ticket;
};

/* A member of a group, by rank. */
struct face {
    struct identity who; /* first, for group_map_from */
    int proc;            /* position among its leaders */
};

_Static_assert(2 * sizeof(struct summary) <= NOTICE_MAX, "all learn both, or none does");
_Static_assert(sizeof(struct summary) % TREE_GRAIN == 0 && sizeof(struct face) % TREE_GRAIN == 0,
               "they go by trees");

/* A group as everybody knows it in the end. */
struct intercomm_side {
    struct summary summary;
    struct process_info *infos; /* by position */
    struct face *faces;         /* by rank */
};

struct intercomm_shared {
    struct intercomm_shared *next;
    uint64_t key[2];
    struct gather *gather[2];        /* of the lower and the upper group */
    struct endpoint *first, *second; /* of the leaders, as they came */
    _Atomic bool voted; /* the first: release joining_pair; builder: acquire flag_set (by pointer) */
    _Atomic bool
        done; /* builder: release joining_end, its last access; the first: acquire flag_set (by pointer), then it frees the object */
};

struct joining {
    const struct meet_at *at;
    struct tree link; /* of both roots, by side; n is 0 in other leaders */
    struct summary link_summaries[2];
    struct vote link_votes[2];
    size_t offset[3];                /* of each side in what the roots exchange */
    struct summary own_and_other[2]; /* as the root tells its group */
    bool upper;                      /* the own side */
    struct intercomm_side side[2];
    char *members; /* of both sides; NULL: no memory */
    size_t bytes[2];
    struct intercomm_shared *shared; /* NULL: the other group does not live here */
    bool builds;
    struct gather *gathers[2]; /* that this leader builds for */
    struct intercomm_cross cross;
};

/* ---- the roots ---- */

static int link_rank_of(const void *arg, int position)
{
    (void)position;
    return ((const struct joining *)arg)->at->remote_leader;
}

bool joining_links(const struct joining *j)
{
    return j->link.n > 0;
}

static void joining_open_link(struct joining *j, const struct meet_at *at)
{
    j->at = at;
    if (!at->peer)
        return;
    j->cross.peer = at->peer;
    j->cross.remote_leader = at->remote_leader;
    j->link = (struct tree){.view = at->peer,
                            .tag = tag_of_kind(KIND_BRIDGE, at->tag),
                            .n = 2,
                            .me = view_union_rank(at->peer) > view_target(at->peer, at->remote_leader, 0),
                            .rank_of = link_rank_of,
                            .arg = j};
}

/* Both sides' data are at `data`, first only the own. */
static void link_exchange(struct creation *c, void *data, size_t lower, size_t upper)
{
    struct joining *j = c->joining;
    j->offset[1] = lower;
    j->offset[2] = lower + upper;
    j->link.rc = MPI_SUCCESS;
    tree_allgather(&j->link, data, j->offset);
    c->tree = &j->link;
}

/* ---- getting to know each other ---- */

void joining_begin_summaries(struct creation *c, int rc)
{
    struct joining *j = c->joining;
    const struct leaders *p = c->leaders;
    j->own_and_other[0] = (struct summary){.size = p->comm->map.size,
                                           .nproc = p->n,
                                           .peer_rank = j->at->peer ? view_union_rank(j->at->peer) : 0,
                                           .leader = j->at->local_leader,
                                           .rc = rc,
                                           .ticket = p->ticket};
    if (!joining_links(j))
        return;
    j->link_summaries[j->link.me] = j->own_and_other[0];
    link_exchange(c, j->link_summaries, sizeof(struct summary), sizeof(struct summary));
}

/* That of the own root is told to all, too, for the leader's peer rank. What went wrong in the exchange before is in it, if it
 * went wrong for all; who has an error alone says so in the vote. */
void joining_spread_summaries(struct creation *c)
{
    struct joining *j = c->joining;
    struct tree *t = &c->leaders->tree;
    if (joining_links(j)) {
        j->own_and_other[1] = j->link_summaries[!j->link.me];
        if (j->link.rc != MPI_SUCCESS)
            j->own_and_other[1].rc = j->link.rc;
    }
    t->rc = MPI_SUCCESS;
    tree_bcast(t, j->own_and_other, sizeof j->own_and_other);
}

static size_t side_place(struct intercomm_side *s, char *at)
{
    size_t infos = (size_t)s->summary.nproc * sizeof(struct process_info);
    s->infos = (struct process_info *)(void *)at;
    s->faces = at ? (struct face *)(void *)(at + infos) : NULL;
    return infos + (size_t)s->summary.size * sizeof(struct face);
}

/* Own group, from the exchange. */
static void side_write(struct intercomm_side *s, const struct leaders *p)
{
    for (int v = 0; v < p->n; v++) {
        s->infos[v] = *leaders_process_info(p, v);
        for (int i = 0; i < p->count[v]; i++) {
            int rank = rankmap_rank(&p->comm->map, p->proc[v], i);
            s->faces[rank] = (struct face){*(const struct identity *)leaders_item(p, v, i), v};
        }
    }
}

/* Who has no memory helps the others nevertheless. */
int joining_begin_members(struct creation *c)
{
    struct joining *j = c->joining;
    struct leaders *p = c->leaders;
    const struct summary *own = &j->own_and_other[0], *other = &j->own_and_other[1];
    int rc = p->tree.rc ? p->tree.rc : own->rc ? own->rc : other->rc;
    if (rc != MPI_SUCCESS)
        return rc;
    j->upper = own->peer_rank > other->peer_rank;
    j->side[j->upper].summary = *own;
    j->side[!j->upper].summary = *other;
    p->ticket = j->side[j->side[0].summary.ticket.time < j->side[1].summary.ticket.time].summary.ticket;
    creation_clock_saw(p->ticket.time);
    for (int s = 0; s < 2; s++)
        j->bytes[s] = side_place(&j->side[s], NULL);
    if (c->rc == MPI_SUCCESS && !(j->members = calloc(1, j->bytes[0] + j->bytes[1])))
        c->rc = MPI_ERR_NO_MEM;
    if (j->members) {
        side_place(&j->side[0], j->members);
        side_place(&j->side[1], j->members + j->bytes[0]);
        side_write(&j->side[j->upper], p);
    }
    if (joining_links(j))
        link_exchange(c, j->members, j->bytes[0], j->bytes[1]);
    return MPI_SUCCESS;
}

void joining_spread_members(struct creation *c)
{
    struct joining *j = c->joining;
    char *other = j->members ? (char *)j->side[!j->upper].infos : NULL;
    if (joining_links(j))
        c->leaders->tree.rc = j->link.rc;
    tree_bcast(&c->leaders->tree, other, j->bytes[!j->upper]);
}

static struct group_map *members_of(const struct intercomm_side *s)
{
    return group_map_from(s->faces, sizeof *s->faces, s->summary.size);
}

/* MPI_ERR_COMM if an endpoint is in both. */
static int intercomm_check_disjoint(const struct intercomm_side *a, const struct intercomm_side *b)
{
    int rc = MPI_ERR_NO_MEM;
    struct group_map *x = members_of(a), *y = members_of(b);
    int *at = malloc((size_t)a->summary.size * sizeof *at);
    if (x && y && at) {
        group_map_locate(x, y, at);
        rc = MPI_SUCCESS;
        for (int i = 0; i < a->summary.size; i++)
            if (at[i] >= 0)
                rc = MPI_ERR_COMM;
    }
    group_map_drop(x);
    group_map_drop(y);
    free(at);
    return rc;
}

/* ---- a shared process ---- */

static struct lock shared_lock = LOCK_FREE(INTERCOMMS);
static struct intercomm_shared *shared; /* with one group; under shared_lock */

/* Where the other leader has left it; or the end of the list. */
static struct intercomm_shared **shared_find(const uint64_t key[2])
{
    lock_assert_held(&shared_lock);
    struct intercomm_shared **at = &shared;
    while (*at && ((*at)->key[0] != key[0] || (*at)->key[1] != key[1]))
        at = &(*at)->next;
    return at;
}

static bool side_is_here(const struct intercomm_side *s)
{
    for (int v = 0; v < s->summary.nproc; v++)
        if (s->infos[v].process == process_random_id())
            return true;
    return false;
}

/* Find the other leader. False without memory. */
static bool joining_meet(struct joining *j, struct gather *m, struct endpoint *endpoint)
{
    const struct ticket *a = &j->side[0].summary.ticket, *b = &j->side[1].summary.ticket;
    const uint64_t key[2] = {a->process ^ a->time << 32, a->serial ^ b->serial << 32};
    lock_acquire(&shared_lock);
    struct intercomm_shared **at = shared_find(key), *s = *at;
    if (s) {
        *at = s->next;
        s->second = endpoint;
        j->gathers[!j->upper] = s->gather[!j->upper];
    } else if ((s = calloc(1, sizeof *s))) {
        *s = (struct intercomm_shared){.key = {key[0], key[1]}, .first = endpoint, .next = shared};
        shared = s;
        j->builds = false;
    }
    if (s)
        s->gather[j->upper] = m;
    lock_release(&shared_lock);
    j->shared = s;
    return s;
}

/* A vote that was won was won by both leaders, so both have come. */
_Atomic bool *joining_pair(struct creation *c)
{
    struct joining *j = c->joining;
    struct intercomm_shared *s = j->shared;
    if (!s || j->builds)
        return s ? &s->voted : NULL;
    lock_acquire(&shared_lock);
    struct intercomm_shared **at = shared_find(s->key);
    bool alone = c->rc != MPI_SUCCESS && *at == s;
    if (alone)
        *at = s->next;
    struct endpoint *other = s->second;
    lock_release(&shared_lock);
    if (alone) { /* the other one never comes, because it failed there before */
        free(s);
        j->shared = NULL;
        return NULL;
    }
    store_release(&s->voted, true);
    evcount_notify(&other->evcount);
    return &s->done;
}

int joining_learn(struct creation *c)
{
    struct joining *j = c->joining;
    struct leaders *p = c->leaders;
    int rc = c->rc ? c->rc : p->tree.rc;
    j->builds = true;
    j->gathers[j->upper] = p->gather;
    if (rc == MPI_SUCCESS && (rc = intercomm_check_disjoint(&j->side[0], &j->side[1])) == MPI_ERR_COMM)
        leaders_fail(p, rc, "an endpoint is in both groups");
    if (rc == MPI_SUCCESS && side_is_here(&j->side[!j->upper]) &&
        !joining_meet(j, p->gather, p->tree.view->endpoint))
        rc = MPI_ERR_NO_MEM;
    return rc;
}

void joining_end(const struct creation *c)
{
    struct joining *j = c->joining;
    if (j->shared && j->builds) {
        struct endpoint *first = j->shared->first;
        store_release(&j->shared->done, true);
        evcount_notify(&first->evcount);
    } else {
        free(j->shared);
    }
    free(j->cross.rest);
    free(j->members);
}

/* ---- the vote ---- */

void joining_begin_vote(struct creation *c)
{
    struct joining *j = c->joining;
    j->link_votes[j->link.me] = vote_sum(c->leaders);
    link_exchange(c, j->link_votes, sizeof(struct vote), sizeof(struct vote));
}

const struct vote *joining_other_vote(const struct creation *c)
{
    struct joining *j = c->joining;
    struct vote *other = &j->link_votes[!j->link.me];
    if (j->link.rc != MPI_SUCCESS)
        *other = (struct vote){j->link.rc, true};
    return other;
}

/* ---- building ---- */

/* Processes of both groups, each once: those of the lower group, then the others.
 * number[side][position]. */
static int list_union(const struct intercomm_side side[2], const struct process_info *list[], int *number[2])
{
    int n = 0;
    for (int s = 0; s < 2; s++)
        for (int v = 0; v < side[s].summary.nproc; v++) {
            const struct process_info *info = &side[s].infos[v];
            int at = s == 0 ? n : 0;
            while (at < n && list[at]->process != info->process)
                at++;
            if (at == n)
                list[n++] = info;
            number[s][v] = at;
        }
    return n;
}

/* Slots of a group's members in this process come in the order of their ranks. */
static void intercomm_enlist(struct comm_member to[], const struct intercomm_side *s, const int number[],
                             int me, struct gather *m)
{
    int local = 0;
    for (int i = 0; i < s->summary.size; i++) {
        int proc = number[s->faces[i].proc];
        to[i] = (struct comm_member){s->faces[i].who, proc, proc == me && m ? m->slot[local++] : NULL};
    }
}

/* Domains differ: how one is made (builder.h). */
static int cross_prepare(struct joining *j, struct comm_builder *d)
{
    struct intercomm_cross *x = &j->cross;
    const struct process_info *a = j->side[0].infos, *b = j->side[1].infos;
    int na = j->side[0].summary.nproc, nb = j->side[1].summary.nproc;
    x->rest = malloc(((size_t)na + (size_t)nb) * sizeof *x->rest);
    if (!x->rest)
        return MPI_ERR_NO_MEM;
    x->a = x->rest + nb;
    x->na = na;
    for (int i = 0; i < na; i++)
        x->a[i] = a[i].inner;
    x->leader_a = a[0].proc; /* the leader's process is the root of its group's leaders */
    for (int i = 0; i < nb; i++) {
        int at = 0;
        while (at < na && a[at].process != b[i].process)
            at++;
        if (at == na) {
            x->rest[x->nrest++] = b[i].inner;
        } else if (!x->common) {
            x->common = true;
            x->leader_a = a[at].proc;
            x->from_a = b[i].inner;
        }
    }
    x->from_b = x->nrest > 0 ? x->rest[0] : 0;
    for (int s = 0; s < 2; s++)
        x->comm[s] = j->gathers[s] ? j->gathers[s]->first->view->comm : NULL;
    d->cross = x;
    d->checks = a[0].checks || b[0].checks; /* each the same in its domain */
    d->id = (a[0].process ^ b[0].process << 1 ^ a[0].time << 40 ^ b[0].time << 8) | 1;
    return MPI_SUCCESS;
}

static int intercomm_plan(struct creation *c)
{
    struct joining *j = c->joining;
    const struct summary *low = &j->side[0].summary, *up = &j->side[1].summary;
    size_t nproc = (size_t)low->nproc + (size_t)up->nproc;
    if (!j->builds)
        return MPI_SUCCESS;
    int rc = MPI_ERR_NO_MEM;
    struct comm_builder *d = creation_add(c);
    struct comm_member *members = malloc(((size_t)low->size + (size_t)up->size) * sizeof *members);
    const struct process_info **list = malloc(nproc * sizeof *list);
    int *number[2] = {malloc(nproc * sizeof(int)), NULL};
    if (d && members && list && number[0]) {
        const int leaders[2] = {low->leader, up->leader};
        number[1] = number[0] + low->nproc;
        int n = list_union(j->side, list, number), me = 0;
        while (list[me]->process != process_random_id())
            me++;
        intercomm_enlist(members, &j->side[0], number[0], me, j->gathers[0]);
        intercomm_enlist(members + low->size, &j->side[1], number[1], me, j->gathers[1]);
        rc = j->side[0].infos->domain == j->side[1].infos->domain ? MPI_SUCCESS : cross_prepare(j, d);
        if (rc == MPI_SUCCESS)
            rc = builder_make(d, members, low->size, up->size, list, n, me, leaders, c->leaders->ticket);
    }
    free(members);
    free(list);
    free(number[0]);
    return rc;
}

static void intercomm_act(struct leaders *p, void *at)
{
    static const struct creation_kind kind = {.item = sizeof(struct identity), .plan = intercomm_plan};
    struct joining j = {.builds = true};
    joining_open_link(&j, at);
    creation_run(&(struct creation){.kind = &kind, .leaders = p, .joining = &j}, 0);
}

int derive_intercomm(struct where w, const struct meet_at *at, int rc, ep_comm *newcomm)
{
    struct identity me = view_identity(w.view);
    struct meet_at mine = *at;
    struct gather_slot s = {.view = w.view,
                            .data = &me,
                            .rc = rc,
                            .raised = rc != MPI_SUCCESS,
                            .errhandler = errhandler_take(&w.view->errhandler)};
    struct whole call = {.slot = &s, .root = at->local_leader, .act = intercomm_act, .arg = &mine};
    if (w.view->rank != at->local_leader || rc != MPI_SUCCESS)
        mine.peer = NULL;
    rc = whole_call(w, &call);
    errhandler_drop(s.errhandler);
    *newcomm = s.result;
    return rc;
}
