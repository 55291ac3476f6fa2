/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The functions stand before those of libc because they are in the program. Who calls is known by the return address.
 * EP_INJECT_SAY=1 writes where each failure was, for addr2line.
 *
 * As a library to be preloaded it does the same in programs of eprun and of OpenMP, whose allocations then fail from their start:
 * EP_INJECT_N is the number, EP_INJECT_LASTING=1 lets all others fail, too, EP_INJECT_RANK is the process of MPI that is meant, and in
 * EP_INJECT_COUNT a file in which a process writes at its end how many there were.
 */
#include "inject.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
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

/* Where the text is whose calls count: [begin, end) of each. */
enum { PLACES = 4 };
static struct {
    uintptr_t begin, end;
} places[PLACES];
static int nplaces;

static atomic_long left; /* allocations until one fails */
static atomic_long counted;
static atomic_bool armed, lasts, hit;

static bool counts(const char *object)
{
    const char *name = strrchr(object, '/');
    name = name ? name + 1 : object;
    bool program = !*object && strcmp(program_invocation_short_name, "eprun") == 0;
    return program || strncmp(name, "libep.so", 8) == 0 || strncmp(name, "libcrt.so", 9) == 0;
}

static int add_place(struct dl_phdr_info *info, size_t size, void *unused)
{
    uintptr_t low = UINTPTR_MAX, high = 0;
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
    if (nplaces < PLACES && counts(info->dlpi_name)) {
        places[nplaces].begin = low;
        places[nplaces++].end = high;
    }
    return 0;
}

static int place_of(const void *caller)
{
    for (int i = 0; i < nplaces; i++)
        if ((uintptr_t)caller >= places[i].begin && (uintptr_t)caller < places[i].end)
            return i;
    return -1;
}

static void say(const char *what, void *caller)
{
    char text[160];
    int n = snprintf(text, sizeof text, "inject: %s at %#lx of the library fails\n", what,
                     (unsigned long)((uintptr_t)caller - places[place_of(caller)].begin));
    if (write(STDERR_FILENO, text, (size_t)n) < 0)
        return;
}

