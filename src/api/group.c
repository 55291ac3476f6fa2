/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups (MPI 6.3, 6.4.1). Errors belong to no communicator, but where one is asked for its group. */
#include "comm/comm.h"

#include <stdlib.h>

#include "api/check.h"

static int group_check(struct where w, ep_group group, const char *name)
{
    if (likely(group_is_valid(group)))
        return MPI_SUCCESS;
    return raise_error(w, MPI_ERR_GROUP, "argument %s is %s", name,
                       group == EP_GROUP_NULL ? "EP_GROUP_NULL" : "a freed or invalid handle");
}

/* n and an array of so many. */
static int group_check_array(struct where w, int n, const void *array, const char *name)
{
    if (n < 0)
        return raise_error(w, MPI_ERR_ARG, "argument n is %d: it must be 0 or more", n);
    return n > 0 ? check_pointer(w, array, name) : MPI_SUCCESS;
}

/* What a constructor made; EP_GROUP_NULL: there was no memory. */
static int group_give(struct where w, ep_group made, ep_group *newgroup)
{
    if (!made)
        return raise_error(w, MPI_ERR_NO_MEM, "no memory for a group");
    *newgroup = made;
    return MPI_SUCCESS;
}

int ep_comm_group(ep_comm comm, ep_group *group)
{
    struct where w = {NULL, "ep_comm_group"};
    int rc = check_comm(&w, comm);
    if (rc || (rc = check_pointer(w, group, "group")))
        return rc;
    return group_give(w, group_new(group_map_hold(view_group(w.view)), view_identity(w.view), true), group);
}

int ep_comm_remote_group(ep_comm comm, ep_group *group)
{
    struct where w = {NULL, "ep_comm_remote_group"};
    int rc = check_comm(&w, comm);
    if (rc || (rc = check_pointer(w, group, "group")))
        return rc;
    if (!w.view->comm->inter)
        return raise_error(w, MPI_ERR_COMM, "argument comm is no intercommunicator");
    return group_give(w, group_new(group_map_hold(view_remote_group(w.view)), view_identity(w.view), true),
                      group);
}

int ep_group_size(ep_group group, int *size)
{
    struct where w = {NULL, "ep_group_size"};
    int rc = group_check(w, group, "group");
    if (rc || (rc = check_pointer(w, size, "size")))
        return rc;
    *size = group_get_map(group)->size;
    return MPI_SUCCESS;
}

int ep_group_rank(ep_group group, int *rank)
{
    struct where w = {NULL, "ep_group_rank"};
    int rc = group_check(w, group, "group");
    if (rc || (rc = check_pointer(w, rank, "rank")))
        return rc;
    *rank = group_rank(group);
    return MPI_SUCCESS;
}

static int check_two(struct where w, ep_group group1, ep_group group2, const void *result, const char *name)
{
    int rc = group_check(w, group1, "group1");
    if (rc || (rc = group_check(w, group2, "group2")))
        return rc;
    return check_pointer(w, result, name);
}

static int rank_error(struct where w, const char *what, int i, int rank, int size)
{
    if (size == 0)
        return raise_error(w, MPI_ERR_RANK, "%s[%d] is %d, but the group is empty", what, i, rank);
    return raise_error(w, MPI_ERR_RANK, "%s[%d] is %d: it must be in 0..%d", what, i, rank, size - 1);
}

int ep_group_translate_ranks(ep_group group1, int n, const int ranks1[], ep_group group2, int ranks2[])
{
    struct where w = {NULL, "ep_group_translate_ranks"};
    int rc = group_check(w, group1, "group1");
    if (rc || (rc = group_check(w, group2, "group2")) || (rc = group_check_array(w, n, ranks1, "ranks1")) ||
        (rc = group_check_array(w, n, ranks2, "ranks2")))
        return rc;
    int size = group_get_map(group1)->size;
    for (int i = 0; i < n; i++)
        if ((unsigned)ranks1[i] >= (unsigned)size && ranks1[i] != MPI_PROC_NULL)
            return rank_error(w, "ranks1", i, ranks1[i], size);
    if (!group_translate(group1, n, ranks1, group2, ranks2))
        return raise_error(w, MPI_ERR_NO_MEM, "no memory to look up %d ranks", n);
    return MPI_SUCCESS;
}

