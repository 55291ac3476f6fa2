/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Dependences between the children of a task. For each address the parent's table knows the current set
 * of tasks and the one before. A task that reads after readers (or is an inoutset after inoutsets) joins
 * the current set and depends on the one before; any other starts a new set and depends on all of the
 * current. mutexinoutset is treated as inout. Complete tasks are skipped; they are dropped when a set would grow.
 */
#ifndef EP_CRT_DEPEND_H
#define EP_CRT_DEPEND_H

#include "crt/team/task.h"

/* Register t, a child of t->parent, with the compiler's list; counts t->before. The team's lock is held. */
void depend_register(struct task *t, void **depend);
/* Forget everything: all children are complete, or there will be no more. The team's lock is held. */
void depend_clear(struct task *parent);

#endif
