/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Completing requests. Those of one kind go to their library at once. Where an array has both, neither library can wait for the
 * other's: both are tested in turn, and each test makes its library's progress.
 */
#include "ep_lib/requests.hpp"
#include <thread>

namespace ep_lib {

typedef request_part<endpoint_side> ep_part;
typedef request_part<classic_side> mpi_part;

void end_request(MPI_Request *request)
{
    delete request->kept;
    *request = MPI_REQUEST_NULL;
}

/* What both parts returned, as one call returns it. */
static int both_codes(int code, int other)
{
    return code == MPI_SUCCESS ? other : code;
}

static bool is_wrong(int count, const MPI_Request requests[])
{
    return count < 0 || (count > 0 && !requests);
}

/* ep says what is wrong. */
static int wrong_requests(int count)
{
    return ep_result(ep_waitall(count, nullptr, EP_STATUSES_IGNORE));
}

/* Null requests are complete. */
static void clear_statuses(int count, MPI_Status statuses[])
{
    for (int i = 0; statuses && i < count; i++)
        statuses[i] = MPI_Status();
}

/* ---- one ---- */

/* Of f(&handle, &status), in the library of the request. */
template <class Side, class F> static int complete_one(MPI_Request *request, MPI_Status *status, F f)
{
    typename Side::request handle = from_bits<typename Side::request>(request->value);
    typename Side::status from = typename Side::status();
    int code = Side::result(f(&handle, &from));
    if (from_request(handle) != MPI_REQUEST_NULL)
        return code;
    fill_status(status, from, request->ep_datatype);
    end_request(request);
    return code;
}

int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
    if (!request)
        return wrong_argument();
    if (request->of == detail::side_endpoint)
        return complete_one<endpoint_side>(request, status, endpoint_side::wait);
    if (request->of == detail::side_classic)
        return complete_one<classic_side>(request, status, classic_side::wait);
    clear_statuses(1, status);
    return MPI_SUCCESS;
}

int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
    if (!request || !flag)
        return wrong_argument();
    if (request->of == detail::side_endpoint)
        return complete_one<endpoint_side>(request, status,
                                           [&](ep_request *r, ep_status *s) { return ep_test(r, flag, s); });
    if (request->of == detail::side_classic)
        return complete_one<classic_side>(
            request, status, [&](::MPI_Request *r, ::MPI_Status *s) { return ::MPI_Test(r, flag, s); });
    *flag = 1;
    clear_statuses(1, status);
    return MPI_SUCCESS;
}

/* ---- all ---- */

/* Test an array's part; *done when it is through, with an error, too. */
template <class Side>
static int test_part(request_part<Side> *part, MPI_Request requests[], MPI_Status statuses[], bool *done)
{
    int flag = 1;
    int code = part->all(requests, statuses, [&](int n, typename Side::request *r, typename Side::status *s) {
        return Side::test_all(n, r, &flag, s);
    });
    *done = flag || code != MPI_SUCCESS;
    return code;
}

static int wait_both(ep_part *of_ep, mpi_part *of_mpi, MPI_Request requests[], MPI_Status statuses[])
{
    int code = MPI_SUCCESS, own_code = MPI_SUCCESS;
    for (bool done = false, own_done = false;;) {
        if (!done)
            code = test_part(of_ep, requests, statuses, &done);
        if (!own_done)
            own_code = test_part(of_mpi, requests, statuses, &own_done);
        if (done && own_done)
            return both_codes(code, own_code);
        std::this_thread::yield();
    }
}

int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[])
{
    if (is_wrong(count, requests))
        return wrong_requests(count);
    ep_part of_ep(count, requests);
    mpi_part of_mpi(count, requests);
    clear_statuses(count, statuses);
    if (!of_ep.is_empty() && !of_mpi.is_empty())
        return wait_both(&of_ep, &of_mpi, requests, statuses);
    return both_codes(of_ep.all(requests, statuses, endpoint_side::wait_all),
                      of_mpi.all(requests, statuses, classic_side::wait_all));
}

/* Statuses are written only where all are complete, or one failed. */
int MPI_Testall(int count, MPI_Request requests[], int *flag, MPI_Status statuses[])
{
    bool done = true, own_done = true;
    if (is_wrong(count, requests))
        return wrong_requests(count);
    if (!flag)
        return wrong_argument();
    ep_part of_ep(count, requests);
    mpi_part of_mpi(count, requests);
    if (!of_ep.is_empty() && !of_mpi.is_empty()) {
        int code = both_codes(of_ep.look(&done), of_mpi.look(&own_done));
        *flag = 0;
        if (code != MPI_SUCCESS || !done || !own_done)
            return code;
    }
    std::vector<MPI_Status> found(statuses ? static_cast<std::size_t>(count) : 0);
    MPI_Status *to = statuses ? found.data() : MPI_STATUSES_IGNORE;
    int code = test_part(&of_ep, requests, to, &done), own_code = test_part(&of_mpi, requests, to, &own_done);
    *flag = done && own_done;
    for (int i = 0; statuses && *flag && i < count; i++)
        statuses[i] = found[static_cast<std::size_t>(i)];
    return both_codes(code, own_code);
}

/* ---- any ---- */

/* One test of a part; *flag also where the part has none that is active, with *index MPI_UNDEFINED. */
template <class Side>
static int test_any(request_part<Side> *part, MPI_Request requests[], int *index, int *flag,
                    MPI_Status *status)
{
    *flag = 0;
    return part->any(requests, index, status,
                     [&](int n, typename Side::request *r, int *at, typename Side::status *s) {
                         return Side::test_any(n, r, at, flag, s);
                     });
}

