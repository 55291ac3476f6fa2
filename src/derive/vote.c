/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The creation lock: in a process only one thread at a time makes MPI communicators. MPI's creating calls
 * block, and several of them at once make each other wait (Open MPI 4.1: tens of milliseconds with four
 * threads); with MPI_THREAD_SERIALIZED or one thread for several endpoints, two that two processes begin in
 * different order would wait for ever.
 *
 * So the leaders of a creation first vote: each tries to get the lock of its process, and only if all got it
 * they call MPI; else those that got it release it, and all vote again. No leader waits while it holds a
 * lock, except in a vote of leaders that are all there (they voted before, all endpoints having come) and in
 * MPI calls that all of them make.
 *
 * Why it ends. Creations are ordered by ticket. A leader that does not get the lock leaves its ticket; while
 * a ticket is left, only a creation with this or a lower ticket gets the lock. The lowest ticket of all
 * creations that vote leaves it wherever it did not get the lock, after at most one vote; from then on
 * nobody else gets those locks once their holders are through, which they will be, since they do not wait.
 * Then it gets all of them. Tickets are Lamport times, above all that the processes of the creation have
 * seen, so later creations do not overtake for ever.
 *
 * Everything is under one spin lock of the process.
 */
#include "derive/leaders.h"

#include "p2p/p2p.h"

/* ---- the creation lock ---- */

static struct {
    struct lock lock;
    uint64_t time, process;
    bool held, wanted;
    struct ticket left; /* lowest ticket that wants it, if wanted */
} creation = {.lock = LOCK_FREE(CREATION)};

static bool creation_lock_earlier(struct ticket a, struct ticket b)
{
    if (a.time != b.time)
        return a.time < b.time;
    return a.process != b.process ? a.process < b.process : a.serial < b.serial;
}

uint64_t creation_clock(void)
{
    lock_acquire(&creation.lock);
    uint64_t time = ++creation.time;
    lock_release(&creation.lock);
    return time;
}

void creation_clock_saw(uint64_t time)
{
    lock_acquire(&creation.lock);
    if (creation.time < time)
        creation.time = time;
    lock_release(&creation.lock);
}

static bool creation_lock_try(struct ticket t)
{
    lock_acquire(&creation.lock);
    bool got = !creation.held && !(creation.wanted && creation_lock_earlier(creation.left, t));
    if (got) {
        creation.held = true;
    } else if (!creation.wanted || creation_lock_earlier(t, creation.left)) {
        creation.wanted = true;
        creation.left = t;
    }
    lock_release(&creation.lock);
    return got;
}

static void creation_lock_release(void)
{
    lock_acquire(&creation.lock);
    creation.held = false;
    lock_release(&creation.lock);
}

/* The creation is over. */
static void creation_lock_forget(struct ticket t)
{
    lock_acquire(&creation.lock);
    if (creation.wanted && !creation_lock_earlier(t, creation.left) &&
        !creation_lock_earlier(creation.left, t))
        creation.wanted = false;
    lock_release(&creation.lock);
}

uint64_t process_random_id(void)
{
    lock_acquire(&creation.lock);
    while (creation.process == 0)
        creation.process = random_id();
    uint64_t process_id = creation.process;
    lock_release(&creation.lock);
    return process_id;
}

/* ---- voting ---- */

void vote_begin(struct leaders *p, int rc, bool want_lock)
{
    size_t n = (size_t)p->n;
    if (!p->votes && (p->votes = reserve_malloc(n * sizeof *p->votes + (n + 1) * sizeof *p->vote_offset))) {
        p->vote_offset = (size_t *)(void *)(p->votes + n);
        for (size_t v = 0; v <= n; v++)
            p->vote_offset[v] = v * sizeof *p->votes;
    }
    p->tree.rc = MPI_SUCCESS; /* what was wrong is in rc */
    p->got_lock = want_lock && p->votes && rc == MPI_SUCCESS && creation_lock_try(p->ticket);
    if (p->votes)
        p->votes[p->me] = (struct vote){rc, p->got_lock || !want_lock};
    tree_gather(&p->tree, p->votes, p->vote_offset);
}

static void add_vote(struct vote *sum, struct vote v)
{
    sum->rc = v.rc > sum->rc ? v.rc : sum->rc;
    sum->got &= v.got;
}

struct vote vote_sum(const struct leaders *p)
{
    struct vote sum = {p->tree.rc, true}; /* without memory that says so */
    for (int v = 0; v < p->n && p->votes; v++)
        add_vote(&sum, p->votes[v]);
    return sum;
}

void vote_middle(struct leaders *p, const struct vote *other)
{
    if (p->me == 0 && p->votes) {
        p->votes[0] = vote_sum(p);
        if (other)
            add_vote(&p->votes[0], *other);
    }
    tree_bcast(&p->tree, p->votes, sizeof *p->votes);
}

bool vote_end(struct leaders *p, int *rc)
{
    *rc = p->tree.rc ? p->tree.rc : p->votes[0].rc;
    bool over = *rc != MPI_SUCCESS || p->votes[0].got;
    if (p->got_lock && (!over || *rc != MPI_SUCCESS))
        creation_lock_release();
    if (*rc != MPI_SUCCESS)
        creation_lock_forget(p->ticket);
    return over;
}

int leaders_vote(struct leaders *p, int rc, bool want_lock)
{
    if (p->at_odds)
        return MPI_ERR_ARG;
    do {
        vote_begin(p, rc, want_lock);
        tree_run(&p->tree);
        vote_middle(p, NULL);
        tree_run(&p->tree);
    } while (!vote_end(p, &rc));
    return rc;
}

void leaders_unlock(struct leaders *p, bool had_lock)
{
    if (had_lock)
        creation_lock_release();
    creation_lock_forget(p->ticket);
}
