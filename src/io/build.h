/* SPDX-License-Identifier: BSD-3-Clause */
/* Opening the file that a process has once. */
#ifndef EP_IO_BUILD_H
#define EP_IO_BUILD_H

#include "derive/derive.h"
#include "io/io.h"
#include "io/together.h"

/* What every endpoint tells all processes. */
struct file_offer {
    int32_t amode, sieves;
};

/* What an endpoint brings to the local gather. */
struct file_joiner {
    char text[FILE_TEXT]; /* for an error (together.h) */
    const struct file_ask *ask;
    ep_file file;
    struct file_offer offer;
};
FILE_HAS_TEXT(file_joiner);

/* In the leader: for all endpoints that came (slot->extra is a joiner). */
void file_build(struct leaders *p, void *unused);

#endif
