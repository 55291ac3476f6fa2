/* SPDX-License-Identifier: BSD-3-Clause */
#include "crt/evcount.h"

#include <limits.h>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* True until the constructor has registered the process for membarrier: safe by default. */
bool evcount_fence_needed = true;

__attribute__((constructor)) static void evcount_start(void)
{
    evcount_fence_needed = syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) != 0;
}

void heavy_fence(void)
{
    atomic_thread_fence(memory_order_seq_cst);
    if (!evcount_fence_needed)
        syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
}

uint32_t evcount_prepare(struct evcount *b)
{
    uint32_t ticket = or_acq_rel(&b->word, 1) | 1;
    heavy_fence();
    chaos_point();
    return ticket;
}

void evcount_wait(struct evcount *b, uint32_t ticket, long nanoseconds)
{
    struct timespec limit = {nanoseconds / 1000000000, nanoseconds % 1000000000};
    syscall(SYS_futex, &b->word, FUTEX_WAIT_PRIVATE, ticket, nanoseconds < 0 ? NULL : &limit, NULL, 0);
}

bool evcount_notify_slow(struct evcount *b)
{
    uint32_t w = load_relaxed(&b->word);
    while ((w & 1) && !cas_relaxed(&b->word, &w, (w & ~1u) + 2))
        continue;
    return (w & 1) && syscall(SYS_futex, &b->word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0) > 0;
}
