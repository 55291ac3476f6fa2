/* SPDX-License-Identifier: BSD-3-Clause */
/* A builder: a communicator that is being made in this process, from the list of its members. */
#ifndef EP_DERIVE_BUILDER_H
#define EP_DERIVE_BUILDER_H

#include "derive/leaders.h"

struct comm_member {
    struct identity who;      /* first, for group_map_from */
    int proc;                 /* index into the list of processes */
    struct gather_slot *slot; /* of an endpoint of this process, else NULL */
};

struct comm_builder {
    struct comm *comm;
    struct gather_slot **slots;  /* by local index of comm */
    int *inner;                  /* by process of comm: rank in the domain's inner communicator */
    int *world;                  /* the same in MPI_COMM_WORLD */
    int *side_inner;             /* room for so many of inner */
    int leader[2];               /* intercommunicator: leading processes of comm */
    unsigned char *side;         /* intercommunicator: by process of comm, overlap.h */
    int rc;                      /* of the MPI calls */
    const struct comm *original; /* what it is a duplicate of, or NULL */
    /* the groups of an intercommunicator come from different domains (intercomm_cross.h), else NULL and 0 */
    struct intercomm_cross *intercomm_cross;
    uint64_t id; /* of the new domain */
    bool checks; /* in it */
    struct ticket ticket;
};

/* With nothing in it. */
struct comm_builder builder_blank(void);

/* The first `lower` members are an intracommunicator; or with upper > 0 the lower group of an
 * intercommunicator, and the next `upper` are its other group. procs: the processes; me: this one; leaders:
 * ranks in the two groups; ticket: of the creation. MPI_ERR_NO_MEM, and then d is to be given up. */
int builder_make(struct comm_builder *d, const struct comm_member members[], int lower, int upper,
                 const struct process_info *const procs[], int nprocs, int me, const int leaders[2],
                 struct ticket ticket);

/* The same endpoints as p's communicator, in a new context. The slots bring their views in `result`. */
int builder_copy(struct comm_builder *d, const struct leaders *p);

/* Make the MPI communicators of a builder; the result is d->rc. Called inside of a far_call. */
void builder_create(struct comm_builder *d);
/* Make the MPI communicators of n builders, in this order; the process has the creation lock. */
void builders_create(struct comm_builder d[], int n, struct endpoint *endpoint);
/* Does it need MPI communicators? */
bool builder_is_far(const struct comm_builder *d);

/* Open it: the slots get their views. */
void builder_open(struct comm_builder *d);
/* It came to nothing. */
void builder_give_up(struct comm_builder *d);

#endif