static int test_any_of_both(ep_part *of_ep, mpi_part *of_mpi, MPI_Request requests[], int *index, int *flag,
                            MPI_Status *status)
{
    int code = test_any(of_ep, requests, index, flag, status);
    if (code != MPI_SUCCESS || *index != MPI_UNDEFINED)
        return code;
    return test_any(of_mpi, requests, index, flag, status);
}

int MPI_Waitany(int count, MPI_Request requests[], int *index, MPI_Status *status)
{
    if (is_wrong(count, requests))
        return wrong_requests(count);
    if (!index)
        return wrong_argument();
    ep_part of_ep(count, requests);
    mpi_part of_mpi(count, requests);
    clear_statuses(1, status);
    *index = MPI_UNDEFINED;
    if (of_mpi.is_empty())
        return of_ep.is_empty() ? MPI_SUCCESS : of_ep.any(requests, index, status, endpoint_side::wait_any);
    if (of_ep.is_empty())
        return of_mpi.any(requests, index, status, classic_side::wait_any);
    for (int flag;;) {
        int code = test_any_of_both(&of_ep, &of_mpi, requests, index, &flag, status);
        if (code != MPI_SUCCESS || *index != MPI_UNDEFINED)
            return code;
        std::this_thread::yield();
    }
}

int MPI_Testany(int count, MPI_Request requests[], int *index, int *flag, MPI_Status *status)
{
    MPI_Status found;
    int code = MPI_SUCCESS;
    if (is_wrong(count, requests))
        return wrong_requests(count);
    if (!index || !flag)
        return wrong_argument();
    ep_part of_ep(count, requests);
    mpi_part of_mpi(count, requests);
    *index = MPI_UNDEFINED;
    *flag = 1;
    if (!of_ep.is_empty() && !of_mpi.is_empty())
        code = test_any_of_both(&of_ep, &of_mpi, requests, index, flag, &found);
    else if (!of_ep.is_empty())
        code = test_any(&of_ep, requests, index, flag, &found);
    else if (!of_mpi.is_empty())
        code = test_any(&of_mpi, requests, index, flag, &found);
    if (status && *flag)
        *status = found;
    return code;
}

/* ---- some ---- */

template <class Side>
static int test_some(request_part<Side> *part, MPI_Request requests[], int *outcount, int indices[],
                     MPI_Status statuses[])
{
    return part->is_empty() ? MPI_SUCCESS
                            : part->some(requests, outcount, indices, statuses, Side::test_some);
}

static int test_some_of_both(ep_part *of_ep, mpi_part *of_mpi, MPI_Request requests[], int *outcount,
                             int indices[], MPI_Status statuses[])
{
    int code = test_some(of_ep, requests, outcount, indices, statuses);
    return both_codes(code, test_some(of_mpi, requests, outcount, indices, statuses));
}

int MPI_Waitsome(int incount, MPI_Request requests[], int *outcount, int indices[], MPI_Status statuses[])
{
    if (is_wrong(incount, requests))
        return wrong_requests(incount);
    if (!outcount || (incount > 0 && !indices))
        return wrong_argument();
    ep_part of_ep(incount, requests);
    mpi_part of_mpi(incount, requests);
    *outcount = of_ep.is_empty() && of_mpi.is_empty() ? MPI_UNDEFINED : 0;
    if (*outcount == MPI_UNDEFINED)
        return MPI_SUCCESS;
    if (of_mpi.is_empty())
        return of_ep.some(requests, outcount, indices, statuses, endpoint_side::wait_some);
    if (of_ep.is_empty())
        return of_mpi.some(requests, outcount, indices, statuses, classic_side::wait_some);
    for (;;) {
        int code = test_some_of_both(&of_ep, &of_mpi, requests, outcount, indices, statuses);
        if (code != MPI_SUCCESS || *outcount > 0)
            return code;
        std::this_thread::yield();
    }
}

int MPI_Testsome(int incount, MPI_Request requests[], int *outcount, int indices[], MPI_Status statuses[])
{
    if (is_wrong(incount, requests))
        return wrong_requests(incount);
    if (!outcount || (incount > 0 && !indices))
        return wrong_argument();
    ep_part of_ep(incount, requests);
    mpi_part of_mpi(incount, requests);
    *outcount = of_ep.is_empty() && of_mpi.is_empty() ? MPI_UNDEFINED : 0;
    if (*outcount == MPI_UNDEFINED)
        return MPI_SUCCESS;
    return test_some_of_both(&of_ep, &of_mpi, requests, outcount, indices, statuses);
}

/* ---- giving up ---- */

int MPI_Request_free(MPI_Request *request)
{
    if (!request)
        return wrong_argument();
    ep_request of_ep =
        request->of == detail::side_endpoint ? from_bits<ep_request>(request->value) : EP_REQUEST_NULL;
    int code;
    if (request->of == detail::side_classic) {
        ::MPI_Request of_mpi = from_bits<::MPI_Request>(request->value);
        code = mpi_result(::MPI_Request_free(&of_mpi));
    } else {
        code = ep_result(ep_request_free(&of_ep));
    }
    if (code == MPI_SUCCESS)
        end_request(request);
    return code;
}

int MPI_Cancel(MPI_Request *request)
{
    if (!request)
        return wrong_argument();
    if (request->of == detail::side_classic) {
        ::MPI_Request of_mpi = from_bits<::MPI_Request>(request->value);
        return mpi_result(::MPI_Cancel(&of_mpi));
    }
    ep_request of_ep =
        request->of == detail::side_endpoint ? from_bits<ep_request>(request->value) : EP_REQUEST_NULL;
    return ep_result(ep_cancel(&of_ep));
}

} // namespace ep_lib
