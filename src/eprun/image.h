/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EP_EPRUN_IMAGE_H
#define EP_EPRUN_IMAGE_H

#include <link.h>
#include <stdint.h>

#include "eprun/eprun.h"

struct copy_group;
struct seen;

/* The program's file name without directories. */
const char *image_name(const struct options *o);

/* The program's file, in full; NULL: not known yet. */
const char *image_path(void);

/* The original's file name of a copy that is loaded with that difference between its addresses and those of
 * the file; NULL: none of this image's is. */
const char *image_at(const struct image *image, uintptr_t base, const struct options *o);

/* The copies of the program, with those of plug-ins in front; more may be added at any time, in front. */
struct copy_group *image_groups(const struct image *image);
void image_add(struct image *image, struct copy_group *g);
unsigned image_count(const struct image *image); /* copies */
struct seen **image_seen(struct image *image);   /* plugin.c's */

/* One endpoint at a time loads copies; it may do so again while it does. */
void image_lock(void);
void image_unlock(void);

/* Does another image, or another group, have a part there? The dynamic linker takes equal files for one: then
 * endpoints would share their variables. With the lock. */
bool image_has_other(ElfW(Addr) base);

/* Was what is loaded there loaded before the first copy? Then it belongs to eprun or to MPI. */
bool image_is_before(ElfW(Addr) base);

#endif
