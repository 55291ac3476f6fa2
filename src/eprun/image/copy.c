/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies are files in memory. Where a tool wants to read more of them than the dynamic linker, they are
 * complete, and valgrind gets true files, since it follows their names.
 */
#include "eprun/image/image.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/base.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool whole;               /* for a debugger, a sanitizer */
static char temporary[PATH_MAX]; /* made here, removed with all that is in it */

bool copy_is_sanitized(void)
{
    static const char *const names[] = {"__asan_init", "__tsan_init", "__lsan_init"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (dlsym(RTLD_DEFAULT, names[i]))
            return true;
    }
    return false;
}

static bool is_traced(void)
{
    FILE *f = fopen("/proc/self/status", "r");
    char line[256];
    int tracer = 0;
    while (f && fgets(line, sizeof line, f)) {
        if (sscanf(line, "TracerPid: %d", &tracer) == 1)
            break;
    }
    if (f)
        fclose(f);
    return tracer != 0;
}

/* Its name holds as long as the descriptor is open, and for other processes, too (debuggers). */
static void make_memory(struct copy *c, const char *name)
{
    c->fd = memfd_create(name, MFD_CLOEXEC);
    snprintf(c->path, sizeof c->path, "/proc/%ld/fd/%d", (long)getpid(), c->fd);
}

/* Some systems forbid them, and without /proc they have no name. */
static bool has_memory_files(void)
{
    struct copy probe;
    make_memory(&probe, "eprun");
    bool named = probe.fd >= 0 && access(probe.path, R_OK) == 0;
    if (probe.fd >= 0)
        close(probe.fd);
    return named;
}

static bool is_under_valgrind(void)
{
    const char *preload = getenv("LD_PRELOAD");
    return preload && strstr(preload, "vgpreload");
}

bool copy_is_watched(void)
{
    return is_traced() || copy_is_sanitized() || is_under_valgrind();
}

static void find_tools(void)
{
    const char *dir = secure_getenv("TMPDIR");
    whole = is_traced() || copy_is_sanitized();
    if (!is_under_valgrind() && has_memory_files())
        return;
    int n = snprintf(temporary, sizeof temporary, "%s/eprun-XXXXXX", dir ? dir : "/tmp");
    if (n >= (int)sizeof temporary || !mkdtemp(temporary))
        temporary[0] = 0;
}

void copy_clean(void)
{
    DIR *dir = temporary[0] ? opendir(temporary) : NULL;
    if (!dir)
        return;
    for (struct dirent *d = readdir(dir); d; d = readdir(dir))
        unlinkat(dirfd(dir), d->d_name, 0);
    closedir(dir);
    rmdir(temporary);
}

static void make_file(struct copy *c, const char *dir, const struct eprun_rank *e, const char *name,
                      unsigned number)
{
    char end[16] = "";
    c->fd = -1;
    errno = ENAMETOOLONG;
    if (number > 0)
        snprintf(end, sizeof end, ".%u", number);
    if (snprintf(c->path, sizeof c->path, "%s/%s.%d%s", dir, name, e->rank, end) >= (int)sizeof c->path)
        return;
    unlink(c->path); /* another job may still use that file */
    c->fd = open(c->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0700);
}

static const char *copy_directory(const struct options *o)
{
    pthread_once(&once, find_tools);
    return o->image_dir ? o->image_dir : temporary;
}

size_t copy_path_room(const struct options *o)
{
    return copy_directory(o)[0] ? PATH_MAX : sizeof "/proc//fd/" + 2 * 10;
}

bool copy_is_whole(const struct options *o)
{
    return copy_directory(o)[0] || o->debug || whole;
}

static void copy_complain(const char *name)
{
    message("no copy of %s for this endpoint: %s", name, strerror(errno));
}

bool copy_make(struct copy *c, const struct eprun_rank *e, const char *name, unsigned number)
{
    const char *dir = copy_directory(e->options);
    c->memory = !dir[0];
    c->whole = copy_is_whole(e->options);
    if (c->memory)
        make_memory(c, name);
    else
        make_file(c, dir, e, name, number);
    if (c->fd < 0)
        copy_complain(name);
    return c->fd >= 0;
}

bool copy_write(struct copy *c, const struct elf *elf, const char *name)
{
    size_t size = elf->more_offset + elf->more_size;
    bool fits = file_may_have(size);
    bool ok = fits && elf_write(elf, c->fd, c->whole);
    if (!fits)
        message("no copy of %s for this endpoint: files may not have its %zu bytes (ulimit -f)", name, size);
    else if (!ok)
        copy_complain(name);
    if (!c->memory || !ok)
        close(c->fd);
    return ok;
}

/* False: the copy's own is still there. */
static bool share_segment(const struct copy *c, int fd, ElfW(Addr) base, const ElfW(Phdr) * s)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t from = s->p_offset / page * page, to = s->p_offset + s->p_filesz;
    char *address = (char *)(base + s->p_vaddr - (s->p_offset - from));
    int protection = (s->p_flags & PF_R ? PROT_READ : 0) | (s->p_flags & PF_X ? PROT_EXEC : 0);
    if (mmap(address, to - from, protection, MAP_PRIVATE | MAP_FIXED, fd, (off_t)from) == MAP_FAILED)
        return false;
    from = (s->p_offset + page - 1) / page * page;
    to = to / page * page; /* what is partly another segment's stays */
    if (from < to)
        fallocate(c->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)from, (off_t)(to - from));
    return true;
}

/* Pages of a writable segment: the copy's own when they are written to. */
static bool share_runs(const struct elf *elf, ElfW(Addr) base, const ElfW(Phdr) * s)
{
    for (size_t i = 0; i < elf->nruns; i++) {
        const struct elf_run *r = &elf->runs[i];
        if (r->from < s->p_offset || r->to > s->p_offset + s->p_filesz)
            continue;
        char *address = (char *)(base + s->p_vaddr + (r->from - s->p_offset));
        if (mmap(address, r->to - r->from, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, elf->fd, (off_t)r->from) ==
            MAP_FAILED)
            return false;
    }
    return true;
}

bool copy_share(const struct copy *c, const struct elf *elf, ElfW(Addr) base, int *first)
{
    bool ok = true;
    if (!c->memory || c->whole)
        return true;
    for (int i = 0; i < elf_header(elf)->e_phnum && ok; i++) {
        const ElfW(Phdr) *s = elf_segments(elf) + i;
        enum elf_origin origin = s->p_type == PT_LOAD ? elf_origin(elf, s) : ELF_OWN;
        if (origin == ELF_FILE)
            ok = share_segment(c, elf->fd, base, s) || i >= 64 || !(elf->unread >> i & 1);
        else if (origin == ELF_COPIES && *first >= 0)
            share_segment(c, *first, base, s);
        else if (s->p_type == PT_LOAD && (s->p_flags & PF_W))
            ok = share_runs(elf, base, s);
    }
    if (*first < 0)
        *first = c->fd;
    return ok;
}
