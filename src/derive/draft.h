/* SPDX-License-Identifier: BSD-3-Clause */
/* A draft: a communicator that is being made in this process, from the list of its members. */
#ifndef EP_DERIVE_DRAFT_H
#define EP_DERIVE_DRAFT_H

#include "derive/party.h"

struct recruit {
    struct identity who; /* first, for roster_of */
    int proc;            /* index into the list of processes */
    struct slot *slot;   /* of an endpoint of this process, else NULL */
};

struct draft {
    struct comm *comm;
    struct slot **slots;         /* by local index of comm */
    int *inner;                  /* by process of comm: rank in the universe's inner communicator */
    int *world;                  /* the same in MPI_COMM_WORLD */
    int *side_inner;             /* room for so many of inner */
    int leader[2];               /* intercommunicator: leading processes of comm */
    unsigned char *side;         /* intercommunicator: by process of comm, overlap.h */
    int rc;                      /* of the MPI calls */
    const struct comm *original; /* what it is a duplicate of, or NULL */
    /* the groups of an intercommunicator come from different universes (cross.h), else NULL and 0 */
    struct cross *cross;
    uint64_t id; /* of the new universe */
    bool checks; /* in it */
    struct ticket ticket;
};

/* With nothing in it. */
struct draft draft_blank(void);

/* The first `lower` recruits are an intracommunicator; or with upper > 0 the lower group of an
 * intercommunicator, and the next `upper` are its other group. procs: the processes; me: this one; leaders:
 * ranks in the two groups; ticket: of the creation. MPI_ERR_NO_MEM, and then d is to be given up. */
int draft_make(struct draft *d, const struct recruit members[], int lower, int upper,
               const struct passport *const procs[], int nprocs, int me, const int leaders[2],
               struct ticket ticket);

/* The same endpoints as p's communicator, in a new context. The slots bring their views in `result`. */
int draft_copy(struct draft *d, const struct party *p);

/* Make the MPI communicators of a draft; the result is d->rc. Called inside of a far_call. */
void draft_create(struct draft *d);
/* Make the MPI communicators of n drafts, in this order; the process has the turn. */
void drafts_create(struct draft d[], int n, struct port *port);
/* Does it need MPI communicators? */
bool draft_is_far(const struct draft *d);

/* Open it: the slots get their views. */
void draft_open(struct draft *d);
/* It came to nothing. */
void draft_give_up(struct draft *d);

#endif
