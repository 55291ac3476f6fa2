/* SPDX-License-Identifier: BSD-3-Clause */
#include "derive/creation_lock.h"

#include "comm/comm.h"

static struct {
    struct lock lock;
    uint64_t time, process;
    bool held, wanted;
    struct ticket left; /* lowest ticket that wants the turn, if wanted */
} turn = {.lock = LOCK_FREE(TURN)};

static bool creation_lock_earlier(struct ticket a, struct ticket b)
{
    if (a.time != b.time)
        return a.time < b.time;
    return a.process != b.process ? a.process < b.process : a.serial < b.serial;
}

uint64_t creation_clock(void)
{
    lock_acquire(&turn.lock);
    uint64_t time = ++turn.time;
    lock_release(&turn.lock);
    return time;
}

void creation_clock_saw(uint64_t time)
{
    lock_acquire(&turn.lock);
    if (turn.time < time)
        turn.time = time;
    lock_release(&turn.lock);
}

bool creation_lock_try(struct ticket t)
{
    lock_acquire(&turn.lock);
    bool got = !turn.held && !(turn.wanted && creation_lock_earlier(turn.left, t));
    if (got) {
        turn.held = true;
    } else if (!turn.wanted || creation_lock_earlier(t, turn.left)) {
        turn.wanted = true;
        turn.left = t;
    }
    lock_release(&turn.lock);
    return got;
}

void creation_lock_release(void)
{
    lock_acquire(&turn.lock);
    turn.held = false;
    lock_release(&turn.lock);
}

void creation_lock_forget(struct ticket t)
{
    lock_acquire(&turn.lock);
    if (turn.wanted && !creation_lock_earlier(t, turn.left) && !creation_lock_earlier(turn.left, t))
        turn.wanted = false;
    lock_release(&turn.lock);
}

uint64_t process_random_id(void)
{
    lock_acquire(&turn.lock);
    while (turn.process == 0)
        turn.process = random_id();
    uint64_t process_id = turn.process;
    lock_release(&turn.lock);
    return process_id;
}
