/* SPDX-License-Identifier: BSD-3-Clause */
/* Point-to-point: sends, receives, probes. */
#include "ep_lib/dispatch.hpp"

namespace ep_lib {

/* ---- blocking ---- */

int MPI_Send(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm)
{
    return call(comm, ep_send, ::MPI_Send, buf, count, to_mpi_type(datatype), to_mpi_rank(dest), tag);
}

int MPI_Ssend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm)
{
    return call(comm, ep_ssend, ::MPI_Ssend, buf, count, to_mpi_type(datatype), to_mpi_rank(dest), tag);
}

int MPI_Rsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm)
{
    return call(comm, ep_rsend, ::MPI_Rsend, buf, count, to_mpi_type(datatype), to_mpi_rank(dest), tag);
}

int MPI_Bsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm)
{
    return call(comm, ep_bsend, ::MPI_Bsend, buf, count, to_mpi_type(datatype), to_mpi_rank(dest), tag);
}

int MPI_Recv(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
             MPI_Status *status)
{
    return receive(comm, status, datatype, ep_recv, ::MPI_Recv, buf, count, to_mpi_type(datatype),
                   to_mpi_rank(source), tag);
}

int MPI_Sendrecv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag,
                 void *recvbuf, int recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm,
                 MPI_Status *status)
{
    return receive(comm, status, recvtype, ep_sendrecv, ::MPI_Sendrecv, sendbuf, sendcount,
                   to_mpi_type(sendtype), to_mpi_rank(dest), sendtag, recvbuf, recvcount,
                   to_mpi_type(recvtype), to_mpi_rank(source), recvtag);
}

int MPI_Sendrecv_replace(void *buf, int count, MPI_Datatype datatype, int dest, int sendtag, int source,
                         int recvtag, MPI_Comm comm, MPI_Status *status)
{
    return receive(comm, status, datatype, ep_sendrecv_replace, ::MPI_Sendrecv_replace, buf, count,
                   to_mpi_type(datatype), to_mpi_rank(dest), sendtag, to_mpi_rank(source), recvtag);
}

int MPI_Buffer_attach(void *buffer, int size)
{
    return ep_result(ep_buffer_attach(buffer, size));
}

int MPI_Buffer_attach(void *buffer, int size, MPI_Comm comm)
{
    return comm.is_ep ? MPI_Buffer_attach(buffer, size) : mpi_result(::MPI_Buffer_attach(buffer, size));
}

int MPI_Buffer_detach(void *buffer_addr, int *size)
{
    return ep_result(ep_buffer_detach(buffer_addr, size));
}

int MPI_Buffer_detach(void *buffer_addr, int *size, MPI_Comm comm)
{
    return comm.is_ep ? MPI_Buffer_detach(buffer_addr, size)
                      : mpi_result(::MPI_Buffer_detach(buffer_addr, size));
}

/* ---- with requests ---- */

int MPI_Isend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    return begin(comm, request, MPI_DATATYPE_NULL, ep_isend, ::MPI_Isend, buf, count, to_mpi_type(datatype),
                 to_mpi_rank(dest), tag);
}

int MPI_Issend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
               MPI_Request *request)
{
    return begin(comm, request, MPI_DATATYPE_NULL, ep_issend, ::MPI_Issend, buf, count, to_mpi_type(datatype),
                 to_mpi_rank(dest), tag);
}

int MPI_Irsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
               MPI_Request *request)
{
    return begin(comm, request, MPI_DATATYPE_NULL, ep_irsend, ::MPI_Irsend, buf, count, to_mpi_type(datatype),
                 to_mpi_rank(dest), tag);
}

int MPI_Ibsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
               MPI_Request *request)
{
    return begin(comm, request, MPI_DATATYPE_NULL, ep_ibsend, ::MPI_Ibsend, buf, count, to_mpi_type(datatype),
                 to_mpi_rank(dest), tag);
}

int MPI_Irecv(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    return begin(comm, request, datatype, ep_irecv, ::MPI_Irecv, buf, count, to_mpi_type(datatype),
                 to_mpi_rank(source), tag);
}

/* ---- probes ---- */

int MPI_Probe(int source, int tag, MPI_Comm comm, MPI_Status *status)
{
    return receive(comm, status, MPI_DATATYPE_NULL, ep_probe, ::MPI_Probe, to_mpi_rank(source), tag);
}

/* A status means something only where there is a message. */
int MPI_Iprobe(int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status)
{
    MPI_Status found;
    int code = receive(
        comm, &found, MPI_DATATYPE_NULL,
        [&](int s, int t, ep_comm c, ep_status *from) { return ep_iprobe(s, t, c, flag, from); },
        [&](int s, int t, ::MPI_Comm c, ::MPI_Status *from) { return ::MPI_Iprobe(s, t, c, flag, from); },
        to_mpi_rank(source), tag);
    if (status && code == MPI_SUCCESS && *flag)
        *status = found;
    return code;
}

static MPI_Message from_message(ep_message message)
{
    if (message == EP_MESSAGE_NULL)
        return MPI_MESSAGE_NULL;
    return message == EP_MESSAGE_NO_PROC ? MPI_MESSAGE_NO_PROC
                                         : MPI_Message(detail::side_endpoint, to_bits(message));
}

