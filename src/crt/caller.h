/* SPDX-License-Identifier: BSD-3-Clause */
/* Who calls: a task, which crt_wait suspends alone, or a thread, which it blocks. */
#ifndef EP_CRT_CALLER_H
#define EP_CRT_CALLER_H

#include "crt/mode.h"

/* Out of line part of caller_suspends. */
bool caller_has_worker(void);

/* Is it a task, explicit or implicit, of a team in task mode? */
static inline bool caller_suspends(void)
{
    return mode_is_task() && caller_has_worker();
}

/* A number that differs between the tasks (with stacks of their own) and threads that are running. */
uintptr_t caller_id(void);

/* Could the caller's thread run another task now? A hint. */
bool caller_has_others(void);

/* Or could progress let one of its suspended tasks go on? False: nobody else will want the thread soon. */
bool caller_has_company(void);

/* There is something for the poll to do: do not let it wait. Any lock may be held. */
void caller_hastens_poll(void);

/* What else a thread is to those above crt, and another is to be that acts for it: noted by the first, in CALLER_BINDING
 * bytes, taken over by the second. */
enum { CALLER_BINDING = 48 };
struct caller_binding {
    void (*note)(void *binding);
    void (*take)(const void *binding);
};
void caller_set_binding(const struct caller_binding *functions);
/* These, or NULL. */
const struct caller_binding *caller_get_binding(void);

/* The calling thread is about to end, and what its tasks need goes first: complete those that it made outside of regions. */
void caller_thread_ends(void);

#endif
