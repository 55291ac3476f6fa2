/* SPDX-License-Identifier: BSD-3-Clause */
/* What the entry points call that are made from entries.txt. */
#ifndef EP_CRT_GOMP_GOMP_H
#define EP_CRT_GOMP_GOMP_H

#include "crt/gomp/real.h"
#include "crt/mode.h"
#include "crt/team/cancel.h"
#include "crt/team/icv.h"
#include "crt/team/mutex.h"
#include "crt/team/ordered.h"
#include "crt/team/reduction.h"
#include "crt/team/sched.h"

/* ---- Doacross loops ---- */

/* Before libgomp begins one, in any mode. */
void doacross_begin_long(unsigned dimensions, const long *counts);
void doacross_begin_ull(unsigned dimensions, const ull *counts);

/* ---- Taskloops ---- */

/* Both types of loop in one: all arithmetic is modulo 2^64. */
struct taskloop {
    bool wide; /* words are unsigned long long, else long */
    ull start, step;
    ull n; /* iterations */
};

struct taskloop taskloop_long(long start, long end, long step);
struct taskloop taskloop_ull(bool up, ull start, ull end, ull step);
/* tasks: what they have in common, with the flags of the taskloop; num_tasks: that clause, or the grain size, or 0. */
void taskloop_run(struct worker *w, struct spawn *tasks, ull num_tasks, struct taskloop loop);

/* ---- Task reductions ---- */

/* libgomp has begun a worksharing construct with these, or NULL. */
void reduction_begin_share(uintptr_t *reductions);
/* All threads have merged: the memory goes. Has a barrier, unless cancelled. */
void reduction_end_share(struct worker *w, bool cancelled);
void reduction_remap(struct worker *w, size_t count, size_t count_originals, void **pointers);

/* ---- Locks ---- */

extern struct mutex critical_unnamed;

void nest_init(void *lock);
void nest_destroy(void *lock);
void nest_set(void *lock);
void nest_unset(void *lock);
int nest_test(void *lock);

/* ---- Target ---- */

/* A call of one of three entry points. */
struct target_call {
    void (*carry_out)(const struct target_call *c);
    int device;
    void (*fn)(void *);
    size_t mapnum;
    void **hostaddrs;
    size_t *sizes;
    unsigned short *kinds;
    unsigned flags;
    void **args;
};

void target_run(struct worker *w, struct target_call *c, void **depend);
/* What they do, without depend and nowait. */
void target_region(const struct target_call *c);
void target_update(const struct target_call *c);
void target_enter_exit(const struct target_call *c);

/* ---- Control variables ---- */

/* As libgomp does with what does not fit into an int. */
static inline int icv_clamp(int64_t n)
{
    return n > INT32_MAX ? INT32_MAX : n < INT32_MIN ? INT32_MIN : (int)n;
}

#endif
