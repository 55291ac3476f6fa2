/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Groups: a group map and the endpoint that looks at it. Handles are local and constant, so any thread may
 * use one without a lock until it is freed.
 */
#ifndef EP_COMM_GROUP_H
#define EP_COMM_GROUP_H

#include <ep.h>

#include "base/base.h"
#include "comm/group_map.h"

/* Invariant: magic is GROUP_LIVE exactly while the handle may be used. */
struct ep_group_s {
    struct pool_item item;  /* the pool's while free */
    _Atomic uint32_t magic; /* release group_new, acquire group_is_valid */
    MPI_Fint fortran;       /* handle.h, under its lock; 0: none yet */
    /* constant while live */
    bool has_me;
    struct identity me; /* of whose communicator the group is */
    struct group_map *group_map;
};

enum { GROUP_LIVE = 0x65706772, GROUP_FREED = 0x66677265 };

/* Takes over the caller's reference to held, in any case. No members: EP_GROUP_EMPTY. EP_GROUP_NULL without
 * memory, which is also what it takes held == NULL for. */
ep_group group_new(struct group_map *held, struct identity me, bool has_me);
/* g is valid and not EP_GROUP_EMPTY. */
void group_delete(ep_group g);

/* A live group or EP_GROUP_EMPTY. */
bool group_is_valid(ep_group g);
/* Of a valid group; no new reference. */
struct group_map *group_get_map(ep_group g);

/* MPI_UNDEFINED if its endpoint is no member, or it has none. */
int group_rank(ep_group g);
/* MPI_IDENT, MPI_SIMILAR or MPI_UNEQUAL. False without memory. */
bool group_compare(ep_group a, ep_group b, int *result);
/* ranks_a: n ranks of a or MPI_PROC_NULL. False without memory. */
bool group_translate(ep_group a, int n, const int ranks_a[], ep_group b, int ranks_b[]);

/* New groups; EP_GROUP_NULL without memory. They have a's endpoint, b's if a has none. */
ep_group group_union(ep_group a, ep_group b);
ep_group group_intersection(ep_group a, ep_group b);
ep_group group_difference(ep_group a, ep_group b);
/* ranks: n different ranks of g, which the new group has, or lacks. */
ep_group group_incl(ep_group g, const int ranks[], int n);
ep_group group_excl(ep_group g, const int ranks[], int n);

#endif
