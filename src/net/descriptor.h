/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Descriptors: what does not fit into the lines of a ring. One lies in its sender's segment, with the data behind it, or with
 * their address in the sender's own memory, which the receiver reads (process_vm_readv: one copy). The ring gets a note of
 * where it is. The receiver returns it when it has the data. tests/spin/descriptor.pml is the model.
 *
 *   shared word   written by            order                               pairs with
 *   state         receiver and sender   acq_rel                             net_descriptor_claim, _withdraw: whoever is first decides
 *   next          who returns it        relaxed, in front of `returned`      net_descriptors_collect, behind that
 *   everything else: its sender until its note is pushed, its receiver until it is returned
 */
#ifndef EP_NET_DESCRIPTOR_H
#define EP_NET_DESCRIPTOR_H

#include "net/shm.h"

enum { NET_DESCRIPTOR_MAX = 64 << 10 /* bytes of data that lie behind one */ };

/* The message in the ring. */
struct net_note {
    uint64_t at; /* in the sender's segment */
    uint64_t bytes;
    uint64_t sender; /* net_own_name */
};

enum net_descriptor_state { NET_DESCRIPTOR_OPEN, NET_DESCRIPTOR_CLAIMED, NET_DESCRIPTOR_WITHDRAWN };

struct net_descriptor {
    _Atomic uint64_t
        next; /* of those returned: offset in the segment; 0: none; relaxed: released with returned (shm.h) */
    _Atomic int state;
    int size; /* class of it (descriptor.c); constant */
    int rc; /* an error class: of the sender, there are no data; of the receiver's reading, before it is returned */
    int expected; /* of the sender: the end of MPI waits for it */
    uint64_t bytes;
    uint64_t address;    /* in the sender's memory; 0: the data follow */
    void *owner;         /* of the sender: what its return completes (net_descriptors_start); or NULL */
    void *packed;        /* of the sender: to be freed when it comes back; or NULL */
    struct net_peer *to; /* of the sender */
    char data[];
};

_Static_assert(sizeof(struct net_descriptor) == CACHE_LINE, "a descriptor's data begin with a cache line");

/* What tells an owner that its descriptor came back, with the descriptor's rc. Once, before the first. */
void net_descriptors_start(void (*returned)(void *owner, int rc));

/* One of this process's, with room for bytes of data (at most NET_DESCRIPTOR_MAX), of no owner; bytes and address are to be set.
 * NULL: none is left now. Any thread. */
struct net_descriptor *net_descriptor_get(size_t bytes);
/* It was not sent. */
void net_descriptor_put(struct net_descriptor *d);
struct net_note net_descriptor_note(const struct net_descriptor *d);
/* The one that a note of peer's is about. */
struct net_descriptor *net_descriptor_of(struct net_peer *peer, uint64_t at);

/* d, whose note is to be pushed to peer, has data in its process that must stay until it comes back; owner, if it is not NULL,
 * is told then. */
void net_descriptor_expect(struct net_descriptor *d, struct net_peer *to, void *owner);
/* Take d, whose owner is not told yet, back from the receiver. False if that has claimed it. `done`: under the lock that the
 * owner's descriptor changes hands with: is the owner told already? */
bool net_descriptor_withdraw(struct net_descriptor *d, bool (*done)(const void *owner), const void *owner);
static inline bool net_descriptor_withdrawn(const struct net_descriptor *d)
{
    return load_acquire(&d->state) == NET_DESCRIPTOR_WITHDRAWN;
}

/* A descriptor that nobody is sent, as a word in memory that the peers of this process share with it: *place says where, never 0.
 * NULL: there is none. Any thread. */
_Atomic int *net_word_get(uint64_t *place);
void net_word_put(_Atomic int *word);
/* peer's. */
_Atomic int *net_word_of(struct net_peer *peer, uint64_t place);

/* The receiver's side, with the process that d is of. Claim: false if the sender has withdrawn it; else nobody can any more. */
bool net_descriptor_claim(struct net_descriptor *d);
/* Where its data are, at least `bytes`, if they follow it; else NULL: they are to be read. */
const char *net_descriptor_data(const struct net_descriptor *d, const struct net_peer *from, size_t bytes);
/* `bytes` of data that are in the sender's memory, behind the first `skip`. An error class. */
int net_descriptor_read(const struct net_descriptor *d, struct net_peer *from, size_t skip, char *to,
                        size_t bytes);
/* rc: what the sender is told. */
void net_descriptor_return(struct net_descriptor *d, struct net_peer *from, int rc);
/* Nobody will have it. */
void net_descriptor_drop(struct net_descriptor *d, struct net_peer *from);

/* Those that came back. True if there were any. Any thread. */
bool net_descriptors_collect(void);
/* Are some still out that are expected back? */
bool net_descriptors_await(void);

#endif
