/* SPDX-License-Identifier: BSD-3-Clause */
/* internal.h: what the harness's files share. */
#ifndef EP_HARNESS_INTERNAL_H
#define EP_HARNESS_INTERNAL_H

#include "harness.h"
#include <stdatomic.h>

#define SLOT_FAILURES 3
#define SLOT_TEXT 480

/* Where an endpoint writes its failures down. Written by the endpoint and by threads it lets in, read by the
 * watchdog at any time, hence the atomics; texts are complete before failures counts them. */
typedef struct slot {
    atomic_int failures;
    char text[SLOT_FAILURES][SLOT_TEXT];
    _Atomic(const char *) file; /* the last EXPECT that was reached */
    atomic_int line;
    atomic_int state; /* slot_state */
    int rank;
    atomic_flag busy;
} slot;

enum slot_state { SLOT_IDLE, SLOT_CREATING, SLOT_BODY, SLOT_FREEING, SLOT_DONE };

/* slots[0..count-1] are the endpoints', process_slot is for threads outside of a team. */
extern slot *harness_slots;
extern atomic_int harness_slot_count;
extern slot harness_process_slot;
extern int harness_rank, harness_size;

void slot_reset(slot *s, int rank);
void slot_use(slot *s); /* EXPECTs of the calling thread go to s; NULL: to the process's slot */

void watchdog_start(void);
void watchdog_arm(const char *test);
void watchdog_stop(void);

#endif
