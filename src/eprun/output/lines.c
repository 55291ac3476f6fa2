/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Output in whole lines. Each endpoint has a stdout and a stderr of its own, FILEs without a buffer that give
 * everything to a line; what ends in a newline is written from there in one piece.
 */
#include "eprun/output/output.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A line longer than KEEP gives its memory back; a file of the endpoint's own is written in pieces of this
 * size. */
enum { FIRST = 256, KEEP = 64 * 1024, OWN_PIECE = 4096 };

FILE *output_stream[3];
static bool tagged;
static bool prompts; /* a user may wait for what fflush() writes */

/* The first n bytes of a line that the caller has locked. What cannot be written is lost, as with stdio. */
static bool output_emit(struct output_line *l, size_t n)
{
    bool good = true;
    if (n == 0)
        return true;
    l->middle = l->text[n - 1] != '\n';
    if (l->fd >= 0)
        good = output_write(l, n);
    l->used -= n;
    memmove(l->text, l->text + n, l->used);
    if (l->used == 0 && l->size > KEEP) {
        free(l->text);
        l->text = NULL;
        l->size = 0;
    }
    return good;
}

/* How much is to be written now: whole lines; of a file that nobody shares, as soon as it is worth it. */
static size_t output_ready(const struct output_line *l)
{
    if (l->fd > STDERR_FILENO)
        return l->used >= OWN_PIECE ? l->used : 0;
    const char *newline = l->used ? memrchr(l->text, '\n', l->used) : NULL;
    return newline ? (size_t)(newline - l->text) + 1 : 0;
}

/* There is no memory to keep the text in: what is kept goes out, and the text behind it. */
static bool output_at_once(struct output_line *l, const char *text, size_t n)
{
    if (!output_emit(l, l->used))
        return false;
    char *own = l->text;
    l->text = (char *)text; /* which is only read */
    l->middle = text[n - 1] != '\n';
    bool good = l->fd < 0 || output_write(l, n);
    l->text = own;
    return good;
}

static bool output_append(struct output_line *l, const char *text, size_t n)
{
    if (l->size - l->used < n) {
        size_t size = l->size + l->size / 2 + n + FIRST;
        char *larger = realloc(l->text, size);
        if (!larger)
            return output_at_once(l, text, n);
        l->text = larger;
        l->size = size;
    }
    memcpy(l->text + l->used, text, n);
    l->used += n;
    return true;
}

/* As mpirun tags the output of processes. */
static bool append_tag(struct output_line *l)
{
    char tag[48];
    bool inside = l->used ? l->text[l->used - 1] != '\n' : l->middle;
    if (inside)
        return true;
    int n =
        snprintf(tag, sizeof tag, "[1,%d]<%s>:", self->rank, l->fd == STDOUT_FILENO ? "stdout" : "stderr");
    return output_append(l, tag, (size_t)n);
}

static bool append_tagged(struct output_line *l, const char *text, size_t n)
{
    while (n > 0) {
        const char *newline = memchr(text, '\n', n);
        size_t piece = newline ? (size_t)(newline - text) + 1 : n;
        if (!append_tag(l) || !output_append(l, text, piece))
            return false;
        text += piece;
        n -= piece;
    }
    return true;
}

bool output_put(struct output_line *l, const char *text, size_t n)
{
    bool good;
    int cancel;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE,
                           &cancel); /* write() would end the thread with its locks held */
    pthread_mutex_lock(&l->lock);
    if (l->fd < 0) {
        errno = EBADF;
        good = false;
    } else {
        good = tagged && l->fd <= STDERR_FILENO ? append_tagged(l, text, n) : output_append(l, text, n);
        good &= output_emit(l, output_ready(l));
    }
    pthread_mutex_unlock(&l->lock);
    pthread_setcancelstate(cancel, NULL);
    return good;
}

bool output_flush_line(struct output_line *l)
{
    pthread_mutex_lock(&l->lock);
    bool good = (!prompts && l->fd <= STDERR_FILENO) || output_emit(l, l->used);
    pthread_mutex_unlock(&l->lock);
    return good;
}

