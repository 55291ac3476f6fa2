/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists of CPUs as taskset(1) takes them. */
#ifndef EP_EPRUN_CPULIST_H
#define EP_EPRUN_CPULIST_H

enum { CPU_LIMIT = 8192 };

/* The numbers of a list such as 0-3,8 in their order, allocated; how many; 0 if text is none, -1 without memory. */
int cpulist_read(const char *text, int **cpus);

#endif
