/* SPDX-License-Identifier: BSD-3-Clause */
#include "comm/keyval.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Predefined and invalid keys are below FIRST_NUMBER in Open MPI, and below it or above LAST_NUMBER in
 * MPICH. */
enum { FIRST_NUMBER = 0x40000000, LAST_NUMBER = 0x5fffffff, FIRST_ROOM = 16 };

/* The keys that somebody refers to, by number. */
static struct {
    struct lock lock; /* guards all */
    struct keyval **keys;
    int n, room;
    int next_number;
} table = {.next_number = FIRST_NUMBER};

/* Where the number is or would be. Under the lock. */
static int position(int number)
{
    int low = 0, high = table.n;
    while (low < high) {
        int mid = low + (high - low) / 2;
        if (table.keys[mid]->number < number)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

/* Under the lock. */
static struct keyval *find(enum attr_kind kind, int number)
{
    int i = position(number);
    bool found = i < table.n && table.keys[i]->number == number && table.keys[i]->kind == kind;
    return found ? table.keys[i] : NULL;
}

/* Under the lock. */
static bool make_room(void)
{
    if (table.n < table.room)
        return true;
    int room = table.room ? 2 * table.room : FIRST_ROOM;
    struct keyval **keys = realloc(table.keys, (size_t)room * sizeof(struct keyval *));
    if (!keys)
        return false;
    table.keys = keys;
    table.room = room;
    return true;
}

int keyval_new(enum attr_kind kind, struct attr_callbacks callbacks, void *extra)
{
    struct keyval *key = malloc(sizeof *key);
    if (!key)
        return MPI_KEYVAL_INVALID;
    *key = (struct keyval){.kind = kind, .callbacks = callbacks, .extra = extra, .refs = 1};
    lock_acquire(&table.lock);
    bool ok = table.next_number <= LAST_NUMBER && make_room();
    int number = ok ? table.next_number++ : MPI_KEYVAL_INVALID;
    if (ok) {
        key->number = number;
        table.keys[table.n++] = key;
    }
    lock_release(&table.lock);
    if (!ok)
        free(key);
    return number;
}

struct keyval *keyval_hold(enum attr_kind kind, int number)
{
    lock_acquire(&table.lock);
    struct keyval *key = find(kind, number);
    if (key)
        keyval_again(key);
    lock_release(&table.lock);
    return key;
}

struct keyval *keyval_again(struct keyval *key)
{
    add_relaxed(&key->refs, 1);
    return key;
}

/* Under the lock: nobody finds a key whose last reference is gone. */
static void drop(struct keyval *key)
{
    if (sub_acq_rel(&key->refs, 1) != 1)
        return;
    int i = position(key->number);
    table.n--;
    memmove(&table.keys[i], &table.keys[i + 1], (size_t)(table.n - i) * sizeof(struct keyval *));
    free(key);
}

void keyval_drop(struct keyval *key)
{
    lock_acquire(&table.lock);
    drop(key);
    lock_release(&table.lock);
}

bool keyval_free(enum attr_kind kind, int number)
{
    lock_acquire(&table.lock);
    struct keyval *key = find(kind, number);
    bool found = key != NULL;
    if (found && !key->freed) {
        key->freed = true;
        drop(key);
    }
    lock_release(&table.lock);
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
