/* SPDX-License-Identifier: BSD-3-Clause */
#include "io/handle.h"

#include <stdlib.h>
#include <string.h>

#include "io/hints.h"

static struct lock files_lock = LOCK_FREE(FILES);
static struct pool files; /* under files_lock; type-stable, so that a closed handle is recognised */

/* Another thread may just close it. */
static void file_handle_end(void *item)
{
    uint32_t live = FILE_LIVE;
    atomic_compare_exchange_strong_explicit(&((ep_file)item)->magic, &live, FILE_ENDED, memory_order_relaxed,
                                            memory_order_relaxed);
}

/* MPI ends. */
static void files_end(void)
{
    lock_acquire(&files_lock);
    pool_each(&files, file_handle_end);
    lock_release(&files_lock);
}

ep_file file_handle_new(void)
{
    static _Atomic bool watches; /* exchanged in file_handle_new */
    if (unlikely(!load_relaxed(&watches)) && !swap_acquire(&watches, true)) {
        mpi_enter();
        process_at_end(END_FILES, files_end);
        mpi_leave();
    }
    lock_acquire(&files_lock);
    if (!files.item_size)
        pool_init(&files, sizeof(struct ep_file_s));
    ep_file f = pool_get(&files);
    lock_release(&files_lock);
    if (!f)
        return NULL;
    memset(f, 0, sizeof *f);
    file_hints_init(&f->hints);
    if (file_layout_init(&f->layout))
        return f;
    lock_acquire(&files_lock);
    pool_put(&files, f);
    lock_release(&files_lock);
    return NULL;
}

void file_handle_live(ep_file f)
{
    store_relaxed(&f->magic, FILE_LIVE);
}

void file_handle_delete(ep_file f)
{
    store_relaxed(&f->magic, FILE_FREED);
    file_layout_free(&f->layout);
    free(swap_acq_rel(&f->buffer, NULL));
    lock_acquire(&files_lock);
    pool_put(&files, f);
    lock_release(&files_lock);
}

struct file *file_new(struct comm *c, const char *name, int amode)
{
    size_t n = strlen(name) + 1;
    struct file *x = calloc(1, sizeof *x + n);
    if (!x)
        return NULL;
    x->comm = c;
    x->fd = -1;
    x->amode = amode;
    file_ranges_init(&x->ranges);
    store_relaxed(&x->open, c->nlocal);
    memcpy(x->name, name, n);
    return x;
}

void file_free(struct file *x)
{
    free(x);
}
