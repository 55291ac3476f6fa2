/* SPDX-License-Identifier: BSD-3-Clause */
/* Making and ending the handles of files, and what processes have of them. */
#ifndef EP_IO_HANDLE_H
#define EP_IO_HANDLE_H

#include "io/file.h"

/* Not live yet; bytes from 0 on. NULL without memory. */
ep_file file_handle_new(void);
void file_handle_live(ep_file f);
/* Its view and its file are seen to already. */
void file_handle_delete(ep_file f);

/* Not open yet. NULL without memory. */
struct file *file_new(struct comm *c, const char *name, int amode);
/* The descriptor is closed already. */
void file_free(struct file *x);

#endif
