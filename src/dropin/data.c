/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Variables of a program in a file (comm/segment.h) that is mapped over them. The file has all from the first part to the
 * last one, so that others find a variable at the same distance from its beginning; what lies between parts is not mapped
 * here.
 *
 * fork: a mapping that is shared would be the child's, too, and a private one would show what the parent writes later. So
 * the thread that forks copies its rank's variables before, and the child moves the copy to their place. Those of other
 * ranks, of which no thread is in the child, it gets as private mappings of the files.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "api/api.h"
#include "dropin/rank.h"

struct rank_data {
    struct rank_data *next; /* all of this process that are shared */
    struct ep_rank_data about;
    struct segment file;
    size_t n;
    struct ep_rank_part parts[];
};

enum { LOOK = 512 }; /* pages at a time */

static _Atomic(struct rank_data *) all_data; /* acq_rel data_publish, acquire data_in_child */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool children_are_known;
static _Thread_local char *copy; /* of the rank's variables, while the thread forks; NULL: none */

const struct ep_rank_data *ep_rank_data(const struct mpi_rank *rank)
{
    return rank->data ? &rank->data->about : NULL;
}

/* ---- fork ---- */

static void data_before_fork(void)
{
    const struct rank_data *d = load_acquire(&all_data) && ep_rank_bound() ? ep_rank_bound()->data : NULL;
    copy = NULL;
    if (!d || d->file.fd < 0)
        return;
    char *room = mmap(NULL, d->about.bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED)
        return; /* the child may see what the parent writes later */
    if (segment_read(&d->file, d->about.bytes, room))
        copy = room;
    else
        munmap(room, d->about.bytes);
}

static void data_in_parent(void)
{
    if (copy)
        munmap(copy, ep_rank_bound()->data->about.bytes);
    copy = NULL;
}

/* Only what may be called in a child of a process with threads. */
static void data_in_child(void)
{
    for (struct rank_data *d = load_acquire(&all_data); d; d = d->next) {
        bool copied = copy && ep_rank_bound()->data == d;
        for (size_t i = 0; d->file.fd >= 0 && i < d->n; i++) {
            const struct ep_rank_part *p = &d->parts[i];
            size_t offset = (size_t)(p->start - d->about.start);
            if (!copied || mremap(copy + offset, p->bytes, p->bytes, MREMAP_MAYMOVE | MREMAP_FIXED,
                                  p->start) == MAP_FAILED)
                segment_place(&d->file, offset, p->bytes, p->start, true);
        }
    }
    copy = NULL;
    store_relaxed(&all_data, NULL); /* for its own children they are memory as any */
}

static void know_children(void)
{
    children_are_known = pthread_atfork(data_before_fork, data_in_parent, data_in_child) == 0;
}

/* ---- from here into the file ---- */

/* What the kernel knows of pages, a word for each; false: it does not say. */
static bool data_look(int pagemap, const char *at, size_t page, size_t n, uint64_t known[])
{
    size_t bytes = n * sizeof *known;
    return pagemap >= 0 &&
           pread(pagemap, known, bytes, (off_t)((uintptr_t)at / page * sizeof *known)) == (ssize_t)bytes;
}

static bool is_zero(const char *at, size_t bytes)
{
    return at[0] == 0 && memcmp(at, at + 1, bytes - 1) == 0;
}

/* Large arrays that nobody has touched yet have no memory: they are not to get it now. */
static void data_copy(char *to, const struct ep_rank_part *part)
{
    const char *from = part->start;
    size_t bytes = part->bytes;
    const uint64_t has_memory = (uint64_t)3 << 62; /* present, or swapped out */
    uint64_t known[LOOK];
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    int pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    for (size_t done = 0, n; done < bytes; done += n * page) {
        n = (bytes - done) / page < LOOK ? (bytes - done) / page : LOOK;
        bool knows = data_look(pagemap, from + done, page, n, known);
        for (size_t i = 0; i < n; i++) {
            size_t at = done + i * page;
            bool may_differ = at < part->given || !knows || (known[i] & has_memory);
            if (may_differ && !is_zero(from + at, page))
                memcpy(to + at, from + at, page);
        }
    }
    if (pagemap >= 0)
        close(pagemap);
}

static bool data_place(const struct rank_data *d, size_t n, bool private)
{
    for (size_t i = 0; i < n; i++) {
        const struct ep_rank_part *p = &d->parts[i];
        if (segment_place(&d->file, (size_t)(p->start - d->about.start), p->bytes, p->start, private))
            continue;
        data_place(d, i, true);
        return false;
    }
    return true;
}

static void data_publish(struct rank_data *d)
{
    d->next = load_acquire(&all_data);
    while (!cas_acq_rel(&all_data, &d->next, d))
        ;
}

/* Known to children before it is there: in between a child gets what it already has. */
static void data_share(struct rank_data *d)
{
    struct segment_key key;
    pthread_once(&once, know_children);
    if (!children_are_known || !segment_make(&d->file, d->about.bytes, &key))
        return;
    for (size_t i = 0; i < d->n; i++)
        data_copy(d->file.base + (d->parts[i].start - d->about.start), &d->parts[i]);
    segment_unmap(&d->file);
    data_publish(d);
    if (data_place(d, d->n, false)) {
        d->about.fd = d->file.fd;
        memcpy(d->about.id, key.id, sizeof key.id);
    } else {
        segment_free(&d->file);
    }
}

bool ep_rank_share_data(struct mpi_rank *rank, const struct ep_rank_part parts[], size_t n)
{
    if (n == 0)
        return true;
    struct rank_data *d = calloc(1, sizeof *d + n * sizeof parts[0]);
    if (!d)
        return false;
    d->n = n;
    memcpy(d->parts, parts, n * sizeof parts[0]);
    d->about = (struct ep_rank_data){.start = parts[0].start, .fd = -1};
    d->about.bytes = (size_t)(parts[n - 1].start + parts[n - 1].bytes - parts[0].start);
    d->file = (struct segment){.fd = -1};
    rank->data = d;
    if (rank->world->comm->domain->peers)
        data_share(d);
    return true;
}
