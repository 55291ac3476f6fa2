/* SPDX-License-Identifier: BSD-3-Clause */
/* disk.h: a disk that becomes full, or breaks: calls of libc that stand in the program come before libc's. */
#ifndef DISK_H
#define DISK_H

/* Files have room for that many bytes each, then writes fail with this errno; -1: any number. */
extern long long disk_room;
extern int disk_errno;
/* A write has failed: after EIO no other succeeds until this is reset. */
extern int disk_failed;
/* The file system can reserve nothing and says that there is much room, as remote ones may. */
extern int disk_lies;

#endif
