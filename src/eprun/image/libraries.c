/* SPDX-License-Identifier: BSD-3-Clause */
#include <dlfcn.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "eprun/image/libraries.h"

/* The list of libraries that ldconfig makes, as glibc has it since 2.2; texts count from the head's first
 * byte. */
struct cache_head {
    char magic[20];
    uint32_t entries, text_size;
    uint8_t flags, unused[3];
    uint32_t more[4];
};
struct cache_entry {
    int32_t flags;
    uint32_t name, path, system;
    uint64_t variant; /* for certain processors; 0: for all */
};

static const char cache_magic[] = "glibc-ld.so.cache1.1";

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const char *cache; /* NULL: none */
static size_t cache_size;
static Dl_serinfo *system_directories;

static void read_cache(void)
{
    int fd = open("/etc/ld.so.cache", O_RDONLY | O_CLOEXEC);
    struct stat s;
    const char *file = fd >= 0 && fstat(fd, &s) == 0
                           ? mmap(NULL, (size_t)s.st_size, PROT_READ, MAP_PRIVATE, fd, 0)
                           : MAP_FAILED;
    if (fd >= 0)
        close(fd);
    if (file == MAP_FAILED)
        return;
    const char *head = memmem(file, (size_t)s.st_size, cache_magic, sizeof cache_magic - 1);
    size_t size = head ? (size_t)s.st_size - (size_t)(head - file) : 0;
    if (size >= sizeof(struct cache_head)) {
        cache = head;
        cache_size = size;
    }
}

static void read_system(void)
{
    Dl_serinfo size;
    void *own = next_dlopen(NULL, RTLD_LAZY);
    read_cache();
    if (!own || dlinfo(own, RTLD_DI_SERINFOSIZE, &size) != 0)
        return;
    Dl_serinfo *directories = malloc(size.dls_size);
    if (directories && dlinfo(own, RTLD_DI_SERINFOSIZE, directories) == 0 &&
        dlinfo(own, RTLD_DI_SERINFO, directories) == 0)
        system_directories = directories;
    else
        free(directories);
}

/* Of the same kind of machine as eprun, or the dynamic linker goes on looking. */
static bool is_library(const char *path)
{
    struct elf elf;
    if (elf_open(&elf, path))
        return false;
    elf_close(&elf);
    return true;
}

static bool try_file(struct place *p, const char *directory, int length, const char *name)
{
    int n = snprintf(p->path, sizeof p->path, "%.*s/%s", length, directory, name);
    return n < (int)sizeof p->path && access(p->path, R_OK) == 0 && is_library(p->path);
}

/* A directory of a search path, with the object's directory for $ORIGIN. */
static bool try_directory(struct place *p, const char *object, const char *dir, int length, const char *name)
{
    const char *words[] = {"$ORIGIN", "${ORIGIN}"};
    const char *slash = strrchr(object, '/');
    for (int i = 0; i < 2; i++) {
        int n = (int)strlen(words[i]);
        p->by_origin = length >= n && strncmp(dir, words[i], (size_t)n) == 0;
        if (p->by_origin) {
            char full[PATH_MAX];
            int m = snprintf(full, sizeof full, "%.*s%.*s", slash ? (int)(slash - object) : 1,
                             slash ? object : ".", length - n, dir + n);
            return m < (int)sizeof full && try_file(p, full, m, name);
        }
    }
    return length > 0 && try_file(p, dir, length, name);
}

static bool try_path(struct place *p, const char *object, const char *path, const char *name)
{
    while (path && *path) {
        int n = (int)strcspn(path, ":;");
        if (try_directory(p, object, path, n, name))
            return true;
        path += n + (path[n] != 0);
    }
    return false;
}

static const char *search_path_of(const struct search_for *o, ElfW(Sxword) kind)
{
    size_t at = 0;
    return o->elf ? elf_string(o->elf, kind, &at) : NULL;
}

static const char *cache_text(uint32_t at)
{
    return at < cache_size && memchr(cache + at, 0, cache_size - at) ? cache + at : "";
}

