/* SPDX-License-Identifier: BSD-3-Clause */
/* Linked into shared libraries that epcc makes: eprun gives each endpoint its own copy of them, as of the
 * program. */
#include "image/image.h"

HIDDEN void ep_image_end(int status);

extern void (*const ep_image_mark)(int status);
__attribute__((visibility("default"))) void (*const ep_image_mark)(int status) = ep_image_end;
