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
#include "crt/gomp/gomp.h"

enum { NOWAIT = 1 };
enum { FIRSTPRIVATE = 12, KIND = 255, ALIGN_SHIFT = 8 };
enum { MORE_FOLLOWS = 128 };

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
static char *private_copy(const struct target_call *c, size_t i, char *at)
{
    if ((c->kinds[i] & KIND) != FIRSTPRIVATE)
        return NULL;
    uintptr_t align = (uintptr_t)1 << (c->kinds[i] >> ALIGN_SHIFT);
    return at + (-(uintptr_t)at & (align - 1));
}

/* Room for all of them, wherever they begin. */
static size_t private_bytes(const struct target_call *c)
{
    size_t bytes = 0;
    for (size_t i = 0; i < c->mapnum; i++)
        if ((c->kinds[i] & KIND) == FIRSTPRIVATE)
            bytes += c->sizes[i] + ((size_t)1 << (c->kinds[i] >> ALIGN_SHIFT));
    return bytes;
}

/* Append n bytes. */
static void *gomp_target_add(char **at, const void *from, size_t n)
{
    void *to = *at;
    if (n > 0)
        memcpy(to, from, n);
    *at += n;
    return to;
}

/* All in one piece of memory: first what has the strictest alignment. */
static struct target_call *target_call_copy(const struct target_call *c)
{
    size_t words = words_of(c->args);
    struct target_call *copy =
        malloc(sizeof *copy + c->mapnum * (sizeof *c->hostaddrs + sizeof *c->sizes + sizeof *c->kinds) +
               words * sizeof *c->args + private_bytes(c));
    if (!copy)
        log_no_memory("a target region");
    *copy = *c;
    char *at = (char *)(copy + 1);
    copy->hostaddrs = gomp_target_add(&at, c->hostaddrs, c->mapnum * sizeof *c->hostaddrs);
    copy->sizes = gomp_target_add(&at, c->sizes, c->mapnum * sizeof *c->sizes);
    copy->args = words ? gomp_target_add(&at, c->args, words * sizeof *c->args) : NULL;
    copy->kinds = gomp_target_add(&at, c->kinds, c->mapnum * sizeof *c->kinds);
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
    struct target_call *c = *(struct target_call **)data;
    c->carry_out(c);
    free(c);
}

void target_run(struct worker *w, struct target_call *c, void **depend)
{
    bool nowait = c->flags & NOWAIT;
    c->flags &= ~(unsigned)NOWAIT;
    if (!depend && !nowait) {
        c->carry_out(c);
        return;
    }
    struct target_call *copy = target_call_copy(c);
    task_spawn(w, &(struct spawn){.fn = run_copy,
                                  .data = &copy,
                                  .arg_size = sizeof copy,
                                  .arg_align = _Alignof(struct target_call *),
                                  .if_clause = nowait,
                                  .flags = depend ? TASK_DEPEND : 0,
                                  .depend = depend});
}

static void gomp_target_region(void *call)
{
    const struct target_call *c = call;
    real_function()->GOMP_target_ext(c->device, c->fn, c->mapnum, c->hostaddrs, c->sizes, c->kinds, c->flags,
                                     NULL, c->args);
}

static void gomp_target_alone(void *call)
{
    struct region r;
    region_open(&r, gomp_target_region, call, NULL);
    region_alone(&r);
    region_close(&r);
}

/* In an explicit task (that of nowait is one), or with any around, others of the thread must be able to go on. */
void target_region(const struct target_call *c)
{
    struct worker *w = worker_here();
    if (w->fiber || load_relaxed(&w->team->incomplete) > 0)
        apart_call(w, gomp_target_alone, (void *)c);
    else
        gomp_target_alone((void *)c);
}

void target_update(const struct target_call *c)
{
    real_function()->GOMP_target_update_ext(c->device, c->mapnum, c->hostaddrs, c->sizes, c->kinds, c->flags,
                                            NULL);
}

void target_enter_exit(const struct target_call *c)
{
    real_function()->GOMP_target_enter_exit_data(c->device, c->mapnum, c->hostaddrs, c->sizes, c->kinds,
                                                 c->flags, NULL);
}
