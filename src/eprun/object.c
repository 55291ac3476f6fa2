/* SPDX-License-Identifier: BSD-3-Clause */
#include "eprun/object.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "eprun/eprun.h"

/* Where the dynamic linker would find what an object needs. */
struct place {
    char path[PATH_MAX];
    bool by_origin; /* of the object's directory: a copy elsewhere would not find it */
};

/* A directory of a search path, with the object's directory for $ORIGIN. */
static bool try_directory(struct place *p, const struct object *o, const char *dir, int length,
                          const char *name)
{
    const char *words[] = {"$ORIGIN", "${ORIGIN}"};
    const char *slash = strrchr(o->path, '/');
    for (int i = 0; i < 2; i++) {
        int n = (int)strlen(words[i]);
        p->by_origin = length >= n && strncmp(dir, words[i], (size_t)n) == 0;
        if (p->by_origin) {
            snprintf(p->path, sizeof p->path, "%.*s%.*s/%s", slash ? (int)(slash - o->path) : 1,
                     slash ? o->path : ".", length - n, dir + n, name);
            return access(p->path, R_OK) == 0;
        }
    }
    snprintf(p->path, sizeof p->path, "%.*s/%s", length, dir, name);
    return length > 0 && access(p->path, R_OK) == 0;
}

static bool try_path(struct place *p, const struct object *o, const char *path, const char *name)
{
    while (path && *path) {
        int n = (int)strcspn(path, ":");
        if (try_directory(p, o, path, n, name))
            return true;
        path += n + (path[n] == ':');
    }
    return false;
}

/* The system's own directories are left out: what lies there is nobody's private part. */
static bool find(struct place *p, const struct object *o, const char *name)
{
    size_t at = 0, also_at = 0;
    if (strchr(name, '/'))
        return try_directory(p, o, ".", 1, name);
    const char *runpath = elf_string(&o->elf, DT_RUNPATH, &at);
    const char *rpath = runpath ? NULL : elf_string(&o->elf, DT_RPATH, &also_at);
    return try_path(p, o, rpath, name) || try_path(p, o, getenv("LD_LIBRARY_PATH"), name) ||
           try_path(p, o, runpath, name);
}

static struct object *object_new(const struct elf *elf, const char *path)
{
    struct object *o = calloc(1, sizeof *o);
    char *own_path = realpath(path, NULL);
    if (!o || !own_path)
        abort();
    o->elf = *elf;
    o->path = own_path;
    elf_take_calls(&o->elf);
    return o;
}

static struct object *known(struct object *first, const char *path)
{
    char *real = realpath(path, NULL);
    while (real && first && strcmp(first->path, real) != 0)
        first = first->next;
    free(real);
    return first;
}

static void append(struct object **first, struct object *o)
{
    while (*first)
        first = &(*first)->next;
    *first = o;
}

/* A library of which all share one: loaded from its place now, it will be found by its SONAME. Without one it will
 * not, so its names become known to all, and nobody needs it any more: false. */
static bool load_by_origin(const struct elf *elf, const char *path)
{
    size_t at = 0;
    bool named = elf_string(elf, DT_SONAME, &at);
    bool loaded = dlopen(path, RTLD_NOW | (named ? RTLD_LOCAL : RTLD_GLOBAL));
    if (!loaded)
        message("%s", dlerror());
    return named || !loaded;
}

static struct object *find_private(struct object **first, const struct elf *elf, const char *path);

/* What o needs according to the entry before position. NULL: nothing of which there are copies. */
static struct object *find_library(struct object **first, struct object *o, const char *name, size_t position)
{
    struct place p;
    struct elf elf;
    if (!find(&p, o, name))
        return NULL;
    struct object *library = known(*first, p.path);
    if (library || elf_open(&elf, p.path))
        return library;
    if (elf_symbol(&elf, MARK))
        return find_private(first, &elf, p.path);
    if (p.by_origin && !load_by_origin(&elf, p.path))
        elf_drop(&o->elf, position);
    elf_close(&elf);
    return NULL;
}

static void find_needs(struct object **first, struct object *o)
{
    size_t position = 0;
    char *name;
    while ((name = elf_string(&o->elf, DT_NEEDED, &position))) {
        if (strlen(name) < sizeof o->name - 1)
            continue; /* no place for a copy's name */
        struct object *library = find_library(first, o, name, position);
        if (!library)
            continue;
        struct need *n = malloc(sizeof *n);
        if (!n)
            abort();
        *n = (struct need){o->needs, name, library};
        o->needs = n;
    }
}

static struct object *find_private(struct object **first, const struct elf *elf, const char *path)
{
    struct object *o = object_new(elf, path);
    o->mark = elf_symbol(elf, MARK);
    find_needs(first, o);
    append(first, o);
    return o;
}

struct object *object_find_all(const char *path)
{
    struct elf elf;
    struct object *first = NULL;
    const char *wrong = elf_open(&elf, path);
    if (!wrong && !(elf_symbol(&elf, "ep_image_main") && elf_symbol(&elf, "ep_image_finish")))
        wrong = "it is a library without main";
    if (wrong) {
        message("%s was not built with epcc: %s", path, wrong);
        return NULL;
    }
    struct object *program = object_new(&elf, path);
    find_needs(&first, program);
    append(&first, program);
    return first;
}

void object_rename_all(struct object *first)
{
    static unsigned copies;
    for (struct object *o = first; o; o = o->next) {
        snprintf(o->name, sizeof o->name, "~%05x", copies++ & 0xfffff);
        elf_rename(&o->elf, MARK, o->name);
    }
    for (struct object *o = first; o; o = o->next) {
        for (struct need *n = o->needs; n; n = n->next) {
            strcpy(n->text, n->object->name);
            o->elf.strings_changed = true;
        }
    }
}
