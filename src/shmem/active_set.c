/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Active sets: teams that are made when first used, and kept. Their members alone call this. What tells one from another
 * where several are made at the same time are the members; threads of one PE that make some at the same time have a tag.
 */
#include <stdint.h>

#include "shmem/team.h"

enum { ACTIVE_SET_TAGS = 32000 };

static bool set_is(const struct shmem_team *t, int start, int log_stride, int size)
{
    return t->log_stride == log_stride && t->members.first == start && t->members.n == size;
}

/* The last one used is in front. */
static struct shmem_team *set_find(struct shmem_teams *teams, int start, int log_stride, int size)
{
    struct shmem_team *found = NULL;
    lock_acquire(&teams->lock);
    for (struct node *n = teams->all.first; n && !found; n = n->next) {
        struct shmem_team *t = container_of(n, struct shmem_team, node);
        if (set_is(t, start, log_stride, size))
            found = t;
    }
    if (found && teams->all.first != &found->node) {
        list_remove(&teams->all, &found->node);
        list_prepend(&teams->all, &found->node);
    }
    lock_release(&teams->lock);
    return found;
}

static shmem_team_t set_make(struct pe_spot s, int start, int log_stride, int size, int me)
{
    struct team_members members = {size, start, 1 << log_stride, NULL};
    struct shmem_team *t = team_new(s.pe, &members, me);
    unsigned tag = ((unsigned)start * 31 + (unsigned)size * 7 + (unsigned)log_stride) % ACTIVE_SET_TAGS;
    int rc = team_open_group(s, t, &members, (int)tag + 1);
    if (rc != MPI_SUCCESS) {
        team_delete(t);
        spot_tell(s, rc);
        return SHMEM_TEAM_INVALID;
    }
    t->log_stride = log_stride;
    team_add(t, true);
    return t;
}

/* Are they PEs of the world? */
static bool set_check(struct pe_spot s, int start, int log_stride, int size)
{
    int npes = s.pe->reach.npes;
    int64_t last = log_stride >= 0 && log_stride < 31 ? start + (((int64_t)size - 1) << log_stride) : -1;
    if (start >= 0 && start < npes && size >= 1 && last >= start && last < npes)
        return true;
    if (start < 0 || start >= npes)
        spot_error(s, MPI_ERR_ARG, "argument PE_start is %d: it must be in 0..%d", start, npes - 1);
    else if (log_stride < 0)
        spot_error(s, MPI_ERR_ARG, "argument logPE_stride is %d: it must be 0 or more", log_stride);
    else if (size < 1)
        spot_error(s, MPI_ERR_ARG, "argument PE_size is %d: it must be 1 or more", size);
    else
        spot_error(s, MPI_ERR_ARG,
                   "PE_start %d, logPE_stride %d and PE_size %d: the last PE must be in 0..%d", start,
                   log_stride, size, npes - 1);
    return false;
}

shmem_team_t ep_shmem_active_set(int start, int log_stride, int size, const char *call)
{
    struct pe_spot s = {pe_here(call), call};
    if (!s.pe)
        return SHMEM_TEAM_INVALID;
    if (size == s.pe->reach.npes && start == 0 && (log_stride == 0 || size == 1))
        return SHMEM_TEAM_WORLD;
    if (size == 1 && log_stride >= 0)
        log_stride = 0;
    struct shmem_team *t = set_find(s.pe->teams, start, log_stride, size);
    if (t)
        return t;
    if (!set_check(s, start, log_stride, size))
        return SHMEM_TEAM_INVALID;
    struct team_members members = {size, start, 1 << log_stride, NULL};
    int me = members_find(&members, s.pe->reach.me);
    if (me >= 0)
        return set_make(s, start, log_stride, size, me);
    spot_error(s, MPI_ERR_ARG, "PE %d is not in the active set: PE_start %d, logPE_stride %d, PE_size %d",
               s.pe->reach.me, start, log_stride, size);
    return SHMEM_TEAM_INVALID;
}
