/* SPDX-License-Identifier: BSD-3-Clause */
/* What one endpoint runs: copies of the program and of its libraries, and of plug-ins that it loads
 * (plugin.c). */
#include "eprun/image/image.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "eprun/life.h"

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static struct image *all;
static struct objects *objects; /* what an image consists of; NULL until it is read */
static ElfW(Addr) * before;     /* where objects were when it was read */
static size_t nbefore;

void image_lock(void)
{
    pthread_mutex_lock(&lock);
}

void image_unlock(void)
{
    pthread_mutex_unlock(&lock);
}

const char *image_name(const struct options *o)
{
    return last_part(o->program[0]);
}

struct copy_group *image_groups(const struct image *image)
{
    return __atomic_load_n(&image->groups, __ATOMIC_ACQUIRE);
}

void image_add(struct image *image, struct copy_group *g)
{
    image->copies += (unsigned)g->n;
    __atomic_store_n(&image->groups, g, __ATOMIC_RELEASE);
}

/* The dynamic linker takes equal files for one: then endpoints would share their variables. */
bool image_has_other(uintptr_t address)
{
    ElfW(Addr) base = address;
    for (const struct image *i = all; i; i = i->next) {
        if (group_part(image_groups(i), part_has_base, &base))
            return true;
    }
    return false;
}

static int remember_before(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size, (void)unused;
    ElfW(Addr) *more = realloc(before, (nbefore + 1) * sizeof *more);
    if (!more)
        return 1;
    before = more;
    before[nbefore++] = info->dlpi_addr;
    return 0;
}

bool image_is_before(ElfW(Addr) base)
{
    for (size_t i = 0; i < nbefore; i++) {
        if (before[i] == base)
            return true;
    }
    return false;
}

/* A pointer to a function out of one to an object, which ISO C does not let a cast do. */
static void image_take(void *function, void *handle, const char *name)
{
    void *address = dlsym(handle, name);
    memcpy(function, &address, sizeof address);
}

/* A pointer that the image has under that name. */
static void image_take_value(void *pointer, void *handle, const char *name)
{
    const void *place = dlsym(handle, name);
    if (place)
        memcpy(pointer, place, sizeof(void *));
}

static void say_private(void)
{
    for (const struct object *o = objects->first; o != objects->root; o = o->next)
        message("each endpoint has its own copy of %s", o->path);
}

static bool read_objects(const struct options *o)
{
    if (objects)
        return true;
    dl_iterate_phdr(remember_before, NULL);
    objects = objects_of_program(o);
    if (objects && o->verbose)
        say_private();
    return objects;
}

/* With the lock. NULL after a message. */
static struct image *open_image(const struct eprun_rank *e)
{
    if (!read_objects(e->options))
        return NULL;
    struct image *image = calloc(1, sizeof *image);
    if (!image) {
        message("%s: no memory for this endpoint's copy", e->options->path);
        return NULL;
    }
    image->program = group_load(objects, e, 0, NULL, 0, false);
    if (!image->program)
        return NULL;
    if (!image_share_data(image->program, e->mpi)) {
        message("%s: no memory for this endpoint's variables", e->options->path);
        return NULL;
    }
    image_add(image, image->program);
    void *handle = group_root(image->program)->handle;
    image_take_value(&image->main, handle, "ep_image_main"); /* main itself may be hidden */
    image_take_value(&image->getenv, handle, "ep_image_getenv");
    image_take_value(&image->system, handle, "ep_image_system");
    image_take(&image->prepare, handle, "ep_image_prepare");
    image_take(&image->exceptions, handle, "ep_image_exceptions");
    image->next = all;
    all = image;
    return image;
}

/* The run-time is asked once for each of its threads that enters a parallel region, so it must not be that of
 * another endpoint. */
static void *exceptions_here(void)
{
    return self && self->image && self->image->exceptions ? self->image->exceptions() : NULL;
}

void image_load(const struct options *o, struct eprun_rank *e)
{
    image_lock();
    ep_exceptions_from(exceptions_here);
    struct image *image = open_image(e);
    if (!image)
        end_process(EXIT_FAILURE); /* with the lock: the others would say the same of their copies */
    image_unlock();
    e->image = image; /* already now: constructors may end the program */
    group_construct(image->program, o->argc, e->argv);
}

char **image_environ(const struct image *image)
{
    return image->prepare ? image->prepare() : environ;
}

char *image_getenv(const struct image *image, const char *name)
{
    return image->getenv ? image->getenv(name) : getenv(name);
}

int image_system(const struct image *image, const char *command)
{
    return image->system ? image->system(command) : system(command);
}

int image_main(struct image *image, int argc, char **argv)
{
    return image->main(argc, argv, image_environ(image));
}

void image_finish(struct image *image, int status)
{
    for (struct copy_group *g = image_groups(image); g; g = g->older)
        group_finish(g, status);
}

bool image_is_runtime(const struct image *image, uintptr_t address)
{
    ElfW(Addr) a = address;
    const struct part *p = image ? group_part(image_groups(image), part_has_address, &a) : NULL;
    return p && p->object->is_runtime;
}

const char *image_original(const struct image *image, uintptr_t base)
{
    ElfW(Addr) address = base;
    const struct part *p = group_part(image_groups(image), part_has_base, &address);
    return p ? p->object->path : NULL;
}

const char *image_path(void)
{
    return objects ? objects->root->path : NULL;
}

const char *image_at(const struct image *image, uintptr_t base, const struct options *o)
{
    ElfW(Addr) address = base;
    const struct part *p = image ? group_part(image_groups(image), part_has_base, &address) : NULL;
    if (!p)
        return NULL;
    return p->object == objects->root ? image_name(o) : p->object->name;
}
