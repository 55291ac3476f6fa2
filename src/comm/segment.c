/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Segments: a page with the id, then the users' memory.
 *
 * How the others know that they have the right file: pids and descriptors may be those of something else (another
 * container, a descriptor that was closed and opened anew). The file's name carries the id and is read as the link's
 * text before anything is opened, as opening a strange descriptor may block or act on a device; the id in the memory
 * proves it once more for what was then opened.
 *
 * Pages come with their first touch, from the NUMA node of the thread that touches them, as with malloc; so nothing is
 * allocated beforehand (fallocate would put them all where the maker runs, and takes half a second for a gigabyte).
 * Touching must not fail, though. It does not where the kernel hands out memory on trust (overcommit_memory 0, 1);
 * there, as for malloc, only more than the machine has is refused. Where it keeps account (2) a touch would fail with
 * SIGBUS, and so the pages are allocated.
 */
#include "comm/segment.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "comm/comm.h"

enum { NAME_MAX_BYTES = 64, PATH_BYTES = 96 };

static size_t segment_page(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

/* ---- is there memory? ---- */

/* What the kernel does with promises: /proc/sys/vm/overcommit_memory. */
static char segment_overcommit(void)
{
    char mode = '0';
    int fd = open("/proc/sys/vm/overcommit_memory", O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return mode;
    if (read(fd, &mode, 1) != 1)
        mode = '0';
    close(fd);
    return mode;
}

static bool give_size(int fd, size_t bytes)
{
    char mode = segment_overcommit();
    if (!file_may_have(bytes) || (mode == '0' && bytes > memory_at_most()) ||
        ftruncate(fd, (off_t)bytes) != 0)
        return false;
    int rc = mode == '2' ? posix_fallocate(fd, 0, (off_t)bytes) : 0;
    while (rc == EINTR)
        rc = posix_fallocate(fd, 0, (off_t)bytes);
    return rc == 0;
}

/* ---- the file ---- */

static void compose_name(const struct segment_key *key, char name[NAME_MAX_BYTES])
{
    snprintf(name, NAME_MAX_BYTES, "ep-%016llx%016llx", (unsigned long long)key->id[0],
             (unsigned long long)key->id[1]);
}

/* Bytes of the file; 0: more than there can be. */
static size_t segment_room_for(uint64_t bytes)
{
    size_t unit = segment_page();
    return bytes > (uint64_t)LONG_MAX - 2 * unit ? 0 : unit + ((size_t)bytes + unit - 1) / unit * unit;
}

/* Large ones begin where a large page does, so that what is at a multiple of that in the file is so in every mapping. What is
 * reserved beyond room is given back. */
static void *segment_map_aligned(int fd, size_t room)
{
    size_t more = room >= 2 * SEGMENT_ALIGN ? SEGMENT_ALIGN : 0;
    char *all = mmap(NULL, room + more, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (all == MAP_FAILED)
        return MAP_FAILED;
    size_t before = more ? (size_t)(-(uintptr_t)all % SEGMENT_ALIGN) : 0;
    if (before > 0)
        munmap(all, before);
    if (more - before > 0)
        munmap(all + before + room, more - before);
    void *at = mmap(all + before, room, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0);
    if (at == MAP_FAILED)
        munmap(all + before, room);
    return at;
}

static bool segment_map(struct segment *s, int fd, size_t room)
{
    void *all = segment_map_aligned(fd, room);
    if (all == MAP_FAILED)
        return false;
    *s = (struct segment){.base = (char *)all + segment_page(), .all = all, .room = room, .fd = -1};
    return true;
}

bool segment_make(struct segment *s, size_t bytes, struct segment_key *key)
{
    char name[NAME_MAX_BYTES];
    *s = (struct segment){.fd = -1};
    *key = (struct segment_key){.pid = getpid(), .id = {random_id(), random_id()}, .bytes = bytes};
    compose_name(key, name);
    size_t room = segment_room_for(bytes);
    int fd = room > 0 ? memfd_create(name, MFD_CLOEXEC) : -1;
    if (fd < 0)
        return false;
    if (!give_size(fd, room) || !segment_map(s, fd, room)) {
        close(fd);
        return false;
    }
    memcpy(s->all, key->id, sizeof key->id);
    s->fd = fd;
    key->fd = fd;
    return true;
}

/* Does the link lead to the file that key means? */
static bool segment_has_name(const char *path, const struct segment_key *key)
{
    char name[NAME_MAX_BYTES], link[NAME_MAX_BYTES + 32];
    ssize_t n = readlink(path, link, sizeof link - 1);
    compose_name(key, name);
    link[n > 0 ? n : 0] = '\0';
    return strncmp(link, "/memfd:", 7) == 0 && strncmp(link + 7, name, strlen(name)) == 0;
}

/* Map what fd is, if that is what key means. */
static bool map_right(struct segment *s, int fd, const struct segment_key *key)
{
    struct stat about;
    size_t room = segment_room_for(key->bytes);
    if (fstat(fd, &about) != 0 || room == 0 || about.st_size != (off_t)room || !segment_map(s, fd, room))
        return false;
    if (memcmp(s->all, key->id, sizeof key->id) == 0)
        return true;
    segment_free(s);
    return false;
}

bool segment_open(struct segment *s, const struct segment_key *key)
{
    char path[PATH_BYTES];
    *s = (struct segment){.fd = -1};
    snprintf(path, sizeof path, "/proc/%lld/fd/%lld", (long long)key->pid, (long long)key->fd);
    int fd = segment_has_name(path, key) ? open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK) : -1;
    if (fd < 0)
        return false;
    bool ok = map_right(s, fd, key);
    close(fd);
    return ok;
}

bool segment_place(const struct segment *s, size_t offset, size_t bytes, void *at, bool private)
{
    return mmap(at, bytes, PROT_READ | PROT_WRITE, MAP_FIXED | (private ? MAP_PRIVATE : MAP_SHARED), s->fd,
                (off_t)(segment_page() + offset)) != MAP_FAILED;
}

/* From where on is there data; where does it end? Systems that cannot say that: all is. */
static off_t segment_seek(int fd, off_t from, off_t end, int whence)
{
    off_t at = lseek(fd, from, whence);
    if (at < 0 || at > end)
        return whence == SEEK_DATA && (at > end || errno == ENXIO) ? end : whence == SEEK_DATA ? from : end;
    return at;
}

bool segment_read(const struct segment *s, size_t bytes, char *to)
{
    off_t front = (off_t)segment_page(), end = front + (off_t)bytes;
    for (off_t at = segment_seek(s->fd, front, end, SEEK_DATA); at < end;
         at = segment_seek(s->fd, at, end, SEEK_DATA)) {
        off_t until = segment_seek(s->fd, at, end, SEEK_HOLE);
        while (at < until) {
            ssize_t n = pread(s->fd, to + (at - front), (size_t)(until - at), at);
            if (n <= 0)
                return false;
            at += n;
        }
    }
    return true;
}

void segment_unmap(struct segment *s)
{
    if (s->all)
        munmap(s->all, s->room);
    s->all = s->base = NULL;
}

void segment_seal(struct segment *s)
{
    if (s->fd >= 0)
        close(s->fd);
    s->fd = -1;
}

void segment_free(struct segment *s)
{
    segment_seal(s);
    segment_unmap(s);
    *s = (struct segment){.fd = -1};
}
