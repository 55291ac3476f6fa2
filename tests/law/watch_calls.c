/* SPDX-License-Identifier: BSD-3-Clause */
/* watch_calls.c: see watch_calls.h. */
#include "watch_calls.h"
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <ucontext.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HAVE_SANITIZER 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HAVE_SANITIZER 1
#endif

/* volatile: written behind the compiler's back, by calls that it takes for leaves */
static __thread volatile int counting;
static __thread volatile calls seen;

#if defined(__GLIBC__) && !defined(HAVE_SANITIZER)

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *p);

int watch_allocations(void)
{
    return 1;
}

void *malloc(size_t size)
{
    seen.allocations += counting;
    return __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
    seen.allocations += counting;
    return __libc_calloc(n, size);
}

void *realloc(void *old, size_t size)
{
    seen.allocations += counting;
    return __libc_realloc(old, size);
}

void *memalign(size_t alignment, size_t size)
{
    seen.allocations += counting;
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return memalign(alignment, size);
}

int posix_memalign(void **p, size_t alignment, size_t size)
{
    *p = memalign(alignment, size);
    return *p ? 0 : ENOMEM;
}

void free(void *p)
{
    seen.allocations += counting && p;
    __libc_free(p);
}

int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    static int (*real)(pthread_mutex_t *);
    int (*call)(pthread_mutex_t *) = __atomic_load_n(&real, __ATOMIC_RELAXED);
    if (!call) {
        void *symbol = dlsym(RTLD_NEXT, "pthread_mutex_lock");
        memcpy(&call, &symbol, sizeof call);
        __atomic_store_n(&real, call, __ATOMIC_RELAXED);
    }
    seen.locks += counting;
    return call(mutex);
}

#else

int watch_allocations(void)
{
    return 0;
}

#endif

#if defined(__linux__) && defined(__x86_64__) && !defined(HAVE_SANITIZER)

#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH 59
#endif
enum { DISPATCH_OFF = 0, DISPATCH_ON = 1, LET_PASS = 0, STOP = 1 };

static __thread volatile char selector;

static long system_call(long number, const greg_t *r)
{
    register long r10 __asm__("r10") = r[REG_R10], r8 __asm__("r8") = r[REG_R8], r9 __asm__("r9") = r[REG_R9];
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(r[REG_RDI]), "S"(r[REG_RSI]), "d"(r[REG_RDX]), "r"(r10), "r"(r8),
                       "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
}

/* The first one ends the watch; it is made good here, so that the program goes on. */
static void stopped(int signal, siginfo_t *info, void *context)
{
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    (void)signal;
    selector = LET_PASS;
    if (seen.system_calls++ == 0)
        seen.system_call = info->si_syscall;
    registers[REG_RAX] = system_call(info->si_syscall, registers);
}

static int dispatch(int on)
{
    struct sigaction action = {.sa_sigaction = stopped, .sa_flags = SA_SIGINFO};
    selector = LET_PASS;
    sigaction(SIGSYS, &action, NULL);
    return prctl(PR_SET_SYSCALL_USER_DISPATCH, on ? DISPATCH_ON : DISPATCH_OFF, 0L, 0L,
                 on ? &selector : NULL) == 0;
}

int watch_system_calls(void)
{
    int works = dispatch(1);
    if (works) {
        seen = (calls){.system_call = -1};
        selector = STOP;
        (void)getppid();
        selector = LET_PASS;
        works = seen.system_calls == 1;
        dispatch(0);
    }
    return works;
}

static void stop_system_calls(int on)
{
    if (on && dispatch(1))
        selector = STOP;
    else if (!on) {
        selector = LET_PASS;
        dispatch(0);
    }
}

#else

int watch_system_calls(void)
{
    return 0;
}

static void stop_system_calls(int on)
{
    (void)on;
}

#endif

void watch_begin(int system_calls)
{
    seen = (calls){.system_call = -1};
    counting = 1;
    if (system_calls)
        stop_system_calls(1);
}

calls watch_end(void)
{
    counting = 0;
    stop_system_calls(0);
    return seen;
}
