/* SPDX-License-Identifier: BSD-3-Clause */
/* As programs from before OpenSHMEM name it. */
#include <shmem.h>
