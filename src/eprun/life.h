/* SPDX-License-Identifier: BSD-3-Clause */
/* An endpoint's end, for those who notice it. */
#ifndef EP_EPRUN_LIFE_H
#define EP_EPRUN_LIFE_H

#include "eprun/eprun.h"

/* Does the calling thread belong to an endpoint? Not in a child process that the program made by fork:
 * there nobody waits for endpoints. */
bool life_is_here(void);

/* A child made by fork from an endpoint's thread? */
bool life_is_in_child(void);

/* A thread of the endpoint begins (said by its creator), has ended. After the last one the program exits
 * with 0. */
void life_thread_begins(struct eprun_rank *e);
void life_thread_ended(struct eprun_rank *e);
/* Has self's endpoint no other thread? */
bool life_is_single_thread(void);

/* at_quick_exit, quick_exit. */
int life_at_quick_exit(void (*function)(void *));
_Noreturn void life_quick_exit(int status);

#endif
