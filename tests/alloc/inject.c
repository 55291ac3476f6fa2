/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The functions stand before those of libc because they are in the program. Who calls is known by the return address.
 * EP_INJECT_SAY=1 writes where each failure was, for addr2line.
 */
#include "inject.h"

#include <dlfcn.h>
#include <ep.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define CALLER __builtin_return_address(0)

/* Where the library's text is: [begin, end). */
static uintptr_t begin, end;

static atomic_long left; /* allocations until one fails; 0: not armed */
static atomic_long counted;
static atomic_bool armed, lasts, hit;

static int find_library(struct dl_phdr_info *info, size_t size, void *unused)
{
    uintptr_t low = UINTPTR_MAX, high = 0, inside = (uintptr_t)&ep_comm_create_endpoints;
    (void)size;
    (void)unused;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        uintptr_t at = info->dlpi_addr + p->p_vaddr;
        if (p->p_type != PT_LOAD)
            continue;
        low = at < low ? at : low;
        high = at + p->p_memsz > high ? at + p->p_memsz : high;
    }
    if (inside < low || inside >= high)
        return 0;
    begin = low;
    end = high;
    return 1;
}

static void say(const char *what, void *caller)
{
    char text[160];
    int n = snprintf(text, sizeof text, "inject: %s at %#lx of the library fails\n", what,
                     (unsigned long)((uintptr_t)caller - begin));
    if (write(STDERR_FILENO, text, (size_t)n) < 0)
        return;
}

static bool fails(const char *what, void *caller)
{
    if (!atomic_load_explicit(&armed, memory_order_relaxed) || (uintptr_t)caller < begin || (uintptr_t)caller >= end)
        return false;
    atomic_fetch_add(&counted, 1);
    long before = atomic_fetch_sub(&left, 1);
    if (before > 1 || (before < 1 && !atomic_load(&lasts)))
        return false;
    if (!atomic_exchange(&hit, true) && getenv("EP_INJECT_SAY"))
        say(what, caller);
    errno = ENOMEM;
    return true;
}

void inject_arm(long n, bool lasting)
{
    if (!begin)
        dl_iterate_phdr(find_library, NULL);
    atomic_store(&hit, false);
    atomic_store(&lasts, lasting);
    atomic_store(&counted, 0);
    atomic_store(&left, n);
    atomic_store(&armed, true);
}

void inject_disarm(void)
{
    atomic_store(&armed, false);
}

bool inject_hit(void)
{
    return atomic_load(&hit);
}

long inject_count(void)
{
    return atomic_load(&counted);
}

/* ---- what stands before libc's ---- */

/* The next definition of a function. The pointer is written by every thread that finds it missing, all the same. */
#define REAL(name)                                                                                           \
    static __typeof__(&name) real;                                                                           \
    if (!real)                                                                                               \
    real = (__typeof__(&name))(uintptr_t)dlsym(RTLD_NEXT, #name)

void *malloc(size_t n)
{
    REAL(malloc);
    return fails("malloc", CALLER) ? NULL : real(n);
}

void *calloc(size_t n, size_t size)
{
    REAL(calloc);
    return fails("calloc", CALLER) ? NULL : real(n, size);
}

void *realloc(void *p, size_t n)
{
    REAL(realloc);
    return fails("realloc", CALLER) ? NULL : real(p, n);
}

void *aligned_alloc(size_t alignment, size_t n)
{
    REAL(aligned_alloc);
    return fails("aligned_alloc", CALLER) ? NULL : real(alignment, n);
}

int posix_memalign(void **p, size_t alignment, size_t n)
{
    REAL(posix_memalign);
    return fails("posix_memalign", CALLER) ? ENOMEM : real(p, alignment, n);
}

char *strdup(const char *s)
{
    REAL(strdup);
    return fails("strdup", CALLER) ? NULL : real(s);
}

int vasprintf(char **to, const char *format, va_list list)
{
    REAL(vasprintf);
    return fails("vasprintf", CALLER) ? -1 : real(to, format, list);
}

int asprintf(char **to, const char *format, ...)
{
    REAL(vasprintf);
    if (fails("asprintf", CALLER))
        return -1;
    va_list list;
    va_start(list, format);
    int n = real(to, format, list);
    va_end(list);
    return n;
}

FILE *open_memstream(char **text, size_t *bytes)
{
    REAL(open_memstream);
    return fails("open_memstream", CALLER) ? NULL : real(text, bytes);
}

void *mmap(void *at, size_t bytes, int access, int flags, int fd, off_t offset)
{
    REAL(mmap);
    return fails("mmap", CALLER) ? MAP_FAILED : real(at, bytes, access, flags, fd, offset);
}

int memfd_create(const char *name, unsigned flags)
{
    REAL(memfd_create);
    return fails("memfd_create", CALLER) ? -1 : real(name, flags);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *), void *arg)
{
    REAL(pthread_create);
    return fails("pthread_create", CALLER) ? EAGAIN : real(thread, attr, run, arg);
}
