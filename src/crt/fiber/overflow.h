/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A task that goes beyond the end of its stack touches the guard below it. That ends the program like any other wrong access;
 * who reads "Segmentation fault" is told what it was. Where the program has a handler for that signal which runs
 * on a stack of its own (eprun, sanitizers), it is the one to tell.
 */
#ifndef EP_CRT_OVERFLOW_H
#define EP_CRT_OVERFLOW_H

#include "crt/thread.h"

/* Tasks will run on stacks of t, the calling thread. */
void overflow_watch(struct thread *t);
/* It ends: its stack for handlers goes. */
void overflow_unwatch(struct thread *t);

#endif
