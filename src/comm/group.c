/* SPDX-License-Identifier: BSD-3-Clause */
#include "comm/group.h"

#include <stdlib.h>
#include <string.h>

#include "comm/handle.h"

static struct lock groups_lock = LOCK_FREE(GROUPS);
static struct pool groups;                    /* under groups_lock */
static struct group_map nobody = {.refs = 1}; /* of EP_GROUP_EMPTY; never dropped to 0 */

static ep_group group_take(void)
{
    lock_acquire(&groups_lock);
    if (!groups.item_size)
        pool_init(&groups, sizeof(struct ep_group_s));
    ep_group g = pool_get(&groups);
    lock_release(&groups_lock);
    return g;
}

ep_group group_new(struct group_map *held, struct identity me, bool has_me)
{
    ep_group g = EP_GROUP_NULL;
    if (held && held->size == 0)
        g = EP_GROUP_EMPTY;
    else if (held && (g = group_take())) {
        g->fortran = 0;
        g->me = me;
        g->has_me = has_me;
        g->group_map = held;
        store_release(&g->magic, GROUP_LIVE);
        return g;
    }
    group_map_drop(held);
    return g;
}

void group_delete(ep_group g)
{
    handle_drop(g->fortran);
    store_relaxed(&g->magic, GROUP_FREED);
    group_map_drop(g->group_map);
    lock_acquire(&groups_lock);
    pool_put(&groups, g);
    lock_release(&groups_lock);
}

bool group_is_valid(ep_group g)
{
    return g == EP_GROUP_EMPTY || (pool_may_hold(g) && load_acquire(&g->magic) == GROUP_LIVE);
}

struct group_map *group_get_map(ep_group g)
{
    return g == EP_GROUP_EMPTY ? &nobody : g->group_map;
}

static bool has_me(ep_group g)
{
    return g != EP_GROUP_EMPTY && g->has_me;
}

/* The same endpoint as a's, or b's. */
static ep_group group_derived(struct group_map *held, ep_group a, ep_group b)
{
    ep_group from = has_me(a) ? a : b;
    return has_me(from) ? group_new(held, from->me, true) : group_new(held, (struct identity){0}, false);
}

int group_rank(ep_group g)
{
    int rank = has_me(g) ? group_map_find(g->group_map, g->me) : -1;
    return rank < 0 ? MPI_UNDEFINED : rank;
}

/* at of group_map_locate; NULL without memory. Never of size 0, whose allocation may give NULL too. */
static int *group_locate(const struct group_map *of, const struct group_map *in)
{
    int *at = malloc(((size_t)of->size + 1) * sizeof *at);
    if (at)
        group_map_locate(of, in, at);
    return at;
}

static int count_present(const int at[], int n)
{
    int count = 0;
    for (int i = 0; i < n; i++)
        count += at[i] >= 0;
    return count;
}

/* Equal lists have equal runs, because runs are made greedily. */
static bool same_list(const struct group_map *a, const struct group_map *b)
{
    return a == b || (a->size == b->size && a->nruns == b->nruns &&
                      memcmp(a->run, b->run, (size_t)a->nruns * sizeof a->run[0]) == 0);
}

bool group_compare(ep_group a, ep_group b, int *result)
{
    const struct group_map *of = group_get_map(a), *in = group_get_map(b);
    *result = same_list(of, in) ? MPI_IDENT : MPI_UNEQUAL;
    if (*result == MPI_IDENT || of->size != in->size)
        return true;
    int *at = group_locate(of, in);
    if (!at)
        return false;
    if (count_present(at, of->size) == of->size)
        *result = MPI_SIMILAR;
    free(at);
    return true;
}

/* Write the members i of r with (at[i] >= 0) == present, or all if at is NULL; returns how many. */
static int group_pick(const struct group_map *r, const int at[], bool present, struct identity members[])
{
    int n = 0;
    for (const struct run *run = r->run; run < r->run + r->nruns; run++)
        for (int i = 0; i < run->count; i++)
            if (!at || (at[run->at + i] >= 0) == present)
                members[n++] = (struct identity){run->origin, run->first + i * run->stride};
    return n;
}

static struct identity *group_room_for(int n)
{
    return calloc((size_t)n + 1, sizeof(struct identity));
}

/* The members of head, then those of r with (at[i] >= 0) == present. What does not change is shared. NULL
 * without memory. */
static struct group_map *group_join(struct group_map *head, struct group_map *r, const int at[], bool present)
{
    int picked = count_present(at, r->size);
    if (!present)
        picked = r->size - picked;
    if (picked == 0)
        return group_map_hold(head);
    if (picked == r->size && head->size == 0)
        return group_map_hold(r);
    struct identity *members = group_room_for(head->size + picked);
    if (!members)
        return NULL;
    int n = group_pick(head, NULL, true, members);
    n += group_pick(r, at, present, members + n);
    struct group_map *joined = group_map_make(members, n);
    free(members);
    return joined;
}

ep_group group_union(ep_group a, ep_group b)
{
    int *at = group_locate(group_get_map(b), group_get_map(a));
    struct group_map *r = at ? group_join(group_get_map(a), group_get_map(b), at, false) : NULL;
    free(at);
    return group_derived(r, a, b);
}

/* The members of r that are, or are not, members of other. */
static struct group_map *group_filtered(struct group_map *r, const struct group_map *other, bool present)
{
    int *at = group_locate(r, other);
    struct group_map *made = at ? group_join(&nobody, r, at, present) : NULL;
    free(at);
    return made;
}

ep_group group_intersection(ep_group a, ep_group b)
{
    return group_derived(group_filtered(group_get_map(a), group_get_map(b), true), a, b);
}

ep_group group_difference(ep_group a, ep_group b)
{
    return group_derived(group_filtered(group_get_map(a), group_get_map(b), false), a, b);
}

/* The members with these ranks, in this order. */
static struct group_map *group_listed(const struct group_map *r, const int ranks[], int n)
{
    struct identity *members = group_room_for(n);
    if (!members)
        return NULL;
    for (int i = 0; i < n; i++)
        members[i] = group_map_at(r, ranks[i]);
    struct group_map *made = group_map_make(members, n);
    free(members);
    return made;
}

ep_group group_incl(ep_group g, const int ranks[], int n)
{
    return group_derived(group_listed(group_get_map(g), ranks, n), g, g);
}

ep_group group_excl(ep_group g, const int ranks[], int n)
{
    struct group_map *out = group_listed(group_get_map(g), ranks, n);
    struct group_map *rest = out ? group_filtered(group_get_map(g), out, false) : NULL;
    group_map_drop(out);
    return group_derived(rest, g, g);
}

bool group_translate(ep_group a, int n, const int ranks_a[], ep_group b, int ranks_b[])
{
    struct group_map *asked = NULL;
    int *at = NULL, count = 0;
    struct identity *members = group_room_for(n);
    for (int i = 0; members && i < n; i++)
        if (ranks_a[i] != MPI_PROC_NULL)
            members[count++] = group_map_at(group_get_map(a), ranks_a[i]);
    if (members && (asked = group_map_make(members, count)))
        at = group_locate(asked, group_get_map(b));
    for (int i = 0, k = 0; at && i < n; i++)
        if (ranks_a[i] == MPI_PROC_NULL)
            ranks_b[i] = MPI_PROC_NULL;
        else if ((ranks_b[i] = at[k++]) < 0)
            ranks_b[i] = MPI_UNDEFINED;
    bool ok = at != NULL;
    free(at);
    group_map_drop(asked);
    free(members);
    return ok;
}
