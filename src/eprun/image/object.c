/* SPDX-License-Identifier: BSD-3-Clause */
#include "eprun/image/image.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MARK "ep_image_mark" /* src/image/mark.c */

/* Libraries that stay one for all endpoints though they could be private. They are never taken away. */
struct shared {
    struct shared *next;
    char name[];
};

static struct shared *all_shared;

static void object_free(struct object *o)
{
    for (struct need *n = o->needs; n; n = o->needs) {
        o->needs = n->next;
        free(n);
    }
    if (o->elf.bytes)
        elf_close(&o->elf);
    free(o->path);
    free(o->soname);
    free(o->wanted);
    free(o);
}

/* NULL: no memory. elf is the object's then. */
static struct object *object_new(struct elf *elf, const char *path, const char *wanted)
{
    size_t at = 0;
    const char *soname = elf_string(elf, DT_SONAME, &at);
    struct object *o = calloc(1, sizeof *o);
    if (!o)
        return NULL;
    o->first_copy = -1;
    o->path = realpath(path, NULL);
    o->soname = soname ? strdup(soname) : NULL;
    o->wanted = wanted ? strdup(wanted) : NULL;
    if (!o->path || (soname && !o->soname) || (wanted && !o->wanted)) {
        object_free(o);
        return NULL;
    }
    o->elf = *elf;
    o->name = last_part(o->path);
    o->is_runtime = stateful_is_runtime(soname ? soname : o->name);
    o->is_safe = stateful_is_safe(soname ? soname : o->name);
    o->mark = elf_symbol(elf, MARK);
    o->from = (struct search_for){.elf = &o->elf, .path = o->path};
    return o;
}

static void objects_free(struct objects *all)
{
    for (struct object *o = all->first; o; o = all->first) {
        all->first = o->next;
        object_free(o);
    }
    free(all);
}

static void object_append(struct objects *all, struct object *o)
{
    struct object **end = &all->first;
    while (*end)
        end = &(*end)->next;
    *end = o;
}

static bool object_has_name(const struct object *o, const char *name)
{
    return name &&
           ((o->soname && strcmp(o->soname, name) == 0) || (o->wanted && strcmp(o->wanted, name) == 0));
}

struct object *objects_find(const struct objects *all, const char *name, const char *path)
{
    for (bool own = true; all; all = all->outer, own = false) {
        for (struct object *o = all->first; o; o = o->next) {
            if ((own || o->is_private) && (object_has_name(o, name) || (path && strcmp(o->path, path) == 0)))
                return o;
        }
    }
    return NULL;
}

static void object_no_memory(const char *path)
{
    message("%s: no memory to load it", path);
}

/* Is it loaded under that name, before any program was or as one for all? So it stays; *is_mpi: it is the MPI
 * underneath. A run-time system that is here is that of others. */
static bool object_is_here(const char *name, bool *is_mpi)
{
    *is_mpi = false;
    if (stateful_is_runtime(last_part(name)))
        return false;
    void *library = next_dlopen(name, RTLD_LAZY | RTLD_NOLOAD);
    void *mpi = dlsym(RTLD_DEFAULT, "PMPI_Init");
    struct link_map *map;
    Dl_info info;
    *is_mpi = library && mpi && dladdr(mpi, &info) && dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 &&
              info.dli_fbase == (void *)map->l_addr;
    if (library)
        dlclose(library);
    return library;
}

/* What has that name, new or known, in *found; NULL: it is nowhere, or cannot be read. False: no memory. */
static bool find_library(struct objects *all, struct object *o, const char *name, struct object **found)
{
    struct place p;
    struct elf elf;
    *found = objects_find(all, name, NULL);
    if (*found || !search(&p, &o->from, name))
        return true;
    char *path = realpath(p.path, NULL);
    *found = path ? objects_find(all, NULL, path) : NULL;
    free(path);
    if (!path || *found || elf_open(&elf, p.path))
        return true;
    *found = object_new(&elf, p.path, strchr(name, '/') ? NULL : name);
    if (!*found) {
        elf_close(&elf);
        return false;
    }
    (*found)->from.loader = &o->from;
    (*found)->by_origin = p.by_origin;
    object_append(all, *found);
    return true;
}