static bool try_cache(struct place *p, const char *name)
{
    const struct cache_head *h = (const struct cache_head *)cache;
    if (!h || h->entries > (cache_size - sizeof *h) / sizeof(struct cache_entry))
        return false;
    const struct cache_entry *e = (const struct cache_entry *)(h + 1);
    for (size_t i = 0; i < h->entries; i++) {
        if (e[i].variant != 0 || strcmp(cache_text(e[i].name), name) != 0)
            continue;
        int n = snprintf(p->path, sizeof p->path, "%s", cache_text(e[i].path));
        if (n < (int)sizeof p->path && is_library(p->path))
            return true;
    }
    return false;
}

static bool try_system(struct place *p, const char *name)
{
    const Dl_serinfo *d = system_directories;
    for (unsigned i = 0; d && i < d->dls_cnt; i++) {
        if (try_file(p, d->dls_serpath[i].dls_name, (int)strlen(d->dls_serpath[i].dls_name), name))
            return true;
    }
    return false;
}

bool search(struct place *p, const struct search_for *o, const char *name)
{
    pthread_once(&once, read_system);
    p->by_origin = false;
    if (strchr(name, '/')) {
        int n = snprintf(p->path, sizeof p->path, "%s", name);
        return n < (int)sizeof p->path && is_library(name);
    }
    const char *runpath = search_path_of(o, DT_RUNPATH);
    for (const struct search_for *l = o; l && !runpath; l = l->loader) {
        if (!search_path_of(l, DT_RUNPATH) && try_path(p, l->path, search_path_of(l, DT_RPATH), name))
            return true;
    }
    if (try_path(p, o->path, secure_getenv("LD_LIBRARY_PATH"), name) || try_path(p, o->path, runpath, name))
        return true;
    p->by_origin = false;
    return try_cache(p, name) || try_system(p, name);
}

/* ---- what is known of libraries (libraries.def) ---- */

enum kind { PRIVATE, RUNTIME, NEVER, SAFE };

static const struct {
    enum kind kind;
    const char *pattern;
} libraries[] = {
#define LIBRARY(kind, pattern, why) {kind, pattern},
#include "eprun/image/libraries.def"
#undef LIBRARY
};

/* libx, libx.so.1 or a pattern; for libx.so.1.2 likewise. */
static bool stateful_matches(const char *pattern, const char *name)
{
    size_t n = strlen(pattern);
    return (strncmp(name, pattern, n) == 0 && (name[n] == 0 || name[n] == '.')) ||
           fnmatch(pattern, name, 0) == 0;
}

/* A word of the option: a path where it has a slash. */
static bool stateful_means(const char *word, const char *name, const char *path)
{
    if (!strchr(word, '/'))
        return stateful_matches(word, name) || stateful_matches(word, last_part(path));
    char *real = realpath(word, NULL);
    bool same = real && strcmp(real, path) == 0;
    free(real);
    return same;
}

bool stateful_is(const struct options *o, const char *name, const char *path)
{
    bool ask_known = true;
    for (const char *at = o->private_libraries; at && *at;) {
        char word[PATH_MAX];
        int n = (int)strcspn(at, ", ");
        snprintf(word, sizeof word, "%.*s", n, at);
        if (strcmp(word, "none") == 0)
            ask_known = false;
        else if (n > 0 && stateful_means(word, name, path))
            return true;
        at += n + (at[n] != 0);
    }
    /* Versions of them that call MPI cannot be copied and are not (object.c). */
    for (size_t i = 0; ask_known && i < sizeof libraries / sizeof *libraries; i++) {
        if (libraries[i].kind <= RUNTIME && stateful_means(libraries[i].pattern, name, path))
            return true;
    }
    return false;
}

static bool stateful_of_kind(enum kind kind, const char *name)
{
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
        if (libraries[i].kind == kind && stateful_matches(libraries[i].pattern, name))
            return true;
    }
    return false;
}

bool stateful_never(const char *name)
{
    return stateful_of_kind(NEVER, name);
}

bool stateful_is_runtime(const char *name)
{
    return stateful_of_kind(RUNTIME, name);
}

bool stateful_is_safe(const char *name)
{
    return stateful_of_kind(SAFE, name);
}
