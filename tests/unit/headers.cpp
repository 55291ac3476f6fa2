// SPDX-License-Identifier: BSD-3-Clause
// headers.cpp: ep.h and crt.h in C++, each first and together; the symbols have C linkage.
#include <crt.h>
#include <ep.h>

#include <vector>

namespace {

// Requests are kept in vectors and copied about, as XIOS does.
int exchange(ep_comm comm)
{
    std::vector<ep_request> requests;
    std::vector<int> values(4);
    for (int i = 0; i < 4; i++) {
        requests.push_back(EP_REQUEST_NULL);
        ep_irecv(&values[i], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &requests.back());
    }
    for (int i = 0; i < 4; i++)
        ep_send(&i, 1, MPI_INT, 0, i, comm);
    std::vector<ep_status> statuses(requests.size());
    ep_waitall(static_cast<int>(requests.size()), requests.data(), statuses.data());
    for (int i = 0; i < 4; i++)
        if (values[i] != i || statuses[i].MPI_TAG != i || statuses[i].MPI_SOURCE != 0)
            return 1;
    return 0;
}

int body(ep_comm world, void *)
{
    int rank = -1;
    if (ep_comm_rank(world, &rank) != MPI_SUCCESS || rank != 0)
        return 2;
    return exchange(world);
}

} // namespace

int main()
{
    crt_cond_t cond = CRT_COND_INITIALIZER;
    crt_signal(&cond);
    crt_wait(&cond);
    int rc = ep_run(1, body, nullptr);
    ep_finalize();
    return rc;
}