static struct need *need_new(struct object *o, struct need need)
{
    struct need **end = &o->needs, *n = malloc(sizeof *n);
    if (!n)
        return NULL;
    *n = need;
    while (*end)
        end = &(*end)->next;
    return *end = n;
}

/* False: no memory. */
static bool find_needs(struct objects *all, struct object *o)
{
    size_t position = 0;
    const char *name;
    while ((name = elf_string(&o->elf, DT_NEEDED, &position))) {
        bool is_mpi;
        struct object *library;
        if (object_is_here(name, &is_mpi)) {
            o->stays |= is_mpi && !o->mark;
            continue;
        }
        if (!find_library(all, o, name, &library))
            return false;
        if (!library)
            continue;
        if (!need_new(o, (struct need){.position = position, .object = library}))
            return false;
    }
    return true;
}

/* Whatever the root needs, in the order in which the dynamic linker loads. */
static bool find_all(struct objects *all)
{
    for (struct object *o = all->first; o; o = o->next) {
        if (!find_needs(all, o))
            return false;
    }
    return true;
}

/* One step along all needs; false: nothing was new. Down: what is used by one that stays stays. Up: what
 * needs a private one is private. Neither goes past run-time systems to those that have another one. */
static bool object_spread(const struct objects *all, bool down)
{
    bool any = false;
    for (struct object *o = all->first; o; o = o->next) {
        for (const struct need *n = o->needs; n; n = n->next) {
            struct object *to = n->object;
            if (down && o->stays && !to->stays && !to->mark && !to->is_private && !to->is_runtime)
                any = to->stays = true;
            if (!down && to->is_private && !o->is_private && !o->stays && !o->is_safe)
                any = o->is_private = true;
        }
    }
    return any;
}

/* Is that defined by one of which there are copies? Then what the process has in common comes first, as for
 * the dynamic linker. */
static bool is_of_private(const struct objects *all, const char *name)
{
    for (; all; all = all->outer) {
        for (const struct object *o = all->first; o; o = o->next) {
            if (o->is_private && elf_symbol(&o->elf, name) && !dlsym(RTLD_DEFAULT, name))
                return true;
        }
    }
    return false;
}

/* A plug-in that calls its program need not name it. */
static bool wants_private(const struct objects *all, const struct object *o)
{
    size_t n = 0;
    const ElfW(Sym) *s = elf_symbols(&o->elf, &n);
    for (size_t i = 1; s && i < n; i++) {
        if (s[i].st_shndx == SHN_UNDEF && is_of_private(all, elf_symbol_name(&o->elf, &s[i])))
            return true;
    }
    return false;
}

static bool spread_by_symbols(const struct objects *all)
{
    bool any = false;
    for (struct object *o = all->first; o; o = o->next) {
        if (!o->is_private && !o->stays && !o->is_safe && wants_private(all, o))
            any = o->is_private = true;
    }
    return any;
}

static bool is_named(const struct options *options, const struct object *o)
{
    return !o->mark && (stateful_is(options, o->wanted ? o->wanted : o->name, o->path) ||
                        (o->soname && stateful_is(options, o->soname, o->path)));
}

static void object_decide(const struct options *options, const struct objects *all)
{
    for (struct object *o = all->first; o; o = o->next)
        o->stays |= !o->mark && stateful_never(o->soname ? o->soname : o->name);
    while (object_spread(all, true))
        ;
    for (struct object *o = all->first; o; o = o->next) {
        o->is_private |= o->mark || (is_named(options, o) && !o->stays);
        if (options->verbose && o->stays && is_named(options, o))
            message(
                "%s is one for all endpoints, since the MPI underneath or a library that calls it uses it",
                o->name);
    }
    while (object_spread(all, false) || spread_by_symbols(all))
        ;
}

static bool has_need(const struct object *o, const struct object *of)
{
    const struct need *n = o->needs;
    while (n && n->object != of)
        n = n->next;
    return n;
}

