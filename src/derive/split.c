/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Splitting: everybody tells its color and key; each process then works out those new communicators that it
 * has endpoints in, in ascending order of color, and makes their MPI communicators in this order, each with
 * the processes concerned alone. Processes that have no endpoint of a color do nothing for it. Two
 * processes meet in the same order, so none waits for one that waits for it.
 *
 * ep_comm_create and ep_intercomm_merge are splits too: by group and position in it, and by `high`. ep_comm_create_group
 * is collective over its group alone, of which the other endpoints of the communicator know nothing.
 */
#include <stdlib.h>

#include "derive/creation.h"
#include "derive/derive.h"

struct split_choice {
    int64_t color; /* NOWHERE: none */
    int key;
    int size; /* what the caller thinks that the color has; 0: does not matter */
};

enum { NOWHERE = -1 };

/* One endpoint's choice, with what orders it. */
struct pick {
    struct split_choice choice;
    int rank;            /* union rank */
    int side;            /* of the new communicator */
    int position, index; /* position of the process among the leaders, local index */
};

struct rule {
    bool merge; /* of both sides into an intracommunicator */
};

static int by_color(const void *a, const void *b)
{
    const struct pick *x = a, *y = b;
    if (x->choice.color != y->choice.color)
        return x->choice.color < y->choice.color ? -1 : 1;
    if (x->side != y->side)
        return x->side - y->side;
    if (x->choice.key != y->choice.key)
        return x->choice.key < y->choice.key ? -1 : 1;
    return x->rank < y->rank ? -1 : x->rank > y->rank;
}

/* Process infos of all processes of these leaders, by position. NULL without memory. */
static const struct process_info **leaders_process_infos(const struct leaders *p)
{
    const struct process_info **all = malloc((size_t)p->n * sizeof *all);
    for (int v = 0; all && v < p->n; v++)
        all[v] = leaders_process_info(p, v);
    return all;
}

/* All choices in order; NULL without memory. */
static struct pick *split_sorted(const struct leaders *p, const struct rule *rule)
{
    const struct comm *c = p->comm;
    struct pick *picks = malloc((size_t)c->map.size * sizeof *picks), *at = picks;
    for (int v = 0; picks && v < p->n; v++)
        for (int i = 0; i < p->count[v]; i++, at++) {
            at->choice = *(const struct split_choice *)leaders_item(p, v, i);
            at->rank = rankmap_rank(&c->map, p->proc[v], i);
            at->side = !rule->merge && at->rank >= c->group[0]->size;
            at->position = v;
            at->index = i;
        }
    if (picks)
        qsort(picks, (size_t)c->map.size, sizeof *picks, by_color);
    return picks;
}

static struct comm_member split_member(const struct leaders *p, const struct pick *pick)
{
    const struct comm *c = p->comm;
    int lower = c->group[0]->size;
    bool above = pick->rank >= lower;
    return (struct comm_member){.who = group_map_at(c->group[above], above ? pick->rank - lower : pick->rank),
                                .proc = pick->position,
                                .slot = pick->position == p->me ? p->gather->slot[pick->index] : NULL};
}

/* A builder of n picks of one color. The first endpoints lead (of an intercommunicator). */
static int split_make(struct creation *c, const struct pick picks[], int n,
                      const struct process_info *const infos[])
{
    static const int leaders[2] = {0, 0};
    const struct leaders *p = c->leaders;
    int lower = 0, rc = MPI_ERR_NO_MEM;
    struct comm_builder *d = creation_add(c);
    struct comm_member *members = malloc((size_t)n * sizeof *members);
    for (int i = 0; i < n && members; i++) {
        members[i] = split_member(p, &picks[i]);
        lower += picks[i].side == 0;
    }
    if (d && members)
        rc = builder_make(d, members, lower, n - lower, infos, p->n, p->me, leaders, p->ticket);
    free(members);
    return rc;
}

