/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Teams made of parts of others. All PEs of the parent call this with the same arguments, and all get the same error, if
 * there is one: what they have given is compared before, and that all members have what they need is agreed upon behind.
 */
#include <stdint.h>
#include <stdlib.h>

#include "shmem/team.h"

/* What the PEs of the parent must have given alike. */
enum { WISH_START, WISH_STRIDE, WISH_SIZE, WISH_MASK, WISH_CONTEXTS, WISH_CALL, WISHES };

struct split_wish {
    int64_t given[WISHES];
    int num_contexts;
};

/* The subset of the parent that this PE is in. */
struct subset {
    int start, stride, n; /* n 0: in none */
    int me, color;
};

static int config_check(struct pe_spot s, const shmem_team_config_t *config, long mask, const char *name)
{
    if (mask & ~(long)SHMEM_TEAM_NUM_CONTEXTS)
        return spot_error(s, MPI_ERR_ARG, "argument %s_mask is 0x%lx: there is no parameter 0x%lx", name,
                          mask, mask & ~(long)SHMEM_TEAM_NUM_CONTEXTS);
    if (mask && !config)
        return spot_error(s, MPI_ERR_ARG, "argument %s is a null pointer, but %s_mask is 0x%lx", name, name,
                          mask);
    if (mask && config->num_contexts < 0)
        return spot_error(s, MPI_ERR_ARG, "%s->num_contexts is %d: it must be 0 or more", name,
                          config->num_contexts);
    return MPI_SUCCESS;
}

static struct split_wish wish_for(int start, int stride, int size, const shmem_team_config_t *config,
                                  long mask, int call)
{
    int contexts = mask & SHMEM_TEAM_NUM_CONTEXTS ? config->num_contexts : 0;
    return (struct split_wish){{start, stride, size, mask, contexts, call}, contexts};
}

/* Have all given the same, and memory? Bits that all have and bits that all lack are those of what each has. */
static int wish_compare(struct pe_spot s, const struct shmem_team *parent, const struct split_wish *wish,
                        bool ok)
{
    static const char *const names[WISHES] = {"start",       "stride",       "size",
                                              "config_mask", "num_contexts", "call"};
    int64_t mine[2 * WISHES + 1], all[2 * WISHES + 1];
    for (int i = 0; i < WISHES; i++) {
        mine[i] = wish->given[i];
        mine[WISHES + i] = ~wish->given[i];
    }
    mine[2 * WISHES] = ok;
    int rc = ep_allreduce(mine, all, 2 * WISHES + 1, MPI_INT64_T, MPI_BAND, parent->comm);
    if (rc != MPI_SUCCESS)
        return spot_tell(s, rc);
    for (int i = 0; i < WISHES; i++)
        if (all[i] != ~all[WISHES + i])
            return spot_error(s, MPI_ERR_ARG,
                              "the PEs of the parent team give different arguments: %s, here %lld", names[i],
                              (long long)wish->given[i]);
    return all[2 * WISHES] ? MPI_SUCCESS : spot_error(s, MPI_ERR_NO_MEM, "a PE has no memory for the team");
}

/* All of the parent have succeeded? */
static int split_agree(struct pe_spot s, const struct shmem_team *parent, int rc)
{
    int worst = rc, mine = rc;
    rc = ep_allreduce(&mine, &worst, 1, MPI_INT, MPI_MAX, parent->comm);
    return rc == MPI_SUCCESS && worst == MPI_SUCCESS ? MPI_SUCCESS : spot_tell(s, rc ? rc : worst);
}

static int split_open(struct pe_spot s, struct shmem_team *parent, const struct subset *subset,
                      struct shmem_team *t)
{
    ep_comm comm = EP_COMM_NULL;
    int rc = ep_comm_split(parent->comm, subset->n ? subset->color : MPI_UNDEFINED, subset->me, &comm);
    if (rc != MPI_SUCCESS)
        return spot_tell(s, rc);
    return split_agree(s, parent, t ? team_open(t, comm) : MPI_SUCCESS);
}

/* *team is SHMEM_TEAM_INVALID so far. */
static int split_subset(struct pe_spot s, struct shmem_team *parent, const struct subset *subset,
                        const struct split_wish *wish, shmem_team_t *team)
{
    struct team_members members;
    struct shmem_team *t = NULL;
    if (subset->n && members_subset(&parent->members, subset->start, subset->stride, subset->n, &members))
        t = team_new(s.pe, &members, subset->me);
    int rc = wish_compare(s, parent, wish, t || !subset->n);
    if (rc == MPI_SUCCESS)
        rc = split_open(s, parent, subset, t);
    if (rc != MPI_SUCCESS || !t) {
        team_delete(t);
        return rc;
    }
    t->num_contexts = wish->num_contexts;
    team_add(t, false);
    *team = t;
    return 0;
}

/* What there is of the parent, or NULL after an error; then *rc is what to return. */
static struct shmem_team *split_parent(struct pe_spot s, shmem_team_t parent, int *rc)
{
    *rc = MPI_ERR_ARG;
    return parent == SHMEM_TEAM_INVALID ? NULL : team_find_open(s, parent);
}

