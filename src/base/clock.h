/* SPDX-License-Identifier: BSD-3-Clause */
/* Two clocks: the system's, and the cheapest one. */
#ifndef EP_BASE_CLOCK_H
#define EP_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Monotonic, the same in all processes under one kernel. */
static inline uint64_t clock_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static inline long clock_ms(void)
{
    return (long)(clock_ns() / 1000000u);
}

/* A register of the processor. For "about so long ago" only: the frequency of an x86's counter is not asked for but taken to
 * be 2.5 GHz, which is right within a factor of two, and clocks of different CPUs may differ. */
static inline uint64_t clock_ticks(void)
{
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
    uint64_t ticks;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
#else
    return clock_ns();
#endif
}

static inline uint64_t clock_ticks_of(uint64_t nanoseconds)
{
#if defined(__x86_64__)
    return nanoseconds * 5 / 2;
#elif defined(__aarch64__)
    uint64_t per_second;
    __asm__("mrs %0, cntfrq_el0" : "=r"(per_second));
    return nanoseconds * per_second / 1000000000u;
#else
    return nanoseconds;
#endif
}

#endif
