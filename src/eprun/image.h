/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EP_EPRUN_IMAGE_H
#define EP_EPRUN_IMAGE_H

#include <stdint.h>

#include "eprun/eprun.h"

/* The program's file name without directories. */
const char *image_name(const struct options *o);

/* Is this the object that is loaded with that difference between its addresses and those of its file? */
bool image_is_at(const struct image *image, uintptr_t base);

#endif
