/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "comm/comm.h"
#include "comm/lanes.h"

struct universe *universe_new(uint64_t id, int rank, bool checks)
{
    struct universe *u = malloc(sizeof *u);
    if (!u)
        return NULL;
    u->inner = u->am = MPI_COMM_NULL;
    u->mail = NULL;
    u->mates = NULL;
    u->rank = rank;
    u->id = id;
    u->checks = checks;
    store_relaxed(&u->refs, 1);
    return u;
}

struct universe *universe_hold(struct universe *u)
{
    add_relaxed(&u->refs, 1);
    return u;
}

void universe_drop(struct universe *u)
{
    if (!u || sub_acq_rel(&u->refs, 1) > 1)
        return;
    if (u->mail)
        u->end_mail(u->mail);
    lanes_free_one(&u->am);
    lanes_free_one(&u->inner);
    free(u->mates);
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
