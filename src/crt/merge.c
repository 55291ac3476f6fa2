/* SPDX-License-Identifier: BSD-3-Clause */
#include "crt/merge.h"

#include <stdlib.h>
#include <unwind.h>

/* Arguments on the stack of GOMP_taskloop: its caller's frame may begin so many bytes above what it sees. */
enum { ARGUMENTS = 48 };

static bool is_frame(uintptr_t frame, uintptr_t seen)
{
    return frame == seen || frame == seen + ARGUMENTS;
}

/* ---- Places that are known: twice the address, 1 more if it asks ---- */

enum { PLACES = 1024, TRIES = 8 };
static _Atomic uintptr_t places[PLACES];

static _Atomic uintptr_t *entry(uintptr_t place, int try)
{
    return &places[((place * 0x9e3779b97f4a7c15u >> 40) + (uintptr_t)try) % PLACES];
}

enum answer { UNKNOWN, NEVER, ALWAYS };

static enum answer known(uintptr_t place)
{
    for (int i = 0; i < TRIES; i++) {
        uintptr_t word = load_relaxed(entry(place, i));
        if (word / 2 == place)
            return word % 2 ? ALWAYS : NEVER;
        if (!word)
            break;
    }
    return UNKNOWN;
}

static void learn(uintptr_t place, bool asks)
{
    for (int i = 0; i < TRIES; i++) {
        uintptr_t word = 0;
        if (cas_acq_rel(entry(place, i), &word, 2 * place + asks) || word / 2 == place)
            return;
    }
}

/* ---- Where a thread has asked ---- */

enum { ASKERS = 256 };

struct askers {
    unsigned n;
    bool more; /* than there is room for */
    uintptr_t places[ASKERS];
};

static void note_asker(struct thread *t, uintptr_t place)
{
    struct askers *a = t->askers;
    if (!a && !(a = t->askers = calloc(1, sizeof *a)))
        log_no_memory("a task reduction");
    for (uintptr_t hash = place * 0x9e3779b97f4a7c15u >> 40;; hash++) {
        uintptr_t *x = &a->places[hash % ASKERS];
        if (*x == place)
            return;
        if (*x)
            continue;
        a->more |= a->n >= ASKERS / 2;
        if (a->more)
            return;
        a->n++;
        *x = place;
        return;
    }
}

/* Not certainly two functions. */
static bool may_be_one(uintptr_t place, uintptr_t other)
{
    const void *function = _Unwind_FindEnclosingFunction((char *)place - 1);
    return !function || function == _Unwind_FindEnclosingFunction((char *)other - 1);
}

/* Has the function asked that this place is in? Its frame does not tell: variable length arrays move its end. */
static bool may_have_asked(const struct thread *t, uintptr_t place)
{
    const struct askers *a = t->askers;
    bool asked = a && a->more;
    for (unsigned i = 0; a && i < ASKERS && !asked; i++)
        asked = a->places[i] && may_be_one(a->places[i], place);
    return asked;
}

bool merge_may_grow(const struct worker *w, uintptr_t place)
{
    enum answer a = known(place);
    return a == ALWAYS || (a == UNKNOWN && !may_have_asked(w->thread, place));
}

/* ---- The merge ---- */

void merge_begin(struct worker *w, uintptr_t frame, uintptr_t place, unsigned count)
{
    w->merge = (struct merge){frame, place, count, false};
}

void merge_end(struct worker *w)
{
    struct merge *m = &w->merge;
    if (known(m->place) == UNKNOWN)
        learn(m->place, m->asked);
    if (!m->asked && m->count > load_relaxed(&w->team->n)) {
        log_error("a task reduction of %u private copies was merged as if it had one for each of %u threads",
                  m->count, load_relaxed(&w->team->n));
        abort(); /* its result is wrong */
    }
    m->count = 0;
}

unsigned merge_asked(struct worker *w, uintptr_t frame, uintptr_t place)
{
    struct merge *m = &w->merge;
    note_asker(w->thread, place);
    if (m->count == 0 || m->asked || !is_frame(frame, m->frame))
        return 0;
    m->asked = true;
    return m->count;
}
