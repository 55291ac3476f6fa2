/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies of the program. The dynamic linker loads a copy but runs no function of it: constructors and
 * destructors are called from here, so that the program may end in a constructor without the linker's lock,
 * and ends when its endpoint ends, not when the process does.
 */
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "eprun/copy.h"
#include "eprun/end.h"
#include "eprun/eprun.h"
#include "eprun/image.h"
#include "eprun/object.h"

typedef void constructor(int argc, char **argv, char **envp);
typedef void destructor(void);

/* A copy of a file: of the program, or of a library of its own. */
struct part {
    ElfW(Addr) base;
    struct elf_calls calls;     /* fini_count and fini: what is still to be called */
    void (*finish)(int status); /* atexit and its like (src/image/atexit.c) */
};

struct image {
    struct image *next; /* all that this process has */
    int (*main)(int argc, char **argv, char **envp);
    char **(*prepare)(int rank, char *argv0); /* src/image/prepare.c; gives main's third argument */
    void *(*exceptions)(void);                /* likewise */
    char **environment;
    int n;
    struct part parts[]; /* libraries before those that need them, the program last */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct image *all;
static struct object *objects; /* what an image consists of; NULL until it is read */

const char *image_name(const struct options *o)
{
    const char *slash = strrchr(o->program[0], '/');
    return slash ? slash + 1 : o->program[0];
}

/* A pointer to a function out of one to an object, which ISO C does not let a cast do. */
static void take(void *function, void *handle, const char *name)
{
    void *address = dlsym(handle, name);
    memcpy(function, &address, sizeof address);
}

/* The dynamic linker takes equal files for one: then endpoints would share their variables. */
static bool is_new(const struct part *part)
{
    for (const struct image *i = all; i; i = i->next) {
        for (int k = 0; k < i->n; k++) {
            if (i->parts[k].base == part->base)
                return false;
        }
    }
    return true;
}

/* A handle; NULL after a message. */
static void *open_part(struct part *part, const struct object *o, const struct endpoint *e)
{
    struct copy copy;
    const char *name = o->next ? strrchr(o->path, '/') + 1 : image_name(e->options);
    if (!copy_make(&copy, &o->elf, e, name))
        return NULL;
    void *handle = dlopen(copy.path, RTLD_NOW | RTLD_LOCAL);
    struct link_map *map;
    if (!handle || dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0) {
        const char *reason = dlerror();
        message("%s: %s", o->path, reason);
        if (strstr(reason, "static TLS"))
            message("GLIBC_TUNABLES=glibc.rtld.optional_static_tls=1000000 makes room for more copies");
        return NULL;
    }
    copy_share(&copy, &o->elf, map->l_addr);
    part->base = map->l_addr;
    part->calls = o->elf.calls;
    if (o->mark)
        memcpy(&part->finish, (void *)(part->base + o->mark), sizeof part->finish);
    else
        take(&part->finish, handle, "ep_image_finish");
    if (part->finish && is_new(part))
        return handle;
    message("%s: the dynamic linker gives no copy of its own to this endpoint", o->path);
    return NULL;
}

/* The copies of libraries have lost their mark; another one is that of a library of which there is no copy.
 * */
static void warn_of_shared(void *handle)
{
    Dl_info info;
    void *mark = all ? NULL : dlsym(handle, MARK);
    if (mark && dladdr(mark, &info))
        message("%s is one for all endpoints: it was built with epcc, but is not found by LD_LIBRARY_PATH or "
                "the program's own search path",
                info.dli_fname);
}

/* With the lock. NULL after a message. */
static struct image *open_image(const struct endpoint *e)
{
    int n = 0;
    void *handle = NULL;
    if (!objects && !(objects = object_find_all(e->options->path)))
        return NULL;
    for (const struct object *o = objects; o; o = o->next)
        n++;
    struct image *image = calloc(1, sizeof *image + (size_t)n * sizeof(struct part));
    if (!image) {
        message("%s: no memory for this endpoint's copy", e->options->path);
        return NULL;
    }
    object_rename_all(objects);
    for (const struct object *o = objects; o; o = o->next) {
        handle = open_part(&image->parts[image->n], o, e);
        if (!handle)
            return NULL;
        image->n++;
    }
    warn_of_shared(handle);
    void *main_pointer = dlsym(handle, "ep_image_main"); /* main itself may be hidden */
    if (main_pointer)
        memcpy(&image->main, main_pointer, sizeof image->main);
    take(&image->prepare, handle, "ep_image_prepare");
    take(&image->exceptions, handle, "ep_image_exceptions");
    image->next = all;
    all = image;
    return image;
}

/* The run-time is asked once for each of its threads that enters a parallel region, so it must not be that of another
 * endpoint. */
static void *exceptions_here(void)
{
    return self && self->image && self->image->exceptions ? self->image->exceptions() : NULL;
}

static void construct(const struct part *part, int argc, char **argv)
{
    const struct elf_calls *c = &part->calls;
    if (c->init)
        ((constructor *)(part->base + c->init))(argc, argv, environ);
    const ElfW(Addr) *functions = (const ElfW(Addr) *)(part->base + c->init_array);
    for (size_t i = 0; i < c->init_count; i++)
        ((constructor *)functions[i])(argc, argv, environ);
}

static void destroy(struct part *part)
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

void image_load(const struct options *o, struct endpoint *e)
{
    pthread_mutex_lock(&lock);
    ep_exceptions_from(exceptions_here);
    struct image *image = open_image(e);
    if (!image)
        end_process(EXIT_FAILURE); /* with the lock: the others would say the same of their copies */
    pthread_mutex_unlock(&lock);
    e->image = image; /* already now: constructors may end the program */
    for (int i = 0; i < image->n; i++)
        construct(&image->parts[i], o->argc, e->argv);
    image->environment = image->prepare ? image->prepare(e->rank, e->argv[0]) : environ;
}

int image_main(struct image *image, int argc, char **argv)
{
    return image->main(argc, argv, image->environment);
}

void image_finish(struct image *image, int status)
{
    for (int i = image->n - 1; i >= 0; i--)
        image->parts[i].finish(status);
    for (int i = image->n - 1; i >= 0; i--)
        destroy(&image->parts[i]);
}

const char *image_path(void)
{
    const struct object *o = objects;
    while (o && o->next)
        o = o->next;
    return o ? o->path : NULL;
}

const char *image_at(const struct image *image, uintptr_t base, const struct options *o)
{
    const struct object *object = objects;
    for (int i = 0; image && i < image->n; i++, object = object->next) {
        if (image->parts[i].base == base)
            return object->next ? strrchr(object->path, '/') + 1 : image_name(o);
    }
    return NULL;
}
