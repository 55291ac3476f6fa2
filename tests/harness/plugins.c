/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness.h"

#ifdef __SANITIZE_ADDRESS__
int dlclose(void *library);
int dlclose(void *library)
{
    (void)library;
    return 0;
}
#endif

void harness_keep_plugins(void)
{
}
