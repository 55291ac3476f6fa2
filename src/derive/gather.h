/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A local gather: the endpoints of one process that take part in one collective call find each other.
 *
 * Every endpoint comes with a slot, mostly on its stack; the local gather itself lives in the slot of the
 * first. The one at position `leader` is the leader: it waits for the others, does what there is to do for
 * all of them (with the leaders of the other processes), fills in the slots and releases them one by one. It
 * is always the endpoint's own thread that acts, never another in its name.
 *
 * Calls are told apart by their tag: for calls of a whole communicator a running number, for those of a group
 * the user's tag and a hash of the group. An endpoint of a local gather cannot come to the next with the same
 * tag before this one is over, so a local gather leaves the list when it is complete.
 *
 * In a wrong program endpoints come to one local gather from different functions, with slots that mean different things. Such
 * a local gather is mixed: none of them can act for the others, so nobody's function goes on. The process takes part in
 * the exchange as one that has an error, so that all other processes stop there, too (creation.h); then everybody here is
 * told who called what.
 *
 *   comm->gathers, and a local gather until it is complete   under comm->lock
 *   slot->done    last to come: release, in the leader's slot  leader: acquire; with `leads` everything is the leader's
 *                 leader: release, its last access             owner of the slot: acquire
 */
#ifndef EP_DERIVE_GATHER_H
#define EP_DERIVE_GATHER_H

#include "p2p/p2p.h"

struct gather_slot;

struct gather {
    struct gather *next;
    int tag;
    uint64_t hash;
    int size, arrived;
    bool mixed;                /* they do not come from one function */
    struct gather_slot *first; /* all that came */
    struct gather_slot **
        slot; /* made by the leader: by position, that is local index or order in the group. NULL: no memory; then
                * the leaders are without any, leaders.h */
};

struct gather_slot {
    struct gather_slot *next; /* under comm->lock, then the leader's */
    struct gather home;       /* used of the slot that came first */
    int position;
    bool leads; /* the leader's, once all are there: it is to act */
    /* brought */
    const char *call; /* the public function; a literal */
    ep_comm view;
    const void *data;  /* for all the others, as many bytes in every slot */
    const void *extra; /* derive_allgather: this many bytes */
    size_t bytes;
    ep_errhandler errhandler; /* for a new communicator */
    bool extras; /* it will have some (view_extras): room for them is made while it may fail for all */
    /* got */
    ep_comm result;
    int rc;                    /* an error of the caller is brought to all */
    const char *why;           /* text for rc */
    bool raised;               /* rc was the caller's, who has been told */
    int culprit;               /* union rank of the endpoint that brought rc, if there is no text; else -1 */
    const char *culprits_call; /* it called this instead, which is what is wrong */
    void *all;                 /* derive_allgather */
    size_t *offset;
    _Atomic bool done; /* release gather_end, acquire flag_set (by pointer) */
    void (*over)(
        struct gather_slot *s); /* nobody waits for done: called in its place, the slot may be gone then */
};

/* Come to the local gather of `size` endpoints. The leader's call returns when all are there, with the local
 * gather; the others' when the leader has released them, with NULL, as the leader's, too, of a mixed local
 * gather. Needs no memory. */
struct gather *gather_join(int tag, uint64_t hash, int size, int position, int leader, struct gather_slot *s);

/* Only come; with *last all are there, and the local gather is the caller's. Then look whether it is
 * mixed. */
struct gather *gather_enter(int tag, uint64_t hash, int size, int position, struct gather_slot *s,
                            bool *last);

/* Who came at this position. All are there. */
struct gather_slot *gather_find_slot(const struct gather *m, int position);

/* Make m->slot, if there is memory. */
void gather_sort(struct gather *m);

/* Of a mixed one: everybody's error is that the others called something else. */
void gather_accuse(struct gather *m);

/* The leader: everybody goes. */
void gather_end(struct gather *m);

/* Raise what a slot says; the result is its rc. */
int slot_raise(struct where w, const struct gather_slot *s);
/* The text for its error, which may be made in `room`; or NULL. */
enum { SLOT_TEXT = 200 };
const char *slot_why(const struct gather_slot *s, char room[SLOT_TEXT]);

/* Block until the flag is set; whoever sets it notifies endpoint, but with POLICY_ELSEWHERE. */
void wait_flag(struct endpoint *endpoint, _Atomic bool *flag, enum wait_policy policy);

#endif
