/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * EP_WATCHDOG: a hang explains itself.
 *
 * A call that has waited for a while notes that in its endpoint (hook_waits): nothing is written by calls that are done soon. A thread
 * looks from time to time whether one has waited longer than the setting, or SIGUSR1 came, and then describes all
 * endpoints of the process: their calls, what these wait for, and the queues of their communicators.
 *
 * Who waits for whom is an arc between endpoints. Where MPI lets any thread call it, processes in which calls
 * wait too long send theirs to process 0 again and again, which looks for a cycle; else each looks among its own.
 *
 *   endpoint->watched   list of the calls that wait, and they themselves while they are in it: under the endpoint's lock
 */
#ifndef EP_OBSERVE_WATCHDOG_H
#define EP_OBSERVE_WATCHDOG_H

#include "p2p/p2p.h"

/* One endpoint waits for another, both as ranks where they were made. */
struct arc {
    uint64_t origin, of_origin;
    long since; /* by the clock of its process: tells it from later ones */
    int who, of;
    char what[72]; /* "in ep_recv with tag 7" */
};
enum { ARCS_MAX = 36 }; /* few enough for MPI to send them at once */

struct arcs {
    int n;
    struct arc arc[ARCS_MAX];
};

/* Hooks: the call is entered in its endpoint's list, and taken out again. */
void watchdog_waits(struct endpoint *endpoint, struct wait *w);
void watchdog_waited(struct endpoint *endpoint, struct wait *w);

/* With the setting endpoints were made on parent, which has all processes or not: collective over it. */
void watchdog_begin(MPI_Comm parent, bool all);

/* ---- its parts ---- */

/* When a call began to wait, by clock_ms; calls that are in a list of an endpoint. */
struct watched {
    struct watched *next;
    const struct wait *wait;
    long since;
    bool told;
};

/* Have calls waited for so long, and have some that nobody has been told of? Then they count as told. */
enum overdue { OVERDUE_NONE, OVERDUE_TOLD, OVERDUE_NEW };
enum overdue watchdog_overdue(long ms);
/* Describe all endpoints of the process on stderr. */
void watchdog_report(void);
/* Who waits for whom in this process, for ms or longer. */
void watchdog_arcs(struct arcs *e, long ms);
/* Use an endpoint of another thread's endpoint. False: it is in use, and nobody gives it away. */
bool watchdog_enter(struct endpoint *p);
void watchdog_leave(struct endpoint *p);

/* Look for a cycle. It is printed if it was there the last time, too, with the same calls: what is known of several
 * processes is not of one moment, but calls that were found before and after some moment all waited then. */
void watchdog_cycle(const struct arc arc[], int n);

/* far_watchdog.c: on a communicator of its own, if there is one. */
void watchdog_meet(MPI_Comm parent);
/* Give them to process 0. False: it does not take them. */
bool watchdog_send(const struct arcs *e);
/* Process 0: what others have sent. True if it was a message; then *e is set. */
bool watchdog_receive(struct arcs *e);
/* Does this process get what the others send? And if not, do they send it to one? */
bool watchdog_gathers(void);
bool watchdog_gathered(void);

#endif
