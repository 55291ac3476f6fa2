/* SPDX-License-Identifier: BSD-3-Clause */
/* Waits for words of this PE's memory (OpenSHMEM 1.5, 9.9), which nobody tells of (p2p/progress/memory.h). */
#include "shmem/words.h"

#include "p2p/p2p.h"

void word_watch(struct shmem_pe *pe, bool (*look)(void *arg), bool (*peek)(void *arg), void *arg, const char *call)
{
    struct memory_wait m = {look, peek, arg, {.call = call, .view = pe->comm, .peer = MPI_UNDEFINED, .tag = MPI_UNDEFINED}};
    memory_wait(pe->comm->endpoint, &m);
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
