/* SPDX-License-Identifier: BSD-3-Clause */
/* Waits for a word of this PE's memory (OpenSHMEM 1.5, 9.9). Who writes it notifies nobody, so it is looked at again and again, more
 * and more seldom; between looks the process makes progress, which is what far writes need. Where PEs share cores the thread sleeps, and
 * whoever polls for the process looks at its word, too (p2p/progress/memory.h). */
#include "shmem/words.h"

#include "p2p/p2p.h"

struct watch {
    bool (*look)(void *arg);
    void *arg;
    const char *call;
    ep_comm view;
};

/* ---- waiting ---- */

static bool watch_look(struct wait *w)
{
    const struct watch *watch = w->arg;
    return watch->look(watch->arg);
}

static void watch_tell(const struct wait *w, struct wait_info *info)
{
    const struct watch *watch = w->arg;
    *info = (struct wait_info){.call = watch->call, .view = watch->view, .peer = MPI_UNDEFINED, .tag = MPI_UNDEFINED};
}

static void watch_wait(struct endpoint *endpoint, struct watch *watch, enum wait_policy policy)
{
    struct wait w = {.done = watch_look, .arg = watch, .policy = policy, .tell = watch_tell};
    endpoint_lock(endpoint);
    wait_until(endpoint, &w);
    endpoint_unlock(endpoint);
}

/* Looks for a short time, between which the core is given away. */
struct soon {
    bool (*look)(void *arg);
    void *arg;
    bool held;
    uint64_t until;
};

static bool soon_look(void *arg)
{
    struct soon *s = arg;
    s->held = s->look(s->arg);
    return s->held || clock_ns() > s->until;
}

static bool word_comes_soon(bool (*look)(void *arg), void *arg)
{
    enum { SOON_NS = 200000 };
    if (!wait_shared())
        return wait_for(look, arg, POLICY_MEMORY_LOOKS);
    struct soon s = {look, arg, false, clock_ns() + SOON_NS};
    wait_for(soon_look, &s, POLICY_MEMORY_LOOKS);
    return s.held;
}

void word_watch(struct shmem_pe *pe, bool (*look)(void *arg), bool (*peek)(void *arg), void *arg, const char *call)
{
    struct endpoint *endpoint = pe->comm->endpoint;
    struct watch watch = {look, arg, call, pe->comm};
    if (word_comes_soon(look, arg))
        return;
    if (!wait_crowded()) {
        watch_wait(endpoint, &watch, POLICY_MEMORY);
        return;
    }
    struct memory_watch memory = {.peek = peek, .arg = arg, .endpoint = endpoint};
    memory_watch_begin(&memory);
    watch_wait(endpoint, &watch, POLICY_MEMORY_WATCHED);
    memory_watch_end(&memory);
}

void pe_wait(struct shmem_pe *pe, bool (*look)(void *arg), void *arg, const char *call)
{
    word_watch(pe, look, look, arg, call);
}

/* ---- one word ---- */

struct one {
    const volatile void *ivar;
    enum shmem_word word;
    int cmp;
    uint64_t value, seen;
};

static bool one_peeks(void *arg)
{
    const struct one *o = arg;
    return word_holds(o->word, word_seen(o->ivar, o->word), o->cmp, o->value);
}

static bool one_holds(void *arg)
{
    struct one *o = arg;
    o->seen = word_seen(o->ivar, o->word);
    return word_holds(o->word, o->seen, o->cmp, o->value);
}

bool word_may_wait(struct shmem_pe *pe, const volatile void *ivar, size_t bytes, int cmp, const char *call)
{
    if (likely(cmp >= SHMEM_CMP_EQ && cmp <= SHMEM_CMP_LE))
        return pe_is_symmetric(pe, (const void *)(uintptr_t)ivar, bytes, "ivar", call);
    pe_error(pe, call, MPI_ERR_ARG, "argument cmp is %d: it is none of SHMEM_CMP_EQ, NE, GT, GE, LT and LE", cmp);
    return false;
}

/* Every so many looks of a thread's. */
static bool word_look_around(void)
{
    static _Thread_local unsigned turn;
    enum { WORD_LOOK_EVERY = 16 };
    return unlikely(++turn % WORD_LOOK_EVERY == 0);
}

void ep_shmem_looked(void)
{
    if (word_look_around())
        wait_missed();
}

void word_missed(struct shmem_pe *pe)
{
    if (!word_look_around())
        return;
    if (far_active()) {
        endpoint_lock(pe->comm->endpoint);
        progress_once(pe->comm->endpoint);
        endpoint_unlock(pe->comm->endpoint);
        later_run();
    }
    progress_missed();
}

uint64_t ep_shmem_wait(const volatile void *ivar, enum shmem_word word, int cmp, uint64_t value, const char *call)
{
    struct shmem_pe *pe = pe_here(call);
    struct one one = {.ivar = ivar, .word = word, .cmp = cmp, .value = value};
    if (!pe || !word_may_wait(pe, ivar, word_width(word), cmp, call))
        return 0;
    if (!one_holds(&one))
        word_watch(pe, one_holds, one_peeks, &one, call);
    return one.seen;
}

int ep_shmem_test(const volatile void *ivar, enum shmem_word word, int cmp, uint64_t value, const char *call)
{
    struct shmem_pe *pe = pe_here(call);
    struct one one = {.ivar = ivar, .word = word, .cmp = cmp, .value = value};
    if (!pe || !word_may_wait(pe, ivar, word_width(word), cmp, call))
        return 0;
    if (one_holds(&one))
        return 1;
    word_missed(pe);
    return 0;
}
