/* SPDX-License-Identifier: BSD-3-Clause */
/* EP_TEST_T=<n>: endpoints of each process. */
#include "same.h"
#include <stdlib.h>

static int body(ep_comm world, void *arg)
{
    (void)arg;
    rank_main(world);
    return 0;
}

int main(void)
{
    const char *n = getenv("EP_TEST_T");
    int rc = ep_run(n ? atoi(n) : 2, body, NULL);
    return ep_finalize() || rc;
}
