/* SPDX-License-Identifier: BSD-3-Clause */
/* What went wrong with a file, in MPI's classes and in words. */
#ifndef EP_IO_FAULT_H
#define EP_IO_FAULT_H

#include "comm/comm.h"

/* The class of an errno. */
int file_class(int error);

/* 'file "name" cannot be <done>: <the system's words>'; a long name is cut at its beginning, since texts are
 * short. error 0: another process has it. */
enum { FILE_TEXT = 256 };
void file_words(char text[FILE_TEXT], int error, const char *name, const char *done);

/* The same as an error of w. Returns its class. */
int file_raise(struct where w, int error, const char *name, const char *done);

#endif
