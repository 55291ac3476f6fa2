/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers for Fortran. */
#include "ep_lib/dispatch.hpp"
#include <atomic>

namespace ep_lib {

comm_map fc_comm_map;

typedef std::map<MPI_Fint, MPI_Fint> number_places;

static std::mutex &map_lock()
{
    static std::mutex *const lock = new std::mutex;
    return *lock;
}

/* In the order in which threads come. */
static int thread_number()
{
    static std::atomic<int> next(0);
    static thread_local int number = next.fetch_add(1, std::memory_order_relaxed);
    return number;
}

MPI_Fint MPI_Comm_c2f(MPI_Comm comm)
{
    return comm.is_ep ? ep_comm_c2f(ep_of(comm)) : own::comm_c2f(mpi_of(comm));
}

/* ep refuses what is MPI's, and the other way round. */
MPI_Comm MPI_Comm_f2c(MPI_Fint number)
{
    MPI_Comm found = find_ep_comm(ep_comm_f2c(number));
    if (found != MPI_COMM_NULL)
        return found;
    ::MPI_Comm classic = own::comm_f2c(number);
    return is_communicator(classic) ? from_mpi_comm(classic) : MPI_COMM_NULL;
}

/* Programs keep the address, so the place of a number stays; written once, because threads read it without the lock. A
 * classic communicator is found by MPI, which may also free it. */
EP_Fint EP_Comm_c2f(MPI_Comm comm)
{
    static number_places *const places = new number_places;
    MPI_Fint number = own::comm_c2f(mpi_of(comm));
    std::lock_guard<std::mutex> guard(map_lock());
    if (comm.is_ep)
        fc_comm_map[std::make_pair(number, thread_number())] = comm;
    else
        fc_comm_map.erase(std::make_pair(number, thread_number()));
    return EP_Fint(&places->emplace(number, number).first->second);
}

MPI_Comm EP_Comm_f2c(MPI_Fint number)
{
    {
        std::lock_guard<std::mutex> guard(map_lock());
        comm_map::const_iterator found = fc_comm_map.find(std::make_pair(number, thread_number()));
        if (found != fc_comm_map.end())
            return found->second;
    }
    return MPI_Comm_f2c(number);
}

MPI_Comm EP_Comm_f2c(MPI_Fint *number)
{
    return number ? EP_Comm_f2c(*number) : MPI_COMM_NULL;
}

MPI_Comm EP_Comm_f2c(void *number)
{
    return EP_Comm_f2c(static_cast<MPI_Fint *>(number));
}

MPI_Comm EP_Comm_f2c(EP_Fint number)
{
    return EP_Comm_f2c(static_cast<MPI_Fint>(number));
}

/* Those of which the predicate holds. */
template <class F> static void forget_entries(F goes)
{
    std::lock_guard<std::mutex> guard(map_lock());
    for (comm_map::iterator i = fc_comm_map.begin(); i != fc_comm_map.end();)
        i = goes(*i) ? fc_comm_map.erase(i) : std::next(i);
}

void comm_map::clear()
{
    forget_entries([](const value_type &entry) { return entry.first.second == thread_number(); });
}

void forget_numbers(const MPI_Comm &comm)
{
    forget_entries([&](const comm_map::value_type &entry) { return entry.second == comm; });
}

} // namespace ep_lib
