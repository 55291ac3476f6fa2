/* SPDX-License-Identifier: BSD-3-Clause */
#include "crt/copies.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "crt/reduction.h"

/* The usual room, kept by a thread for its next reduction; room for so many more copies than threads where that is
 * larger; and how much of what was used is cleared by hand: beyond that the pages are given back. */
enum { MORE = 1 << 16, CLEARED = 64 << 10 };
static const size_t USUAL = (size_t)1 << 30;

struct copy {
    struct copy *next; /* of the thread's free ones, or of the task's */
    uintptr_t *array;
    unsigned index;
};

struct copies {
    char *memory; /* of this many bytes */
    size_t bytes;
    uintptr_t align, end; /* what was in the array before */
    struct copies *outer; /* taken before by the same thread */
    uintptr_t *array;
    unsigned threads, room;
    bool kept;
    _Atomic unsigned used;
    struct mine {
        struct copy *free;
        bool has_first;
    } of[]; /* each thread's */
};

static struct copies *copies_of(const uintptr_t *d)
{
    return (struct copies *)d[RED_END];
}

/* ---- Memory ---- */

static char *reserve(size_t bytes)
{
    char *memory =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

/* With less address space there is less room. */
static char *reserve_for(size_t least, size_t *bytes)
{
    struct thread *t = thread_self();
    char *memory = *bytes == USUAL ? t->copies : NULL;
    if (memory) {
        t->copies = NULL;
        return memory;
    }
    while (!(memory = reserve(*bytes)) && *bytes / 2 >= least)
        *bytes /= 2;
    if (!memory) {
        log_error("no address space for the private copies of a task reduction: %s", strerror(errno));
        abort(); /* OpenMP has no way to say so */
    }
    return memory;
}

static void clear(char *memory, size_t bytes)
{
    if (bytes <= CLEARED)
        memset(memory, 0, bytes);
    else
        madvise(memory, bytes, MADV_DONTNEED);
}

static void give_back(char *memory, size_t bytes, size_t used)
{
    struct thread *t = thread_self();
    if (bytes == USUAL && !t->copies) {
        clear(memory, used);
        t->copies = memory;
    } else {
        munmap(memory, bytes);
    }
}

static size_t rounded(size_t n, size_t align)
{
    return (n + align - 1) / align * align;
}

/* ---- One array ---- */

void copies_make(uintptr_t *d, unsigned threads, bool kept)
{
    size_t stride = d[RED_STRIDE] ? d[RED_STRIDE] : 1;
    size_t align =
        kept ? stride & -stride : d[RED_MEMORY]; /* libgomp has put its memory there, in multiples of it */
    size_t least = stride * threads + align, wanted = least + stride * MORE;
    struct copies *c = calloc(1, sizeof *c + threads * sizeof *c->of);
    if (!c)
        log_no_memory("a private copy of a task reduction");
    c->bytes = wanted > USUAL ? wanted : USUAL;
    c->memory = reserve_for(least, &c->bytes);
    c->align = d[RED_MEMORY];
    c->end = d[RED_END];
    c->threads = threads;
    c->kept = kept;
    store_relaxed(&c->used, threads);
    d[RED_MEMORY] = rounded((uintptr_t)c->memory, align ? align : 1);
    c->room = (unsigned)((c->bytes - (d[RED_MEMORY] - (uintptr_t)c->memory)) / stride);
    d[RED_END] = (uintptr_t)c;
}

static void free_list(struct copy *x)
{
    while (x) {
        struct copy *next = x->next;
        free(x);
        x = next;
    }
}

void copies_free(uintptr_t *d)
{
    struct copies *c = copies_of(d);
    size_t before = d[RED_MEMORY] - (uintptr_t)c->memory;
    give_back(c->memory, c->bytes, before + copies_count(d) * d[RED_STRIDE]);
    for (unsigned i = 0; i < c->threads; i++)
        free_list(c->of[i].free);
    d[RED_MEMORY] = c->align;
    d[RED_END] = c->end;
    free(c);
}

unsigned copies_count(const uintptr_t *d)
{
    return load_relaxed(&copies_of(d)->used);
}

bool copies_contain(const uintptr_t *d, uintptr_t p)
{
    return p - d[RED_MEMORY] < copies_count(d) * d[RED_STRIDE];
}

void copies_take(uintptr_t *d)
{
    struct copies *c = copies_of(d);
    struct thread *t = thread_self();
    c->array = d;
    c->outer = t->taken;
    t->taken = c;
}

bool copies_are_taken(const uintptr_t *d)
{
    struct thread *t = thread_self();
    bool taken = t->taken && t->taken->array == d;
    if (taken)
        t->taken = t->taken->outer;
    return taken;
}

/* ---- Handing them out ---- */

static struct copy *copy_new(uintptr_t *d, unsigned index)
{
    struct copy *x = malloc(sizeof *x);
    if (!x)
        log_no_memory("a private copy of a task reduction");
    *x = (struct copy){NULL, d, index};
    return x;
}

static unsigned further(struct copies *c)
{
    unsigned index = add_relaxed(&c->used, 1);
    if (index >= c->room) {
        log_error(
            "no address space for the private copies of a task reduction: %u tasks take part in it at once",
            index);
        abort(); /* OpenMP has no way to say so */
    }
    return index;
}

/* One that no other task has, or NULL. */
static struct copy *take(struct worker *w, uintptr_t *d, bool more)
{
    struct copies *c = copies_of(d);
    struct mine *mine = &c->of[w->number];
    struct copy *x = mine->free;
    if (x) {
        mine->free = x->next;
        return x;
    }
    if (!c->kept && !mine->has_first) {
        mine->has_first = true;
        return copy_new(d, w->number);
    }
    return more ? copy_new(d, further(c)) : NULL;
}

static struct copy *copy_of(struct task *t, const uintptr_t *d)
{
    struct copy *x = t->copies;
    while (x && x->array != d)
        x = x->next;
    return x;
}

char *copies_get(struct worker *w, uintptr_t *d, bool more)
{
    struct task *t = w->task;
    struct copy *x = copy_of(t, d);
    if (!x && t != &w->implicit && (x = take(w, d, more))) {
        x->next = t->copies;
        t->copies = x;
    }
    return (char *)d[RED_MEMORY] + (x ? x->index : w->number) * d[RED_STRIDE];
}

void copies_release(struct worker *w, struct task *t)
{
    while (t->copies) {
        struct copy *x = t->copies;
        struct mine *mine = &copies_of(x->array)->of[w->number];
        t->copies = x->next;
        x->next = mine->free;
        mine->free = x;
    }
}
