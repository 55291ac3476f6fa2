/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Dependences between the children of a task. For each address the parent's table knows the current set
 * of tasks and the one before. A task that reads after readers (or is an inoutset after inoutsets) joins
 * the current set and depends on the one before; any other starts a new set and depends on all of the
 * current. mutexinoutset is treated as inout. Complete tasks are skipped; they are dropped when a set would grow.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "crt/team/team.h"

/* Kinds, as in an omp_depend_t. */
enum { IN = 1, OUT = 2, INOUT = 3, MUTEXINOUTSET = 4, INOUTSET = 5 };

/* Tasks, each with a reference. Mostly it is one, which needs no memory of its own. */
struct depend_set {
    union {
        struct task *one;   /* room is 0 */
        struct task **many; /* else */
    };
    unsigned n, room;
};

struct depend_entry {
    const void *address; /* NULL: the place in the table is free */
    int kind;            /* of the current set: IN, OUT or INOUTSET */
    struct depend_set current, before;
};

/* Open addressing; size is a power of two, at least twice n. all: the last task with omp_all_memory. */
struct depends {
    struct depend_entry *entries;
    size_t n, size;
    struct task *all;
};

static void *depend_must(void *p)
{
    if (!p)
        log_no_memory("the dependences of a task");
    return p;
}

/* ---- Sets ---- */

static struct task **set_tasks(struct depend_set *s)
{
    return s->room ? s->many : &s->one;
}

static void set_clear(struct depend_set *s)
{
    for (unsigned i = 0; i < s->n; i++)
        task_unref(set_tasks(s)[i]);
    s->n = 0;
}

static void set_prune(struct depend_set *s)
{
    struct task **tasks = set_tasks(s);
    unsigned left = 0;
    for (unsigned i = 0; i < s->n; i++) {
        if (tasks[i]->complete)
            task_unref(tasks[i]);
        else
            tasks[left++] = tasks[i];
    }
    s->n = left;
}

/* Twice the room, unless dropping complete tasks frees half of it. */
static void set_make_room(struct depend_set *s)
{
    set_prune(s);
    if (2 * s->n < s->room || s->n == 0)
        return;
    unsigned room = s->room ? 2 * s->room : 4;
    struct task **tasks = depend_must(malloc(room * sizeof *tasks));
    memcpy(tasks, set_tasks(s), s->n * sizeof *tasks);
    if (s->room)
        free(s->many);
    s->many = tasks;
    s->room = room;
}

static void set_add(struct depend_set *s, struct task *t)
{
    lock_assert_held(&t->team->lock);
    if (s->n > 0 && s->n >= s->room)
        set_make_room(s);
    task_ref(t);
    set_tasks(s)[s->n++] = t;
}

static void set_free(struct depend_set *s)
{
    set_clear(s);
    if (s->room)
        free(s->many);
}

static void entry_free(struct depend_entry *e)
{
    set_free(&e->current);
    set_free(&e->before);
}

/* ---- Edges ---- */

static void make_room_after(struct task *first)
{
    unsigned room = first->room_after ? 2 * first->room_after : 2 * FEW_AFTER;
    struct task **after = depend_must(malloc(room * sizeof *after));
    memcpy(after, task_after(first), first->n_after * sizeof *after);
    free(first->after);
    first->after = after;
    first->room_after = room;
}

static void depend_follow(struct task *t, struct task *first)
{
    lock_assert_held(&t->team->lock);
    if (first == t || first->complete)
        return;
    if (first->n_after >= FEW_AFTER && first->n_after >= first->room_after)
        make_room_after(first);
    task_after(first)[first->n_after++] = t;
    t->before++;
}

static void follow_all(struct task *t, struct depend_set *s)
{
    for (unsigned i = 0; i < s->n; i++)
        depend_follow(t, set_tasks(s)[i]);
}

/* ---- The table ---- */

static struct depend_entry *depend_place(struct depend_entry *entries, size_t size, const void *address)
{
    assert((size & (size - 1)) == 0);
    size_t i = ((uintptr_t)address >> 3) * 0x9e3779b97f4a7c15u >> 20;
    while (entries[i & (size - 1)].address && entries[i & (size - 1)].address != address)
        i++;
    return &entries[i & (size - 1)];
}