static MPI_Message from_message(::MPI_Message message)
{
    if (message == own::message_null)
        return MPI_MESSAGE_NULL;
    return message == own::message_no_proc ? MPI_MESSAGE_NO_PROC
                                           : MPI_Message(detail::side_classic, to_bits(message));
}

/* f(source, tag, comm, ..., &message, &status) */
template <class Ep, class Mpi>
static int probe_message(int source, int tag, const MPI_Comm &comm, MPI_Message *message, MPI_Status *status,
                         Ep ep, Mpi mpi)
{
    ep_message found = EP_MESSAGE_NULL;
    ::MPI_Message own_found = own::message_null;
    if (!message)
        return wrong_argument();
    int code = receive(
        comm, status, MPI_DATATYPE_NULL,
        [&](int s, int t, ep_comm c, ep_status *from) { return ep(s, t, c, &found, from); },
        [&](int s, int t, ::MPI_Comm c, ::MPI_Status *from) { return mpi(s, t, c, &own_found, from); },
        to_mpi_rank(source), tag);
    if (code == MPI_SUCCESS)
        *message = comm.is_ep ? from_message(found) : from_message(own_found);
    return code;
}

int MPI_Mprobe(int source, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status)
{
    return probe_message(source, tag, comm, message, status, ep_mprobe, ::MPI_Mprobe);
}

int MPI_Improbe(int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message, MPI_Status *status)
{
    MPI_Status found;
    int code = probe_message(
        source, tag, comm, message, &found,
        [&](int s, int t, ep_comm c, ep_message *m, ep_status *from) {
            return ep_improbe(s, t, c, flag, m, from);
        },
        [&](int s, int t, ::MPI_Comm c, ::MPI_Message *m, ::MPI_Status *from) {
            return ::MPI_Improbe(s, t, c, flag, m, from);
        });
    if (status && code == MPI_SUCCESS && *flag)
        *status = found;
    return code;
}

/* ---- receiving what a probe took; a message that is no one's is given to ep, which says so ---- */

static ep_message to_ep_message(const MPI_Message &message)
{
    if (message == MPI_MESSAGE_NO_PROC)
        return EP_MESSAGE_NO_PROC;
    return message.of == detail::side_endpoint ? from_bits<ep_message>(message.value) : EP_MESSAGE_NULL;
}

int MPI_Mrecv(void *buf, int count, MPI_Datatype datatype, MPI_Message *message, MPI_Status *status)
{
    if (!message)
        return wrong_argument();
    if (message->of == detail::side_classic) {
        ::MPI_Message own_taken = from_bits<::MPI_Message>(message->value);
        ::MPI_Status own_from = ::MPI_Status();
        int code = mpi_result(::MPI_Mrecv(buf, count, to_mpi_type(datatype), &own_taken,
                                          status ? &own_from : own::status_ignore));
        *message = from_message(own_taken);
        return keep_status(code, own_from, datatype, status);
    }
    ep_message taken = to_ep_message(*message);
    ep_status from = ep_status();
    int code =
        ep_result(ep_mrecv(buf, count, to_mpi_type(datatype), &taken, status ? &from : EP_STATUS_IGNORE));
    *message = from_message(taken);
    return keep_status(code, from, datatype, status);
}

int MPI_Mrecv(void *buf, int count, MPI_Datatype datatype, MPI_Message message, MPI_Status *status)
{
    return MPI_Mrecv(buf, count, datatype, &message, status);
}

int MPI_Imrecv(void *buf, int count, MPI_Datatype datatype, MPI_Message *message, MPI_Request *request)
{
    if (!message || !request)
        return wrong_argument();
    if (message->of == detail::side_classic) {
        ::MPI_Message own_taken = from_bits<::MPI_Message>(message->value);
        ::MPI_Request own_made = own::request_null;
        int code = mpi_result(::MPI_Imrecv(buf, count, to_mpi_type(datatype), &own_taken, &own_made));
        *message = from_message(own_taken);
        return keep_request(code, own_made, datatype, request);
    }
    ep_message taken = to_ep_message(*message);
    ep_request made = EP_REQUEST_NULL;
    int code = ep_result(ep_imrecv(buf, count, to_mpi_type(datatype), &taken, &made));
    *message = from_message(taken);
    return keep_request(code, made, datatype, request);
}

int MPI_Imrecv(void *buf, int count, MPI_Datatype datatype, MPI_Message message, MPI_Request *request)
{
    return MPI_Imrecv(buf, count, datatype, &message, request);
}

/* ---- statuses ---- */

int MPI_Get_count(const MPI_Status *status, MPI_Datatype datatype, int *count)
{
    if (!status)
        return wrong_argument();
    ep_status own_status = to_ep_status(*status);
    return ep_result(ep_get_count(&own_status, to_mpi_type(datatype), count));
}

int MPI_Get_elements(const MPI_Status *status, MPI_Datatype datatype, int *count)
{
    if (!status)
        return wrong_argument();
    ep_status own_status = to_ep_status(*status);
    return ep_result(ep_get_elements(&own_status, to_mpi_type(datatype), count));
}

int MPI_Test_cancelled(const MPI_Status *status, int *flag)
{
    if (!status || !flag)
        return wrong_argument();
    *flag = status->cancelled != 0;
    return MPI_SUCCESS;
}

} // namespace ep_lib
