/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory that processes of one machine share: an anonymous file of one of them (memfd_create), which the others open
 * through /proc/<pid>/fd while the owner keeps it open. Unlike a file in /dev/shm it leaves nothing behind whenever the job is
 * killed, and is not limited by the size of /dev/shm, which containers keep small. MPI_Win_allocate_shared would need
 * an MPI window and a blocking collective call; this needs nothing of MPI.
 *
 * The maker calls segment_make and tells the others `key`; they call segment_open; when all have said that they are
 * through the maker calls segment_seal. Everybody calls segment_free at the end.
 */
#ifndef EP_COMM_SEGMENT_H
#define EP_COMM_SEGMENT_H

#include "base/base.h"

enum { SEGMENT_ALIGN = 2 << 20 }; /* mappings of segments of twice that and more, with the page in front, are aligned to it */

/* How to find it. */
struct segment_key {
    int64_t pid, fd;
    uint64_t id[2]; /* random: at the beginning of the memory, proves that it is the right one */
    uint64_t bytes; /* for users, without the page in front */
};

struct segment {
    char *base;  /* of the users' memory: `bytes`, zero at first, aligned to a page; NULL: none */
    void *all;   /* the mapping */
    size_t room; /* of the mapping */
    int fd;      /* of the maker until sealed, else -1 */
};

/* False without memory or where it is not allowed; nothing is left then. bytes may be 0. */
bool segment_make(struct segment *s, size_t bytes, struct segment_key *key);
bool segment_open(struct segment *s, const struct segment_key *key);
/* Of the maker's, before it seals: those bytes of the users' memory (whole pages) instead of what is mapped at that
 * address; or, private, what they are, with changes of one's own. Also in a child made by fork. */
bool segment_place(const struct segment *s, size_t offset, size_t bytes, void *at, bool private);
/* The same: a copy of the users' memory, into as many bytes that are zero; it does not read what was never touched. */
bool segment_read(const struct segment *s, size_t bytes, char *to);
/* The maker needs no mapping of all of it any more; base is NULL then. */
void segment_unmap(struct segment *s);
void segment_seal(struct segment *s);
void segment_free(struct segment *s);

#endif
