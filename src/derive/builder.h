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

/*
 * An intercommunicator whose groups come from different domains, that is from different calls of
 * ep_comm_create_endpoints: no MPI communicator is known that has the processes of both. Let A and B be the
 * processes of the lower and the upper group. One is made by MPI's own means: an intercommunicator of A and
 * of those of B that are not in A (which may be none), merged. What it needs beside is a communicator with
 * one process of each: B's domain if A and B have a process in common, else that of the peer
 * communicator, through the leaders.
 */
struct intercomm_cross {
    ep_comm peer;         /* in the leaders: the peer communicator, else NULL */
    int remote_leader;    /* there */
    struct comm *comm[2]; /* this process's part of the lower and the upper group, or NULL */
    int *rest, nrest;     /* processes of B that are not in A: ranks in B's domain */
    int *a, na;           /* those of A: ranks in A's; in one piece with rest */
    bool common;          /* A and B have a process in common */
    int from_a, from_b;   /* it, and the first of the rest, as ranks in B's domain */
    int leader_a;         /* the process of A that leads, as a rank of A's communicator */
};

struct comm_builder {
    struct comm_builder *next; /* of the creation */
    struct comm *comm;
    struct gather_slot **slots;  /* by local index of comm */
    int *inner;                  /* by process of comm: rank in the domain's inner communicator */
    int *world;                  /* the same in MPI_COMM_WORLD */
    int *side_inner;             /* room for so many of inner */
    int leader[2];               /* intercommunicator: leading processes of comm */
    unsigned char *side;         /* intercommunicator: by process of comm, which side of the classic one */
    int rc;                      /* of the MPI calls */
    const struct comm *original; /* what it is a duplicate of, or NULL */
    const struct intercomm_cross
        *cross;  /* the groups of an intercommunicator come from different domains, else NULL */
    uint64_t id; /* of the new domain, else 0 */
    bool checks; /* in it */
    struct ticket ticket;
};

/* The first `lower` members are an intracommunicator; or with upper > 0 the lower group of an
 * intercommunicator, and the next `upper` are its other group. procs: the processes; me: this one; leaders:
 * ranks in the two groups; ticket: of the creation. MPI_ERR_NO_MEM, and then d is to be given up. */
int builder_make(struct comm_builder *d, const struct comm_member members[], int lower, int upper,
                 const struct process_info *const procs[], int nprocs, int me, const int leaders[2],
                 struct ticket ticket);

/* The same endpoints as p's communicator, in a new context. The slots bring their views in `result`. */
int builder_copy(struct comm_builder *d, const struct leaders *p);

/* Make the MPI communicators of a builder; the result is d->rc. Called inside of a far_call; blocks. */
void builder_create(struct comm_builder *d);
/* Does it need MPI communicators? */
bool builder_is_far(const struct comm_builder *d);

/* Open it: the slots get their views. d is gone. */
void builder_open(struct comm_builder *d);
/* It came to nothing. d is gone. */
void builder_give_up(struct comm_builder *d);

#endif
