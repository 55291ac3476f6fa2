/* SPDX-License-Identifier: BSD-3-Clause */
/* written.h: iodef files that tests write. */
#ifndef WRITTEN_H
#define WRITTEN_H

#include "iodef.h"

enum { ERROR_SIZE = 400 };

/* Read what these bytes are as a file. error begins behind the file's name: ":3: ..." */
struct iodef *read_bytes(const char *bytes, size_t size, char error[ERROR_SIZE]);

#endif