bool output_change(struct output_line *l, int fd)
{
    pthread_mutex_lock(&l->lock);
    bool good = l->fd >= 0 && output_emit(l, l->used);
    if (l->fd > STDERR_FILENO)
        close(l->fd);
    l->fd = fd;
    l->used = 0;
    l->middle = false;
    pthread_mutex_unlock(&l->lock);
    if (!good)
        errno = EBADF;
    return good;
}

struct output_line *output_line(FILE *f)
{
    if (!self || !f || (f != output_stream[1] && f != output_stream[2]))
        return NULL;
    return f == output_stream[1] ? &self->out : &self->err;
}

static FILE *open_stream(void *to, cookie_write_function_t *take)
{
    FILE *f = fopencookie(to, "w", (cookie_io_functions_t){.write = take});
    if (f)
        NEXT(setvbuf)(f, NULL, _IONBF, 0);
    return f;
}

static ssize_t take_of_endpoint(void *line, const char *text, size_t n)
{
    return output_put(line, text, n) ? (ssize_t)n : 0;
}

/* What libc itself writes (assert), and threads that belong to no endpoint (of the MPI library), which write
 * directly. */
static ssize_t take_of_process(void *stream, const char *text, size_t n)
{
    FILE **f = stream;
    struct output_line *l = output_line(*f);
    bool good = l ? output_put(l, text, n) : output_write_raw((int)(f - output_stream), text, n);
    return good ? (ssize_t)n : 0;
}

bool output_start(const struct options *o, int ranks)
{
    tagged = o->tag_output;
    prompts = ranks == 1 || (isatty(STDOUT_FILENO) && !launch_is_under_mpirun());
    fflush(stdout);
    bool good = output_write_start();
    for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
        good &= (output_stream[fd] = open_stream(&output_stream[fd], take_of_process)) != NULL;
    if (!good) {
        message("no memory for output");
        return false;
    }
    stdout = output_stream[STDOUT_FILENO];
    stderr = output_stream[STDERR_FILENO];
    return true;
}

/* Libc's, with the name that it exports: takes a stream out of the list of all. */
extern __attribute__((weak)) void _IO_un_link(FILE *f);

/* Who waits for the lock of a stream in libc's list, as fflush(NULL) does for each, holds up all that opens
 * files or forks. That of another endpoint's stdout may be held for as long as that likes. */
static FILE *output_open_own(struct output_line *l)
{
    FILE *f = open_stream(l, take_of_endpoint);
    if (f && _IO_un_link)
        _IO_un_link(f);
    return f;
}

static bool output_prepare_file(struct output_line *l, int fd)
{
    *l = (struct output_line){.fd = fd, .file = output_open_own(l)};
    return l->file && output_init_lock(&l->lock, false);
}

void output_forked(struct output_line *l)
{
    output_init_lock(&l->lock, false);
    if (NEXT(ftrylockfile)(l->file) == 0) {
        NEXT(funlockfile)(l->file);
        return;
    }
    FILE *f = output_open_own(l);
    l->file = f ? f : l->file;
}

bool output_prepare(struct eprun_rank *e)
{
    return output_prepare_file(&e->out, STDOUT_FILENO) && output_prepare_file(&e->err, STDERR_FILENO);
}

void output_flush(struct eprun_rank *e)
{
    struct output_line *both[] = {&e->out, &e->err};
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&both[i]->lock);
        output_emit(both[i], both[i]->used);
        pthread_mutex_unlock(&both[i]->lock);
    }
}

static void flush_if_free(struct output_line *l)
{
    if (l->used == 0 || !output_try_lock(&l->lock))
        return;
    if (output_write_try()) {
        output_emit(l, l->used);
        output_write_done();
    }
    pthread_mutex_unlock(&l->lock);
}

void output_flush_all(struct eprun_rank endpoints[], int n)
{
    for (int i = 0; i < n; i++) {
        flush_if_free(&endpoints[i].out);
        flush_if_free(&endpoints[i].err);
    }
}