/* Does anything still depend on it? Complete tasks are dropped. */
static bool depend_matters(struct depend_entry *e)
{
    set_prune(&e->current);
    set_prune(&e->before);
    return e->current.n + e->before.n > 0;
}

/* Twice the room, unless dropping what does not matter any more frees half of it: a parent may go on to new addresses for
 * ever. */
static void depend_make_room(struct depends *d)
{
    struct depend_entry *old = d->entries;
    size_t size = d->size;
    d->n = 0;
    for (size_t i = 0; i < size; i++)
        d->n += depend_matters(&old[i]);
    if (4 * d->n >= size)
        d->size = size ? 2 * size : 8;
    d->entries = depend_must(calloc(d->size, sizeof *d->entries));
    for (size_t i = 0; i < size; i++) {
        if (depend_matters(&old[i]))
            *depend_place(d->entries, d->size, old[i].address) = old[i];
        else
            entry_free(&old[i]);
    }
    free(old);
}

static struct depend_entry *depend_find(struct depends *d, const void *address)
{
    struct depend_entry *e = d->size ? depend_place(d->entries, d->size, address) : NULL;
    if (!e || !e->address) {
        if (2 * (d->n + 1) > d->size)
            depend_make_room(d);
        e = depend_place(d->entries, d->size, address);
        e->address = address;
        e->kind = OUT;
        d->n++;
        if (d->all)
            set_add(&e->current, d->all);
    }
    return e;
}

/* t does this to the address. */
static void depend_use(struct depends *d, struct task *t, const void *address, int kind)
{
    struct depend_entry *e = depend_find(d, address);
    bool joins = kind == e->kind && kind != OUT;
    if (!joins) {
        struct depend_set old = e->before;
        e->before = e->current;
        e->current = old;
        set_clear(&e->current);
        e->kind = kind;
    }
    follow_all(t, &e->before);
    set_add(&e->current, t);
}

/* omp_all_memory: after everything, before everything that follows. */
static void use_all(struct depends *d, struct task *t)
{
    for (size_t i = 0; i < d->size; i++)
        if (d->entries[i].address)
            depend_use(d, t, d->entries[i].address, OUT);
    if (d->all) {
        depend_follow(t, d->all);
        task_unref(d->all);
    }
    task_ref(t);
    d->all = t;
}

static void use_kind(struct depends *d, struct task *t, const void *address, int kind)
{
    if (kind == OUT || kind == INOUT || kind == MUTEXINOUTSET)
        kind = OUT;
    if (!address && kind == OUT)
        use_all(d, t);
    else if (address)
        depend_use(d, t, address, kind);
}

void depend_register(struct task *t, void **list)
{
    lock_assert_held(&t->team->lock);
    struct depends *d = t->parent->depends;
    if (!d)
        d = t->parent->depends = depend_must(calloc(1, sizeof *d));
    /* Either: count, outs, addresses; or: 0, count, outs, mutexinoutsets, ins, addresses, depend objects. */
    bool simple = list[0] != NULL;
    size_t n = (size_t)(simple ? list[0] : list[1]);
    size_t outs = (size_t)(simple ? list[1] : list[2]);
    size_t exclusive = simple ? 0 : (size_t)list[3];
    size_t ins = simple ? n - outs : (size_t)list[4];
    void **address = list + (simple ? 2 : 5);
    for (size_t i = 0; i < n; i++) {
        if (i < outs + exclusive)
            use_kind(d, t, address[i], OUT);
        else if (i < outs + exclusive + ins)
            use_kind(d, t, address[i], IN);
        else
            use_kind(d, t, ((void **)address[i])[0], (int)(intptr_t)((void **)address[i])[1]);
    }
}

void depend_clear(struct task *parent)
{
    lock_assert_held(&parent->team->lock);
    struct depends *d = parent->depends;
    if (!d)
        return;
    parent->depends = NULL;
    for (size_t i = 0; i < d->size; i++)
        entry_free(&d->entries[i]);
    if (d->all)
        task_unref(d->all);
    free(d->entries);
    free(d);
}
