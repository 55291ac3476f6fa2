/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/counters.h"

#include <string.h>

const struct counter_info counter_table[COUNTERS] = {
#define COUNTER(name, kind, unit, meaning) {#name, unit, meaning, COUNTER_##kind},
#include "base/counters.def"
#undef COUNTER
};

int counter_find(const char *name)
{
    for (int i = 0; i < COUNTERS; i++)
        if (strcmp(counter_table[i].name, name) == 0)
            return i;
    return -1;
}

static _Atomic uint64_t *counters_words(struct counters *c)
{
    return (_Atomic uint64_t *)c;
}

void counters_read(struct counters *a, struct counters *b, uint64_t values[COUNTERS])
{
    for (int i = 0; i < COUNTERS; i++)
        values[i] = load_relaxed(&counters_words(a)[i]) + load_relaxed(&counters_words(b)[i]);
}

void counters_add(uint64_t values[COUNTERS], const uint64_t more[COUNTERS])
{
    for (int i = 0; i < COUNTERS; i++) {
        if (counter_table[i].kind != COUNTER_PEAK)
            values[i] += more[i];
        else if (more[i] > values[i])
            values[i] = more[i];
    }
}

void counters_clear(struct counters *c)
{
    for (int i = 0; i < COUNTERS; i++)
        store_relaxed(&counters_words(c)[i], 0);
}
