/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Signals that kill: say which endpoint it was and where, then let the signal do its work. The functions
 * called here do not allocate and take no lock that the thread may hold.
 */
#include "eprun/crash.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "eprun/copy.h"
#include "eprun/eprun.h"
#include "eprun/image.h"

#define STACK_SIZE (64 << 10)
#define NEAR (64 << 10)

static struct {
    int number;
    const char *name;
} const signals[] = {
    {SIGSEGV, "Segmentation fault"}, {SIGBUS, "Bus error"}, {SIGFPE, "Arithmetic error"},
    {SIGILL, "Illegal instruction"}, {SIGABRT, "Aborted"},  {SIGSYS, "Bad system call"},
};

static struct endpoint *all;
static int count;
static pid_t process;
static int crashed; /* the thread that is being reported */
static _Thread_local struct {
    uintptr_t low, top; /* 0: not known */
    size_t guard;       /* bytes below low */
    void *handlers;     /* another one, for signals */
} stack;

/* Where the thread was; 0 where this is not known. */
struct spot {
    uintptr_t pc, sp;
};

static struct spot spot_of(const ucontext_t *context)
{
    const mcontext_t *m = &context->uc_mcontext;
#if defined __x86_64__
    return (struct spot){(uintptr_t)m->gregs[REG_RIP], (uintptr_t)m->gregs[REG_RSP]};
#elif defined __aarch64__
    return (struct spot){(uintptr_t)m->pc, (uintptr_t)m->sp};
#elif defined __riscv
    return (struct spot){(uintptr_t)m->__gregs[REG_PC], (uintptr_t)m->__gregs[REG_SP]};
#else
    (void)m;
    return (struct spot){0, 0};
#endif
}

/* "app+0x1234", as addr2line wants it for the file. Is it in the program? */
static bool describe(void *pc, char *text, size_t size)
{
    struct link_map *map = NULL;
    Dl_info info;
    text[0] = 0;
    if (!pc || !dladdr1(pc, &info, (void **)&map, RTLD_DL_LINKMAP) || !map)
        return false;
    const char *slash = strrchr(map->l_name, '/');
    const char *own = self ? image_at(self->image, map->l_addr, self->options) : NULL;
    const char *name = own ? own : slash ? slash + 1 : map->l_name;
    snprintf(text, size, "%s+0x%lx", name[0] ? name : "eprun", (unsigned long)((uintptr_t)pc - map->l_addr));
    return own;
}

/* The innermost call by the program of a library's function that did not return. The stack may be broken:
 * all else has been said by now. */
static void report_caller(void)
{
    void *frames[64];
    char text[256];
    int n = backtrace(frames, 64);
    for (int i = 0; i < n; i++) {
        if (describe((char *)frames[i] - 1, text, sizeof text)) {
            self = NULL;
            message("called from %s", text);
            return;
        }
    }
}

static const char *signal_name(int number)
{
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        if (signals[i].number == number)
            return signals[i].name;
    }
    return "?";
}

/* Did it go below the end of its stack? The thread's guard tells a stack that is too small from a wild pointer. */
static bool is_overflow(int number, const siginfo_t *info)
{
    uintptr_t at = (uintptr_t)info->si_addr;
    return number == SIGSEGV && info->si_code > 0 && at < stack.low && stack.low - at <= stack.guard;
}

/* Did it go below the end of a task's stack (OMP_EXTERNAL=task)? Nobody here knows those, but what is touched just
 * below the stack pointer is there on any other. */
static bool is_task_overflow(int number, const siginfo_t *info, uintptr_t sp)
{
    uintptr_t at = (uintptr_t)info->si_addr;
    bool on_task = sp && stack.low && (sp < stack.low || sp >= stack.top);
    return number == SIGSEGV && info->si_code > 0 && on_task && at < sp + NEAR && at + NEAR > sp;
}

static void report(int number, uintptr_t pc)
{
    struct endpoint *e = self;
    char place[256];
    bool in_program = describe((void *)pc, place, sizeof place);
    const char *in = place[0] ? " in " : "";
    output_flush_all(all, count);
    self = NULL; /* the message names the endpoint in full */
    if (e)
        message("endpoint %d of %d (process %d) was killed by signal %d (%s)%s%s", e->rank, e->size,
                e->process, number, signal_name(number), in, place);
    else
        message("process %d was killed by signal %d (%s)%s%s", all[0].process, number, signal_name(number),
                in, place);
    self = e;
    if (e && !in_program)
        report_caller();
}

/* An instruction that failed does so again when the handler returns: a dump of memory then shows it. */
static void die(int number, bool by_instruction)
{
    sigset_t set;
    signal(number, SIG_DFL);
    if (by_instruction)
        return;
    sigemptyset(&set);
    sigaddset(&set, number);
    raise(number);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

static void on_signal(int number, siginfo_t *info, void *context)
{
    int thread = gettid(), none = 0;
    struct spot spot = spot_of(context);
    bool first =
        __atomic_compare_exchange_n(&crashed, &none, thread, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
    if (!first && none != thread && getpid() == process) {
        for (;;)
            pause(); /* the process is about to end by another thread */
    }
    if (first && getpid() == process)
        report(number, spot.pc);
    if (first && getpid() == process && is_overflow(number, info))
        message("its stack was too small: --stack or ulimit -s make it larger");
    else if (first && getpid() == process && is_task_overflow(number, info, spot.sp))
        message("the stack of a task was too small: CRT_STACK makes it larger");
    die(number, info->si_code > 0 && number != SIGABRT);
}

void crash_start(struct endpoint endpoints[], int n)
{
    all = endpoints;
    count = n;
    process = getpid();
    backtrace(&(void *){NULL}, 1); /* loads what it needs now, not when memory is corrupt */
    if (copy_is_sanitized())
        return; /* it tells more */
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction action = {.sa_sigaction = on_signal,
                                   .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
        sigemptyset(&action.sa_mask);
        sigaction(signals[i].number, &action, NULL);
    }
}

static void learn_stack(void)
{
    pthread_attr_t attributes;
    void *low;
    size_t size;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0)
        return;
    if (pthread_attr_getstack(&attributes, &low, &size) == 0 &&
        pthread_attr_getguardsize(&attributes, &stack.guard) == 0) {
        stack.low = (uintptr_t)low;
        stack.top = stack.low + size;
    }
    pthread_attr_destroy(&attributes);
}

void crash_thread(void)
{
    learn_stack();
    void *handlers = mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    stack_t s = {.ss_sp = handlers, .ss_size = STACK_SIZE};
    if (handlers != MAP_FAILED && sigaltstack(&s, NULL) == 0)
        stack.handlers = handlers;
}

void crash_thread_ends(void)
{
    stack_t s = {.ss_flags = SS_DISABLE};
    if (stack.handlers && sigaltstack(&s, NULL) == 0)
        munmap(stack.handlers, STACK_SIZE);
    stack.handlers = NULL;
}
