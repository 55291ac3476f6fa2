/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies of the program. The dynamic linker loads a copy but runs no function of it: constructors and destructors
 * are called from here, so that the program may end in a constructor without the linker's lock, and ends when its
 * endpoint ends, not when the process does.
 */
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "eprun/copy.h"
#include "eprun/elf_file.h"
#include "eprun/eprun.h"
#include "eprun/image.h"

typedef void constructor(int argc, char **argv, char **envp);
typedef void destructor(void);

struct image {
    struct image *next; /* all that this process has */
    int (*main)(int argc, char **argv, char **envp);
    char **(*prepare)(int rank, char *argv0); /* src/image/prepare.c; gives main's third argument */
    char **environment;
    void (*finish)(int status); /* atexit and its like (src/image/start.c) */
    ElfW(Addr) base;
    struct elf_calls calls; /* fini_count and fini: what is still to be called */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct image *all;
static struct elf program; /* bytes is NULL until it is read */
static const char *program_path;

const char *image_name(const struct options *o)
{
    const char *slash = strrchr(o->program[0], '/');
    return slash ? slash + 1 : o->program[0];
}

static bool read_program(const struct options *o)
{
    if (program.bytes)
        return true;
    program_path = o->path;
    struct elf elf;
    const char *wrong = elf_open(&elf, program_path);
    if (!wrong && !(elf_has_symbol(&elf, "main") && elf_has_symbol(&elf, "ep_image_finish")))
        wrong = "it is a library without main";
    if (wrong) {
        message("%s was not built with epcc: %s", program_path, wrong);
        return false;
    }
    elf_take_calls(&elf);
    program = elf;
    return true;
}

/* A pointer to a function out of one to an object, which ISO C does not let a cast do. */
static void take(void *function, void *handle, const char *name)
{
    void *address = dlsym(handle, name);
    memcpy(function, &address, sizeof address);
}

/* The dynamic linker takes equal files for one: then endpoints would share their variables. */
static bool is_new(const struct image *image)
{
    for (const struct image *i = all; i; i = i->next) {
        if (i->base == image->base || i->main == image->main)
            return false;
    }
    return true;
}

/* With the lock. */
static bool open_copy(struct image *image, const struct endpoint *e)
{
    char path[PATH_MAX];
    if (!copy_make(&program, e, image_name(e->options), path, sizeof path))
        return false;
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        message("%s: %s", program_path, dlerror());
        return false;
    }
    struct link_map *map;
    if (dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0)
        return false;
    image->base = map->l_addr;
    image->calls = program.calls;
    take(&image->main, handle, "main");
    take(&image->prepare, handle, "ep_image_prepare");
    take(&image->finish, handle, "ep_image_finish");
    if (!image->main || !image->finish || !is_new(image)) {
        message("%s: the dynamic linker gives no copy of its own to this endpoint", program_path);
        return false;
    }
    image->next = all;
    all = image;
    return true;
}

static void construct(const struct image *image, int argc, char **argv)
{
    const struct elf_calls *c = &image->calls;
    if (c->init)
        ((constructor *)(image->base + c->init))(argc, argv, environ);
    const ElfW(Addr) *functions = (const ElfW(Addr) *)(image->base + c->init_array);
    for (size_t i = 0; i < c->init_count; i++)
        ((constructor *)functions[i])(argc, argv, environ);
}

struct image *image_load(const struct options *o, struct endpoint *e)
{
    struct image *image = calloc(1, sizeof *image);
    pthread_mutex_lock(&lock);
    bool ok = image && read_program(o) && open_copy(image, e);
    pthread_mutex_unlock(&lock);
    if (!ok)
        return NULL;
    e->image = image; /* already now: constructors may end the program */
    construct(image, o->argc, e->argv);
    image->environment = image->prepare ? image->prepare(e->rank, e->argv[0]) : environ;
    return image;
}

int image_main(struct image *image, int argc, char **argv)
{
    return image->main(argc, argv, image->environment);
}

void image_finish(struct image *image, int status)
{
    struct elf_calls *c = &image->calls;
    image->finish(status);
    const ElfW(Addr) *functions = (const ElfW(Addr) *)(image->base + c->fini_array);
    while (c->fini_count > 0)
        ((destructor *)functions[--c->fini_count])();
    ElfW(Addr) fini = c->fini;
    c->fini = 0;
    if (fini)
        ((destructor *)(image->base + fini))();
}

bool image_is_at(const struct image *image, uintptr_t base)
{
    return image && image->base == base;
}
