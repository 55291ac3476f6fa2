/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counters of an endpoint (counters.def). Each word has one writer at a time, so counting is a plain addition (add_alone), and any
 * thread may read it. Who writes: calls of the endpoint that hold no lock write to one set, the holder of its endpoint's lock
 * to another; the value is the sum. If two threads, or tasks
 * in two threads, send with one endpoint at the same instant, one of the two may not be counted.
 */
#ifndef EP_BASE_COUNTERS_H
#define EP_BASE_COUNTERS_H

#include <assert.h>

#include "base/atomics.h"

struct counters {
#define COUNTER(name, kind, unit, meaning) _Atomic uint64_t name;
#include "base/counters.def"
#undef COUNTER
};

enum { COUNTERS = sizeof(struct counters) / sizeof(uint64_t) };
enum counter_kind { COUNTER_COUNT, COUNTER_LEVEL, COUNTER_PEAK };

struct counter_info {
    const char *name, *unit, *meaning;
    enum counter_kind kind;
};

extern const struct counter_info counter_table[COUNTERS];

/* Index of a name, or -1. */
int counter_find(const char *name);

/* Values of both sets together. */
void counters_read(struct counters *a, struct counters *b, uint64_t values[COUNTERS]);

/* Add other values: levels and counts are summed up, of peaks the highest stays. */
void counters_add(uint64_t values[COUNTERS], const uint64_t more[COUNTERS]);

void counters_clear(struct counters *c);

/* A level goes up or down by one; for the lock's holder. */
static inline void counter_rise(_Atomic uint64_t *level, _Atomic uint64_t *peak)
{
    uint64_t n = load_relaxed(level) + 1;
    store_relaxed(level, n);
    if (n > load_relaxed(peak))
        store_relaxed(peak, n);
}

static inline void counter_fall(_Atomic uint64_t *level)
{
    assert(load_relaxed(level) > 0);
    store_relaxed(level, load_relaxed(level) - 1);
}

#endif
