/* SPDX-License-Identifier: BSD-3-Clause */
/* Data sieving (Thakur, Gropp, Lusk 1999): pieces that are close together in the file go in one block through
 * the buffer. */
#include <string.h>

#include "io/transfer.h"

/* How many of the next `data` bytes are before `end` in the file. */
static size_t sieve_before(const struct file_transfer *t, int64_t end, size_t data)
{
    struct type_iter place = t->place;
    size_t n = 0;
    while (n < data) {
        int64_t at;
        size_t piece = file_piece_take(&place, data - n, &at);
        if (at + (int64_t)piece > end)
            return n + (at < end ? (size_t)(end - at) : 0);
        n += piece;
    }
    return n;
}

static void sieve_read(struct file_transfer *t, int64_t from, int64_t to, size_t data)
{
    char *block = t->buffer->data;
    size_t got = file_read_bytes(t->file->fd, block, (size_t)(to - from), from, &t->error);
    struct type_iter place = t->place, memory = t->memory;
    t->ended = got < (size_t)(to - from);
    if (t->ended)
        data = sieve_before(t, from + (int64_t)got, data);
    type_iter_shift(&place, (ptrdiff_t)((uintptr_t)block - (uintptr_t)from));
    type_iter_copy(&memory, &place, data);
    file_transfer_skip(t, data);
}

/* Behind the end of the file there are zeros. What was written before an error counts. The bytes are locked.
 * */
static void sieve_change(struct file_transfer *t, int64_t from, int64_t to, size_t data)
{
    char *block = t->buffer->data;
    size_t n = (size_t)(to - from), got = file_read_bytes(t->file->fd, block, n, from, &t->error);
    struct type_iter place = t->place, memory = t->memory;
    t->ended = t->error != 0;
    if (t->ended)
        return;
    memset(block + got, 0, n - got);
    type_iter_shift(&place, (ptrdiff_t)((uintptr_t)block - (uintptr_t)from));
    type_iter_copy(&place, &memory, data);
    size_t put = file_write_bytes(t->file->fd, block, n, from, &t->error);
    t->ended = t->error != 0;
    file_transfer_skip(t, t->ended ? sieve_before(t, from + (int64_t)put, data) : data);
}

void file_transfer_sieve(struct file_transfer *t, int64_t from, int64_t to, size_t data)
{
    if (t->writes)
        sieve_change(t, from, to, data);
    else
        sieve_read(t, from, to, data);
}
