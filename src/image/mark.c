/* SPDX-License-Identifier: BSD-3-Clause */
/* Linked into shared libraries that epcc makes: eprun gives each endpoint its own copy of them, as of the program. */
extern const char ep_image_mark[];
__attribute__((visibility("default"))) const char ep_image_mark[] = "epcc";
