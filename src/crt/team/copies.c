/* SPDX-License-Identifier: BSD-3-Clause */
#include "crt/team/reduction.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "crt/team/queue.h"
#include "crt/team/sched.h"
#include "crt/team/wakes.h"

/* The usual room, kept by a thread for its next reduction; room for so many more copies than threads where that is
 * larger; and how much of what was used is cleared by hand: beyond that the pages are given back. */
enum { MORE = 1 << 16, CLEARED = 64 << 10 };
static const size_t USUAL = (size_t)1 << 30;

struct copies_copy {
    struct copies_copy *next; /* of the thread's free ones, or of the task's */
    uintptr_t *array;
    unsigned index;
    struct copies_copy *from; /* whose it is: an ancestor's that waits for the task; or NULL */
    bool lent;                /* likewise, to a descendant */
};

/* A task that waits for one, in team->copyless. */
struct copyless {
    struct node node;
    struct task *task;
    uintptr_t *array;
    struct copies_copy *copy; /* what it got */
    crt_cond_t cond;
};

struct copies {
    char *memory; /* of this many bytes */
    size_t bytes;
    uintptr_t align, end; /* what was in the array before */
    struct copies *outer; /* taken before by the same thread */
    uintptr_t *array;
    unsigned threads, room;
    bool kept;
    _Atomic unsigned used; /* relaxed */
    struct mine {
        struct copies_copy *free;
        bool has_first; /* not kept: that of its number has been handed out once */
    } of[];             /* each thread's; not kept: under the team's lock */
};

static struct copies *copies_of(const uintptr_t *d)
{
    return (struct copies *)d[RED_END];
}

/* ---- Memory ---- */

static char *copies_reserve(size_t bytes)
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
    while (!(memory = copies_reserve(*bytes)) && *bytes / 2 >= least)
        *bytes /= 2;
    if (!memory) {
        log_error("no address space for the private copies of a task reduction: %s", strerror(errno));
        abort(); /* OpenMP has no way to say so */
    }
    return memory;
}

static void copies_clear(char *memory, size_t bytes)
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
        copies_clear(memory, used);
        t->copies = memory;
    } else {
        munmap(memory, bytes);
    }
}

static size_t copies_rounded(size_t n, size_t align)
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
    d[RED_MEMORY] = copies_rounded((uintptr_t)c->memory, align ? align : 1);
    c->room = (unsigned)((c->bytes - (d[RED_MEMORY] - (uintptr_t)c->memory)) / stride);
    d[RED_END] = (uintptr_t)c;
}

