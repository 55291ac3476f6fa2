/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A meeting: the endpoints of one process that take part in one collective call find each other.
 *
 * Every endpoint comes with a slot, mostly on its stack; the meeting itself lives in the slot of the first.
 * The one at position `head` is the head: it waits for the others, does what there is to do for all of them
 * (with the heads of the other processes), fills in the slots and releases them one by one. It is always
 * the endpoint's own thread that acts, never another in its name.
 *
 * Calls are told apart by their tag: for calls of a whole communicator a running number, for those of a
 * group the user's tag and a hash of the group. An endpoint of a meeting cannot come to the next with the
 * same tag before this one is over, so a meeting leaves the list when it is complete.
 *
 * In a wrong program endpoints come to one meeting from different functions, with slots that mean different things. Such
 * a meeting is mixed: nobody leads it, all get an error (discord.h).
 *
 *   comm->meetings, and a meeting until it is complete   under comm->lock
 *   slot->done    last to come: release, in the head's slot  head: acquire; with `leads` everything is the head's
 *                 head: release, its last access             owner of the slot: acquire
 */
#ifndef EP_DERIVE_MEETING_H
#define EP_DERIVE_MEETING_H

#include "p2p/p2p.h"

struct slot;

struct meeting {
    struct meeting *next;
    int tag;
    uint64_t hash;
    int size, arrived;
    bool mixed;         /* they do not come from one function */
    struct slot *first; /* all that came */
    struct slot *
        *slot; /* made by the head: by position, that is local index or order in the group. NULL: no memory; then
                * the party is without any, party.h */
};

struct slot {
    struct slot *next;   /* under comm->lock, then the head's */
    struct meeting home; /* used of the slot that came first */
    int position;
    bool leads; /* the head's, once all are there: it is to act */
    /* brought */
    const char *call; /* the public function; a literal */
    ep_comm view;
    const void *data;  /* for all the others, as many bytes in every slot */
    const void *extra; /* derive_allgather: this many bytes */
    size_t bytes;
    ep_errhandler errhandler; /* for a new communicator */
    bool extras;              /* it will have some (view_extras): room for them is made while it may fail for all */
    /* got */
    ep_comm result;
    int rc;                    /* an error of the caller is brought to all */
    const char *why;           /* text for rc */
    bool raised;               /* rc was the caller's, who has been told */
    int culprit;               /* union rank of the endpoint that brought rc, if there is no text; else -1 */
    const char *culprits_call; /* it called this instead, which is what is wrong */
    void *all;                 /* derive_allgather */
    size_t *offset;
    _Atomic bool done; /* release meeting_end, acquire flag_set (by pointer) */
    void (*over)(struct slot *s); /* of a mixed meeting; NULL: its owner waits for done */
};

/* Come to the meeting of `size` endpoints. The head's call returns when all are there, with the meeting;
 * the others' when the head has released them, with NULL, as the head's, too, of a mixed meeting. Needs no memory. */
struct meeting *meeting_join(int tag, uint64_t hash, int size, int position, int head, struct slot *s);

/* Only come; with *last all are there, and the meeting is the caller's. Then look whether it is mixed. */
struct meeting *meeting_come(int tag, uint64_t hash, int size, int position, struct slot *s, bool *last);

/* Who came at this position. All are there. */
struct slot *meeting_slot(const struct meeting *m, int position);

/* Make m->slot, if there is memory. */
void meeting_sort(struct meeting *m);

/* The head: everybody goes. */
void meeting_end(struct meeting *m);

/* Block until the flag is set; who sets it rings port. limit: longest sleep, as in struct wait. */
void wait_flag(struct port *port, _Atomic bool *flag, long limit);

#endif