int ep_group_compare(ep_group group1, ep_group group2, int *result)
{
    struct where w = {NULL, "ep_group_compare"};
    int rc = check_two(w, group1, group2, result, "result");
    if (rc)
        return rc;
    if (!group_compare(group1, group2, result))
        return raise_error(w, MPI_ERR_NO_MEM, "no memory to compare two groups");
    return MPI_SUCCESS;
}

int ep_group_union(ep_group group1, ep_group group2, ep_group *newgroup)
{
    struct where w = {NULL, "ep_group_union"};
    int rc = check_two(w, group1, group2, newgroup, "newgroup");
    return rc ? rc : group_give(w, group_union(group1, group2), newgroup);
}

int ep_group_intersection(ep_group group1, ep_group group2, ep_group *newgroup)
{
    struct where w = {NULL, "ep_group_intersection"};
    int rc = check_two(w, group1, group2, newgroup, "newgroup");
    return rc ? rc : group_give(w, group_intersection(group1, group2), newgroup);
}

int ep_group_difference(ep_group group1, ep_group group2, ep_group *newgroup)
{
    struct where w = {NULL, "ep_group_difference"};
    int rc = check_two(w, group1, group2, newgroup, "newgroup");
    return rc ? rc : group_give(w, group_difference(group1, group2), newgroup);
}

/* Ranks chosen from a group, each once, in order. */
struct group_choice {
    int n, size; /* chosen, and ranks of the group */
    int *ranks;  /* [size] */
    int *place;  /* [size], by rank: its place in ranks, from 1; 0: not chosen */
};

static void choice_end(struct group_choice *c)
{
    free(c->ranks);
    free(c->place);
}

/* Check what the four constructors have in common, and make room. */
static int choice_begin(struct where w, ep_group group, int n, const void *array, const char *name,
                        const ep_group *newgroup, struct group_choice *c)
{
    int rc = group_check(w, group, "group");
    if (rc || (rc = group_check_array(w, n, array, name)) || (rc = check_pointer(w, newgroup, "newgroup")))
        return rc;
    c->n = 0;
    c->size = group_get_map(group)->size;
    size_t room = (size_t)c->size + 1;
    c->ranks = malloc(room * sizeof *c->ranks);
    c->place = calloc(room, sizeof *c->place); /* not touched where nothing is chosen */
    if (c->ranks && c->place)
        return MPI_SUCCESS;
    choice_end(c);
    return raise_error(w, MPI_ERR_NO_MEM, "no memory for ranks of a group of %d", c->size);
}

/* False if it is chosen already. */
static bool group_choose(struct group_choice *c, int rank)
{
    if (c->place[rank])
        return false;
    c->ranks[c->n++] = rank;
    c->place[rank] = c->n;
    return true;
}

static int choose_rank(struct where w, struct group_choice *c, int i, int rank)
{
    if ((unsigned)rank >= (unsigned)c->size)
        return rank_error(w, "ranks", i, rank, c->size);
    if (group_choose(c, rank))
        return MPI_SUCCESS;
    return raise_error(w, MPI_ERR_RANK, "ranks[%d] is %d, as is ranks[%d]: each rank may be given once", i,
                       rank, c->place[rank] - 1);
}

