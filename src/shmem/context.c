/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Contexts. All operations of a PE are complete at a quiet of any of its contexts, so a context is but the name of a
 * team, by whose numbers the operations on it count PEs.
 */
#include <string.h>

#include "shmem/team.h"

enum { CONTEXT_OPTIONS = SHMEM_CTX_SERIALIZED | SHMEM_CTX_PRIVATE | SHMEM_CTX_NOSTORE };

static struct pool contexts; /* under contexts_lock */
static struct lock contexts_lock = LOCK_FREE(SHMEM_POOLS);

static struct shmem_ctx *context_new(struct shmem_pe *pe, shmem_team_t team, long options)
{
    lock_acquire(&contexts_lock);
    if (!contexts.item_size)
        pool_init(&contexts, sizeof(struct shmem_ctx));
    struct shmem_ctx *c = pool_get(&contexts);
    lock_release(&contexts_lock);
    if (!c)
        return NULL;
    *c = (struct shmem_ctx){.pe = pe, .team = team, .options = options};
    store_relaxed(&c->magic, CONTEXT_LIVE);
    lock_acquire(&pe->teams->lock);
    list_append(&pe->teams->contexts, &c->node);
    lock_release(&pe->teams->lock);
    return c;
}

/* It is in no list any more. */
static void context_delete(struct shmem_ctx *c)
{
    store_relaxed(&c->magic, CONTEXT_FREED);
    lock_acquire(&contexts_lock);
    pool_put(&contexts, c);
    lock_release(&contexts_lock);
}

static struct shmem_ctx *context_of_node(struct node *n)
{
    return container_of(n, struct shmem_ctx, node);
}

void contexts_end(struct shmem_pe *pe, shmem_team_t team)
{
    struct list gone = {0};
    lock_acquire(&pe->teams->lock);
    for (struct node *n = pe->teams->contexts.first, *next; n; n = next) {
        next = n->next;
        if (team && context_of_node(n)->team != team)
            continue;
        list_remove(&pe->teams->contexts, n);
        list_append(&gone, n);
    }
    lock_release(&pe->teams->lock);
    for (struct node *n; (n = list_pop(&gone));)
        context_delete(context_of_node(n));
}

bool contexts_are_private(struct shmem_pe *pe, shmem_team_t team)
{
    bool any = false;
    lock_acquire(&pe->teams->lock);
    for (struct node *n = pe->teams->contexts.first; n && !any; n = n->next)
        any = context_of_node(n)->team == team && context_of_node(n)->options & SHMEM_CTX_PRIVATE;
    lock_release(&pe->teams->lock);
    return any;
}

static bool context_is_live(const struct shmem_pe *pe, shmem_ctx_t ctx)
{
    return pool_holds(ctx, CONTEXT_LIVE) && ctx->pe == pe;
}

/* What else it may be. */
static int context_refuse(struct pe_spot s, shmem_ctx_t ctx)
{
    if (ctx == SHMEM_CTX_INVALID)
        return spot_error(s, MPI_ERR_ARG, "argument ctx is SHMEM_CTX_INVALID");
    bool freed = pool_holds(ctx, CONTEXT_FREED);
    return spot_error(s, MPI_ERR_ARG, "argument ctx (%p) is no context of this PE%s", (void *)ctx,
                      freed ? ": it was destroyed" : "");
}

shmem_team_t context_team(struct shmem_pe *pe, shmem_ctx_t ctx, const char *call)
{
    if (likely(ctx == SHMEM_CTX_DEFAULT))
        return SHMEM_TEAM_WORLD;
    if (likely(context_is_live(pe, ctx)))
        return ctx->team;
    context_refuse((struct pe_spot){pe, call}, ctx);
    return SHMEM_TEAM_INVALID;
}

int ep_shmem_ctx_create(shmem_team_t team, long options, shmem_ctx_t *ctx, const char *call)
{
    struct pe_spot s = {pe_here(call), call};
    if (!s.pe)
        return MPI_ERR_OTHER;
    if (!ctx)
        return spot_error(s, MPI_ERR_ARG, "argument ctx is a null pointer");
    *ctx = SHMEM_CTX_INVALID;
    if (team == SHMEM_TEAM_INVALID)
        return MPI_ERR_ARG;
    if (!team_find(s, team))
        return MPI_ERR_ARG;
    if (options & ~(long)CONTEXT_OPTIONS)
        return spot_error(s, MPI_ERR_ARG, "argument options is 0x%lx: there is no option 0x%lx", options,
                          options & ~(long)CONTEXT_OPTIONS);
    struct shmem_ctx *c = context_new(s.pe, team, options);
    if (!c)
        return MPI_ERR_NO_MEM; /* no error of the program's: it looks at what is returned */
    *ctx = c;
    return 0;
}

void ep_shmem_ctx_destroy(shmem_ctx_t ctx, const char *call)
{
    struct pe_spot s = {pe_here(call), call};
    if (!s.pe || ctx == SHMEM_CTX_INVALID)
        return;
    if (ctx == SHMEM_CTX_DEFAULT) {
        spot_error(s, MPI_ERR_ARG, "argument ctx is SHMEM_CTX_DEFAULT, which must not be destroyed");
        return;
    }
    if (!context_is_live(s.pe, ctx)) {
        context_refuse(s, ctx);
        return;
    }
    pe_quiet(s.pe);
    lock_acquire(&s.pe->teams->lock);
    list_remove(&s.pe->teams->contexts, &ctx->node);
    lock_release(&s.pe->teams->lock);
    context_delete(ctx);
}

int ep_shmem_ctx_get_team(shmem_ctx_t ctx, shmem_team_t *team, const char *call)
{
    struct pe_spot s = {pe_here(call), call};
    if (!s.pe)
        return MPI_ERR_OTHER;
    if (!team)
        return spot_error(s, MPI_ERR_ARG, "argument team is a null pointer");
    *team = SHMEM_TEAM_INVALID;
    if (ctx == SHMEM_CTX_INVALID)
        return MPI_ERR_ARG;
    *team = context_team(s.pe, ctx, call);
    return *team == SHMEM_TEAM_INVALID ? MPI_ERR_ARG : 0;
}
