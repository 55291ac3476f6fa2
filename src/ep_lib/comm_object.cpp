/* SPDX-License-Identifier: BSD-3-Clause */
/* What a communicator's handle stands for: objects, and the ways from a library's handle to its object. */
#include "ep_lib/dispatch.hpp"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>
#include <unordered_map>

namespace ep_lib {

typedef std::unordered_map<std::uintptr_t, comm_object *> comm_table;

/* Never destroyed: threads may outlive static objects. */
struct comm_tables {
    std::mutex lock;
    comm_table endpoints, classic; /* by the library's handle */
};

static comm_tables &tables()
{
    static comm_tables *const all = new comm_tables;
    return *all;
}

comm_object::comm_object()
    : ep(EP_COMM_NULL), classic(own::comm_null), classic_known(false),
      part_known(false), part{{}, nullptr}, intercomm{detail::classic_comm(0)}
{
}

comm_origin::~comm_origin()
{
    int finalized = 0;
    ::MPI_Finalized(&finalized);
    if (group != EP_GROUP_NULL && !finalized)
        ep_group_free(&group);
}

static comm_object *classic_object(::MPI_Comm comm)
{
    comm_object *object = new comm_object;
    object->classic = comm;
    return object;
}

comm_object *object_of(std::uintptr_t comm)
{
    static comm_object *const world = classic_object(own::comm_world),
                              *const self = classic_object(own::comm_self),
                              *const null = classic_object(own::comm_null);
    switch (comm) {
    case detail::comm_null:
        return null;
    case detail::comm_world:
        return world;
    case detail::comm_self:
        return self;
    }
    return reinterpret_cast<comm_object *>(comm);
}

ep_comm ep_of(const MPI_Comm &comm)
{
    return object_of(comm.mpi_comm.comm)->ep;
}

/* The classic communicator of an object; the address is the object's. */
static ::MPI_Comm *classic_of(comm_object *object)
{
    if (object->ep == EP_COMM_NULL)
        return &object->classic;
    std::lock_guard<std::mutex> guard(object->lock);
    if (!object->classic_known && ep_comm_get_mpi_comm(object->ep, &object->classic) == MPI_SUCCESS)
        object->classic_known = true;
    return &object->classic;
}

::MPI_Comm mpi_of(const MPI_Comm &comm)
{
    return *classic_of(object_of(comm.mpi_comm.comm));
}

/* ---- making and ending ---- */

static MPI_Comm handle_of(comm_object *object, bool is_ep, bool is_inter)
{
    return MPI_Comm(reinterpret_cast<std::uintptr_t>(object), is_ep, is_inter);
}

MPI_Comm from_ep_comm(ep_comm made, const std::shared_ptr<const comm_origin> &origin)
{
    int inter = 0;
    if (made == EP_COMM_NULL)
        return MPI_COMM_NULL;
    comm_object *object = new comm_object;
    object->ep = made;
    object->origin = origin;
    ep_comm_test_inter(made, &inter);
    std::lock_guard<std::mutex> guard(tables().lock);
    tables().endpoints[to_bits(made)] = object;
    return handle_of(object, true, inter);
}

MPI_Comm from_ep_comm(ep_comm made, const MPI_Comm &like)
{
    return from_ep_comm(made, object_of(like.mpi_comm.comm)->origin);
}

/* The same handle for the same communicator, as ep_lib compares handles. Asked anew whether it is an intercommunicator: one that
 * others have freed may have left its number. */
MPI_Comm from_mpi_comm(::MPI_Comm comm)
{
    int inter = 0;
    if (comm == own::comm_null)
        return MPI_COMM_NULL;
    if (comm == own::comm_world)
        return MPI_COMM_WORLD;
    if (comm == own::comm_self)
        return MPI_COMM_SELF;
    ::MPI_Comm_test_inter(comm, &inter);
    std::lock_guard<std::mutex> guard(tables().lock);
    comm_object *&object = tables().classic[to_bits(comm)];
    if (!object)
        object = classic_object(comm);
    return handle_of(object, false, inter);
}

MPI_Comm find_ep_comm(ep_comm comm)
{
    int inter = 0;
    if (comm == EP_COMM_NULL)
        return MPI_COMM_NULL;
    ep_comm_test_inter(comm, &inter);
    std::lock_guard<std::mutex> guard(tables().lock);
    comm_table::const_iterator found = tables().endpoints.find(to_bits(comm));
    return found == tables().endpoints.end() ? MPI_COMM_NULL : handle_of(found->second, true, inter);
}

/* MPI_COMM_WORLD and its like are in no table. */
static bool is_constant(const MPI_Comm &comm)
{
    return comm.mpi_comm.comm <= detail::comm_self;
}

static comm_table &table_of(const comm_object *object)
{
    return object->ep != EP_COMM_NULL ? tables().endpoints : tables().classic;
}

static std::uintptr_t bits_of(const comm_object *object)
{
    return object->ep != EP_COMM_NULL ? to_bits(object->ep) : to_bits(object->classic);
}

void withdraw_comm(const MPI_Comm &comm)
{
    comm_object *object = object_of(comm.mpi_comm.comm);
    if (is_constant(comm))
        return;
    std::lock_guard<std::mutex> guard(tables().lock);
    table_of(object).erase(bits_of(object));
}

void restore_comm(const MPI_Comm &comm)
{
    comm_object *object = object_of(comm.mpi_comm.comm);
    if (is_constant(comm))
        return;
    std::lock_guard<std::mutex> guard(tables().lock);
    table_of(object)[bits_of(object)] = object;
}

void end_comm(const MPI_Comm &comm)
{
    if (is_constant(comm))
        return;
    forget_numbers(comm);
    delete object_of(comm.mpi_comm.comm);
}

/* ---- the fields ---- */

static process_id draw_id()
{
    std::random_device source;
    return static_cast<process_id>(source()) << 32 | source();
}

process_id own_process()
{
    static const process_id id = draw_id();
    return id;
}

std::vector<process_id> processes_of(ep_group group, const comm_origin &origin)
{
    int size = 0;
    ep_group_size(group, &size);
    std::vector<int> ranks(static_cast<std::size_t>(size)), there(ranks.size());
    std::vector<process_id> processes(ranks.size());
    std::iota(ranks.begin(), ranks.end(), 0);
    ep_group_translate_ranks(group, size, ranks.data(), origin.group, there.data());
    for (std::size_t i = 0; i < there.size(); i++)
        processes[i] = origin.process_of.at(static_cast<std::size_t>(there[i]));
    return processes;
}

/* Of the local group. Processes are in the order in which their first endpoints come. */
static void fill_part(comm_object *object)
{
    int rank = 0, inter = 0;
    ep_group group = EP_GROUP_NULL;
    ep_comm_rank(object->ep, &rank);
    ep_comm_test_inter(object->ep, &inter);
    ep_comm_group(object->ep, &group);
    std::vector<process_id> processes = processes_of(group, *object->origin), order;
    ep_group_free(&group);
    for (process_id process : processes)
        if (std::find(order.begin(), order.end(), process) == order.end())
            order.push_back(process);
    auto mine = processes.begin() + rank;
    auto before = std::count(processes.begin(), mine, *mine);
    auto all = std::count(processes.begin(), processes.end(), *mine);
    auto place = std::find(order.begin(), order.end(), *mine) - order.begin();
    object->part.size_rank_info[0] = std::make_pair(rank, static_cast<int>(processes.size()));
    object->part.size_rank_info[1] = std::make_pair(static_cast<int>(before), static_cast<int>(all));
    object->part.size_rank_info[2] = std::make_pair(static_cast<int>(place), static_cast<int>(order.size()));
    object->part.intercomm = inter ? &object->intercomm : nullptr;
}

/* Anew each time: MPI may have freed the communicator that had this handle, and given it to another. What is the same is not
 * written, because others may be reading it. */
static void fill_classic_part(comm_object *object, std::uintptr_t comm)
{
    int rank = 0, size = 1, inter = 0;
    if (object->classic != own::comm_null) {
        ::MPI_Comm_rank(object->classic, &rank);
        ::MPI_Comm_size(object->classic, &size);
        ::MPI_Comm_test_inter(object->classic, &inter);
    }
    detail::intercomm_part *intercomm = inter ? &object->intercomm : nullptr;
    if (object->part_known && object->part.size_rank_info[0] == std::make_pair(rank, size) &&
        object->part.intercomm == intercomm)
        return;
    object->intercomm.mpi_inter_comm.comm = comm;
    object->part.size_rank_info[0] = object->part.size_rank_info[2] = std::make_pair(rank, size);
    object->part.size_rank_info[1] = std::make_pair(0, 1);
    object->part.intercomm = intercomm;
    object->part_known = true;
}

namespace detail {

ep_comm_part *comm_part(std::uintptr_t comm)
{
    comm_object *object = object_of(comm);
    std::lock_guard<std::mutex> guard(object->lock);
    if (object->ep == EP_COMM_NULL) {
        fill_classic_part(object, comm);
    } else if (!object->part_known) {
        object->intercomm.mpi_inter_comm.comm = comm;
        fill_part(object);
        object->part_known = true;
    }
    return &object->part;
}

void *classic_address(std::uintptr_t comm)
{
    return classic_of(object_of(comm));
}

void classic_copy(std::uintptr_t comm, void *to, std::size_t size)
{
    if (size != sizeof(::MPI_Comm)) {
        std::fprintf(stderr, "ep_lib: mpi_comm converted to %zu bytes, a handle has %zu\n", size,
                     sizeof(::MPI_Comm));
        std::abort();
    }
    std::memcpy(to, classic_address(comm), size);
}

} // namespace detail

::MPI_Comm to_mpi_comm(MPI_Comm comm)
{
    return mpi_of(comm);
}

::MPI_Comm to_mpi_comm(void *mpi_comm)
{
    return mpi_comm ? *static_cast<::MPI_Comm *>(mpi_comm) : own::comm_null;
}

} // namespace ep_lib
