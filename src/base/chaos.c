/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/chaos.h"

#include "base/wait.h"

static _Atomic uint64_t chaos_threads; /* relaxed */
static _Thread_local uint64_t chaos_state;

/* splitmix64: each thread its own sequence from the seed and its number. */
uint64_t chaos_random(void)
{
    if (!chaos_state)
        chaos_state = (uint64_t)(settings.chaos + settings.crt_chaos) * 0x9e3779b97f4a7c15u +
                      add_relaxed(&chaos_threads, 1) + 1;
    uint64_t z = chaos_state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

void chaos_yield(void)
{
    uint64_t r = chaos_random();
    if (r % 8 == 0)
        wait_core();
    else if (r % 512 == 1)
        wait_nap((long)(r >> 32) % 20000);
}
