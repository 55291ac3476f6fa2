/* SPDX-License-Identifier: BSD-3-Clause */
#include "comm/keyval.h"

#include <assert.h>
#include <stdlib.h>

/* Predefined and invalid keys are below FIRST_NUMBER in Open MPI, and below it or above LAST_NUMBER in
 * MPICH. */
enum { FIRST_NUMBER = 0x40000000, LAST_NUMBER = 0x5fffffff };

static struct lock lock = LOCK_FREE(KEYVALS); /* guards both */
static struct table all;                      /* that somebody refers to, by number */
static int next_number = FIRST_NUMBER;

static struct keyval *keyval_find(enum attr_kind kind, int number)
{
    lock_assert_held(&lock);
    struct table_link *l = table_find(&all, (uint64_t)number);
    struct keyval *key = l ? container_of(l, struct keyval, link) : NULL;
    return key && key->kind == kind ? key : NULL;
}

int keyval_new(enum attr_kind kind, struct attr_callbacks callbacks, void *extra)
{
    struct keyval *key = malloc(sizeof *key);
    if (!key)
        return MPI_KEYVAL_INVALID;
    *key = (struct keyval){.kind = kind, .callbacks = callbacks, .extra = extra, .refs = 1};
    lock_acquire(&lock);
    int number = next_number <= LAST_NUMBER ? next_number++ : MPI_KEYVAL_INVALID;
    key->number = number;
    if (number != MPI_KEYVAL_INVALID)
        table_add(&all, &key->link, (uint64_t)number);
    lock_release(&lock);
    if (number == MPI_KEYVAL_INVALID)
        free(key);
    return number;
}

struct keyval *keyval_hold(enum attr_kind kind, int number)
{
    lock_acquire(&lock);
    struct keyval *key = keyval_find(kind, number);
    if (key)
        keyval_again(key);
    lock_release(&lock);
    return key;
}

struct keyval *keyval_again(struct keyval *key)
{
    assert(load_relaxed(&key->refs) > 0);
    add_relaxed(&key->refs, 1);
    return key;
}

/* Nobody finds a key whose last reference is gone. */
static void keyval_drop_one(struct keyval *key)
{
    lock_assert_held(&lock);
    assert(load_relaxed(&key->refs) > 0);
    if (sub_acq_rel(&key->refs, 1) != 1)
        return;
    table_remove(&all, &key->link);
    free(key);
}

void keyval_drop(struct keyval *key)
{
    lock_acquire(&lock);
    keyval_drop_one(key);
    lock_release(&lock);
}

bool keyval_free(enum attr_kind kind, int number)
{
    lock_acquire(&lock);
    struct keyval *key = keyval_find(kind, number);
    bool found = key != NULL;
    if (found && !key->freed) {
        key->freed = true;
        keyval_drop_one(key);
    }
    lock_release(&lock);
    return found;
}

bool keyval_is_predefined(int number)
{
    const int keys[] = {MPI_TAG_UB,
                        MPI_HOST,
                        MPI_IO,
                        MPI_APPNUM,
                        MPI_UNIVERSE_SIZE,
                        MPI_WTIME_IS_GLOBAL,
                        MPI_LASTUSEDCODE,
                        MPI_WIN_BASE,
                        MPI_WIN_SIZE,
                        MPI_WIN_DISP_UNIT,
                        MPI_WIN_CREATE_FLAVOR,
                        MPI_WIN_MODEL};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i] == number)
            return true;
    return false;
}