static void free_list(struct copies_copy *x)
{
    while (x) {
        struct copies_copy *next = x->next;
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
    assert(d[RED_END]);
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

static struct copies_copy *copy_new(uintptr_t *d, unsigned index)
{
    struct copies_copy *x = malloc(sizeof *x);
    if (!x)
        log_no_memory("a private copy of a task reduction");
    *x = (struct copies_copy){.array = d, .index = index};
    return x;
}

static unsigned copies_further(struct copies *c)
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

static struct copies_copy *copies_pop(struct mine *mine)
{
    struct copies_copy *x = mine->free;
    if (x)
        mine->free = x->next;
    return x;
}

static void copies_push(struct mine *mine, struct copies_copy *x)
{
    x->next = mine->free;
    mine->free = x;
}

static struct copies_copy *copies_copy_of(const struct task *t, const uintptr_t *d)
{
    struct copies_copy *x = t->copies;
    while (x && x->array != d)
        x = x->next;
    return x;
}

/* ---- Where there are no more than threads: all under the team's lock ---- */

/* The thread's own one is in its cache. */
static struct copies_copy *copies_take_free(uintptr_t *d, unsigned number)
{
    struct copies *c = copies_of(d);
    for (unsigned k = 0; k < c->threads; k++) {
        unsigned i = (number + k) % c->threads;
        struct copies_copy *x = copies_pop(&c->of[i]);
        if (x)
            return x;
        if (!c->of[i].has_first) {
            c->of[i].has_first = true;
            return copy_new(d, i);
        }
    }
    return NULL;
}

/* Those that follow t by its dependences, and have not been found. They are in no list: they are not ready. */
static void find_after(struct list *found, struct task *t)
{
    for (unsigned i = 0; i < t->n_after; i++) {
        struct task *next = task_after(t)[i];
        if (next->found)
            continue;
        next->found = true;
        list_append(found, &next->queue);
    }
}

static struct task *found_at(struct node *n)
{
    return container_of(n, struct task, queue);
}

/* Does wait, of t's parent, end only when a task has begun or ended that t comes before, directly or through others? These are
 * t's siblings: one that is undeferred, or a member of the taskgroup that is waited for. */
static bool precedes_awaited(struct task *t, const struct wait *wait)
{
    struct list found = {0};
    bool awaited = false;
    find_after(&found, t);
    for (struct node *n = found.first; n && !awaited; n = n->next) {
        struct task *next = found_at(n);
        awaited = next->start || (wait->group && next->group == wait->group);
        find_after(&found, next);
    }
    for (struct node *n = found.first; n; n = n->next)
        found_at(n)->found = false;
    return awaited;
}

/* Who is suspended until t is complete, or NULL. */
static struct task *who_awaits(struct task *t)
{
    struct task *parent = t->parent;
    if (parent && (t->undeferred || parent->waiter || (parent->wait && precedes_awaited(t, parent->wait))))
        return parent;
    return t->group && t->group->waiter ? t->group->wait->task : NULL;
}

/* An ancestor's that cannot go on before t is complete, nor can any task between them. */
static struct copies_copy *copies_borrow(struct task *t, uintptr_t *d)
{
    lock_assert_held(&t->team->lock);
    struct copies_copy *from = NULL;
    while (!(from && !from->lent) && (t = who_awaits(t)))
        from = copies_copy_of(t, d);
    if (!t || !from)
        return NULL;
    struct copies_copy *x = copy_new(d, from->index);
    x->from = from;
    from->lent = true;
    return x;
}

static struct copyless *copyless_at(struct node *n)
{
    return n ? container_of(n, struct copyless, node) : NULL;
}

static void copies_hand(struct team *team, struct copyless *to, struct copies_copy *x, struct wakes *wakes)
{
    lock_assert_held(&team->lock);
    list_remove(&team->copyless, &to->node);
    to->copy = x;
    wakes_cond(wakes, &to->cond);
}

void copies_lend(struct team *team, struct wakes *wakes)
{
    lock_assert_held(&team->lock);
    for (struct node *n = team->copyless.first, *next; n; n = next) {
        struct copyless *to = copyless_at(n);
        struct copies_copy *x = copies_borrow(to->task, to->array);
        next = n->next;
        if (x)
            copies_hand(team, to, x, wakes);
    }
}

static void copies_put_back(struct team *team, struct copies_copy *x, struct wakes *wakes)
{
    lock_assert_held(&team->lock);
    struct copyless *to = copyless_at(team->copyless.first);
    if (x->from) {
        x->from->lent = false;
        free(x);
        copies_lend(team, wakes);
        return;
    }
    while (to && to->array != x->array)
        to = copyless_at(to->node.next);
    if (to)
        copies_hand(team, to, x, wakes);
    else
        copies_push(&copies_of(x->array)->of[x->index], x);
}

static void copies_warn(const struct copies *c)
{
    static _Atomic bool warned; /* relaxed would do: exchanged in warn, once */
    if (!atomic_exchange(&warned, true))
        log_warning(
            "a task that takes part in a task reduction waits until another has ended: there are as many "
            "private copies as threads, %u, and tasks that are blocked have them (docs/tasks.md)",
            c->threads);
}

static struct copies_copy *take_scarce(struct worker *w, uintptr_t *d)
{
    struct team *team = w->team;
    struct copyless self = {.task = w->task, .array = d};
    lock_acquire(&team->lock);
    struct copies_copy *x = copies_take_free(d, w->number);
    if (!x)
        x = copies_borrow(w->task, d);
    if (!x)
        list_append(&team->copyless, &self.node);
    lock_release(&team->lock);
    if (x)
        return x;
    if (queue_lifted(team))
        copies_warn(copies_of(d));
    sched_wait_lock(w, &self.cond);
    return self.copy;
}

static void release_scarce(struct team *team, struct copies_copy *x)
{
    struct wakes wakes;
    team_lock(team, &wakes);
    copies_put_back(team, x, &wakes);
    team_unlock(team, &wakes);
}

/* ---- Any ---- */

static struct copies_copy *copies_take_one(struct worker *w, uintptr_t *d)
{
    struct copies *c = copies_of(d);
    if (!c->kept)
        return take_scarce(w, d);
    struct copies_copy *x = copies_pop(&c->of[w->number]);
    return x ? x : copy_new(d, copies_further(c));
}

char *copies_get(struct worker *w, uintptr_t *d)
{
    struct task *t = w->task;
    struct copies_copy *x = copies_copy_of(t, d);
    if (!x && t != &w->implicit) {
        x = copies_take_one(w, d);
        x->next = t->copies;
        t->copies = x;
    }
    return (char *)d[RED_MEMORY] + (x ? x->index : w->number) * d[RED_STRIDE];
}

void copies_release(struct worker *w, struct task *t)
{
    while (t->copies) {
        struct copies_copy *x = t->copies;
        struct copies *c = copies_of(x->array);
        t->copies = x->next;
        if (c->kept)
            copies_push(&c->of[w->number], x);
        else
            release_scarce(w->team, x);
    }
}
