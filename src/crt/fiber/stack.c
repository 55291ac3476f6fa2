/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The guard is an eighth of the stack, but not more than GUARD_MAX: a frame with an array may be larger than a page, and would
 * reach over that into the next stack. It is MADV_GUARD_INSTALL where the kernel has it (6.13), which needs no mapping of its own. Elsewhere it is
 * mprotect, for the first stacks only: each costs two mappings, and a process has 65,530 of those.
 */
#include "crt/fiber/stack.h"

#include <ctype.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/base.h"
#include "crt/team/team.h"

#ifndef MADV_GUARD_INSTALL
#define MADV_GUARD_INSTALL 102
#endif

enum { SLAB = 32, PROTECTED_MAX = 16000 };
enum { GUARD_MAX = 64 << 10 };
enum { USABLE_MIN = 64 << 10 }; /* MPI itself needs some */
static const size_t USABLE_MAX = (size_t)1 << 40;

static struct {
    struct lock lock;
    char *next; /* of the current slab */
    int left;
    int protected;
    bool no_guard_install;
} stacks = {.lock = LOCK_FREE(STACKS)};

static size_t page_size(void)
{
    static _Atomic size_t size; /* relaxed */
    if (!load_relaxed(&size))
        store_relaxed(&size, (size_t)sysconf(_SC_PAGESIZE));
    return load_relaxed(&size);
}

/* ---- How large ---- */

static const char *after_blanks(const char *text)
{
    return text + strspn(text, " \t\n\v\f\r");
}

/* A size as libgomp reads it: KiB, or with a letter B, K, M, G, blanks anywhere between. False if it would not take it. */
static bool parse_size(const char *text, size_t *bytes)
{
    static const char units[] = "bkmg";
    char *end;
    errno = 0;
    size_t n = strtoul(after_blanks(text), &end, 10);
    if (errno || end == text)
        return false;
    const char *rest = after_blanks(end);
    const char *unit = *rest ? strchr(units, tolower((unsigned char)*rest)) : &units[1];
    unsigned shift = unit ? 10 * (unsigned)(unit - units) : 0;
    *bytes = n << shift;
    return unit && !(*rest && *after_blanks(rest + 1)) && *bytes >> shift == n;
}

/* What a thread of libgomp would have, or 0 if nobody has said so. */
static size_t of_openmp(void)
{
    static const char *const names[] = {"OMP_STACKSIZE", "GOMP_STACKSIZE"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t bytes;
        const char *text = settings_environment(names[i]);
        if (text && parse_size(text, &bytes))
            return bytes;
    }
    return 0;
}

/* An eighth, but frames of that size are rare enough. */
static size_t guard_of(size_t bytes)
{
    size_t page = page_size(), eighth = bytes / 8 / page * page;
    return eighth < page ? page : eighth > GUARD_MAX ? GUARD_MAX : eighth;
}

static size_t learn_size(void)
{
    size_t page = page_size(), bytes = 4 * page, usable = settings_environment("CRT_STACK") ? 0 : of_openmp();
    if (usable > 0) {
        usable = usable < USABLE_MIN ? USABLE_MIN : usable > USABLE_MAX ? USABLE_MAX : usable;
        return (usable + GUARD_MAX + 2 * page - 1) / page * page; /* the fiber takes less than a page */
    }
    while (bytes < (size_t)settings.crt_stack * 1024)
        bytes *= 2;
    return bytes;
}

size_t stack_size(void)
{
    static _Atomic size_t size; /* relaxed */
    size_t bytes = load_relaxed(&size);
    if (unlikely(bytes == 0)) {
        bytes = learn_size();
        store_relaxed(&size, bytes);
    }
    return bytes;
}

size_t stack_guard(void)
{
    return guard_of(stack_size());
}

/* ---- Where ---- */

static void stack_protect(char *low)
{
    if (!stacks.no_guard_install) {
        if (madvise(low, stack_guard(), MADV_GUARD_INSTALL) == 0)
            return;
        stacks.no_guard_install = true;
    }
    if (stacks.protected < PROTECTED_MAX && mprotect(low, stack_guard(), PROT_NONE) == 0)
        stacks.protected ++;
}

static void new_slab(void)
{
    size_t bytes = SLAB * stack_size();
    char *slab = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (slab == MAP_FAILED) {
        log_error("no address space for the stacks of more blocked tasks: %s (%zu KiB each: CRT_STACK)",
                  strerror(errno), stack_size() / 1024);
        abort();
    }
    madvise(slab, bytes, MADV_NOHUGEPAGE); /* a huge page would be memory for one task's few frames */
    stacks.next = slab;
    stacks.left = SLAB;
}

char *stack_new(void)
{
    lock_acquire(&stacks.lock);
    if (stacks.left == 0)
        new_slab();
    char *low = stacks.next;
    stacks.next += stack_size();
    stacks.left--;
    stack_protect(low);
    lock_release(&stacks.lock);
    return low;
}

void stack_trim(char *low)
{
    madvise(low + stack_guard(), stack_size() - stack_guard() - page_size(), MADV_DONTNEED);
}

/* ---- Overflow ---- */

enum { HANDLERS = 32 << 10 }; /* bytes of stack */

static struct sigaction before;

/* Is it in the guard of the stack that a task of this thread runs on? */
static bool is_stack_overflow(uintptr_t at)
{
    struct worker *w = worker_here();
    uintptr_t low = w && w->fiber ? (uintptr_t)w->fiber->exec_context.low : 0;
    return at < low && low - at <= stack_guard();
}

/* The instruction does the same again when this returns: then the program's own handler, or none, sees it. */
static void on_fault(int number, siginfo_t *info, void *context)
{
    (void)context;
    if (info->si_code > 0 && is_stack_overflow((uintptr_t)info->si_addr))
        log_text(
            "ep: error: the stack of a task was too small: CRT_STACK or OMP_STACKSIZE makes it larger\n");
    sigaction(number, &before, NULL);
    if (info->si_code <= 0)
        raise(number); /* somebody sent it */
}

static void overflow_install(void)
{
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    sigemptyset(&action.sa_mask);
    if (sigaction(SIGSEGV, NULL, &before) == 0 && !(before.sa_flags & SA_ONSTACK))
        sigaction(SIGSEGV, &action, NULL);
}

void overflow_watch(struct thread *t)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    stack_t now, ours = {.ss_size = HANDLERS};
    pthread_once(&once, overflow_install);
    if (t->handlers || sigaltstack(NULL, &now) != 0 || !(now.ss_flags & SS_DISABLE))
        return;
    ours.ss_sp = mmap(NULL, HANDLERS, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (ours.ss_sp == MAP_FAILED)
        return;
    if (sigaltstack(&ours, NULL) == 0)
        t->handlers = ours.ss_sp;
    else
        munmap(ours.ss_sp, HANDLERS);
}

void overflow_unwatch(struct thread *t)
{
    stack_t now, none = {.ss_flags = SS_DISABLE};
    if (!t->handlers)
        return;
    if (sigaltstack(NULL, &now) == 0 && now.ss_sp == t->handlers)
        sigaltstack(&none, NULL);
    munmap(t->handlers, HANDLERS);
    t->handlers = NULL;
}
