/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dispatch.hpp: one call, of ep or of MPI. Functions of both have the same parameters, so each of ep_lib's is written once: it
 * converts its arguments and names the two functions. Their order is that of MPI: arguments, the communicator, what comes out.
 */
#ifndef EP_LIB_DISPATCH_HPP
#define EP_LIB_DISPATCH_HPP

#include "ep_lib/comm_object.hpp"

namespace ep_lib {

namespace detail {
/* Arrays of datatypes that ep or MPI reads until a request is complete. */
struct request_types {
    std::vector<::MPI_Datatype> send, recv;
};
} // namespace detail

/* Write down whose error it was, for MPI_Error_string. They return the code. */
int ep_result(int code);
int mpi_result(int code);
/* A wrong argument that neither library would see; raised on ep's default error handler. */
int wrong_argument();
/* Does MPI know it? MPI's handles may be numbers of the program's. */
bool is_communicator(::MPI_Comm comm);
/* The library has no more of something, on that handler, too. */
int no_room();

/* f(..., comm) */
template <class Ep, class Mpi, class... A> int call(const MPI_Comm &comm, Ep ep, Mpi mpi, A... a)
{
    return comm.is_ep ? ep_result(ep(a..., ep_of(comm))) : mpi_result(mpi(a..., mpi_of(comm)));
}

/* f(comm, ...) */
template <class Ep, class Mpi, class... A> int ask(const MPI_Comm &comm, Ep ep, Mpi mpi, A... a)
{
    return comm.is_ep ? ep_result(ep(ep_of(comm), a...)) : mpi_result(mpi(mpi_of(comm), a...));
}

/* Requests of either library; datatype of a receive. */
inline MPI_Request from_request(ep_request request, MPI_Datatype datatype = MPI_DATATYPE_NULL)
{
    return request == EP_REQUEST_NULL ? MPI_REQUEST_NULL
                                      : MPI_Request(detail::side_endpoint, to_bits(request), datatype);
}
inline MPI_Request from_request(::MPI_Request request, MPI_Datatype datatype = MPI_DATATYPE_NULL)
{
    return request == own::request_null ? MPI_REQUEST_NULL
                                        : MPI_Request(detail::side_classic, to_bits(request), datatype);
}

/* f(..., &request), after a call with code, which may be made while the arguments are evaluated: hence the references. */
template <class Request>
int keep_request(int code, const Request &made, MPI_Datatype datatype, MPI_Request *request)
{
    if (code == MPI_SUCCESS)
        *request = from_request(made, datatype);
    return code;
}

/* f(..., comm, &request) */
template <class Ep, class Mpi, class... A>
int begin(const MPI_Comm &comm, MPI_Request *request, MPI_Datatype datatype, Ep ep, Mpi mpi, A... a)
{
    ep_request made = EP_REQUEST_NULL;
    ::MPI_Request own_made = own::request_null;
    if (!request)
        return wrong_argument();
    if (comm.is_ep)
        return keep_request(ep_result(ep(a..., ep_of(comm), &made)), made, datatype, request);
    return keep_request(mpi_result(mpi(a..., mpi_of(comm), &own_made)), own_made, datatype, request);
}

/* f(..., &status), after a call with code. */
template <class Status>
int keep_status(int code, const Status &from, MPI_Datatype datatype, MPI_Status *status)
{
    fill_status(status, from, datatype);
    return code;
}

/* f(..., comm, &status) */
template <class Ep, class Mpi, class... A>
int receive(const MPI_Comm &comm, MPI_Status *status, MPI_Datatype datatype, Ep ep, Mpi mpi, A... a)
{
    ep_status from = ep_status();
    ::MPI_Status own_from = ::MPI_Status();
    if (comm.is_ep)
        return keep_status(ep_result(ep(a..., ep_of(comm), status ? &from : EP_STATUS_IGNORE)), from,
                           datatype, status);
    return keep_status(mpi_result(mpi(a..., mpi_of(comm), status ? &own_from : own::status_ignore)), own_from,
                       datatype, status);
}

/* f(comm, ..., &newcomm) */
template <class Ep, class Mpi, class... A>
int derive(const MPI_Comm &comm, MPI_Comm *newcomm, Ep ep, Mpi mpi, A... a)
{
    ep_comm made = EP_COMM_NULL;
    ::MPI_Comm own_made = own::comm_null;
    if (!newcomm)
        return wrong_argument();
    int code =
        comm.is_ep ? ep_result(ep(ep_of(comm), a..., &made)) : mpi_result(mpi(mpi_of(comm), a..., &own_made));
    if (code == MPI_SUCCESS)
        *newcomm = comm.is_ep ? from_ep_comm(made, comm) : from_mpi_comm(own_made);
    return code;
}

} // namespace ep_lib
#endif
