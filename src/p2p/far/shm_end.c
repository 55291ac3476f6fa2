/* SPDX-License-Identifier: BSD-3-Clause */
/* The end of MPI: a process stays until its messages to the others through memory are taken, or their receivers are
 * at the end, too. Only those that nobody waits for can still be on their way: buffered ones, and those whose requests
 * were freed. */
#include "p2p/far/far.h"
#include "p2p/far/shm.h"

/* It waits: since when, by clock_ms; or 0. Written by the thread that ends MPI, read by the watchdog. */
static _Atomic long since; /* relaxed */

static bool has_ended(struct net_peer *m)
{
    return load_relaxed(&m->shm->ended);
}

/* `behind` first: a send that becomes a descriptor is counted in `out` before it is no longer behind. */
static bool all_taken(void *unused)
{
    (void)unused;
    for (struct net_peer *m = net_peers(); m; m = m->next)
        if ((load_acquire(&m->behind) || load_relaxed(&m->out) > 0) && !has_ended(m))
            return false;
    return true;
}

static bool poll_at_end(void *unused)
{
    (void)unused;
    return far_poll(NULL, true);
}

static void shm_end_all(void)
{
    struct net_shm *own = net_shm_own();
    if (own)
        store_relaxed(&own->ended, true);
    store_relaxed(&since, clock_ms());
    wait_serving(all_taken, poll_at_end, NULL, POLICY_END);
    store_relaxed(&since, 0);
    net_flush_end();
}

long shm_ends_since(void)
{
    return load_relaxed(&since);
}

void shm_end_print(FILE *f, const char *head)
{
    long begun = load_relaxed(&since), now = clock_ms();
    for (struct net_peer *m = net_peers(); m && begun; m = m->next) {
        long n = has_ended(m) ? 0 : net_under_way(m);
        if (n > 0)
            fprintf(
                f,
                "%sprocess %d: MPI_Finalize has waited for %ld.%ld s until process %d takes %ld message%s\n",
                head, process.rank, (now - begun) / 1000, (now - begun) % 1000 / 100, m->rank, n,
                n == 1 ? "" : "s");
    }
}

void shm_begin(void)
{
    net_descriptors_start(shm_returned);
    mpi_enter();
    process_at_end(END_SHM, shm_end_all);
    mpi_leave();
}
