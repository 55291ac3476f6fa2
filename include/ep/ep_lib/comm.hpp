/* SPDX-License-Identifier: BSD-3-Clause */
/* comm.hpp: endpoints, communicators, groups, numbers for Fortran. Part of <ep_lib.hpp>. */
#ifndef EP_EP_LIB_COMM_HPP
#define EP_EP_LIB_COMM_HPP

#include "types.hpp"

#pragma GCC visibility push(default)
namespace ep_lib {

/* ---- Endpoints (MPI Forum issue 56) -----------------------------------------------------------------
 * num_ep endpoints in the calling process, ranks of one new communicator over all processes of the base, an intracommunicator.
 * base_comm_ptr points to an ::MPI_Comm: &comm of <mpi.h>, or comm.mpi_comm; base is ep_lib's, or its address. out becomes an array of num_ep handles, one for each
 * thread; the caller may delete[] it when they have been taken. num_ep may be 0 and may differ between processes.
 * Collective over the base, called by one thread of each process. Blocks. Errors: MPI_ERR_COMM (also of an
 * endpoint's communicator), MPI_ERR_ARG, MPI_ERR_OTHER (thread level too low), MPI_ERR_NO_MEM. */
int MPI_Comm_create_endpoints(void *base_comm_ptr, int num_ep, MPI_Info info, MPI_Comm *&out);
int MPI_Comm_create_endpoints(MPI_Comm base, int num_ep, MPI_Info info, MPI_Comm *&out);
int MPI_Comm_create_endpoints(const MPI_Comm *base, int num_ep, MPI_Info info, MPI_Comm *&out);

/* Where the thread that made endpoints hands the array to the others: it stores it, all meet in a barrier of threads, each takes
 * its own, and they meet again before the array is deleted or passage is used anew. */
extern MPI_Comm *passage;

/* ---- Communicators (MPI 6.4, 6.6) ---------------------------------------------------------------------
 * Of endpoints and classic ones. "Collective" means called by every endpoint, each from its own thread, in the same order; on a
 * classic communicator by one thread of every process. What is made of a communicator is of the same kind. Collective calls
 * block. Errors: MPI_ERR_COMM, _ARG, _GROUP, _RANK, _TAG, _NO_MEM. */

/* Local calls. MPI_Comm_compare of an endpoint's with a classic communicator is MPI_UNEQUAL. */
int MPI_Comm_rank(MPI_Comm comm, int *rank);
int MPI_Comm_size(MPI_Comm comm, int *size);
int MPI_Comm_remote_size(MPI_Comm comm, int *size);
int MPI_Comm_test_inter(MPI_Comm comm, int *flag);
int MPI_Comm_compare(MPI_Comm comm1, MPI_Comm comm2, int *result);
/* keyval: MPI_TAG_UB (the value is an int *: the highest tag of this communicator), or another predefined one (MPI 6.7.2, 8.1.2).
 * Those of MPI_HOST and MPI_IO are ranks, MPI_PROC_NULL or MPI_ANY_SOURCE. */
int MPI_Comm_get_attr(MPI_Comm comm, int keyval, void *attribute_val, int *flag);
int MPI_Attr_get(MPI_Comm comm, int keyval, void *attribute_val, int *flag); /* its name in MPI-1 */
int MPI_Comm_set_name(MPI_Comm comm, const char *name);
int MPI_Comm_get_name(MPI_Comm comm, char *name, int *resultlen);

/* Collective calls. color may be MPI_UNDEFINED; split_type is MPI_COMM_TYPE_SHARED (one machine) or MPI_UNDEFINED. Members of no
 * new communicator get MPI_COMM_NULL. MPI_Comm_create_group is collective over the group alone. */
int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *newcomm);
int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *newcomm);
int MPI_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm *newcomm);
int MPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm *newcomm);
int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *newcomm);
/* *comm becomes MPI_COMM_NULL; copies of the handle are void. Of endpoints it does not wait for the others (MPI 6.4.3). */
int MPI_Comm_free(MPI_Comm *comm);

/* Join two groups (MPI 6.6.2). Collective over both local communicators. peer_comm and remote_leader are significant in the
 * leaders, and peer_comm is of the same kind as local_comm. The groups have no endpoint in common; those of endpoints may
 * share processes in any way, also with each other's leaders. */
