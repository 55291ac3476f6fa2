/* SPDX-License-Identifier: BSD-3-Clause */
/* Waits and tests of several words (OpenSHMEM 1.5, 9.9.2 to 9.9.10). */
#include <string.h>

#include "shmem/words.h"

struct many {
    const struct shmem_words *w;
    enum shmem_which which;
    size_t *indices;
    size_t found; /* ANY: an index; SOME: how many */
    /* ANY: where the next look begins, so that none is overlooked for ever; ALL: those before hold */
    _Atomic size_t start; /* relaxed: many_peek may be late */
};

static bool many_counts(const struct shmem_words *w, size_t i)
{
    return !w->status || w->status[i] == 0;
}

static uint64_t many_value(const struct shmem_words *w, size_t i)
{
    const char *at = w->values;
    return word_seen(at + (w->vector ? i * word_width(w->word) : 0), w->word);
}

static bool many_holds(const struct shmem_words *w, size_t i)
{
    const volatile char *at = w->ivars;
    return word_holds(w->word, word_seen(at + i * word_width(w->word), w->word), w->cmp, many_value(w, i));
}

/* A word that held once counts: another PE may write it again. */
static bool many_all(struct many *m)
{
    const struct shmem_words *w = m->w;
    size_t i = load_relaxed(&m->start);
    while (i < w->n && (!many_counts(w, i) || many_holds(w, i)))
        i++;
    store_relaxed(&m->start, i);
    return i == w->n;
}

static bool many_any(struct many *m)
{
    const struct shmem_words *w = m->w;
    for (size_t k = 0; k < w->n; k++) {
        size_t i = (load_relaxed(&m->start) + k) % w->n;
        if (many_counts(w, i) && many_holds(w, i)) {
            m->found = i;
            return true;
        }
    }
    return false;
}

static bool many_some(struct many *m)
{
    m->found = 0;
    for (size_t i = 0; i < m->w->n; i++) {
        if (many_counts(m->w, i) && many_holds(m->w, i))
            m->indices[m->found++] = i;
    }
    return m->found > 0;
}

static bool many_look(void *arg)
{
    struct many *m = arg;
    return m->which == SHMEM_WHICH_ALL ? many_all(m) : m->which == SHMEM_WHICH_ANY ? many_any(m) : many_some(m);
}

/* Would a look get on? ALL: the first word that did not hold does. */
static bool many_peek(void *arg)
{
    const struct many *m = arg;
    const struct shmem_words *w = m->w;
    size_t i = m->which == SHMEM_WHICH_ALL ? load_relaxed(&m->start) : 0;
    size_t end = m->which == SHMEM_WHICH_ALL ? i + 1 : w->n;
    while (i < end && i < w->n && !(many_counts(w, i) && many_holds(w, i)))
        i++;
    return i < end;
}

/* Are there none that count? */
static bool many_is_empty(const struct shmem_words *w)
{
    size_t i = 0;
    while (i < w->n && !many_counts(w, i))
        i++;
    return i == w->n;
}

static size_t many_result(const struct many *m, bool held, bool test)
{
    switch (m->which) {
    case SHMEM_WHICH_ALL:
        return test && held;
    case SHMEM_WHICH_ANY:
        return held ? m->found : SIZE_MAX;
    default:
        return held ? m->found : 0;
    }
}

/* Any: another place to begin with each time, or one that always holds would hide the others. */
static size_t many_turn(size_t n)
{
    static _Thread_local size_t turn;
    return n > 0 ? turn++ % n : 0;
}

size_t ep_shmem_wait_many(const struct shmem_words *w, enum shmem_which which, size_t *indices, bool test, const char *call)
{
    struct shmem_pe *pe = pe_here(call);
    struct many m = {.w = w, .which = which, .indices = indices};
    if (!pe || many_is_empty(w))
        return many_result(&m, which == SHMEM_WHICH_ALL, test);
    if (w->n > SIZE_MAX / word_width(w->word) || !word_may_wait(pe, w->ivars, w->n * word_width(w->word), w->cmp, call))
        return many_result(&m, false, test);
    store_relaxed(&m.start, which == SHMEM_WHICH_ANY ? many_turn(w->n) : 0);
    bool held = many_look(&m);
    if (!held && test)
        word_missed(pe);
    else if (!held) {
        word_watch(pe, many_look, many_peek, &m, call);
        held = true;
    }
    return many_result(&m, held, test);
}
