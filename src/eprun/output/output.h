/* SPDX-License-Identifier: BSD-3-Clause */
/* The streams of lines.c, for the functions of libc that look at them (print.c, stdio.c): all have the
 * process's stdout and stderr, by whatever way they came to them (their own variables, those of shared
 * libraries, libstdc++'s), and these stand for the calling endpoint's own. */
#ifndef EP_EPRUN_OUTPUT_H
#define EP_EPRUN_OUTPUT_H

#include <stdio.h>

#include "eprun/eprun.h"

/* What stdout and stderr are now, by descriptor. */
extern FILE *output_stream[3];

/* The calling endpoint's line behind f; NULL if f is another stream, or the thread has no endpoint. */
struct output_line *output_line(FILE *f);
/* The calling endpoint's FILE for it, or f itself. */
static inline FILE *output_own(FILE *f)
{
    struct output_line *l = output_line(f);
    return l ? l->file : f;
}

/* Add text to a line and write what is complete; false with errno if that fails. */
bool output_put(struct output_line *l, const char *text, size_t n);

/* What fflush() does: a line that others might continue waits for its end. False with errno. */
bool output_flush_line(struct output_line *l);

/* Write out what is left, and go on in another file, which is the endpoint's own; -1: closed. */
bool output_change(struct output_line *l, int fd);

/* In the child of a fork: the line's locks may be with a thread that the child has not. */
void output_forked(struct output_line *l);

/* ---- write.c: one piece at a time, whichever endpoint of this machine's processes it comes from ---- */

bool output_write_start(void);
/* The first n bytes of l, not in the middle of another's line; false with errno. */
bool output_write(const struct output_line *l, size_t n);
/* What belongs to no line. */
bool output_write_raw(int fd, const char *text, size_t n);
/* Hold off all others that write; false if somebody writes, maybe this thread below a signal handler. */
bool output_write_try(void);
void output_write_done(void);

/* Recursive: a program may print in a signal handler that interrupted its own printing. shared: by processes,
 * one of which may be killed. */
bool output_init_lock(pthread_mutex_t *lock, bool shared);
/* For signal handlers: the lock's owner may never come back, so wait for a moment only. */
bool output_try_lock(pthread_mutex_t *lock);

/*
 * ---- share.c: all processes of a machine that mpirun started write to the stdout and stderr of the first of
 * them, because mpirun may cut what it takes from two processes anywhere
 */

/* Collective. The lock that all of them take; NULL: nothing is shared. */
pthread_mutex_t *output_share(void);

#endif
