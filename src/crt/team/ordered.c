/* SPDX-License-Identifier: BSD-3-Clause */
#include "crt/team/ordered.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "crt/cond.h"
#include "crt/team/sched.h"
#include "crt/team/wakes.h"

/* A task that waits for its turn: for a chunk that begins with `at`, or for iteration `inner` of the inner loops of `at`. */
struct ordered_waiting {
    struct node node;
    ull at, inner;
    crt_cond_t cond;
};

/* ---- One loop ---- */

static void ordered_forget(struct team *team, struct order *s)
{
    lock_assert_held(&team->lock);
    struct order **at = &team->order;
    while (*at != s)
        at = &(*at)->other;
    *at = s->other;
}

static void ordered_release(struct order *s)
{
    if (s->posted)
        munmap(s->posted, s->bytes);
    free(s->counts);
    free(s);
}

/* That of the loop that w comes to; *made: w is the first. */
static struct order *order_find(struct worker *w, bool *made)
{
    struct team *team = w->team;
    unsigned number = ++w->loops;
    lock_assert_held(&team->lock);
    for (struct order *s = team->order; s; s = s->other)
        if (s->number == number)
            return s;
    struct order *s = calloc(1, sizeof *s);
    if (!s)
        abort(); /* OpenMP has no way to say so */
    *made = true;
    s->number = number;
    s->other = team->order;
    team->order = s;
    return s;
}

void order_leave_slow(struct worker *w)
{
    struct team *team = w->team;
    struct order *s = w->order;
    w->order = NULL;
    lock_acquire(&team->lock);
    bool last = ++s->left == load_relaxed(&team->n);
    if (last)
        ordered_forget(team, s);
    lock_release(&team->lock);
    if (last)
        ordered_release(s);
}

void order_free(struct team *team)
{
    while (team->order) {
        struct order *s = team->order;
        team->order = s->other;
        ordered_release(s);
    }
}

/* Wait on the list, unless `ready` holds. */
static void wait_in_order(struct worker *w, struct order *s, struct ordered_waiting *self,
                          bool ready(const struct order *s, const struct ordered_waiting *x))
{
    lock_acquire(&w->team->lock);
    bool now = ready(s, self);
    if (!now)
        list_append(&s->waiting, &self->node);
    lock_release(&w->team->lock);
    if (!now)
        sched_wait_lock(w, &self->cond);
}

/* Wake those that are ready now. */
static void wake_ready(struct worker *w, struct order *s, struct wakes *wakes,
                       bool ready(const struct order *s, const struct ordered_waiting *x))
{
    lock_assert_held(&w->team->lock);
    for (struct node *n = s->waiting.first, *next; n; n = next) {
        struct ordered_waiting *x = container_of(n, struct ordered_waiting, node);
        next = n->next;
        if (!ready(s, x))
            continue;
        list_remove(&s->waiting, n);
        wakes_cond(wakes, &x->cond);
    }
}

/* ---- ordered ---- */

static bool ordered_is_next(const struct order *s, const struct ordered_waiting *x)
{
    return s->next == x->at;
}

static void take_chunk(struct worker *w, bool any, ull first, ull last)
{
    w->chunk_first = any ? first : 0;
    w->chunk_last = any ? last : 0;
}

void order_begin(ull start, bool any, ull first, ull last)
{
    struct worker *w = worker_here();
    bool made = false;
    if (!w || load_relaxed(&w->team->n) == 1)
        return;
    lock_acquire(&w->team->lock);
    w->order = order_find(w, &made);
    if (made)
        w->order->next = start;
    lock_release(&w->team->lock);
    take_chunk(w, any, first, last);
}

void order_await(void)
{
    struct worker *w = worker_here();
    if (!w || !w->order)
        return;
    struct ordered_waiting self = {.at = w->chunk_first};
    wait_in_order(w, w->order, &self, ordered_is_next);
}

void order_pass(bool any, ull first, ull last)
{
    struct worker *w = worker_here();
    if (!w || !w->order)
        return;
    struct order *s = w->order;
    struct wakes wakes;
    team_lock(w->team, &wakes);
    s->next = w->chunk_last;
    wake_ready(w, s, &wakes, ordered_is_next);
    team_unlock(w->team, &wakes);
    take_chunk(w, any, first, last);
}

/* ---- doacross ---- */

static bool ordered_is_posted(const struct order *s, const struct ordered_waiting *x)
{
    return load_acquire(&s->posted[x->at]) > x->inner;
}

static void make_posted(struct order *s, unsigned dimensions, const ull *counts)
{
    s->dimensions = dimensions;
    s->counts = malloc(dimensions * sizeof *counts);
    if (!s->counts)
        abort(); /* OpenMP has no way to say so */
    for (unsigned i = 0; i < dimensions; i++)
        s->counts[i] = counts[i];
    s->bytes = (counts[0] > 0 ? counts[0] : 1) * sizeof *s->posted;
    void *memory =
        mmap(NULL, s->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        log_error("no address space for the order of %llu iterations", counts[0]);
        abort(); /* OpenMP has no way to say so */
    }
    s->posted = memory;
}

void doacross_enter(struct worker *w, unsigned dimensions, const ull *counts)
{
    struct team *team = w->team;
    bool made = false;
    if (load_relaxed(&team->n) == 1)
        return;
    lock_acquire(&team->lock);
    w->order = order_find(w, &made);
    if (made)
        make_posted(w->order, dimensions, counts);
    lock_release(&team->lock);
}

static struct ordered_waiting ordered_place_of(const struct order *s, const ull *at)
{
    struct ordered_waiting x = {.at = at[0]};
    for (unsigned i = 1; i < s->dimensions; i++)
        x.inner = x.inner * s->counts[i] + at[i];
    return x;
}

/* Who waits has looked under the lock, after this has written or before it looks at the list. */
void doacross_post(struct worker *w, const ull *at)
{
    struct order *s = w->order;
    struct ordered_waiting x = ordered_place_of(s, at);
    struct wakes wakes;
    if (x.at >= s->counts[0])
        return;
    store_release(&s->posted[x.at], x.inner + 1);
    team_lock(w->team, &wakes);
    wake_ready(w, s, &wakes, ordered_is_posted);
    team_unlock(w->team, &wakes);
}

void doacross_wait(struct worker *w, const ull *at)
{
    struct order *s = w->order;
    struct ordered_waiting self = ordered_place_of(s, at);
    if (self.at < s->counts[0] && !ordered_is_posted(s, &self))
        wait_in_order(w, s, &self, ordered_is_posted);
}
