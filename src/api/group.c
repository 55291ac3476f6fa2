/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups (MPI 6.3, 6.4.1). Errors belong to no communicator, but where one is asked for its group. */
#include "comm/comm.h"

#include <stdlib.h>

#include "api/file.h"
#include "api/win.h"

/* n and an array of so many. */
static int check_members(struct where w, int n, const void *array, const char *name)
{
    int rc = check_least(w, MPI_ERR_ARG, 0, n, "n");
    return rc ? rc : check_array(w, array, n, name);
}

/* What a constructor made; EP_GROUP_NULL: there was no memory. */
static int group_give(struct where w, ep_group made, ep_group *newgroup)
{
    if (!made)
        return raise_error(w, MPI_ERR_NO_MEM, "no memory for a group");
    *newgroup = made;
    return MPI_SUCCESS;
}

/* The members of one side of a communicator, or those of a window. */
static int give_members(struct where w, struct group_map *members, ep_group *group)
{
    return group_give(w, group_new(group_map_hold(members), view_identity(w.view), true), group);
}

static int check_remote_group(struct where w)
{
    return w.view->comm->inter ? MPI_SUCCESS
                               : raise_error(w, MPI_ERR_COMM, "argument comm is no intercommunicator");
}

static int rank_error(struct where w, const char *what, int i, int rank, int size)
{
    if (size == 0)
        return raise_error(w, MPI_ERR_RANK, "%s[%d] is %d, but the group is empty", what, i, rank);
    return raise_error(w, MPI_ERR_RANK, "%s[%d] is %d: it must be in 0..%d", what, i, rank, size - 1);
}

static int translate_ranks(struct where w, ep_group group1, int n, const int ranks1[], ep_group group2,
                           int ranks2[])
{
    int size = group_get_map(group1)->size;
    for (int i = 0; i < n; i++)
        if ((unsigned)ranks1[i] >= (unsigned)size && ranks1[i] != MPI_PROC_NULL)
            return rank_error(w, "ranks1", i, ranks1[i], size);
    if (!group_translate(group1, n, ranks1, group2, ranks2))
        return raise_error(w, MPI_ERR_NO_MEM, "no memory to look up %d ranks", n);
    return MPI_SUCCESS;
}

static int compare_groups(struct where w, ep_group group1, ep_group group2, int *result)
{
    if (group_compare(group1, group2, result))
        return MPI_SUCCESS;
    return raise_error(w, MPI_ERR_NO_MEM, "no memory to compare two groups");
}

/* Ranks chosen from a group, each once, in order. */
struct group_choice {
    int n, size; /* chosen, and ranks of the group */
    int *ranks;  /* [size] */
    int *place;  /* [size], by rank: its place in ranks, from 1; 0: not chosen */
};

static int choice_begin(struct where w, ep_group group, struct group_choice *c)
{
    c->n = 0;
    c->size = group_get_map(group)->size;
    size_t room = (size_t)c->size + 1;
    c->ranks = malloc(room * sizeof *c->ranks);
    c->place = calloc(room, sizeof *c->place); /* not touched where nothing is chosen */
    if (c->ranks && c->place)
        return MPI_SUCCESS;
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

/* The chosen ones, or the others, become the new group, if rc is MPI_SUCCESS. */
static int choice_end(struct where w, ep_group group, struct group_choice *c, int rc, bool others,
                      ep_group *newgroup)
{
    if (rc == MPI_SUCCESS)
        rc = group_give(w, (others ? group_excl : group_incl)(group, c->ranks, c->n), newgroup);
    free(c->ranks);
    free(c->place);
    return rc;
}

/* By ranks, or by ranges. */
static int choose_members(struct where w, ep_group group, int n, const int ranks[], int (*ranges)[3],
                          bool others, ep_group *newgroup)
{
    struct group_choice c;
    int rc = choice_begin(w, group, &c);
    for (int i = 0; i < n && !rc; i++)
        rc = ranges ? choose_range(w, &c, i, ranges[i]) : choose_rank(w, &c, i, ranks[i]);
    return choice_end(w, group, &c, rc, others, newgroup);
}

static int free_group(ep_group *group)
{
    if (*group != EP_GROUP_EMPTY)
        group_delete(*group);
    *group = EP_GROUP_NULL;
    return MPI_SUCCESS;
}

#include "api/group.inc"
