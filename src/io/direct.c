/* SPDX-License-Identifier: BSD-3-Clause */
/* Data that lie in one piece in the file. */
#include <errno.h>
#include <sys/uio.h>
#include <unistd.h>

#include "io/transfer.h"

/* Pieces of memory handed to one call of the system; and how small they are on average where copying them
 * together costs less. */
enum { DIRECT_PIECES = 128, DIRECT_SMALL = 512 };

size_t file_read_bytes(int fd, void *to, size_t n, int64_t at, int *error)
{
    size_t done = 0;
    while (done < n) {
        ssize_t got = pread(fd, (char *)to + done, n - done, at + (int64_t)done);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            *error = errno;
        if (got <= 0)
            break;
        done += (size_t)got;
    }
    return done;
}

size_t file_write_bytes(int fd, const void *from, size_t n, int64_t at, int *error)
{
    size_t done = 0;
    while (done < n) {
        ssize_t put = pwrite(fd, (const char *)from + done, n - done, at + (int64_t)done);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0) {
            *error = put < 0 ? errno : EIO;
            break;
        }
        done += (size_t)put;
    }
    return done;
}

/* ---- memory in pieces ---- */

/* The next pieces of memory, at most n bytes. */
static int direct_pieces(const struct file_transfer *t, size_t n, struct iovec v[DIRECT_PIECES],
                         size_t *bytes)
{
    struct type_iter memory = t->memory;
    int pieces = 0;
    *bytes = 0;
    while (*bytes < n && pieces < DIRECT_PIECES) {
        int64_t at;
        size_t piece = file_piece_take(&memory, n - *bytes, &at);
        v[pieces++] = (struct iovec){(void *)(uintptr_t)at, piece};
        *bytes += piece;
    }
    return pieces;
}

/* Through the buffer. Returns the bytes that were moved. */
static size_t direct_packed(struct file_transfer *t, int64_t at, size_t n)
{
    struct type_iter memory = t->memory;
    if (t->writes) {
        type_iter_read(&memory, t->buffer->data, n);
        return file_write_bytes(t->file->fd, t->buffer->data, n, at, &t->error);
    }
    n = file_read_bytes(t->file->fd, t->buffer->data, n, at, &t->error);
    type_iter_write(&memory, t->buffer->data, n);
    return n;
}

/* One call. A count that is short is looked at by the next. */
static size_t direct_vector(struct file_transfer *t, int64_t at, const struct iovec *v, int pieces)
{
    ssize_t got;
    do
        got = t->writes ? pwritev(t->file->fd, v, pieces, at) : preadv(t->file->fd, v, pieces, at);
    while (got < 0 && errno == EINTR);
    if (got < 0 || (got == 0 && t->writes))
        t->error = got < 0 ? errno : EIO;
    return got > 0 ? (size_t)got : 0;
}

/* At most n bytes. 0: it has ended. */
static size_t direct_some(struct file_transfer *t, int64_t at, size_t n)
{
    struct iovec v[DIRECT_PIECES];
    size_t bytes;
    int pieces = direct_pieces(t, n, v, &bytes);
    bool small = pieces > 1 && bytes / (size_t)pieces < DIRECT_SMALL;
    if (small && !t->buffer)
        t->buffer = file_buffer_take(t->kept, t->room);
    if (small && t->buffer) {
        bytes = n < t->buffer->bytes ? n : t->buffer->bytes;
        return direct_packed(t, at, bytes);
    }
    return direct_vector(t, at, v, pieces);
}

void file_transfer_direct(struct file_transfer *t, int64_t at, size_t n)
{
    while (n > 0 && !t->ended) {
        size_t done = direct_some(t, at, n);
        file_transfer_skip(t, done);
        at += (int64_t)done;
        n -= done;
        t->ended = t->error || done == 0;
    }
}
