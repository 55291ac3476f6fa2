/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files. A file has a communicator of its own, a duplicate of the user's: its collective calls are not mixed
 * up with others, and its views carry the endpoints' ranks, hints and error handlers (view_part leads back
 * here).
 *
 * Per process there is one struct file: one descriptor, opened by the leader, from which all its endpoints
 * read and write at positions of their own (pread, pwrite). Per endpoint there is one struct ep_file_s, which
 * the handle points to: what it sees of the file, where its pointer is.
 *
 *   what               who writes it, and when                         who reads it
 *   struct file        the leader as the file is opened; constant      the endpoints of the process
 *   its `open`         each endpoint as it closes (acq_rel); the last  the same
 *                      one frees the file
 *   its `ranges`       under their lock (range.h)                      the same
 *   ep_file_s: magic   live, freed: its endpoint; ended: whoever ends  any thread: a handle comes to it in
 *                      MPI (relaxed)                                   order
 *   view, file         its endpoint as it opens; constant              any thread
 *   hints              the same; ep_file_set_info, _set_view           its endpoint
 *   layout, atomic     its endpoint in collective calls (_set_view,    its endpoint: MPI allows no other
 *                      _set_atomicity)                                 call of it on the file meanwhile
 *   position           calls of its endpoint, each in one step, so     the same
 *                      two threads of it get two places (relaxed)
 *   buffer             who takes it puts NULL there (acq_rel), then    the same
 *                      puts it back, or frees it if one is there again
 *
 * The kernel orders what two descriptors, or two threads with one, do to the same bytes; that an access is
 * seen as a whole only atomic mode promises, by locks on its range (range.h).
 */
#ifndef EP_IO_FILE_H
#define EP_IO_FILE_H

#include "io/layout.h"
#include "io/range.h"

_Static_assert(sizeof(void *) == 8, "places in files are walked over as addresses are");

/* What info says (MPI 13.2.8). */
enum file_switch { FILE_AUTOMATIC, FILE_ENABLE, FILE_DISABLE };
struct file_hints {
    size_t read_buffer, write_buffer, collective_buffer; /* bytes */
    enum file_switch sieve_read, sieve_write; /* the second: of this endpoint; struct file has what counts */
    unsigned permissions;
};

/* Of a process. */
struct file {
    struct comm *comm;
    int fd;
    int amode;
    bool sieves; /* writes may be sieved: all endpoints of all processes lock what they write */
    struct file_ranges ranges;
    _Atomic int open; /* endpoints that have not closed it; acq_rel file_leave */
    char name[];
};

/* Memory for data on their way. */
struct file_buffer {
    size_t bytes;
    _Alignas(CACHE_LINE) char data[];
};

enum { FILE_LIVE = 0x65706669, FILE_FREED = 0x66666c65, FILE_ENDED = 0x65666e64 };

/* Of an endpoint. Type-stable. */
struct ep_file_s {
    struct pool_item item;  /* the pool's while free */
    _Atomic uint32_t magic; /* relaxed */
    ep_comm view;           /* of the file's communicator */
    struct file *file;
    struct file_hints hints;
    struct file_layout layout;
    bool atomic;
    _Atomic int64_t position; /* in etypes; relaxed */
    /* acq_rel file_buffer_take, file_buffer_give (by pointer), file_handle_delete */
    _Atomic(struct file_buffer *) buffer;
};

/* Not freed, but MPI ends or has ended. */
static inline bool file_has_ended(ep_file file)
{
    return pool_may_hold(file) && load_relaxed(&file->magic) == FILE_ENDED;
}

static inline bool file_is_live(ep_file file)
{
    return likely(pool_may_hold(file)) && likely(load_relaxed(&file->magic) == FILE_LIVE);
}

/* Where an offset of the layout, in etypes, stands in its data, in bytes; one that the layout reaches. */
static inline size_t file_bytes_at(const struct ep_file_s *f, int64_t offset)
{
    assert(file_layout_reaches(&f->layout, offset, 0));
    return (size_t)offset * f->layout.etype->size;
}

#endif