/* Of a run-time system two may be loaded, the rank's copy and the one of libraries that are one for all. Private ones must find the
 * copy first, and the dynamic linker looks first in what the root itself needs. False: no memory. */
static bool need_runtimes(struct objects *all)
{
    struct object *root = all->root;
    for (const struct object *o = all->first; o && root->is_private; o = o->next) {
        for (const struct need *n = o->needs; n && o->is_private; n = n->next) {
            struct object *to = n->object;
            if (to->is_runtime && to->is_private && !has_need(root, to) && !need_new(root, (struct need){.object = to}))
                return false;
        }
    }
    return true;
}

static bool uses_runtime(const struct object *o)
{
    const struct need *n = o->needs;
    while (n && !n->object->is_runtime)
        n = n->next;
    return n;
}

/* Two kinds of libraries of which all share one are loaded before any copy, the last ones first: others need them. Those that a copy
 * would not find: loaded from its place now, one will be found by its SONAME. Without one it will not, so its names become known to
 * all, and nobody needs it any more. And those with a run-time system of their own: loaded with a copy, they would find that rank's. */
static void load_shared(struct object *o)
{
    if (!o)
        return;
    load_shared(o->next);
    if (o->is_private || !(o->by_origin || uses_runtime(o)))
        return;
    bool nameless = o->by_origin && !o->soname;
    bool loaded = next_dlopen(o->path, RTLD_NOW | (nameless ? RTLD_GLOBAL : RTLD_LOCAL));
    if (!loaded)
        message("%s", dlerror());
    o->dropped = loaded && nameless;
}

/* The run-time system of these writes to stdout at once: how the job ends is not told to it. Before the program's threads read the
 * environment. */
static void load_shared_of_program(struct object *first)
{
    static const char name[] = "GFORTRAN_UNBUFFERED_PRECONNECTED";
    bool any = false;
    for (const struct object *o = first; o; o = o->next)
        any |= !o->is_private && uses_runtime(o);
    bool new = any && !getenv(name) && setenv(name, "y", 1) == 0;
    load_shared(first);
    if (new)
        unsetenv(name);
}

/* Private ones alone, each after what it needs: o with what it needs goes to *end; where the next one
 * goes. */
static struct object **put_in_order(struct object *o, struct object **end)
{
    o->visited = true;
    for (struct need *n = o->needs; n; n = n->next) {
        if (n->object->is_private && !n->object->visited)
            end = put_in_order(n->object, end);
    }
    o->next = NULL;
    *end = o;
    return &o->next;
}

bool object_is_shared(const char *path)
{
    const struct shared *s = __atomic_load_n(&all_shared, __ATOMIC_ACQUIRE);
    while (s && strcmp(s->name, last_part(path)) != 0)
        s = s->next;
    return s;
}

/* By all names that the dynamic linker may give it: with links or without. */
static void keep_shared(const char *name)
{
    struct shared *s = name && !object_is_shared(name) ? malloc(sizeof *s + strlen(name) + 1) : NULL;
    if (!s)
        return; /* a hint less */
    strcpy(s->name, name);
    s->next = all_shared;
    __atomic_store_n(&all_shared, s, __ATOMIC_RELEASE);
}

/* The shared ones, when nobody points at them any more. */
static void forget_shared(struct object *first)
{
    while (first) {
        struct object *o = first;
        first = o->next;
        if (o->is_private)
            continue;
        if (!o->stays) {
            keep_shared(o->name);
            keep_shared(o->wanted);
        }
        object_free(o);
    }
}

/* A variable of libstdc++'s is that one's, of which all have one. NULL: the object does not use it. */
static void *load_libstdcxx(const struct elf *elf)
{
    size_t at = 0;
    const char *name;
    while ((name = elf_string(elf, DT_NEEDED, &at))) {
        if (strncmp(name, "libstdc++.so.", 13) == 0)
            return next_dlopen(name, RTLD_LAZY);
    }
    return NULL;
}

