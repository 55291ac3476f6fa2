/* SPDX-License-Identifier: BSD-3-Clause */
#include "crt/fiber/overflow.h"

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>

#include "crt/fiber/stack.h"
#include "crt/team/team.h"

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