/* Only the ranks that a range reaches must be ranks of the group (MPI 6.3.2), not its end. */
static int choose_range(struct where w, struct group_choice *c, int i, const int range[3])
{
    long long first = range[0], last = range[1], stride = range[2];
    if (stride == 0)
        return raise_error(w, MPI_ERR_ARG, "ranges[%d] has stride 0", i);
    if (stride > 0 ? last < first : last > first)
        return raise_error(w, MPI_ERR_ARG,
                           "ranges[%d] has stride %lld, which does not lead from %lld to %lld", i, stride,
                           first, last);
    last = first + (last - first) / stride * stride;
    if (first < 0 || first >= c->size || last < 0 || last >= c->size)
        return raise_error(w, MPI_ERR_RANK,
                           "ranges[%d] goes from rank %lld to %lld, but the group has %d members", i, first,
                           last, c->size);
    for (long long r = first; stride > 0 ? r <= last : r >= last; r += stride)
        if (!group_choose(c, (int)r))
            return raise_error(w, MPI_ERR_RANK, "ranges[%d] has rank %lld, which was given before", i, r);
    return MPI_SUCCESS;
}

static int choose_ranks(struct where w, ep_group group, int n, const int ranks[], const ep_group *newgroup,
                        struct group_choice *c)
{
    int rc = choice_begin(w, group, n, ranks, "ranks", newgroup, c);
    if (rc)
        return rc;
    for (int i = 0; i < n && !rc; i++)
        rc = choose_rank(w, c, i, ranks[i]);
    if (rc)
        choice_end(c);
    return rc;
}

static int choose_ranges(struct where w, ep_group group, int n, int ranges[][3], const ep_group *newgroup,
                         struct group_choice *c)
{
    int rc = choice_begin(w, group, n, ranges, "ranges", newgroup, c);
    if (rc)
        return rc;
    for (int i = 0; i < n && !rc; i++)
        rc = choose_range(w, c, i, ranges[i]);
    if (rc)
        choice_end(c);
    return rc;
}

static int give_chosen(struct where w, ep_group group, struct group_choice *c, ep_group *newgroup)
{
    ep_group made = group_incl(group, c->ranks, c->n);
    choice_end(c);
    return group_give(w, made, newgroup);
}

static int give_others(struct where w, ep_group group, struct group_choice *c, ep_group *newgroup)
{
    ep_group made = group_excl(group, c->ranks, c->n);
    choice_end(c);
    return group_give(w, made, newgroup);
}

int ep_group_incl(ep_group group, int n, const int ranks[], ep_group *newgroup)
{
    struct where w = {NULL, "ep_group_incl"};
    struct group_choice c;
    int rc = choose_ranks(w, group, n, ranks, newgroup, &c);
    return rc ? rc : give_chosen(w, group, &c, newgroup);
}

int ep_group_excl(ep_group group, int n, const int ranks[], ep_group *newgroup)
{
    struct where w = {NULL, "ep_group_excl"};
    struct group_choice c;
    int rc = choose_ranks(w, group, n, ranks, newgroup, &c);
    return rc ? rc : give_others(w, group, &c, newgroup);
}

int ep_group_range_incl(ep_group group, int n, int ranges[][3], ep_group *newgroup)
{
    struct where w = {NULL, "ep_group_range_incl"};
    struct group_choice c;
    int rc = choose_ranges(w, group, n, ranges, newgroup, &c);
    return rc ? rc : give_chosen(w, group, &c, newgroup);
}

int ep_group_range_excl(ep_group group, int n, int ranges[][3], ep_group *newgroup)
{
    struct where w = {NULL, "ep_group_range_excl"};
    struct group_choice c;
    int rc = choose_ranges(w, group, n, ranges, newgroup, &c);
    return rc ? rc : give_others(w, group, &c, newgroup);
}

int ep_group_free(ep_group *group)
{
    struct where w = {NULL, "ep_group_free"};
    int rc = check_pointer(w, group, "group");
    if (rc || (rc = group_check(w, *group, "group")))
        return rc;
    if (*group != EP_GROUP_EMPTY)
        group_delete(*group);
    *group = EP_GROUP_NULL;
    return MPI_SUCCESS;
}
