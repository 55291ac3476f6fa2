/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Signals that kill: say which endpoint it was and where, then let the signal do its work. The functions
 * called here do not allocate and take no lock that the thread may hold.
 */
#include "eprun/life.h"

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

#include "eprun/fortran/fortran.h"
#include "eprun/image/image.h"

#define STACK_SIZE (256 << 10) /* Fortran's backtrace reads what debuggers do */
#define NEAR (64 << 10)

/* FAULT: of the thread that is hit, always handled. REQUEST: mostly for the process, handled as long as
 * nobody else does, and told of. QUIET: ends programs every day, so that is not worth a word. */
static const struct known_signal {
    int number;
    enum { FAULT, REQUEST, QUIET } kind;
    const char *name;
} signals[] = {
    {SIGSEGV, FAULT, "Segmentation fault"},
    {SIGBUS, FAULT, "Bus error"},
    {SIGFPE, FAULT, "Arithmetic error"},
    {SIGILL, FAULT, "Illegal instruction"},
    {SIGABRT, FAULT, "Aborted"},
    {SIGSYS, FAULT, "Bad system call"},
    {SIGTERM, REQUEST, "Terminated"},
    {SIGALRM, REQUEST, "Alarm clock"},
    {SIGXCPU, REQUEST, "CPU time limit exceeded"},
    {SIGXFSZ, REQUEST, "File size limit exceeded"},
    {SIGINT, QUIET, "Interrupt"},
    {SIGHUP, QUIET, "Hangup"},
    {SIGQUIT, QUIET, "Quit"},
    {SIGPIPE, QUIET, "Broken pipe"},
};

static struct eprun_rank *all;
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

/* "app+0x1234", as addr2line wants it for the file. Is it in the program, or a library of its own? */
static bool crash_describe(void *pc, char *text, size_t size)
{
    struct link_map *map = NULL;
    Dl_info info;
    text[0] = 0;
    if (!pc || !dladdr1(pc, &info, (void **)&map, RTLD_DL_LINKMAP) || !map)
        return false;
    const char *own = self ? image_at(self->image, map->l_addr, self->options) : NULL;
    const char *name = own ? own : last_part(map->l_name);
    snprintf(text, size, "%s+0x%lx", name[0] ? name : "eprun", (unsigned long)((uintptr_t)pc - map->l_addr));
    return own && !image_is_runtime(self->image, (uintptr_t)pc);
}

/* The innermost call by the program of a library's function that did not return. If that or what it called is
 * in a library that all endpoints share, then this may be why. The stack may be broken: all else has been
 * said by now. */
static void report_caller(struct eprun_rank *e)
{
    void *frames[64];
    char text[256];
    bool told = count == 1;
    int n = backtrace(frames, 64);
    for (int i = 0; i < n; i++) {
        self = e;
        bool in_program = crash_describe((char *)frames[i] - 1, text, sizeof text);
        self = NULL;
        if (in_program) {
            message("called from %s", text);
            return;
        }
        *strchrnul(text, '+') = 0;
        if (told || !object_is_shared(text))
            continue;
        told = true;
        message("%s is one for all endpoints of the process; if it keeps something between calls, "
                "--private=%s gives each its own",
                text, text);
    }
}

/* NULL: it is none of them. */
static const struct known_signal *find_signal(int number)
{
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (signals[i].number == number)
            return &signals[i];
    return NULL;
}

/* Did it go below the end of its stack? The thread's guard tells a stack that is too small from a wild
 * pointer. */
static bool crash_is_overflow(int number, const siginfo_t *info)
{
    uintptr_t at = (uintptr_t)info->si_addr;
    return number == SIGSEGV && info->si_code > 0 && at < stack.low && stack.low - at <= stack.guard;
}

/* Did it go below the end of a task's stack (OMP_EXTERNAL=task)? Nobody here knows those, but what is touched
 * just below the stack pointer is there on any other. */
static bool is_task_overflow(int number, const siginfo_t *info, uintptr_t sp)
{
    uintptr_t at = (uintptr_t)info->si_addr;
    bool on_task = sp && stack.low && (sp < stack.low || sp >= stack.top);
    return number == SIGSEGV && info->si_code > 0 && on_task && at < sp + NEAR && at + NEAR > sp;
}

