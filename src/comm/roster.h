/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Roster: an ordered list of endpoints, the value behind groups and communicators. Immutable and shared by
 * reference.
 *
 * An endpoint's identity is the same in every process and every communicator: the birth (a random 64-bit
 * number agreed upon by the processes of one ep_comm_create_endpoints) and its rank there. A roster stores
 * runs of regularly spaced identities, so that the members of a fresh communicator, its duplicates, and
 * every k-th of them take one run, however many they are.
 */
#ifndef EP_COMM_ROSTER_H
#define EP_COMM_ROSTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct identity {
    uint64_t birth;
    int rank;
};

struct run {
    uint64_t birth;
    int first, stride, count;
    int at; /* position of the first in the roster */
};

struct roster {
    _Atomic int refs; /* acq_rel roster_drop */
    int size, nruns;
    struct run run[];
};

/* New, with one reference; NULL without memory. */
struct roster *roster_make(const struct identity members[], int n);
/* The same of the identities that n records of `stride` bytes begin with. */
struct roster *roster_of(const void *records, size_t stride, int n);
struct roster *roster_range(uint64_t birth, int first, int count);

struct roster *roster_hold(struct roster *r);
/* NULL is fine. */
void roster_drop(struct roster *r);

/* The member at position i (0..size-1). */
struct identity roster_at(const struct roster *r, int i);
/* Position of a member, -1 if it is none. */
int roster_find(const struct roster *r, struct identity who);
/* at[i] = position in `in` of the member i of `of`, or -1; in O((n + m) log) whatever the runs, if there
 * is memory for as many entries. */
void roster_locate(const struct roster *of, const struct roster *in, int at[]);

static inline bool identity_equal(struct identity a, struct identity b)
{
    return a.birth == b.birth && a.rank == b.rank;
}

#endif
