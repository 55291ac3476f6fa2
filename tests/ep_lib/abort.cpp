/* SPDX-License-Identifier: BSD-3-Clause */
/* abort.cpp: abort endpoints|classic: a rank ends the job with status 7, while the others wait for it (abort.sh). */
#include "check.hpp"
#include <cstring>

static void wait_or_abort(member &m)
{
    int unused = 0;
    if (m.rank == m.size - 1)
        ep_lib::MPI_Abort(m.comm, 7);
    ep_lib::MPI_Recv(&unused, 1, ep_lib::MPI_INT, m.size - 1, 0, m.comm, ep_lib::MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    bool endpoints = argc > 1 && std::strcmp(argv[1], "endpoints") == 0;
    return run_program(&argc, &argv, [=] { (endpoints ? on_endpoints : on_classic)(wait_or_abort); });
}
