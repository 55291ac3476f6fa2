/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * inject.h: memory that runs out. A program with inject.c in it can make an allocation of the ep library fail in its
 * process: malloc, calloc, realloc, aligned memory, strdup, asprintf, open_memstream, mmap, memfd_create,
 * pthread_create. Calls of the program itself and of other libraries, MPI's among them, are never touched.
 */
#ifndef EP_ALLOC_INJECT_H
#define EP_ALLOC_INJECT_H

#include <stdbool.h>

/* The n-th allocation from now on fails (1: the next); with `lasting` those after it, too. By any thread. */
void inject_arm(long n, bool lasting);

/* No more. */
void inject_disarm(void);

/* Did one fail since inject_arm? */
bool inject_hit(void);

/* How many there were since inject_arm. */
long inject_count(void);

/* How many allocations of the library are live. */
long inject_live(void);
/* The same; those that come now are told apart from those before. */
long inject_mark(void);

/* Write where those were made since inject_mark that are live. */
void inject_tell_live(void);

#endif
