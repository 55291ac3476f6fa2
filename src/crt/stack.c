/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The guard is an eighth of the stack: a frame with an array may be larger than a page, and would reach over that into the next
 * stack. It is MADV_GUARD_INSTALL where the kernel has it (6.13), which needs no mapping of its own. Elsewhere it is
 * mprotect, for the first stacks only: each costs two mappings, and a process has 65,530 of those.
 */
#include "crt/stack.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/base.h"

#ifndef MADV_GUARD_INSTALL
#define MADV_GUARD_INSTALL 102
#endif

enum { SLAB = 32, PROTECTED_MAX = 16000 };

static struct {
    struct lock lock;
    char *next; /* of the current slab */
    int left;
    int protected;
    bool no_guard_install;
} stacks;

static size_t page_size(void)
{
    static _Atomic size_t size;
    if (!load_relaxed(&size))
        store_relaxed(&size, (size_t)sysconf(_SC_PAGESIZE));
    return load_relaxed(&size);
}

size_t stack_size(void)
{
    size_t bytes = 4 * page_size();
    while (bytes < (size_t)settings.crt_stack * 1024)
        bytes *= 2;
    return bytes;
}

size_t stack_guard(void)
{
    return stack_size() < 8 * page_size() ? page_size() : stack_size() / 8;
}

static void protect(char *low)
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
        log_error("no address space for the stacks of more blocked tasks: %s (CRT_STACK=%ld KiB each)",
                  strerror(errno), settings.crt_stack);
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
    protect(low);
    lock_release(&stacks.lock);
    return low;
}

void stack_trim(char *low)
{
    madvise(low + stack_guard(), stack_size() - stack_guard() - page_size(), MADV_DONTNEED);
}
