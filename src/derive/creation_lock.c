/* SPDX-License-Identifier: BSD-3-Clause */
#include "derive/creation_lock.h"

#include "comm/comm.h"

static struct {
    struct lock lock;
    uint64_t time, process;
    bool held, wanted;
    struct ticket left; /* lowest ticket that wants it, if wanted */
} creation = {.lock = LOCK_FREE(CREATION)};

static bool creation_lock_earlier(struct ticket a, struct ticket b)
{
    if (a.time != b.time)
        return a.time < b.time;
    return a.process != b.process ? a.process < b.process : a.serial < b.serial;
}

uint64_t creation_clock(void)
{
    lock_acquire(&creation.lock);
    uint64_t time = ++creation.time;
    lock_release(&creation.lock);
    return time;
}

void creation_clock_saw(uint64_t time)
{
    lock_acquire(&creation.lock);
    if (creation.time < time)
        creation.time = time;
    lock_release(&creation.lock);
}

bool creation_lock_try(struct ticket t)
{
    lock_acquire(&creation.lock);
    bool got = !creation.held && !(creation.wanted && creation_lock_earlier(creation.left, t));
    if (got) {
        creation.held = true;
    } else if (!creation.wanted || creation_lock_earlier(t, creation.left)) {
        creation.wanted = true;
        creation.left = t;
    }
    lock_release(&creation.lock);
    return got;
}

void creation_lock_release(void)
{
    lock_acquire(&creation.lock);
    creation.held = false;
    lock_release(&creation.lock);
}

void creation_lock_forget(struct ticket t)
{
    lock_acquire(&creation.lock);
    if (creation.wanted && !creation_lock_earlier(t, creation.left) &&
        !creation_lock_earlier(creation.left, t))
        creation.wanted = false;
    lock_release(&creation.lock);
}

uint64_t process_random_id(void)
{
    lock_acquire(&creation.lock);
    while (creation.process == 0)
        creation.process = random_id();
    uint64_t process_id = creation.process;
    lock_release(&creation.lock);
    return process_id;
}
