/* SPDX-License-Identifier: BSD-3-Clause */
/* requests.hpp: the requests of an array that are of one library, as it has them. */
#ifndef EP_LIB_REQUESTS_HPP
#define EP_LIB_REQUESTS_HPP

#include "ep_lib/dispatch.hpp"

namespace ep_lib {

/* The functions of ep and of MPI by the same names. */
struct endpoint_side {
    typedef ep_request request;
    typedef ep_status status;
    static constexpr detail::side side = detail::side_endpoint;
    static status *ignore() { return EP_STATUSES_IGNORE; }
    static int result(int code) { return ep_result(code); }
    static int wait_all(int n, request *r, status *s) { return ep_waitall(n, r, s); }
    static int test_all(int n, request *r, int *flag, status *s) { return ep_testall(n, r, flag, s); }
    static int wait_any(int n, request *r, int *index, status *s) { return ep_waitany(n, r, index, s); }
    static int test_any(int n, request *r, int *index, int *flag, status *s)
    {
        return ep_testany(n, r, index, flag, s);
    }
    static int wait_some(int n, request *r, int *out, int *at, status *s)
    {
        return ep_waitsome(n, r, out, at, s);
    }
    static int test_some(int n, request *r, int *out, int *at, status *s)
    {
        return ep_testsome(n, r, out, at, s);
    }
    static int wait(request *r, status *s) { return ep_wait(r, s); }
    static int test(request *r, int *flag, status *s) { return ep_test(r, flag, s); }
    static int look(request r, int *flag) { return ep_request_get_status(r, flag, EP_STATUS_IGNORE); }
};
struct classic_side {
    typedef ::MPI_Request request;
    typedef ::MPI_Status status;
    static constexpr detail::side side = detail::side_classic;
    static status *ignore() { return own::statuses_ignore; }
    static int result(int code) { return mpi_result(code); }
    static int wait_all(int n, request *r, status *s) { return ::MPI_Waitall(n, r, s); }
    static int test_all(int n, request *r, int *flag, status *s) { return ::MPI_Testall(n, r, flag, s); }
    static int wait_any(int n, request *r, int *index, status *s) { return ::MPI_Waitany(n, r, index, s); }
    static int test_any(int n, request *r, int *index, int *flag, status *s)
    {
        return ::MPI_Testany(n, r, index, flag, s);
    }
    static int wait_some(int n, request *r, int *out, int *at, status *s)
    {
        return ::MPI_Waitsome(n, r, out, at, s);
    }
    static int test_some(int n, request *r, int *out, int *at, status *s)
    {
        return ::MPI_Testsome(n, r, out, at, s);
    }
    static int wait(request *r, status *s) { return ::MPI_Wait(r, s); }
    static int test(request *r, int *flag, status *s) { return ::MPI_Test(r, flag, s); }
    static int look(request r, int *flag) { return ::MPI_Request_get_status(r, flag, own::status_ignore); }
};

/* It is complete: what was kept for it goes. */
void end_request(MPI_Request *request);

template <class Side> class request_part {
  public:
    std::vector<int> at; /* where in the array each is */
    std::vector<typename Side::request> handles;

    request_part(int count, const MPI_Request requests[])
    {
        for (int i = 0; i < count; i++)
            if (requests[i].of == Side::side) {
                at.push_back(i);
                handles.push_back(from_bits<typename Side::request>(requests[i].value));
            }
    }
    int size() const { return static_cast<int>(at.size()); }
    bool is_empty() const { return at.empty(); }

    /* What f(n, handles, statuses) did, back to the array. An empty part is done. */
    template <class F> int all(MPI_Request requests[], MPI_Status statuses[], F f)
    {
        std::vector<typename Side::status> own_statuses(statuses ? at.size() : 0);
        if (is_empty())
            return MPI_SUCCESS;
        int code = Side::result(f(size(), handles.data(), statuses ? own_statuses.data() : Side::ignore()));
        for (int i = 0; i < size(); i++)
            if (ended(i)) {
                MPI_Request *request = &requests[at[index(i)]];
                if (statuses)
                    keep(&statuses[at[index(i)]], own_statuses[index(i)], *request, code);
                end_request(request);
            } else if (statuses && code != MPI_SUCCESS) {
                statuses[at[index(i)]].MPI_ERROR = own_statuses[index(i)].MPI_ERROR;
            }
        return code;
    }

    /* Of f(n, handles, &index, &status): *where becomes the array's index. */
    template <class F> int any(MPI_Request requests[], int *where, MPI_Status *status, F f)
    {
        typename Side::status from = typename Side::status();
        int which = MPI_UNDEFINED;
        int code = Side::result(f(size(), handles.data(), &which, &from));
        *where = MPI_UNDEFINED;
        if (which == MPI_UNDEFINED)
            return code;
        *where = at[index(which)];
        keep(status, from, requests[*where], MPI_SUCCESS);
        if (ended(which))
            end_request(&requests[*where]);
        return code;
    }

    /* Of f(n, handles, &n_out, indices, statuses): appended to those that the arrays have. */
    template <class F>
    int some(MPI_Request requests[], int *outcount, int indices[], MPI_Status statuses[], F f)
    {
        std::vector<int> which(at.size());
        std::vector<typename Side::status> own_statuses(at.size());
        int n = 0;
        int code = Side::result(f(size(), handles.data(), &n, which.data(), own_statuses.data()));
        for (int i = 0; n != MPI_UNDEFINED && i < n; i++) {
            int where = at[index(which[index(i)])];
            keep(statuses ? &statuses[*outcount] : MPI_STATUS_IGNORE, own_statuses[index(i)], requests[where],
                 code);
            if (ended(which[index(i)]))
                end_request(&requests[where]);
            indices[(*outcount)++] = where;
        }
        return code;
    }

    /* Are all complete? They are left as they are. */
    int look(bool *done) const
    {
        *done = true;
        for (int i = 0; i < size() && *done; i++) {
            int flag = 0;
            int code = Side::look(handles[index(i)], &flag);
            if (code != MPI_SUCCESS)
                return Side::result(code);
            *done = flag != 0;
        }
        return MPI_SUCCESS;
    }

  private:
    static std::size_t index(int i) { return static_cast<std::size_t>(i); }
    bool ended(int i) const { return from_request(handles[index(i)]) == MPI_REQUEST_NULL; }

    static void keep(MPI_Status *status, const typename Side::status &from, const MPI_Request &request,
                     int code)
    {
        fill_status(status, from, request.ep_datatype);
        if (status && code == MPI_SUCCESS)
            status->MPI_ERROR = MPI_SUCCESS; /* which MPI leaves as it was */
    }
};

} // namespace ep_lib
#endif
