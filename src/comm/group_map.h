/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Group map: an ordered list of endpoints, the value behind groups and communicators. Immutable and shared by
 * reference.
 *
 * An endpoint's identity is the same in every process and every communicator: the origin (a random 64-bit
 * number agreed upon by the processes of one ep_comm_create_endpoints) and its rank there. A group map stores
 * runs of regularly spaced identities, so that the members of a fresh communicator, its duplicates, and
 * every k-th of them take one run, however many they are.
 */
#ifndef EP_COMM_GROUP_MAP_H
#define EP_COMM_GROUP_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct identity {
    uint64_t origin;
    int rank;
};

struct run {
    uint64_t origin;
    int first, stride, count;
    int at; /* position of the first in the group map */
};

struct group_map {
    _Atomic int refs; /* acq_rel group_map_drop */
    int size, nruns;
    struct run run[];
};

/* New, with one reference; NULL without memory. */
struct group_map *group_map_make(const struct identity members[], int n);
/* The same of the identities that n records of `stride` bytes begin with. */
struct group_map *group_map_from(const void *records, size_t stride, int n);
struct group_map *group_map_range(uint64_t origin, int first, int count);

struct group_map *group_map_hold(struct group_map *r);
/* NULL is fine. */
void group_map_drop(struct group_map *r);

/* The member at position i (0..size-1). */
struct identity group_map_at(const struct group_map *r, int i);
/* Position of a member, -1 if it is none. */
int group_map_find(const struct group_map *r, struct identity who);
/* at[i] = position in `in` of the member i of `of`, or -1; in O((n + m) log) whatever the runs, if there
 * is memory for as many entries. */
void group_map_locate(const struct group_map *of, const struct group_map *in, int at[]);

static inline bool identity_equal(struct identity a, struct identity b)
{
    return a.origin == b.origin && a.rank == b.rank;
}

#endif
