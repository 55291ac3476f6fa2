/* SPDX-License-Identifier: BSD-3-Clause */
/* The streams of output.c, for the functions of libc that look at them (output_*.c). */
#ifndef EP_EPRUN_OUTPUT_H
#define EP_EPRUN_OUTPUT_H

#include <stdio.h>

#include "eprun/eprun.h"

/* What stdout and stderr are now, by descriptor. */
extern FILE *output_stream[3];

/* The calling endpoint's line behind f; NULL if f is another stream, or the thread has no endpoint. */
struct line *output_line(FILE *f);

/* Add text to a line and write what is complete; false with errno if that fails. */
bool output_put(struct line *l, const char *text, size_t n);

/* What fflush() does: a line that others might continue waits for its end. */
void output_flush_line(struct line *l);

/* Write out what is left, and go on in another file, which is the endpoint's own; -1: closed. */
bool output_change(struct line *l, int fd);

#endif
