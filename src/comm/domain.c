/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "comm/comm.h"

struct domain *domain_new(uint64_t id, int rank, bool checks)
{
    struct domain *u = malloc(sizeof *u);
    if (!u)
        return NULL;
    u->inner = u->am = MPI_COMM_NULL;
    u->domain = NULL;
    u->peers = NULL;
    u->remote = false;
    u->rank = rank;
    u->id = id;
    u->checks = checks;
    store_relaxed(&u->refs, 1);
    return u;
}

struct domain *domain_hold(struct domain *u)
{
    add_relaxed(&u->refs, 1);
    return u;
}

void domain_drop(struct domain *u)
{
    if (!u || sub_acq_rel(&u->refs, 1) > 1)
        return;
    if (u->domain)
        u->end_domain(u->domain);
    lanes_free_one(&u->am);
    lanes_free_one(&u->inner);
    free(u->peers);
    free(u);
}

uint64_t random_id(void)
{
    uint64_t id = 0;
    if (getrandom(&id, sizeof id, GRND_NONBLOCK) == sizeof id)
        return id;
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (uint64_t)t.tv_nsec * 0x9e3779b97f4a7c15u ^ (uint64_t)t.tv_sec << 20 ^ (uint64_t)getpid() << 44;
}

bool comm_set_inner(struct comm *c, const int inner[])
{
    int first_inner = inner[0], step = c->nproc > 1 ? inner[1] - inner[0] : 1;
    bool regular = true;
    for (int p = 0; p < c->nproc; p++)
        regular &= inner[p] == first_inner + p * step;
    c->inner_first = first_inner;
    c->inner_step = step;
    if (regular)
        return true;
    c->inner_of = malloc((size_t)c->nproc * sizeof *c->inner_of);
    if (c->inner_of)
        memcpy(c->inner_of, inner, (size_t)c->nproc * sizeof *c->inner_of);
    return c->inner_of != NULL;
}

bool comm_copy_inner(struct comm *c, const struct comm *from)
{
    c->inner_first = from->inner_first;
    c->inner_step = from->inner_step;
    return !from->inner_of || comm_set_inner(c, from->inner_of);
}
