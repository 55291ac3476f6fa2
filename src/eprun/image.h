/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EP_EPRUN_IMAGE_H
#define EP_EPRUN_IMAGE_H

#include <stdint.h>

#include "eprun/eprun.h"

/* The program's file name without directories. */
const char *image_name(const struct options *o);

/* The program's file, in full; NULL: not known yet. */
const char *image_path(void);

/* The original's file name of a copy that is loaded with that difference between its addresses and those of
 * the file; NULL: none of this image's is. */
const char *image_at(const struct image *image, uintptr_t base, const struct options *o);

#endif
