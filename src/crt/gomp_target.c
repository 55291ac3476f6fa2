/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * target, target update, target enter data and target exit data.
 *
 * Their depend lists are of our tasks, so a construct with depend or nowait becomes a task of ours,
 * undeferred without nowait, which calls libgomp without either. Its arguments are copied as libgomp does:
 * hostaddrs, sizes and kinds (mapnum of each), and what is firstprivate by address: kinds[i] has
 * FIRSTPRIVATE in its low byte, the logarithm of the alignment in its high one, and sizes[i] bytes lie at
 * hostaddrs[i]. args (or NULL) ends with NULL; a word with MORE_FOLLOWS is followed by its value.
 *
 * A target region on the host is the code of an initial task, on an initial thread: barriers and tasks in it are not those
 * of the team outside (apart.h).
 */
#include <stdlib.h>
#include <string.h>

#include "crt/apart.h"
#include "crt/real.h"
#include "crt/team.h"

enum { NOWAIT = 1 };
enum { FIRSTPRIVATE = 12, KIND = 255, ALIGN_SHIFT = 8 };
enum { MORE_FOLLOWS = 128 };

/* A call of one of the three. */
struct call {
    void (*carry_out)(const struct call *c);
    int device;
    void (*fn)(void *);
    size_t mapnum;
    void **hostaddrs;
    size_t *sizes;
    unsigned short *kinds;
    unsigned flags;
    void **args;
};

/* ---- Copying the arguments ---- */

static size_t words_of(void *const *args)
{
    size_t n = 0;
    if (!args)
        return 0;
    while (args[n])
        n += (uintptr_t)args[n] & MORE_FOLLOWS ? 2 : 1;
    return n + 1;
}

/* The copy of variable i, at or behind `at`, if it needs one; else NULL. */
static char *private_copy(const struct call *c, size_t i, char *at)
{
    if ((c->kinds[i] & KIND) != FIRSTPRIVATE)
        return NULL;
    uintptr_t align = (uintptr_t)1 << (c->kinds[i] >> ALIGN_SHIFT);
    return at + (-(uintptr_t)at & (align - 1));
}

/* Room for all of them, wherever they begin. */
static size_t private_bytes(const struct call *c)
{
    size_t bytes = 0;
    for (size_t i = 0; i < c->mapnum; i++)
        if ((c->kinds[i] & KIND) == FIRSTPRIVATE)
            bytes += c->sizes[i] + ((size_t)1 << (c->kinds[i] >> ALIGN_SHIFT));
    return bytes;
}

/* Append n bytes. */
static void *add(char **at, const void *from, size_t n)
{
    void *to = *at;
    if (n > 0)
        memcpy(to, from, n);
    *at += n;
    return to;
}

/* All in one piece of memory: first what has the strictest alignment. */
static struct call *call_copy(const struct call *c)
{
    size_t words = words_of(c->args);
    struct call *copy =
        malloc(sizeof *copy + c->mapnum * (sizeof *c->hostaddrs + sizeof *c->sizes + sizeof *c->kinds) +
               words * sizeof *c->args + private_bytes(c));
    if (!copy)
        log_no_memory("a target region");
    *copy = *c;
    char *at = (char *)(copy + 1);
    copy->hostaddrs = add(&at, c->hostaddrs, c->mapnum * sizeof *c->hostaddrs);
    copy->sizes = add(&at, c->sizes, c->mapnum * sizeof *c->sizes);
    copy->args = words ? add(&at, c->args, words * sizeof *c->args) : NULL;
    copy->kinds = add(&at, c->kinds, c->mapnum * sizeof *c->kinds);
    for (size_t i = 0; i < c->mapnum; i++) {
        char *to = private_copy(c, i, at);
        if (!to)
            continue;
        memcpy(to, c->hostaddrs[i], c->sizes[i]);
        copy->hostaddrs[i] = to;
        at = to + c->sizes[i];
    }
    return copy;
}

/* ---- The calls ---- */

static void run_copy(void *data)
{
    struct call *c = *(struct call **)data;
    c->carry_out(c);
    free(c);
}

static void run(struct worker *w, struct call *c, void **depend)
{
    bool nowait = c->flags & NOWAIT;
    c->flags &= ~(unsigned)NOWAIT;
    if (!depend && !nowait) {
        c->carry_out(c);
        return;
    }
    struct call *copy = call_copy(c);
    task_spawn(w, &(struct spawn){.fn = run_copy,
                                  .data = &copy,
                                  .arg_size = sizeof copy,
                                  .arg_align = _Alignof(struct call *),
                                  .if_clause = nowait,
                                  .flags = depend ? TASK_DEPEND : 0,
                                  .depend = depend});
}

static void target(void *call)
{
    const struct call *c = call;
    real()->GOMP_target_ext(c->device, c->fn, c->mapnum, c->hostaddrs, c->sizes, c->kinds, c->flags, NULL,
                            c->args);
}

static void alone(void *call)
{
    struct region r;
    region_open(&r, target, call, NULL);
    region_alone(&r);
    region_close(&r);
}

/* In an explicit task (that of nowait is one), or with any around, others of the thread must be able to go on. */
static void target_region(const struct call *c)
{
    struct worker *w = worker_here();
    if (w->fiber || load_relaxed(&w->team->incomplete) > 0)
        apart_call(w, alone, (void *)c);
    else
        alone((void *)c);
}

static void update(const struct call *c)
{
    real()->GOMP_target_update_ext(c->device, c->mapnum, c->hostaddrs, c->sizes, c->kinds, c->flags, NULL);
}

static void enter_exit(const struct call *c)
{
    real()->GOMP_target_enter_exit_data(c->device, c->mapnum, c->hostaddrs, c->sizes, c->kinds, c->flags,
                                        NULL);
}

void GOMP_target_ext(int device, void (*fn)(void *), size_t mapnum, void **hostaddrs, size_t *sizes,
                     unsigned short *kinds, unsigned flags, void **depend, void **args)
{
    struct worker *w = worker_get();
    if (w)
        run(w, &(struct call){target_region, device, fn, mapnum, hostaddrs, sizes, kinds, flags, args},
            depend);
    else
        real()->GOMP_target_ext(device, fn, mapnum, hostaddrs, sizes, kinds, flags, depend, args);
}

void GOMP_target_update_ext(int device, size_t mapnum, void **hostaddrs, size_t *sizes, unsigned short *kinds,
                            unsigned flags, void **depend)
{
    struct worker *w = worker_get();
    if (w)
        run(w, &(struct call){update, device, NULL, mapnum, hostaddrs, sizes, kinds, flags, NULL}, depend);
    else
        real()->GOMP_target_update_ext(device, mapnum, hostaddrs, sizes, kinds, flags, depend);
}

void GOMP_target_enter_exit_data(int device, size_t mapnum, void **hostaddrs, size_t *sizes,
                                 unsigned short *kinds, unsigned flags, void **depend)
{
    struct worker *w = worker_get();
    if (w)
        run(w, &(struct call){enter_exit, device, NULL, mapnum, hostaddrs, sizes, kinds, flags, NULL},
            depend);
    else
        real()->GOMP_target_enter_exit_data(device, mapnum, hostaddrs, sizes, kinds, flags, depend);
}
