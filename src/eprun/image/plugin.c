/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dlopen and its like, for the program. A plug-in that epcc built, that keeps something for a process or that
 * uses the program's or a private library's symbols becomes the endpoint's own: a copy whose scope, behind
 * itself and its libraries, has the program and all plug-ins that were opened with RTLD_GLOBAL. Copies stay
 * until the endpoint ends, as POSIX permits; then their destructors are called. Exported to the program.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "eprun/image/image.h"
#include "eprun/life.h"

EP_PUBLIC void *dlopen(const char *file, int flags);
EP_PUBLIC int dlclose(void *handle);
EP_PUBLIC int dladdr(const void *address, Dl_info *info);

/* Who calls: what search must know of it. */
struct caller {
    struct elf elf;
    struct search_for from;
    struct link_map *map;
};

static bool has_handle(const struct part *p, const void *handle)
{
    return p->handle == handle;
}

/* What called from that address; false: nobody knows. */
static bool find_caller(struct caller *c, void *address)
{
    Dl_info info;
    *c = (struct caller){.from.path = ""};
    return dladdr1(address, &info, (void **)&c->map, RTLD_DL_LINKMAP) != 0 && c->map;
}

/* Copies know their original. Of others only what their file says. */
static void read_caller(struct caller *c)
{
    const struct part *p = group_part(image_groups(self->image), part_has_base, &c->map->l_addr);
    if (p)
        c->from = p->object->from;
    else if (c->map->l_name[0] && !elf_open(&c->elf, c->map->l_name))
        c->from = (struct search_for){.elf = &c->elf, .path = c->map->l_name};
}

static void caller_done(struct caller *c)
{
    if (c->elf.bytes)
        elf_close(&c->elf);
}

/* The dynamic linker takes eprun for the caller: what another one's search path has must be found here. Else
 * the name as it is, for the linker or its error. */
static void *open_shared(const struct place *p, const char *file, int flags)
{
    return next_dlopen(p && !strchr(file, '/') ? p->path : file, flags);
}

static bool plugin_see(struct seen *s, const char *path)
{
    for (size_t i = 0; i < s->n; i++) {
        if (strcmp(s->paths[i], path) == 0)
            return true;
    }
    const char **more = realloc(s->paths, (s->n + 1) * sizeof *more);
    if (!more)
        return false;
    s->paths = more;
    s->paths[s->n++] = path;
    return true;
}

/* NULL: no memory. */
static struct seen *seen_of(struct image *image)
{
    struct seen *s = &image->seen;
    return s->n > 0 || plugin_see(s, group_root(image->program)->copy.path) ? s : NULL;
}

/* A library that was loaded with the program is seen by all anyway. */
static void plugin_promote(struct part *p, int flags)
{
    struct seen *s = flags & RTLD_GLOBAL ? seen_of(self->image) : NULL;
    struct copy_group *g = image_groups(self->image);
    while (g && (p < g->parts || p >= g->parts + g->n))
        g = g->older;
    if (s && g && g->older && !plugin_see(s, p->copy.path))
        message("%s: no memory to make it RTLD_GLOBAL", p->object->path);
}

/* A new group; NULL: dlerror tells, or a message did; *shared: it is not private. */
static struct copy_group *plugin_load(const char *path, int flags, bool *shared)
{
    struct image *image = self->image;
    struct seen *s = seen_of(image);
    *shared = false;
    if (!s) {
        message("%s: no memory to load it", path);
        return NULL;
    }
    struct objects *objects =
        objects_of_plugin(self->options, path, image_groups(image)->objects, s->n, shared);
    if (!objects)
        return NULL;
    struct copy_group *g = group_load(objects, self, image->copies, s->paths, s->n, true);
    if (!g)
        return NULL;
    image_add(image, g);
    if (flags & RTLD_GLOBAL) {
        s->n = 0; /* it needs them all */
        plugin_see(s, group_root(g)->copy.path);
    }
    return g;
}

/* The part that is there already. With the lock. */
static struct part *plugin_known(const char *name, const char *path)
{
    const struct objects *all = image_groups(self->image)->objects;
    char *real = path ? realpath(path, NULL) : NULL;
    const struct object *o = objects_find(all, strchr(name, '/') ? NULL : name, real);
    free(real);
    return o ? group_part(image_groups(self->image), part_has_object, o) : NULL;
}

static void *plugin_open_file(const char *file, int flags, const struct caller *c, struct copy_group **new)
{
    struct place p;
    bool shared;
    struct part *part = plugin_known(file, NULL);
    void *handle = part || strchr(file, '/') ? NULL : next_dlopen(file, flags | RTLD_NOLOAD);
    if (handle)
        return handle;
    bool found = !part && search(&p, &c->from, file);
    if (found)
        part = plugin_known(file, p.path);
    if (part) {
        plugin_promote(part, flags);
        return part->handle;
    }
    if (found && !(flags & RTLD_NOLOAD)) {
        *new = plugin_load(p.path, flags, &shared);
        if (*new || !shared)
            return *new ? group_root(*new)->handle : NULL;
    }
    return open_shared(found ? &p : NULL, file, flags);
}

void *dlopen(const char *file, int flags)
{
    struct caller c;
    struct copy_group *new = NULL;
    if (!life_is_here() || !self->image || !find_caller(&c, __builtin_return_address(0)))
        return next_dlopen(file, flags);
    if (!file || !*file) /* like RTLD_DEFAULT's scope, but for eprun: the program and its libraries */
        return image_is_before(c.map->l_addr) ? next_dlopen(file, flags)
                                              : group_root(self->image->program)->handle;
    read_caller(&c);
    void *handle;
    if (image_is_before(c.map->l_addr)) { /* MPI loads something of its own */
        struct place p;
        bool found = !strchr(file, '/') && search(&p, &c.from, file);
        handle = open_shared(found ? &p : NULL, file, flags);
    } else {
        image_lock();
        handle = plugin_open_file(file, flags, &c, &new);
        image_unlock();
    }
    caller_done(&c);
    if (new)
        group_construct(new, self->options->argc, self->argv);
    return handle;
}

int dlclose(void *handle)
{
    if (life_is_here() && self->image && group_part(image_groups(self->image), has_handle, handle))
        return 0;
    return NEXT(dlclose)(handle);
}

/* Programs look here for what is installed beside them: the name of a copy is none of theirs. */
int dladdr(const void *address, Dl_info *info)
{
    struct link_map *map = NULL;
    int found = dladdr1(address, info, (void **)&map, RTLD_DL_LINKMAP);
    const struct part *p = found && map && self && self->image
                               ? group_part(image_groups(self->image), part_has_base, &map->l_addr)
                               : NULL;
    if (p)
        info->dli_fname = p->object->path;
    return found;
}
