/* SPDX-License-Identifier: BSD-3-Clause */
/* Pieces of several endpoints' memory, in the order of their places in the file, as few calls of the system.
 * */
#include <errno.h>
#include <sys/uio.h>
#include <unistd.h>

#include "io/merge.h"

enum { VECTOR_PIECES = 256 };

/* Pieces that follow each other in the file. */
struct vector_run {
    int64_t from, to;
    int n;
    struct iovec piece[VECTOR_PIECES];
};

/* The source whose next place is the first; *at is that. NULL: all are over. */
static struct file_source *vector_first(const struct file_merge *m, int64_t *at)
{
    struct file_source *first = NULL;
    *at = 0;
    for (int i = 0; i < m->n; i++) {
        struct file_source *s = &m->source[i];
        char *place = NULL;
        if (s->left == 0)
            continue;
        type_iter_peek(&s->place, &place);
        if (first && (int64_t)(uintptr_t)place >= *at)
            continue;
        *at = (int64_t)(uintptr_t)place;
        first = s;
    }
    return first;
}

/* What of s lies together in the file, as far as there is room for its pieces of memory. */
static void vector_append(struct vector_run *r, struct file_source *s)
{
    struct type_iter ahead = s->place;
    int64_t at;
    size_t n = file_piece_take(&ahead, s->left, &at), done = 0;
    while (done < n && r->n < VECTOR_PIECES) {
        size_t piece = file_piece_take(&s->memory, n - done, &at);
        r->piece[r->n++] = (struct iovec){(void *)(uintptr_t)at, piece};
        done += piece;
    }
    type_iter_skip(&s->place, done);
    s->left -= done;
    r->to += (int64_t)done;
}

/* All of it. False: an error, or the end of the file. */
static bool vector_move(struct file_merge *m, struct vector_run *r)
{
    struct iovec *v = r->piece;
    int n = r->n;
    int64_t at = r->from;
    while (n > 0) {
        ssize_t got = m->writes ? pwritev(m->file->fd, v, n, at) : preadv(m->file->fd, v, n, at);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            m->error = got < 0 ? errno : m->writes ? EIO : 0;
            m->eof = m->error ? m->eof : at;
            return false;
        }
        at += got;
        for (; n > 0 && (size_t)got >= v->iov_len; v++, n--)
            got -= (ssize_t)v->iov_len;
        if (n > 0)
            *v = (struct iovec){(char *)v->iov_base + got, v->iov_len - (size_t)got};
    }
    return true;
}

void file_merge_vector(struct file_merge *m)
{
    struct file_source *s;
    int64_t at;
    bool goes_on = true;
    while (goes_on && (s = vector_first(m, &at))) {
        struct vector_run run = {.from = at, .to = at};
        while (s && at == run.to && run.n < VECTOR_PIECES) {
            vector_append(&run, s);
            s = vector_first(m, &at);
        }
        goes_on = vector_move(m, &run);
    }
}
