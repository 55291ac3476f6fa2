/* SPDX-License-Identifier: BSD-3-Clause */
/* comm_object.hpp: what a communicator's handle stands for. */
#ifndef EP_LIB_COMM_OBJECT_HPP
#define EP_LIB_COMM_OBJECT_HPP

#include "ep_lib/convert.hpp"
#include <memory>
#include <mutex>

namespace ep_lib {

/* A number that no other process has. */
typedef std::uint64_t process_id;
process_id own_process();

/* Endpoints that one call made, or that MPI_Intercomm_create has joined: in which process each is. It has all members of the
 * communicators derived from them, which their groups tell. */
struct comm_origin {
    ep_group group;
    std::vector<process_id> process_of;

    comm_origin() : group(EP_GROUP_NULL) {}
    ~comm_origin();
    comm_origin(const comm_origin &) = delete;
    comm_origin &operator=(const comm_origin &) = delete;
};

/* One for each communicator of an endpoint, and for each classic one that ep_lib has met. */
struct comm_object {
    ep_comm ep;         /* null: classic */
    ::MPI_Comm classic; /* of endpoints: asked for when it is needed, under lock */
    bool classic_known;
    bool part_known; /* under lock */
    detail::ep_comm_part part;
    detail::intercomm_part intercomm;
    std::shared_ptr<const comm_origin> origin;
    std::mutex lock;

    comm_object();
};

/* The object of a handle's value, or null. */
comm_object *object_of(std::uintptr_t comm);
ep_comm ep_of(const MPI_Comm &comm);
::MPI_Comm mpi_of(const MPI_Comm &comm);

/* Processes of the members of a group, by rank. */
std::vector<process_id> processes_of(ep_group group, const comm_origin &origin);

/* A handle for a new communicator of an endpoint; like gives the origin. */
MPI_Comm from_ep_comm(ep_comm made, const MPI_Comm &like);
MPI_Comm from_ep_comm(ep_comm made, const std::shared_ptr<const comm_origin> &origin);
/* The handle of a communicator of an endpoint that ep_lib has made, or MPI_COMM_NULL. */
MPI_Comm find_ep_comm(ep_comm comm);
/* Around the call that frees it: out of the tables before, because another thread may be given the same handle at once; then
 * ended, or where the call has failed back in the tables. */
void withdraw_comm(const MPI_Comm &comm);
void restore_comm(const MPI_Comm &comm);
void end_comm(const MPI_Comm &comm);
/* Entries of fc_comm_map go with their communicator. */
void forget_numbers(const MPI_Comm &comm);

} // namespace ep_lib
#endif
