/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_polled.c: closing a communicator looks at few others, however many are open. Each lies on pages of its own that are
 * protected, so that every look at one is counted.
 */
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "comm/comm.h"
#include "p2p/attached.h"
#include "p2p/far/far.h"
#include "unit.h"

enum { COMMS = 2000, LOOKS = 12 /* at others, on average */ };

static char *memory;
static size_t stride;
static volatile long looks;
static struct domain domain; /* nobody is a peer */

/* Both are looked at. */
struct place {
    struct comm comm;
    struct p2p_comm part;
};

static struct place *place_at(int i)
{
    return (struct place *)(void *)(memory + (size_t)i * stride);
}

static void count_look(int number, siginfo_t *info, void *context)
{
    (void)context;
    size_t at = (size_t)((char *)info->si_addr - memory);
    if (at >= COMMS * stride) { /* none of ours */
        signal(number, SIG_DFL);
        return;
    }
    looks++;
    mprotect(memory + at / stride * stride, stride, PROT_READ | PROT_WRITE);
}

static void open_all(void)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    struct sigaction act = {.sa_sigaction = count_look, .sa_flags = SA_SIGINFO};
    stride = (sizeof(struct place) + page - 1) / page * page;
    memory = mmap(NULL, COMMS * stride, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(memory, MAP_FAILED);
    sigaction(SIGSEGV, &act, NULL);
    for (int i = 0; i < COMMS; i++) {
        struct place *at = place_at(i);
        at->comm.nproc = 2;
        at->comm.domain = &domain;
        at->comm.context = random_id();
        at->comm.p2p = &at->part;
        at->part.comm = &at->comm;
        far_prepare(&at->comm);
        far_open(&at->comm);
    }
    mprotect(memory, COMMS * stride, PROT_NONE);
    looks = 0;
}

static void close_all(const int order[])
{
    open_all();
    for (int i = 0; i < COMMS; i++) {
        far_close(&place_at(order[i])->comm);
        mprotect(memory, COMMS * stride, PROT_NONE);
    }
    ck_assert_int_le(looks, (long)COMMS * LOOKS);
    munmap(memory, COMMS * stride);
}

static int order[COMMS];

START_TEST(oldest_first)
{
    for (int i = 0; i < COMMS; i++)
        order[i] = i;
    close_all(order);
}
END_TEST

START_TEST(newest_first)
{
    for (int i = 0; i < COMMS; i++)
        order[i] = COMMS - 1 - i;
    close_all(order);
}
END_TEST

START_TEST(in_any_order)
{
    for (int i = 0; i < COMMS; i++)
        order[i] = i;
    shuffle(order, COMMS);
    close_all(order);
}
END_TEST

int main(void)
{
    const TTest *tests[] = {oldest_first, newest_first, in_any_order};
    return UNIT_MAIN("polled", tests);
}