/* Everybody gave the same size, which is how many they are, and another position. */
static bool sizes_agree(const struct leaders *p, const struct pick picks[], int n)
{
    int side[2] = {0, 0};
    for (int i = 0; i < n; i++)
        side[picks[i].rank >= p->comm->group[0]->size]++;
    for (int i = 0; i < n; i++) {
        int count = side[picks[i].rank >= p->comm->group[0]->size];
        if (picks[i].choice.size > 0 && picks[i].choice.size != count)
            return false;
        if (picks[i].choice.size > 0 && i > 0 && picks[i].side == picks[i - 1].side &&
            picks[i].choice.key == picks[i - 1].choice.key)
            return false;
    }
    return true;
}

/* One color, which an endpoint of this process has. */
static int split_take(struct creation *c, const struct pick picks[], int n,
                      const struct process_info *const infos[])
{
    const struct leaders *p = c->leaders;
    if (!sizes_agree(p, picks, n)) {
        for (int i = 0; i < n; i++)
            if (picks[i].position == p->me) {
                struct gather_slot *s = p->gather->slot[picks[i].index];
                s->rc = MPI_ERR_GROUP;
                s->why = "the members do not give the same group";
            }
        return MPI_SUCCESS;
    }
    return split_make(c, picks, n, infos);
}

static bool split_is_here(const struct leaders *p, const struct pick picks[], int n)
{
    for (int i = 0; i < n; i++)
        if (picks[i].position == p->me)
            return true;
    return false;
}

static int end_of_color(const struct pick picks[], int begin, int n)
{
    int end = begin + 1;
    while (end < n && picks[end].choice.color == picks[begin].choice.color)
        end++;
    return end;
}

/* All colors of this process, ascending. Nothing is made of one that is on one side only of an
 * intercommunicator. */
static int split_make_all(struct creation *c, const struct pick *picks,
                          const struct process_info *const infos[])
{
    const struct leaders *p = c->leaders;
    const struct rule *rule = c->arg;
    int rc = MPI_SUCCESS, size = p->comm->map.size;
    for (int begin = 0, end; begin < size && rc == MPI_SUCCESS; begin = end) {
        end = end_of_color(picks, begin, size);
        if (picks[begin].choice.color == NOWHERE || !split_is_here(p, picks + begin, end - begin))
            continue;
        bool one_sided = p->comm->inter && !rule->merge && picks[begin].side == picks[end - 1].side;
        if (one_sided)
            continue;
        rc = split_take(c, picks + begin, end - begin, infos);
    }
    return rc;
}

/* All endpoints of a group say the same `high`. */
static bool high_agrees(const struct leaders *p, const struct pick picks[])
{
    int high[2] = {-1, -1};
    for (int i = 0; i < p->comm->map.size; i++) {
        int side = picks[i].rank >= p->comm->group[0]->size;
        if (high[side] >= 0 && high[side] != picks[i].choice.key)
            return false;
        high[side] = picks[i].choice.key;
    }
    return true;
}

static int split_plan(struct creation *c)
{
    struct leaders *p = c->leaders;
    const struct rule *rule = c->arg;
    const struct process_info **infos = leaders_process_infos(p);
    struct pick *picks = split_sorted(p, rule);
    int rc = MPI_ERR_NO_MEM;
    if (infos && picks) {
        if (!rule->merge || high_agrees(p, picks))
            rc = split_make_all(c, picks, infos);
        else
            leaders_fail(p, rc = MPI_ERR_ARG, "argument high is not the same in all endpoints of a group");
    }
    free(picks);
    free(infos);
    return rc;
}

static void split_act(struct leaders *p, void *rule)
{
    static const struct creation_kind kind = {.item = sizeof(struct split_choice), .plan = split_plan};
    creation_run(&(struct creation){.kind = &kind, .arg = rule, .leaders = p}, 0);
}

static int split_common(struct where w, struct split_choice choice, struct rule rule, bool extras,
                        int refused, ep_comm *newcomm)
{
    struct gather_slot s = {.view = w.view,
                            .data = &choice,
                            .extras = extras,
                            .rc = refused,
                            .raised = refused != MPI_SUCCESS,
                            .errhandler = errhandler_take(&w.view->errhandler)};
    struct whole call = {.slot = &s, .act = split_act, .arg = &rule};
    int rc = whole_call(w, &call);
    errhandler_drop(s.errhandler);
    *newcomm = s.result;
    return rc;
}