/* Which member of start, start + stride, ... is PE me of the parent? */
static struct subset subset_of(int start, int stride, int size, int me)
{
    struct subset subset = {start, stride, size, 0, 0};
    struct team_members m = {size, start, stride, NULL};
    subset.me = members_find(&m, me);
    if (subset.me < 0)
        subset.n = subset.me = 0;
    return subset;
}

static bool subset_is_inside(int start, int stride, int size, int n)
{
    int64_t last = start + (int64_t)(size - 1) * stride;
    return size >= 1 && start >= 0 && start < n && last >= 0 && last < n && (stride != 0 || size == 1);
}

int ep_shmem_team_split_strided(shmem_team_t parent, int start, int stride, int size,
                                const shmem_team_config_t *config, long mask, shmem_team_t *team,
                                const char *call)
{
    struct pe_spot s = {pe_here(call), call};
    if (!s.pe)
        return MPI_ERR_OTHER;
    if (!team)
        return spot_error(s, MPI_ERR_ARG, "argument new_team is a null pointer");
    *team = SHMEM_TEAM_INVALID;
    int rc;
    struct shmem_team *from = split_parent(s, parent, &rc);
    if (!from || (rc = config_check(s, config, mask, "config")) != MPI_SUCCESS)
        return rc;
    struct split_wish wish = wish_for(start, stride, size, config, mask, 0);
    if (!subset_is_inside(start, stride, size, from->members.n)) {
        rc = wish_compare(s, from, &wish, true);
        return rc == MPI_SUCCESS ? MPI_ERR_ARG : rc;
    }
    struct subset subset = subset_of(start, stride, size, from->me);
    return split_subset(s, from, &subset, &wish, team);
}

/* Rows of xrange PEs, and columns across them (OpenSHMEM 1.5, 9.4). */
static int split_rows_columns(struct pe_spot s, struct shmem_team *from, int xrange,
                              const struct split_wish wishes[2], shmem_team_t *xteam, shmem_team_t *yteam)
{
    int n = from->members.n, row = from->me / xrange, column = from->me % xrange, begin = row * xrange;
    struct subset x = {begin, 1, n - begin < xrange ? n - begin : xrange, column, row};
    struct subset y = {column, xrange, (n - column + xrange - 1) / xrange, row, column};
    int rc = split_subset(s, from, &x, &wishes[0], xteam);
    if (rc != MPI_SUCCESS)
        return rc;
    rc = split_subset(s, from, &y, &wishes[1], yteam);
    if (rc != MPI_SUCCESS) {
        ep_shmem_team_destroy(*xteam, s.call);
        *xteam = SHMEM_TEAM_INVALID;
    }
    return rc;
}

int ep_shmem_team_split_2d(shmem_team_t parent, int xrange, const shmem_team_config_t *xconfig, long xmask,
                           shmem_team_t *xteam, const shmem_team_config_t *yconfig, long ymask,
                           shmem_team_t *yteam, const char *call)
{
    struct pe_spot s = {pe_here(call), call};
    if (!s.pe)
        return MPI_ERR_OTHER;
    if (!xteam || !yteam)
        return spot_error(s, MPI_ERR_ARG, "argument %s is a null pointer",
                          xteam ? "yaxis_team" : "xaxis_team");
    *xteam = *yteam = SHMEM_TEAM_INVALID;
    int rc;
    struct shmem_team *from = split_parent(s, parent, &rc);
    if (!from || (rc = config_check(s, xconfig, xmask, "xaxis_config")) != MPI_SUCCESS ||
        (rc = config_check(s, yconfig, ymask, "yaxis_config")) != MPI_SUCCESS)
        return rc;
    struct split_wish wishes[2] = {wish_for(0, 1, xrange, xconfig, xmask, 1),
                                   wish_for(0, xrange, 0, yconfig, ymask, 2)};
    if (xrange < 1) {
        rc = wish_compare(s, from, &wishes[0], true);
        return rc == MPI_SUCCESS ? MPI_ERR_ARG : rc;
    }
    return split_rows_columns(s, from, xrange < from->members.n ? xrange : from->members.n, wishes, xteam,
                              yteam);
}

void ep_shmem_team_destroy(shmem_team_t team, const char *call)
{
    struct pe_spot s = {pe_here(call), call};
    if (!s.pe || team == SHMEM_TEAM_INVALID)
        return;
    struct shmem_team *t = team_find(s, team);
    if (!t)
        return;
    if (team == SHMEM_TEAM_WORLD || team == SHMEM_TEAM_SHARED) {
        spot_error(s, MPI_ERR_ARG, "argument team is %s, which must not be destroyed",
                   team == SHMEM_TEAM_WORLD ? "SHMEM_TEAM_WORLD" : "SHMEM_TEAM_SHARED");
        return;
    }
    if (contexts_are_private(s.pe, team)) {
        spot_error(s, MPI_ERR_ARG,
                   "contexts of the team with SHMEM_CTX_PRIVATE have not been destroyed before it");
        return;
    }
    pe_quiet(s.pe); /* of its contexts */
    contexts_end(s.pe, team);
    int rc = ep_barrier(t->comm); /* all have gone on from its flags */
    lock_acquire(&s.pe->teams->lock);
    list_remove(&s.pe->teams->all, &t->node);
    lock_release(&s.pe->teams->lock);
    team_delete(t);
    if (rc != MPI_SUCCESS)
        spot_tell(s, rc);
}
