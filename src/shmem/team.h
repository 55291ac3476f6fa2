/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Teams and contexts of a PE. A handle is the PE's own: each member of a team has one. They are objects of pools, so that a
 * handle that was freed, or is none, is recognised.
 */
#ifndef EP_SHMEM_TEAM_H
#define EP_SHMEM_TEAM_H

#include "shmem/pe.h"
#include "shmem/sync.h"

enum {
    TEAM_LIVE = 0x7465616d,
    TEAM_FREED = 0x74667265,
    CONTEXT_LIVE = 0x63747874,
    CONTEXT_FREED = 0x63667265
};

/* Which PEs of the world a team's members are: member i is first + i * stride; or list[i], if that is not NULL. */
struct team_members {
    int n, first, stride;
    int *list;
};

struct shmem_team {
    struct pool_item item;
    _Atomic uint32_t magic; /* relaxed: a handle comes to a thread in order */
    /* constant */
    struct shmem_pe *pe;
    int me;
    struct team_members members;
    int num_contexts; /* of its config */
    int log_stride;   /* of an active set; -1: it is none */
    /* by the thread in a collective call on it, of which there is one at a time */
    ep_comm comm; /* EP_COMM_NULL until team_open. Returns errors, which are told in the world */
    struct sync sync;
    /* under shmem_teams.lock */
    struct node node;
};

struct shmem_ctx {
    struct pool_item item;
    _Atomic uint32_t magic; /* relaxed: the same */
    /* constant */
    struct shmem_pe *pe;
    shmem_team_t team; /* as the program has it */
    long options;
    /* under shmem_teams.lock */
    struct node node;
};

/* Of a PE, whose threads may make and free them at the same time. */
struct shmem_teams {
    struct lock lock;
    struct list all; /* teams; active sets at the front, by use */
    struct list contexts;
    uint32_t free_slots;               /* of flags (sync.h), by bits */
    struct shmem_team *world, *shared; /* constant */
};

/* Where a PE is, and what it calls. */
struct pe_spot {
    struct shmem_pe *pe;
    const char *call;
};

/* An error there; gives the class. */
#define spot_error(s, error_class, ...) pe_error((s).pe, (s).call, error_class, __VA_ARGS__)
/* The last error of a communicator of ours, told in the world. */
int spot_tell(struct pe_spot s, int rc);

/* NULL after an error: none, or it was destroyed. */
struct shmem_team *team_find(struct pe_spot s, shmem_team_t team);
/* The same of a collective call, for which the team has its communicator when that returns. All members call it. */
struct shmem_team *team_find_open(struct pe_spot s, shmem_team_t team);

/* World PE of a member, and which member a PE of the world is (-1: none). */
static inline int members_pe(const struct team_members *m, int i)
{
    return m->list ? m->list[i] : m->first + i * m->stride;
}
int members_find(const struct team_members *m, int pe);

/* World PEs of the parent's members start, start + stride, ...; false without memory for a list of them. */
bool members_subset(const struct team_members *parent, int start, int stride, int n,
                    struct team_members *members);

/* A team that is in no list yet; its members' list is the team's then, in any case. NULL without memory. */
struct shmem_team *team_new(struct shmem_pe *pe, const struct team_members *members, int me);
/* It is complete. in_front: of the PE's list of teams. */
void team_add(struct shmem_team *t, bool in_front);
/* It is in no list any more, or was not yet. */
void team_delete(struct shmem_team *t);

/*
 * Give a team the communicator that has been made for it, which is the team's then, in any case, and flags if there are
 * any for it. Collective over the members: an error class in all of them, or in none. t NULL: this PE has no memory for
 * it.
 */
int team_open(struct shmem_team *t, ep_comm comm);
/* The same with a communicator of its members alone, who call this. tag: as of ep_comm_create_group. */
int team_open_group(struct pe_spot s, struct shmem_team *t, const struct team_members *members, int tag);

/* Contexts of a team; NULL: of all. They end; are there some that the program alone may destroy (SHMEM_CTX_PRIVATE)? */
void contexts_end(struct shmem_pe *pe, shmem_team_t team);
bool contexts_are_private(struct shmem_pe *pe, shmem_team_t team);

#endif