static bool fails(const char *what, void *caller)
{
    if (!atomic_load_explicit(&armed, memory_order_relaxed) || place_of(caller) < 0)
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
    if (nplaces == 0)
        dl_iterate_phdr(add_place, NULL);
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

/* ---- what is live ---- */

/* What the library has allocated since the first inject_arm and nobody has freed: hashed by address, linear probing; an entry that
 * was freed keeps its place. */
enum { LIVE_BITS = 18, LIVE = 1 << LIVE_BITS };
static struct {
    atomic_flag lock;
    struct live {
        uintptr_t at; /* 1: freed */
        uintptr_t caller;
        unsigned mark;
    } table[LIVE];
    long n;
    unsigned mark;
} live;

static void live_lock(void)
{
    while (atomic_flag_test_and_set_explicit(&live.lock, memory_order_acquire))
        continue;
}

static void live_unlock(void)
{
    atomic_flag_clear_explicit(&live.lock, memory_order_release);
}

/* Where p is, or where it may go. The table is never full: then nothing is entered. */
static struct live *live_find(uintptr_t p, bool to_enter)
{
    size_t i = p * UINT64_C(0x9e3779b97f4a7c15) >> (64 - LIVE_BITS);
    for (int k = 0; k < LIVE; k++, i = (i + 1) % LIVE) {
        struct live *l = &live.table[i];
        if (l->at == p || (to_enter && l->at <= 1))
            return l;
        if (l->at == 0)
            return NULL;
    }
    return NULL;
}

static void *enter(void *p, void *caller)
{
    if (!p || nplaces == 0 || place_of(caller) < 0)
        return p;
    live_lock();
    struct live *l = live_find((uintptr_t)p, true);
    if (l) {
        *l = (struct live){(uintptr_t)p, (uintptr_t)caller, live.mark};
        live.n++;
    }
    live_unlock();
    return p;
}

static void leave(void *p)
{
    if (!p || nplaces == 0)
        return;
    live_lock();
    struct live *l = live_find((uintptr_t)p, false);
    if (l) {
        l->at = 1;
        live.n--;
    }
    live_unlock();
}

long inject_mark(void)
{
    live_lock();
    live.mark++;
    long n = live.n;
    live_unlock();
    return n;
}

long inject_live(void)
{
    live_lock();
    long n = live.n;
    live_unlock();
    return n;
}

void inject_tell_live(void)
{
    for (int i = 0; i < LIVE; i++) {
        const struct live *l = &live.table[i];
        if (l->at > 1 && l->mark == live.mark)
            fprintf(stderr, "still there: allocated at %#lx of the library\n",
                    (unsigned long)(l->caller - places[place_of((void *)l->caller)].begin));
    }
}

/* ---- what stands before libc's ---- */

/* The next definition of a function. The pointer is written by every thread that finds it missing, all the same. */
#define REAL(name)                                                                                           \
    static __typeof__(&name) real;                                                                           \
    if (!real)                                                                                               \
    real = (__typeof__(&name))(uintptr_t)dlsym(RTLD_NEXT, #name)

/* dlsym itself allocates and frees, so what it calls must not ask it. */
extern void *__libc_malloc(size_t n);
extern void __libc_free(void *p);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *p, size_t n);

void *malloc(size_t n)
{
    return fails("malloc", CALLER) ? NULL : enter(__libc_malloc(n), CALLER);
}

void free(void *p)
{
    leave(p);
    __libc_free(p);
}

void *calloc(size_t n, size_t size)
{
    return fails("calloc", CALLER) ? NULL : enter(__libc_calloc(n, size), CALLER);
}

void *realloc(void *p, size_t n)
{
    if (fails("realloc", CALLER))
        return NULL;
    leave(p);
    return enter(__libc_realloc(p, n), CALLER);
}

void *aligned_alloc(size_t alignment, size_t n)
{
    REAL(aligned_alloc);
    return fails("aligned_alloc", CALLER) ? NULL : enter(real(alignment, n), CALLER);
}

int posix_memalign(void **p, size_t alignment, size_t n)
{
    REAL(posix_memalign);
    int rc = fails("posix_memalign", CALLER) ? ENOMEM : real(p, alignment, n);
    if (rc == 0)
        enter(*p, CALLER);
    return rc;
}

char *strdup(const char *s)
{
    REAL(strdup);
    return fails("strdup", CALLER) ? NULL : enter(real(s), CALLER);
}

int vasprintf(char **to, const char *format, va_list list)
{
    REAL(vasprintf);
    int n = fails("vasprintf", CALLER) ? -1 : real(to, format, list);
    if (n >= 0)
        enter(*to, CALLER);
    return n;
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
    if (n >= 0)
        enter(*to, CALLER);
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

/* ---- a program from its start ---- */

static bool is_meant(void)
{
    const char *meant = getenv("EP_INJECT_RANK"), *rank = getenv("OMPI_COMM_WORLD_RANK");
    rank = rank ? rank : getenv("PMI_RANK");
    return !meant || strcmp(meant, rank ? rank : "none") == 0;
}

/* MPICH's mpirun loses what programs that abort wrote last: it is in the file of programs.py. */
static void keep_output(void)
{
    const char *name = getenv("EP_TEST_SAID");
    int file = name && getenv("PMI_RANK") ? open(name, O_WRONLY | O_APPEND | O_CLOEXEC) : -1;
    if (file < 0)
        return;
    dup2(file, STDOUT_FILENO);
    dup2(file, STDERR_FILENO);
}

static void __attribute__((constructor)) start(void)
{
    keep_output();
    const char *n = getenv("EP_INJECT_N"), *lasting = getenv("EP_INJECT_LASTING");
    if (n && is_meant())
        inject_arm(atol(n), lasting && *lasting == '1');
}

static void __attribute__((destructor)) finish(void)
{
    const char *name = getenv("EP_INJECT_COUNT");
    FILE *f = name && nplaces > 0 && is_meant() ? fopen(name, "a") : NULL;
    if (!f)
        return;
    fprintf(f, "%ld\n", inject_count());
    fclose(f);
}
