/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Flags of collectives, for teams whose members all reach each other's memory by load and store, in one process or in
 * several. They are in the memory in front of each PE's heap (pe_control), which is divided into SYNC_SLOTS slots. A
 * team has the same slot in all its members; who makes a team agrees on one that all have free. In it each member has a
 * column.
 *
 * All members make the same collective calls, numbered k = 0, 1, ... There are three ways to tell each other something.
 *
 *   word                 written by            order                               read by
 *   line.number          the owner             release: k + 1, in line k % RING    others in call k, acquire
 *   rest of a line       the owner             before its number                   others, after its number
 *   column.completed     the owner             release: calls it has finished      who wants to write a line, or waits for
 *                                                                                  readers; acquire
 *   node.arrived         members under it      acq_rel: one more                   the same
 *   node.partial         the last under it     before it goes up                   the last under the node above
 *   released.round       the last of all       release: r + 1                      all, acquire
 *   rest of released     the last of all       before round                        all, after round
 *   calls, known,        the owner                                                 the owner
 *   rounds
 *
 * Lines: who has something to tell posts it in its line, and others await the number. No line is read too early or too
 * late: a number grows by RING at a time or a multiple of that, and what call k has put there stays until all have
 * finished call k. So who is in call k sees a number below k + 1, and waits, or k + 1. No line is overwritten too
 * early: the line of call k may be written when all others have finished call k - RING, that is, at least k - RING + 1
 * calls. `known` is a lower bound of what they all have finished: what was read from `completed`, or k' after a call k'
 * in which the PE has heard from all: who comes to call k' has finished those before. Either way the others' reads come
 * before a release of theirs, that before the acquire of the writer (through those by whose way it heard), and that
 * before the write.
 *
 * Rounds: all come, and nobody goes on before. They count at the nodes of a tree of radix RADIX; who is the last at a
 * node goes on to the one above, and who is the last at the uppermost does what is to be done for all, and releases the
 * round. So nobody waits for one who waits: each is scheduled once, which counts where PEs share cores. Rounds do not
 * mix: a member adds its one for round r + 1 only when it has seen the release of round r, before which all have added
 * theirs for r. So in round r a node counts from r * members to (r + 1) * members, and who brings it there is the last.
 * Additions are of one release sequence, so the last sees what all under the node have written before, and all see what
 * the last of all has. What is in a partial or in `released` is overwritten in the next round, by who has heard that
 * all have come to it: they have read it. Calls that have a round have it at the same place in all members, so `rounds`
 * is the same.
 *
 * Where each PE has a core of its own and they are few, the team is flat: instead of a round each posts its line and
 * awaits those of all others. A line travels once then, a round takes it twice.
 *
 * Either way, what a member has written anywhere before it came is seen by all who have met: an alltoall needs no more
 * (direct.c).
 *
 * Waiting ends. Consider a member in the lowest call j that any of them is in. It does not wait to write: all have
 * finished j calls and said so. If it waits for a line of call j, or for a round, the others that are beyond call j
 * have posted theirs and come to the round; those in call j do that before they wait, or wait for a line of a member (a
 * root) that does. If it waits for readers (`completed`), these wait for nothing but what it has posted.
 *
 * A slot is used again after a barrier of the team's communicator, and cleared by each member for itself before a
 * barrier of the new team's: so nobody looks at a number of another team. tests/spin/shmem_sync.pml is the model of
 * lines and rounds.
 */
#ifndef EP_SHMEM_SYNC_H
#define EP_SHMEM_SYNC_H

#include <string.h>

#include "shmem/pe.h"

struct shmem_team;

enum { SYNC_SLOTS = 32, SYNC_RING = 8, SYNC_RADIX = 8, SYNC_LEVELS = 5, SYNC_BYTES = 96 };
#define SYNC_ALL_SLOTS UINT32_MAX

/* Where something is in symmetric memory: twice the offset, and 1 in the data segment. */
typedef uint64_t sync_place;

