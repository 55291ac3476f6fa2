/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The shared-memory segment of a process, which the others of its machine (its peers, peer.h) map: a ring into which they
 * put what is for this process, and its own descriptors (descriptor.h) behind the ring.
 *
 * Whoever holds the poll lock of the process takes out of the ring, so what one sender puts in keeps its order. When it is
 * full, what is to be sent waits at the sender's (defer.h).
 *
 *   shared word         written by                order                       pairs with
 *   the ring's          see ring.h
 *   returned            receivers of descriptors  release (net_descriptor_return)  acquire in net_descriptors_collect
 *   ended               the segment's process     relaxed                     tells peers when not to wait any more
 */
#ifndef EP_NET_SHM_H
#define EP_NET_SHM_H

#include "comm/comm.h"
#include "net/peer.h"
#include "net/ring.h"

/* What becomes of a message that a poll has found. */
enum net_result {
    NET_AGAIN, /* it has to stay, for want of memory; nothing was done */
    NET_DONE,
    NET_AWAITED /* done, and it is what somebody here waits for: the poll lets it go on */
};

enum {
    NET_SHM_LINES = 1024, /* of the ring: a power of two */
    NET_SHM_PUBLISH = 128
};

struct net_shm {
    struct ring ring;
    struct line line[NET_SHM_LINES];
    _Alignas(CACHE_LINE) _Atomic uint64_t returned; /* descriptors, the last returned first */
    _Atomic bool
        ended; /* its process ends MPI and receives nothing more; by it, seen by its peers some time */
};

/* The thread sanitizer sees nothing of what orders two threads of a process through another process. These tell it. */
#ifdef SANITIZES_THREADS
void __tsan_acquire(void *address);
void __tsan_release(void *address);
#define net_shm_goes_out(p) __tsan_release(p)
#define net_shm_comes_in(p) __tsan_acquire(p)
/* The same where what comes in may lead back to anything that this process was asked for by others and has answered. */
#define net_shm_answers() __tsan_release(net_shm_own())
#define net_shm_hears() __tsan_acquire(net_shm_own())
#else
#define net_shm_goes_out(p) ((void)(p))
#define net_shm_comes_in(p) ((void)(p))
#define net_shm_answers() ((void)0)
#define net_shm_hears() ((void)0)
#endif

/* Something in the memory that processes share is what nobody writes there: said by name, and the job ends, for what would be
 * followed leads anywhere. */
_Noreturn void net_shm_corrupt(const char *what, uint64_t value);

/* Room for one message, from net_shm_claim to net_shm_fill, which must follow soon: what others put in meanwhile is behind it. */
struct net_place {
    struct net_shm *shm;
    uint64_t position;
    uint8_t lines;
};

/* Room for a message of so many bytes, at most INLINE_MAX. False: there is none now. Any thread of any process. */
bool net_shm_claim(struct net_shm *shm, size_t bytes, struct net_place *at);
/* The message; h->lines and h->inline_bytes are set from bytes, the same. */
void net_shm_fill(const struct net_place *at, struct header *h, const void *payload, size_t bytes);
/* Both. */
bool net_shm_push(struct net_shm *shm, struct header *h, const void *payload, size_t bytes);

/* A message of any size would find room now, unless others are faster. */
static inline bool net_shm_may_have_room(struct net_shm *shm)
{
    return (int64_t)(load_relaxed(&shm->ring.tail) + 2 * INLINE_LINES - load_acquire(&shm->ring.taken)) <=
           NET_SHM_LINES;
}

/* Is a message there for this process? A hint: any thread may look. */
bool net_shm_ready(void);
/* Take at most so many messages, no more after one that somebody waits for: active ones go to their handlers, the others to
 * `take`. NET_AGAIN: there was none, or it had to stay. Under the poll lock. */
enum net_result net_shm_poll(int most, enum net_result (*take)(const struct line *l));
/* Complete what came back; push what waits. True if anything happened. Under the poll lock, by a thread that may call MPI. */
bool net_shm_tend(void);

#endif