int derive_split(struct where w, int64_t color, int key, bool extras, ep_comm *newcomm)
{
    return split_common(w, (struct split_choice){color == MPI_UNDEFINED ? NOWHERE : color, key, 0},
                        (struct rule){false}, extras, MPI_SUCCESS, newcomm);
}

int derive_create(struct where w, int first, int rank, int size, ep_comm *newcomm)
{
    struct split_choice c = {size > 0 ? first : NOWHERE, rank, size};
    if (size > 0 && w.view->comm->inter)
        c.color = 0; /* one group on each side */
    return split_common(w, c, (struct rule){false}, false, MPI_SUCCESS, newcomm);
}

int derive_merge(struct where w, bool high, ep_comm *newcomm)
{
    return split_common(w, (struct split_choice){0, high, 0}, (struct rule){true}, false, MPI_SUCCESS,
                        newcomm);
}

int derive_refuse(struct where w, int rc)
{
    ep_comm none;
    return split_common(w, (struct split_choice){NOWHERE, 0, 0}, (struct rule){false}, false, rc, &none);
}

/* ---- a group alone ---- */

static uint64_t hash_ranks(const int ranks[], int n)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (int i = 0; i < n; i++)
        hash = (hash ^ (uint64_t)ranks[i]) * 0x100000001b3u;
    return hash;
}

/* position[proc of comm]: among the leaders. NULL without memory. */
static int *group_invert(const struct leaders *p)
{
    int *position = malloc((size_t)p->comm->nproc * sizeof *position);
    for (int v = 0; position && v < p->n; v++)
        position[p->proc[v]] = v;
    return position;
}

static int group_plan(struct creation *c)
{
    const struct leaders *p = c->leaders;
    int n = p->nranks, local = 0, index, rc = MPI_ERR_NO_MEM;
    struct comm_builder *d = creation_add(c);
    struct comm_member *members = malloc((size_t)n * sizeof *members);
    const struct process_info **infos = leaders_process_infos(p);
    int *position = group_invert(p);
    for (int i = 0; members && position && i < n; i++) {
        int proc = rankmap_proc(&p->comm->map, p->ranks[i], &index);
        members[i] = (struct comm_member){.who = group_map_at(p->comm->group[0], p->ranks[i]),
                                          .proc = position[proc],
                                          .slot = proc == p->comm->proc ? p->gather->slot[local++] : NULL};
    }
    if (d && members && infos && position)
        rc = builder_make(d, members, n, 0, infos, p->n, p->me, NULL, p->ticket);
    free(members);
    free(infos);
    free(position);
    return rc;
}

static void group_lead(struct gather *m, ep_comm leader, const int ranks[], int n, uint64_t hash)
{
    static const struct creation_kind kind = {.plan = group_plan};
    struct leaders p;
    leaders_group(&p, m, leader, m->tag, ranks, n);
    creation_run(&(struct creation){.kind = &kind, .leaders = &p}, hash);
    leaders_free(&p);
}

int derive_create_group(struct where w, const int ranks[], int n, int mine, int tag, ep_comm *newcomm)
{
    struct comm *c = w.view->comm;
    struct gather_slot s = {
        .call = w.call, .view = w.view, .errhandler = errhandler_take(&w.view->errhandler)};
    uint64_t hash = hash_ranks(ranks, n);
    int size = 0, position = 0, index;
    for (int i = 0; i < n; i++)
        if (comm_is_near(c, ranks[i], &index)) {
            position += i < mine;
            size++;
        }
    struct gather *m = gather_join(tag_of_kind(KIND_GROUP, tag), hash, size, position, 0, &s);
    if (m) {
        group_lead(m, w.view, ranks, n, hash);
        gather_end(m);
    }
    errhandler_drop(s.errhandler);
    endpoints_retire();
    *newcomm = s.result;
    return slot_raise(w, &s);
}
