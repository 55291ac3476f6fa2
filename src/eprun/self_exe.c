/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs look at /proc/self/exe to find what is installed beside them: they shall see their own file, not
 * eprun's. Exported to the program. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "eprun/eprun.h"
#include "eprun/image.h"
#include "eprun/next.h"

EP_PUBLIC ssize_t readlink(const char *restrict path, char *restrict text, size_t size);
EP_PUBLIC ssize_t __readlink_chk(const char *restrict path, char *restrict text, size_t size, size_t room);
EP_PUBLIC char *realpath(const char *restrict path, char *restrict text);
EP_PUBLIC char *__realpath_chk(const char *restrict path, char *restrict text, size_t room);

/* The program's file, if that is meant; else NULL. */
static const char *own_file(const char *path)
{
    char by_number[64];
    if (!self || strncmp(path, "/proc/", 6) != 0)
        return NULL;
    snprintf(by_number, sizeof by_number, "/proc/%ld/exe", (long)getpid());
    return strcmp(path, "/proc/self/exe") == 0 || strcmp(path, by_number) == 0 ? image_path() : NULL;
}

ssize_t readlink(const char *restrict path, char *restrict text, size_t size)
{
    const char *file = own_file(path);
    if (file) {
        size_t n = strnlen(file, size);
        memcpy(text, file, n);
        return (ssize_t)n;
    }
    return NEXT(readlink)(path, text, size);
}

/* Where the compiler knows the room for the text, which it has checked if it could. */
ssize_t __readlink_chk(const char *restrict path, char *restrict text, size_t size, size_t room)
{
    if (size > room)
        abort();
    return readlink(path, text, size);
}

char *realpath(const char *restrict path, char *restrict text)
{
    const char *file = path ? own_file(path) : NULL;
    return NEXT(realpath)(file ? file : path, text);
}

char *__realpath_chk(const char *restrict path, char *restrict text, size_t room)
{
    if (room < PATH_MAX)
        abort();
    return realpath(path, text);
}