/* What its copies have in another way than the file. False: no memory, or it cannot be. */
static bool object_change(const struct options *options, struct object *o, size_t others)
{
    for (struct need *n = o->needs; n; n = n->next) {
        if (n->object->is_private)
            n->slot = o->slots++;
    }
    size_t text = o->is_runtime ? runtime_text_room() : 0;
    if (!elf_extend(&o->elf, o->slots + others, copy_path_room(options), text, copy_is_whole(options)) ||
        (o->is_runtime && !runtime_change(&o->elf)))
        return false;
    for (struct need **at = &o->needs, *n = *at; n; n = *at) {
        if (n->object->is_private) {
            at = &n->next;
            continue;
        }
        if (n->object->dropped)
            elf_drop(&o->elf, n->position);
        *at = n->next;
        free(n);
    }
    for (const struct need *n = o->needs; n; n = n->next) {
        if (n->position > 0 && !elf_redirect(&o->elf, n->position, n->slot))
            return false;
    }
    elf_take_over(&o->elf);
    for (const struct need *n = o->needs; n; n = n->next) {
        if (n->position == 0 && !elf_add_need(&o->elf, n->slot))
            return false;
    }
    for (size_t i = 0; i < others; i++) {
        if (!elf_add_need(&o->elf, o->slots + i))
            return false;
    }
    elf_make_private(&o->elf, load_libstdcxx(&o->elf));
    return true;
}

static void find_unread(struct object *first)
{
    bool direct = true;
    for (struct object *o = first; o; o = o->next)
        direct &= elf_is_direct(&o->elf);
    for (struct object *o = first; o && direct; o = o->next)
        elf_find_unread(&o->elf);
}

static bool change_all(const struct options *options, struct objects *all, size_t others)
{
    if (!need_runtimes(all)) {
        object_no_memory(all->root->path);
        return false;
    }
    struct object *found = all->first, *shared = NULL;
    if (all->outer)
        load_shared(found);
    else
        load_shared_of_program(found);
    for (struct object *o = found, *next; o; o = next) {
        next = o->next;
        if (!o->is_private) {
            o->next = shared;
            shared = o;
        }
    }
    put_in_order(all->root, &all->first);
    bool ok = true;
    for (struct object *o = all->first; o; o = o->next) {
        if (o != all->root)
            o->from.loader = &all->root->from;
        if (ok && !object_change(options, o, o == all->root ? others : 0)) {
            message("%s cannot be copied: no memory, or no room for names", o->path);
            ok = false;
        }
    }
    if (ok)
        find_unread(all->first);
    forget_shared(shared);
    return ok;
}

static const char *open_root(struct objects **all, const char *path, const struct objects *outer)
{
    struct elf elf;
    const char *wrong = elf_open(&elf, path);
    if (wrong)
        return wrong;
    *all = calloc(1, sizeof **all);
    struct object *root = *all ? object_new(&elf, path, NULL) : NULL;
    if (!root) {
        elf_close(&elf);
        free(*all);
        return "no memory to load it";
    }
    **all = (struct objects){.first = root, .root = root, .outer = outer};
    return NULL;
}

struct objects *objects_of_program(const struct options *o)
{
    struct objects *all;
    const char *wrong = open_root(&all, o->path, NULL);
    if (!wrong &&
        !(elf_symbol(&all->root->elf, "ep_image_main") && elf_symbol(&all->root->elf, "ep_image_finish")))
        wrong = "it is a library without main";
    if (wrong) {
        message("%s was not built with epcc: %s", o->path, wrong);
        return NULL;
    }
    all->root->is_private = true;
    if (!find_all(all)) {
        object_no_memory(o->path);
        return NULL;
    }
    all->root->stays = false;
    object_decide(o, all);
    return change_all(o, all, 0) ? all : NULL;
}

struct objects *objects_of_plugin(const struct options *o, const char *path, const struct objects *outer,
                                  size_t others, bool *shared)
{
    struct objects *all;
    *shared = open_root(&all, path, outer); /* the dynamic linker will say why */
    if (*shared)
        return NULL;
    if (!find_all(all)) {
        object_no_memory(path);
        return NULL;
    }
    object_decide(o, all);
    *shared = !all->root->is_private;
    if (*shared) {
        keep_shared(all->root->name);
        objects_free(all);
        return NULL;
    }
    return change_all(o, all, others) ? all : NULL;
}
