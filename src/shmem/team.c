/* SPDX-License-Identifier: BSD-3-Clause */
/* What teams are, and those that there are from the start; split.c and active_set.c make others. */
#include "shmem/team.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "derive/derive.h"

static struct pool teams; /* under teams_lock */
static struct lock teams_lock = LOCK_FREE(SHMEM_POOLS);

/* Without what the message says of the communicator's endpoint. */
int spot_tell(struct pe_spot s, int rc)
{
    char text[MPI_MAX_ERROR_STRING];
    const char *said = error_message(rc), *about = said ? strstr(said, "): ") : NULL;
    snprintf(text, sizeof text, "%s", about ? about + 3 : said ? said : "it failed in another PE");
    return spot_error(s, rc, "%s", text);
}

/* ---- members ---- */

int members_find(const struct team_members *m, int pe)
{
    if (!m->list) {
        int from = pe - m->first, i = m->stride ? from / m->stride : 0;
        return i >= 0 && i < m->n && i * m->stride == from ? i : -1;
    }
    for (int i = 0; i < m->n; i++)
        if (m->list[i] == pe)
            return i;
    return -1;
}

/* No list where none is needed. */
static void members_settle(struct team_members *m)
{
    int stride = m->n > 1 ? m->list[1] - m->list[0] : 0;
    for (int i = 1; i < m->n; i++)
        if (m->list[i] - m->list[i - 1] != stride)
            return;
    m->first = m->list[0];
    m->stride = stride;
    free(m->list);
    m->list = NULL;
}

bool members_subset(const struct team_members *parent, int start, int stride, int n,
                    struct team_members *members)
{
    *members =
        (struct team_members){.n = n, .first = members_pe(parent, start), .stride = parent->stride * stride};
    if (!parent->list)
        return true;
    members->list = calloc((size_t)n, sizeof *members->list);
    if (!members->list)
        return false;
    for (int i = 0; i < n; i++)
        members->list[i] = members_pe(parent, start + i * stride);
    members_settle(members);
    return true;
}

/* Those whose memory this PE reaches by load and store: all of them have the same. */
static bool members_reached(const struct shmem_pe *pe, struct team_members *members)
{
    *members = (struct team_members){.stride = 1};
    for (int i = 0; i < pe->reach.npes; i++)
        members->n += pe->reach.heap_of[i] != NULL;
    if (members->n == pe->reach.npes)
        return true;
    members->list = calloc((size_t)members->n, sizeof *members->list);
    if (!members->list)
        return false;
    for (int i = 0, k = 0; i < pe->reach.npes; i++)
        if (pe->reach.heap_of[i])
            members->list[k++] = i;
    members_settle(members);
    return true;
}

/* ---- objects ---- */

struct shmem_team *team_new(struct shmem_pe *pe, const struct team_members *members, int me)
{
    lock_acquire(&teams_lock);
    if (!teams.item_size)
        pool_init(&teams, sizeof(struct shmem_team));
    struct shmem_team *t = pool_get(&teams);
    lock_release(&teams_lock);
    if (t)
        *t = (struct shmem_team){
            .pe = pe, .me = me, .members = *members, .log_stride = -1, .comm = EP_COMM_NULL};
    else
        free(members->list);
    return t;
}

void team_add(struct shmem_team *t, bool in_front)
{
    struct shmem_teams *of = t->pe->teams;
    store_relaxed(&t->magic, TEAM_LIVE);
    lock_acquire(&of->lock);
    if (in_front)
        list_prepend(&of->all, &t->node);
    else
        list_append(&of->all, &t->node);
    lock_release(&of->lock);
}

void team_delete(struct shmem_team *t)
{
    if (!t)
        return;
    sync_end(t);
    if (t->comm != EP_COMM_NULL && t->comm != t->pe->comm)
        ep_comm_free(&t->comm);
    free(t->members.list);
    store_relaxed(&t->magic, TEAM_FREED);
    lock_acquire(&teams_lock);
    pool_put(&teams, t);
    lock_release(&teams_lock);
}

struct shmem_team *team_find(struct pe_spot s, shmem_team_t team)
{
    if (likely(team == SHMEM_TEAM_WORLD))
        return s.pe->teams->world;
    if (team == SHMEM_TEAM_SHARED)
        return s.pe->teams->shared;
    if (likely(pool_holds(team, TEAM_LIVE) && team->pe == s.pe))
        return team;
    if (team == SHMEM_TEAM_INVALID)
        spot_error(s, MPI_ERR_ARG, "argument team is SHMEM_TEAM_INVALID");
    else
        spot_error(s, MPI_ERR_ARG, "argument team (%p) is no team of this PE%s", (void *)team,
                   pool_holds(team, TEAM_FREED) ? ": it was destroyed" : "");
    return NULL;
}

int team_world_pe(struct shmem_pe *pe, shmem_team_t team, int member, const char *call)
{
    struct pe_spot s = {pe, call};
    const struct shmem_team *t = team_find(s, team);
    if (unlikely(!t))
        return -1;
    if (likely((unsigned)member < (unsigned)t->members.n))
        return members_pe(&t->members, member);
    spot_error(s, MPI_ERR_RANK, "argument pe is %d: it must be in 0..%d", member, t->members.n - 1);
    return -1;
}

/* ---- communicators ---- */

