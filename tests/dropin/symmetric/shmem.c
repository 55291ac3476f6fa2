/* SPDX-License-Identifier: BSD-3-Clause */
/* In place of libep_shmem: what counts is that the program needs a library of that name. */
#include <stddef.h>

int shmem_of_test(void);

int shmem_of_test(void)
{
    return NULL == (void *)0;
}
