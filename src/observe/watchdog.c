/* SPDX-License-Identifier: BSD-3-Clause */
#include "observe/watchdog.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

/* An arc is sent at least twice between two looks. */
enum { SEND_MS = 300, CONCLUDE_MS = 800, EAGER_MS = 4000, PATIENCE_MS = 300 };

static struct {
    struct lock lock;
    bool runs; /* under lock */
    pthread_t thread;
    _Atomic bool stop; /* release watchdog_mpi_ends, acquire watchdog_stops */
    _Atomic int asked; /* SIGUSR1s; relaxed */
} dog = {.lock = LOCK_FREE(WATCHDOG)};

/* ---- calls that wait ---- */

void watchdog_waits(struct endpoint *endpoint, struct wait *w)
{
    struct watched *at = w->watched ? NULL : malloc(sizeof *at);
    if (!at)
        return;
    *at = (struct watched){.next = endpoint->watched, .wait = w, .since = clock_ms()};
    endpoint->watched = at;
    w->watched = true;
}

void watchdog_waited(struct endpoint *endpoint, struct wait *w)
{
    struct watched **at = &endpoint->watched, *over;
    while ((*at)->wait != w)
        at = &(*at)->next;
    over = *at;
    *at = over->next;
    free(over);
}

static bool try_enter(struct endpoint *p)
{
    return p->single_owner ? endpoint_enter(p) : lock_try(&p->lock);
}

struct entering {
    struct endpoint *endpoint;
    long until;
    bool in;
};

static bool enter_look(void *entering)
{
    struct entering *e = entering;
    e->in = try_enter(e->endpoint);
    return e->in || clock_ms() >= e->until;
}

/* Whoever waits lets others in who want it; a call that hangs elsewhere with the endpoint may not. */
bool watchdog_enter(struct endpoint *p)
{
    struct entering e = {p, clock_ms() + PATIENCE_MS, false};
    add_relaxed(&p->lock.wanted, 1);
    wait_for(enter_look, &e, POLICY_SHORTLY);
    add_relaxed(&p->lock.wanted, -1);
    return e.in;
}

void watchdog_leave(struct endpoint *p)
{
    if (p->single_owner)
        endpoint_left(p);
    else
        endpoint_unlock(p);
}

/* The end of MPI waits for messages to arrive, when there may be no endpoint left. */
static enum overdue end_overdue(long ms, long now)
{
    static bool told;
    long since = shm_ends_since();
    if (!since || now - since < ms)
        return OVERDUE_NONE;
    enum overdue how = told ? OVERDUE_TOLD : OVERDUE_NEW;
    told = true;
    return how;
}

enum overdue watchdog_overdue(long ms)
{
    long now = clock_ms();
    enum overdue worst = end_overdue(ms, now);
    for (struct endpoint *p = endpoint_first(); p; p = p->next) {
        if (p->rank < 0 || !load_acquire(&p->open) || !watchdog_enter(p))
            continue;
        for (struct watched *at = p->watched; at; at = at->next) {
            if (now - at->since < ms)
                continue;
            worst = at->told && worst != OVERDUE_NEW ? OVERDUE_TOLD : OVERDUE_NEW;
            at->told = true;
        }
        watchdog_leave(p);
    }
    return worst;
}

/* ---- the thread ---- */

/* Arcs that have come since the last look for a cycle, where that is looked for. */
static struct {
    struct arc *arc;
    int n;
} gathered;

static void watchdog_keep(const struct arcs *e)
{
    struct arc *more = realloc(gathered.arc, (size_t)(gathered.n + e->n + 1) * sizeof *more);
    if (!more)
        return;
    gathered.arc = more;
    if (e->n > 0)
        memcpy(more + gathered.n, e->arc, (size_t)e->n * sizeof *more);
    gathered.n += e->n;
}

/* What the thread knows of the past. */
struct watchdog_memory {
    int asked;     /* SIGUSR1s seen */
    long eager_to; /* until then calls that began just now count, too: it was asked */
    long sent, concluded;
    bool alone; /* process 0 does not listen any more */
};

static void watchdog_conclude(struct watchdog_memory *m, long least)
{
    static struct arcs e;
    m->concluded = clock_ms();
    watchdog_arcs(&e, least);
    watchdog_keep(&e);
    watchdog_cycle(gathered.arc, gathered.n);
    gathered.n = 0;
}

static void watchdog_send_text(struct watchdog_memory *m, long least)
{
    static struct arcs e;
    m->sent = clock_ms();
    watchdog_arcs(&e, least);
    m->alone = !watchdog_send(&e);
}

/* Tell and look, while there is something. */
static void watchdog_turn(struct watchdog_memory *m)
{
    static struct arcs e;
    long now = clock_ms();
    int signals = load_relaxed(&dog.asked); /* once: another one may come at any time */
    bool asked = signals != m->asked;
    m->asked = signals;
    if (asked)
        m->eager_to = now + EAGER_MS;
    long ms = load_relaxed(&settings.watchdog), least = now < m->eager_to ? 0 : ms / 2;
    enum overdue overdue = watchdog_overdue(ms);
    if (asked || overdue == OVERDUE_NEW)
        watchdog_report();
    bool alert = overdue != OVERDUE_NONE || now < m->eager_to, here = !watchdog_gathered() || m->alone;
    while (watchdog_gathers() && watchdog_receive(&e))
        watchdog_keep(&e);
    if (alert && watchdog_gathered() && !watchdog_gathers() && now - m->sent >= SEND_MS)
        watchdog_send_text(m, least);
    if ((here || watchdog_gathers()) && (alert || gathered.n > 0) && now - m->concluded >= CONCLUDE_MS)
        watchdog_conclude(m, least);
}

static bool watchdog_stops(void *unused)
{
    (void)unused;
    return load_acquire(&dog.stop);
}

static bool watchdog_look(void *memory)
{
    watchdog_turn(memory);
    return false;
}

static void *watchdog_serve(void *unused)
{
    struct watchdog_memory m = {0};
    prctl(PR_SET_NAME, "ep-watchdog");
    wait_serving(watchdog_stops, watchdog_look, &m, POLICY_WATCHDOG_THREAD);
    return unused;
}

static void watchdog_on_signal(int number)
{
    (void)number;
    add_relaxed(&dog.asked, 1);
}

/* Unless the program has a use for it. */
static void take_signal(void)
{
    struct sigaction now, ours = {.sa_handler = watchdog_on_signal, .sa_flags = SA_RESTART};
    if (sigaction(SIGUSR1, NULL, &now) == 0 && !(now.sa_flags & SA_SIGINFO) && now.sa_handler == SIG_DFL)
        sigaction(SIGUSR1, &ours, NULL);
}

static void watchdog_mpi_ends(void)
{
    store_release(&dog.stop, true);
    pthread_join(dog.thread, NULL);
}

/* The program's signals are for its own threads. */
static void watchdog_start(void)
{
    lock_assert_held(&dog.lock);
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    dog.runs = pthread_create(&dog.thread, NULL, watchdog_serve, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!dog.runs) {
        log_warning("the system gives no thread for EP_WATCHDOG");
        return;
    }
    take_signal();
    process_at_end(END_WATCHDOG, watchdog_mpi_ends);
}

void watchdog_begin(MPI_Comm parent, bool all)
{
    if (all)
        watchdog_meet(parent);
    or_acq_rel(&observers, OBSERVER_WATCHDOG);
    lock_acquire(&dog.lock);
    if (!dog.runs)
        watchdog_start();
    lock_release(&dog.lock);
}