/* Have all what they need, and which flags have all free? */
static int team_vote(struct shmem_team *t, ep_comm comm)
{
    struct sync_vote mine = sync_offer(t, comm), all = {0};
    int rc = ep_allreduce(&mine, &all, sizeof mine / sizeof(uint64_t), MPI_UINT64_T, MPI_BAND, comm);
    if (rc == MPI_SUCCESS && !all.ok)
        rc = MPI_ERR_NO_MEM;
    if (t)
        sync_begin(t, &mine, rc == MPI_SUCCESS ? &all : NULL);
    return rc == MPI_SUCCESS && all.slots ? ep_barrier(comm) : rc; /* all have cleared their flags */
}

int team_open(struct shmem_team *t, ep_comm comm)
{
    if (t)
        t->comm = comm;
    int rc = team_vote(t, comm);
    if (!t)
        ep_comm_free(&comm);
    return rc;
}

/* Their ranks in the world; from the reserve where there is no memory, since the others wait for this PE. */
static int *members_ranks(const struct team_members *m)
{
    int *ranks = reserve_malloc((size_t)m->n * sizeof *ranks);
    for (int i = 0; ranks && i < m->n; i++)
        ranks[i] = members_pe(m, i);
    return ranks;
}

int team_open_group(struct pe_spot s, struct shmem_team *t, const struct team_members *members, int tag)
{
    ep_comm comm = EP_COMM_NULL;
    int *ranks = members_ranks(members), me = members_find(members, s.pe->reach.me);
    if (!ranks)
        return MPI_ERR_NO_MEM;
    int rc = derive_create_group((struct where){s.pe->comm, s.call}, ranks, members->n, me, tag, &comm);
    reserve_free(ranks);
    return rc == MPI_SUCCESS ? team_open(t, comm) : rc;
}

struct shmem_team *team_find_open(struct pe_spot s, shmem_team_t team)
{
    struct shmem_team *t = team_find(s, team);
    if (likely(!t || t->comm != EP_COMM_NULL))
        return t;
    int rc = team_open_group(s, t, &t->members, 0);
    if (rc == MPI_SUCCESS)
        return t;
    spot_tell(s, rc);
    return NULL;
}

/* ---- begin and end ---- */

/* SHMEM_TEAM_SHARED gets its communicator when it is first used: few programs do. */
bool teams_begin(struct shmem_pe *pe)
{
    struct team_members world = {.n = pe->reach.npes, .stride = 1}, shared;
    struct shmem_team *first = NULL, *second = NULL;
    ep_comm_set_errhandler(pe->comm, EP_ERRORS_RETURN);
    pe->teams = calloc(1, sizeof *pe->teams);
    if (pe->teams) {
        lock_init(&pe->teams->lock, LOCK_SHMEM_TEAMS);
        pe->teams->free_slots = SYNC_ALL_SLOTS;
        first = team_new(pe, &world, pe->reach.me);
    }
    if (first && members_reached(pe, &shared))
        second = team_new(pe, &shared, members_find(&shared, pe->reach.me));
    if (second) {
        pe->teams->world = first;
        pe->teams->shared = second;
        team_add(first, false);
        team_add(second, false);
    }
    if (second)
        first->comm = pe->comm;
    if (team_vote(second ? first : NULL, pe->comm) == MPI_SUCCESS)
        return true;
    if (!second)
        team_delete(first);
    teams_end(pe);
    return false;
}

void teams_end(struct shmem_pe *pe)
{
    if (!pe->teams)
        return;
    contexts_end(pe, NULL);
    for (struct node *n; (n = list_pop(&pe->teams->all));)
        team_delete(container_of(n, struct shmem_team, node));
    free(pe->teams);
    pe->teams = NULL;
}

/* ---- queries ---- */

int ep_shmem_team_my_pe(shmem_team_t team, const char *call)
{
    struct pe_spot s = {pe_here(call), call};
    const struct shmem_team *t = s.pe && team != SHMEM_TEAM_INVALID ? team_find(s, team) : NULL;
    return t ? t->me : -1;
}

int ep_shmem_team_n_pes(shmem_team_t team, const char *call)
{
    struct pe_spot s = {pe_here(call), call};
    const struct shmem_team *t = s.pe && team != SHMEM_TEAM_INVALID ? team_find(s, team) : NULL;
    return t ? t->members.n : -1;
}

int ep_shmem_team_get_config(shmem_team_t team, long mask, shmem_team_config_t *config, const char *call)
{
    struct pe_spot s = {pe_here(call), call};
    if (!s.pe || team == SHMEM_TEAM_INVALID)
        return MPI_ERR_ARG;
    const struct shmem_team *t = team_find(s, team);
    if (!t)
        return MPI_ERR_ARG;
    if (mask & ~(long)SHMEM_TEAM_NUM_CONTEXTS)
        return spot_error(s, MPI_ERR_ARG, "argument config_mask is 0x%lx: there is no parameter 0x%lx", mask,
                          mask & ~(long)SHMEM_TEAM_NUM_CONTEXTS);
    if (mask && !config)
        return spot_error(s, MPI_ERR_ARG, "argument config is a null pointer");
    if (mask & SHMEM_TEAM_NUM_CONTEXTS)
        config->num_contexts = t->num_contexts;
    return 0;
}

int ep_shmem_team_translate_pe(shmem_team_t source, int pe, shmem_team_t dest, const char *call)
{
    struct pe_spot s = {pe_here(call), call};
    if (!s.pe || source == SHMEM_TEAM_INVALID || dest == SHMEM_TEAM_INVALID)
        return -1;
    const struct shmem_team *from = team_find(s, source), *to = from ? team_find(s, dest) : NULL;
    if (!to || (unsigned)pe >= (unsigned)from->members.n)
        return -1;
    return members_find(&to->members, members_pe(&from->members, pe));
}
