/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The files of which each endpoint gets copies: the program, and those of its shared libraries that epcc
 * built (they have ep_image_mark). A copy of a library has a name of its own, under which the copies of
 * those that need it find it.
 */
#ifndef EP_EPRUN_OBJECT_H
#define EP_EPRUN_OBJECT_H

#include "eprun/elf_file.h"

#define MARK "ep_image_mark" /* src/image/mark.c */

struct need {
    struct need *next;
    char *text; /* what the file that needs it calls it; to be overwritten */
    struct object *object;
};

struct object {
    struct object *next;
    struct elf elf;
    char *path;
    ElfW(Addr) mark; /* of a library: a pointer to what ep_image_finish is in a program */
    struct need *needs;
    char name[8]; /* of the copy that is being made */
};

/* The program and its libraries, each after those that it needs, so the program is the last one. NULL after
 * a message. */
struct object *object_find_all(const char *path);

/* Give them new names, in their bytes: what is written to files from now on is another set of copies. */
void object_rename_all(struct object *first);

#endif
