/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The dynamic linker loads copies but runs no function of them: constructors and destructors are called from
 * here, so that the program may end in a constructor without the linker's lock, and ends when its endpoint
 * ends, not when the process does. All of a group are loaded by one call, as they may need each other, and so
 * that each finds symbols where it would in a process: in the root, then in its libraries.
 */
#include "eprun/image/image.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef void constructor(int argc, char **argv, char **envp);
typedef void destructor(void);

struct part *group_root(struct copy_group *g)
{
    return &g->parts[g->n - 1];
}

struct part *group_part(struct copy_group *g, part_test *is_it, const void *what)
{
    for (; g; g = g->older) {
        for (int i = 0; i < g->n; i++) {
            if (is_it(&g->parts[i], what))
                return &g->parts[i];
        }
    }
    return NULL;
}

bool part_has_base(const struct part *p, const void *base)
{
    return p->base == *(const ElfW(Addr) *)base;
}

bool part_has_object(const struct part *p, const void *object)
{
    return p->object == object;
}

bool part_has_address(const struct part *p, const void *address)
{
    const struct elf *elf = &p->object->elf;
    ElfW(Addr) a = *(const ElfW(Addr) *)address;
    return a >= p->base && a - p->base < elf->more_address + elf->more_size;
}

static struct copy_group *parts_group_new(struct objects *objects)
{
    size_t n = 0;
    for (const struct object *o = objects->first; o; o = o->next)
        n++;
    struct copy_group *g = calloc(1, sizeof *g + n * sizeof(struct part));
    if (!g)
        return NULL;
    g->objects = objects;
    for (const struct object *o = objects->first; o; o = o->next)
        g->parts[g->n++].object = o;
    return g;
}

static const char *parts_name_of(const struct copy_group *g, int i, const struct eprun_rank *e)
{
    const struct object *o = g->parts[i].object;
    return o == g->objects->root && !g->older ? image_name(e->options) : o->name;
}

/* The file of each knows the paths of those that it needs. */
static bool write_copies(struct copy_group *g, const struct eprun_rank *e, unsigned number,
                         const char *const paths[], size_t npaths)
{
    for (int i = 0; i < g->n; i++) {
        bool program = i + 1 == g->n && !g->older;
        if (!copy_make(&g->parts[i].copy, e, parts_name_of(g, i, e), program ? 0 : number + (unsigned)i + 1))
            return false;
    }
    for (int i = 0; i < g->n; i++) {
        const struct object *o = g->parts[i].object;
        for (const struct need *n = o->needs; n; n = n->next)
            strcpy(elf_slot(&o->elf, n->slot), group_part(g, part_has_object, n->object)->copy.path);
        for (size_t k = 0; o == g->objects->root && k < npaths; k++)
            strcpy(elf_slot(&o->elf, o->slots + k), paths[k]);
        if (!copy_write(&g->parts[i].copy, &o->elf, parts_name_of(g, i, e)))
            return false;
    }
    return true;
}

/* False after a message. */
static bool parts_take_part(struct part *part, struct object *o)
{
    struct link_map *map;
    part->handle = next_dlopen(part->copy.path, RTLD_LAZY | RTLD_NOLOAD);
    if (!part->handle || dlinfo(part->handle, RTLD_DI_LINKMAP, &map) != 0 || image_has_other(map->l_addr)) {
        message("%s: the dynamic linker gives no copy of its own to this endpoint", o->path);
        return false;
    }
    if (!copy_share(&part->copy, &o->elf, map->l_addr, &o->first_copy)) {
        message("%s cannot be mapped for this endpoint: %s", o->path, strerror(errno));
        return false;
    }
    part->calls = o->elf.calls;
    ElfW(Addr) finish = o->mark ? o->mark : elf_symbol(&o->elf, "ep_image_finish");
    if (o->mark)
        memcpy(&part->finish, (void *)(map->l_addr + finish), sizeof part->finish);
    else if (finish)
        part->finish = (void (*)(int))(map->l_addr + finish);
    part->base = map->l_addr;
    return true;
}

static void parts_complain(const struct copy_group *g)
{
    const char *reason = dlerror();
    message("%s: %s", g->objects->root->path, reason);
    if (strstr(reason, "static TLS"))
        message("GLIBC_TUNABLES=glibc.rtld.optional_static_tls=1000000 makes room for more copies");
}

struct copy_group *group_load(struct objects *objects, const struct eprun_rank *e, unsigned number,
                              const char *const paths[], size_t npaths, bool silent)
{
    struct copy_group *g = parts_group_new(objects);
    if (!g) {
        message("%s: no memory for this endpoint's copy", objects->root->path);
        return NULL;
    }
    g->older = e->image ? image_groups(e->image) : NULL;
    if (!write_copies(g, e, number, paths, npaths))
        return NULL;
    if (!next_dlopen(group_root(g)->copy.path, RTLD_NOW | RTLD_LOCAL)) {
        if (!silent)
            parts_complain(g);
        return NULL;
    }
    struct object *o = objects->first;
    for (int i = 0; i < g->n; i++, o = o->next) {
        if (!parts_take_part(&g->parts[i], o))
            return NULL;
    }
    return g;
}

static void parts_construct(const struct part *part, int argc, char **argv)
{
    const struct elf_calls *c = &part->calls;
    if (c->init)
        ((constructor *)(part->base + c->init))(argc, argv, environ);
    const ElfW(Addr) *functions = (const ElfW(Addr) *)(part->base + c->init_array);
    for (size_t i = 0; i < c->init_count; i++)
        ((constructor *)functions[i])(argc, argv, environ);
}

static void parts_destroy(struct part *part)
{
    struct elf_calls *c = &part->calls;
    const ElfW(Addr) *functions = (const ElfW(Addr) *)(part->base + c->fini_array);
    while (c->fini_count > 0)
        ((destructor *)functions[--c->fini_count])();
    ElfW(Addr) fini = c->fini;
    c->fini = 0;
    if (fini)
        ((destructor *)(part->base + fini))();
}

void group_construct(const struct copy_group *g, int argc, char **argv)
{
    for (int i = 0; i < g->n; i++)
        parts_construct(&g->parts[i], argc, argv);
}

void group_finish(struct copy_group *g, int status)
{
    for (int i = g->n - 1; i >= 0; i--) {
        if (g->parts[i].finish)
            g->parts[i].finish(status);
    }
    for (int i = g->n - 1; i >= 0; i--)
        parts_destroy(&g->parts[i]);
}