/* Two cache lines, which some processors fetch together. */
struct sync_line {
    _Alignas(2 * CACHE_LINE) _Atomic uint64_t number; /* release sync_post, acquire sync_read */
    size_t bytes; /* what it brings; in data, if it fits and has been put there */
    sync_place source, dest;
    _Alignas(16) char data[SYNC_BYTES]; /* for any basic type */
};

struct sync_node {
    _Alignas(2 * CACHE_LINE) _Atomic uint64_t arrived; /* acq_rel sync_arrive */
    _Alignas(16) char partial[SYNC_BYTES];
};

struct sync_released {
    _Alignas(2 * CACHE_LINE) _Atomic uint64_t round; /* release sync_release, acquire sync_await_release */
    bool done;                                       /* the last has done all */
    _Alignas(16) char result[SYNC_BYTES];
};

struct sync_column {
    _Alignas(2 *
             CACHE_LINE) _Atomic uint64_t completed; /* release sync_finish; acquire sync_await_completed */
    struct sync_released released;                   /* member 0's is used */
    struct sync_node node[SYNC_LEVELS]; /* [l]: of the SYNC_RADIX^(l + 1) members from this one on */
    struct sync_line ring[SYNC_RING];
};
_Static_assert(SYNC_SLOTS * sizeof(struct sync_column) <= SHMEM_CONTROL_BYTES, "all slots");

/* A team's, in one PE. */
struct sync {
    bool used; /* it has a slot */
    bool flat;
    uint32_t slot;
    uint64_t calls, known, rounds;
};

/* ---- which teams ---- */

/* What members agree on, bit by bit: slots that all have free, 0 where not all are reached; ok: they have memory. */
struct sync_vote {
    uint64_t slots, ok, flat;
};

/* What this PE offers, which it keeps for this team until sync_begin. t NULL: it has no memory. */
struct sync_vote sync_offer(struct shmem_team *t, ep_comm comm);
/* agreed NULL: there will be no such team. A barrier is to follow if agreed->slots is not 0. */
void sync_begin(struct shmem_team *t, const struct sync_vote *offered, const struct sync_vote *agreed);
/* All have left their last call on it. */
void sync_end(struct shmem_team *t);

/* ---- lines ---- */

/* The own line of this call, to be filled and posted; waits until it may be. */
struct sync_line *sync_line(struct shmem_team *t, const char *call);
void sync_post(struct shmem_team *t, struct sync_line *line);
/* What a member has posted in this call; waits until it has. */
struct sync_line *sync_read(struct shmem_team *t, int member, const char *call);

/* ---- rounds ---- */

/* To be done at a node whose members all have come, before the one above: level 0: members first to first + n - 1, else nodes
 * of level - 1 of members first, first + step, ... */
typedef void sync_fold(const void *arg, struct shmem_team *t, int level, int first, int n, int step);

/* This PE has come. True: it is the last of all, who is to call sync_release, and all others sync_await_release. fold
 * may be NULL. */
bool sync_arrive(struct shmem_team *t, sync_fold *fold, const void *arg);
struct sync_released *sync_result(const struct shmem_team *t);
void sync_release(struct shmem_team *t);
void sync_await_release(struct shmem_team *t, const char *call);

/* All have come to this call; nothing else is told. */
void sync_meet(struct shmem_team *t, const char *call);

/* ---- the end of a call ---- */

/* heard: from all others in this call. */
void sync_finish(struct shmem_team *t, bool heard);
/* Wait until all have finished the calls that this one has. */
void sync_await_completed(struct shmem_team *t, const char *call);

/* ---- places ---- */

struct sync_column *sync_column(const struct shmem_team *t, int member);
/* Of symmetric memory of this PE; and where it is in a member's. */
sync_place sync_place_of(const struct shmem_team *t, const void *at);
char *sync_address(const struct shmem_team *t, int member, sync_place place);

#endif