int MPI_Intercomm_create(MPI_Comm local_comm, int local_leader, MPI_Comm peer_comm, int remote_leader,
                         int tag, MPI_Comm *newintercomm);
/* An intracommunicator of both groups; the one that gives high = false comes first (MPI 6.6.2). Collective over both. */
int MPI_Intercomm_merge(MPI_Comm intercomm, bool high, MPI_Comm *newintracomm);

/* ---- Groups (MPI 6.3) -----------------------------------------------------------------------------------
 * Of one communicator's kind: those of endpoints do not mix with others, except that MPI_GROUP_EMPTY is both. Any thread; none
 * blocks. Errors: MPI_ERR_GROUP (also of both kinds in one call), MPI_ERR_RANK, MPI_ERR_ARG. */
int MPI_Comm_group(MPI_Comm comm, MPI_Group *group);
int MPI_Comm_remote_group(MPI_Comm comm, MPI_Group *group);
int MPI_Group_size(MPI_Group group, int *size);
int MPI_Group_rank(MPI_Group group, int *rank);
int MPI_Group_compare(MPI_Group group1, MPI_Group group2, int *result);
int MPI_Group_translate_ranks(MPI_Group group1, int n, const int ranks1[], MPI_Group group2, int ranks2[]);
int MPI_Group_union(MPI_Group group1, MPI_Group group2, MPI_Group *newgroup);
int MPI_Group_intersection(MPI_Group group1, MPI_Group group2, MPI_Group *newgroup);
int MPI_Group_difference(MPI_Group group1, MPI_Group group2, MPI_Group *newgroup);
int MPI_Group_incl(MPI_Group group, int n, const int ranks[], MPI_Group *newgroup);
int MPI_Group_excl(MPI_Group group, int n, const int ranks[], MPI_Group *newgroup);
int MPI_Group_free(MPI_Group *group);

/* ---- Numbers for Fortran (MPI 17.2.4) ---------------------------------------------------------------------
 * Any thread; none blocks. */

/* The number of a communicator: MPI's own of a classic one, ep's of an endpoint's, which MPI refuses. */
MPI_Fint MPI_Comm_c2f(MPI_Comm comm);
/* The communicator with this number; MPI_COMM_NULL if there is none. */
MPI_Comm MPI_Comm_f2c(MPI_Fint number);

/* What EP_Comm_c2f gives: a number, or where one lies as long as the program runs. Revisions of XIOS want either: int f =
 * EP_Comm_c2f(c), *static_cast<MPI_Fint *>(EP_Comm_c2f(c)). */
class EP_Fint {
  public:
    explicit EP_Fint(MPI_Fint *where) : number(where) {}
    operator MPI_Fint() const { return *number; }
    operator MPI_Fint *() const { return number; }
    operator void *() const { return number; }

  private:
    MPI_Fint *number;
};

/* The number by which an endpoint hands its communicator to Fortran and back: that of the classic communicator behind it, which
 * all endpoints of the process share. Each thread finds its own with EP_Comm_f2c: the one that it gave last for that
 * number. In a thread that gave none, and of a number that is no one's, EP_Comm_f2c is MPI_Comm_f2c. */
EP_Fint EP_Comm_c2f(MPI_Comm comm);
MPI_Comm EP_Comm_f2c(MPI_Fint number);
MPI_Comm EP_Comm_f2c(MPI_Fint *number);
MPI_Comm EP_Comm_f2c(void *number);
MPI_Comm EP_Comm_f2c(EP_Fint number);

/* What EP_Comm_c2f has written down of endpoints: (number, thread) to communicator; threads are numbered as they come. Entries go when their
 * communicator is freed. Read it while no thread is in these functions or in MPI_Comm_free. */
class comm_map : public std::map<std::pair<MPI_Fint, int>, MPI_Comm> {
  public:
    /* XIOS's threads all do this when they begin, so each forgets its own alone. Any thread, at any time. */
    void clear();
};
extern comm_map fc_comm_map;

} // namespace ep_lib
#pragma GCC visibility pop
#endif