void crash_say_who(char *text, size_t size, const struct eprun_rank *e)
{
    if (e)
        snprintf(text, size, "endpoint %d of %d (process %d)", e->rank, e->size, e->process);
    else if (count > 0)
        snprintf(text, size, "process %d (endpoints %d to %d of %d)", all[0].process, all[0].rank,
                 all[count - 1].rank, all[0].size);
    else
        snprintf(text, size, "a process without endpoints");
}

static void report_fault(const struct known_signal *s, uintptr_t pc)
{
    struct eprun_rank *e = self;
    char who[128], place[256];
    bool in_program = crash_describe((void *)pc, place, sizeof place);
    crash_say_who(who, sizeof who, e);
    self = NULL; /* the messages name the endpoint in full */
    message("%s was killed by signal %d (%s)%s%s", who, s->number, s->name, place[0] ? " in " : "", place);
    if (e && !in_program)
        report_caller(e);
    self = e;
}

/* mpirun ends so what it started when the job is over, and says why. */
static bool is_end_of_job(const siginfo_t *info)
{
    return launch_is_under_mpirun() && info->si_code == SI_USER && info->si_pid == getppid();
}

/* Where the thread was does not matter, nor which one it is, unless it did that itself (raise, a write that
 * is too long). */
static void report_request(const struct known_signal *s, const siginfo_t *info)
{
    struct eprun_rank *e = self;
    char who[128], by[64] = "";
    bool own = info->si_code == SI_TKILL || s->number == SIGXFSZ;
    if (is_end_of_job(info))
        return;
    if (info->si_code == SI_USER && info->si_pid > 0 && !own)
        snprintf(by, sizeof by, ", sent by process %ld of the system", (long)info->si_pid);
    crash_say_who(who, sizeof who, own ? e : NULL);
    self = NULL;
    message("%s was killed by signal %d (%s)%s", who, s->number, s->name, by);
    self = e;
}

static void crash_report(const struct known_signal *s, const siginfo_t *info, uintptr_t pc)
{
    watch_told();
    if (s->kind == QUIET)
        return;
    output_flush_all(all, count);
    if (s->kind == FAULT)
        report_fault(s, pc);
    else
        report_request(s, info);
}

static void report_fortran(struct eprun_rank *e, int number)
{
    self = NULL; /* so that it writes at once, whoever holds the endpoint's lines */
    fortran_report(e, number);
    self = e;
}

/* An instruction that failed does so again when the handler returns: a dump of memory then shows it. */
static void crash_die(int number, bool by_instruction)
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

static void crash_on_signal(int number, siginfo_t *info, void *context)
{
    int thread = gettid(), none = 0;
    const struct known_signal *s = find_signal(number);
    struct spot spot = spot_of(context);
    bool first =
        __atomic_compare_exchange_n(&crashed, &none, thread, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
    if (!first && none != thread && getpid() == process) {
        for (;;)
            pause(); /* the process is about to end by another thread */
    }
    if (first && getpid() == process)
        crash_report(s, info, spot.pc);
    if (first && getpid() == process && crash_is_overflow(number, info))
        message("its stack was too small: --stack or ulimit -s make it larger");
    else if (first && getpid() == process && is_task_overflow(number, info, spot.sp))
        message("the stack of a task was too small: CRT_STACK or OMP_STACKSIZE makes it larger");
    if (first && getpid() == process && s->kind == FAULT && self)
        report_fortran(self, number);
    crash_die(number, s->kind == FAULT && info->si_code > 0 && number != SIGABRT);
}

static const struct sigaction crash_action = {.sa_sigaction = crash_on_signal,
                                              .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
static bool handling; /* not under a sanitizer */

void crash_start(struct eprun_rank endpoints[], int n)
{
    all = endpoints;
    count = n;
    process = getpid();
    if (n > 0)
        watch_endpoints();
    backtrace(&(void *){NULL}, 1); /* loads what it needs now, not when memory is corrupt */
    if (copy_is_sanitized())
        return; /* it tells more */
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction now;
        if (signals[i].kind == FAULT ||
            (sigaction(signals[i].number, NULL, &now) == 0 && now.sa_handler == SIG_DFL))
            sigaction(signals[i].number, &crash_action, NULL);
    }
    handling = true;
}

void (*crash_signal(int number, void (*handler)(int)))(int)
{
    struct sigaction before, action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    if (handler == SIG_DFL && handling && find_signal(number))
        action = crash_action;
    if (sigaction(number, &action, &before) != 0)
        return SIG_ERR;
    bool ours = before.sa_flags & SA_SIGINFO && before.sa_sigaction == crash_on_signal;
    return ours ? SIG_DFL : before.sa_handler;
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
