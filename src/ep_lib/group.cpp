/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups. */
#include "ep_lib/dispatch.hpp"

namespace ep_lib {

static bool is_endpoints(const MPI_Group &group)
{
    return group.of == detail::side_endpoint;
}

/* f(group, ...) */
template <class Ep, class Mpi, class... A>
static int ask_group(const MPI_Group &group, Ep ep, Mpi mpi, A... a)
{
    return is_endpoints(group) ? ep_result(ep(to_ep_group(group), a...))
                               : mpi_result(mpi(to_mpi_group(group), a...));
}

/* f(&newgroup), of either library. */
template <class Ep, class Mpi> static int make_group(bool endpoints, MPI_Group *newgroup, Ep ep, Mpi mpi)
{
    ep_group made = EP_GROUP_NULL;
    ::MPI_Group own_made = own::group_null;
    if (!newgroup)
        return wrong_argument();
    int code = endpoints ? ep_result(ep(&made)) : mpi_result(mpi(&own_made));
    if (code == MPI_SUCCESS)
        *newgroup = endpoints ? from_group(made) : from_group(own_made);
    return code;
}

/* f(comm, &group) */
template <class Ep, class Mpi>
static int group_of_comm(const MPI_Comm &comm, MPI_Group *group, Ep ep, Mpi mpi)
{
    return make_group(
        comm.is_ep, group, [&](ep_group *made) { return ep(ep_of(comm), made); },
        [&](::MPI_Group *made) { return mpi(mpi_of(comm), made); });
}

/* f(group1, group2, &newgroup). Of both kinds: the one that is not ep's is its null handle. */
template <class Ep, class Mpi>
static int combine_groups(const MPI_Group &a, const MPI_Group &b, MPI_Group *newgroup, Ep ep, Mpi mpi)
{
    return make_group(
        is_endpoints(a) || is_endpoints(b), newgroup,
        [&](ep_group *made) { return ep(to_ep_group(a), to_ep_group(b), made); },
        [&](::MPI_Group *made) { return mpi(to_mpi_group(a), to_mpi_group(b), made); });
}

/* f(group, n, ranks, &newgroup) */
template <class Ep, class Mpi>
static int choose_ranks(const MPI_Group &group, int n, const int ranks[], MPI_Group *newgroup, Ep ep, Mpi mpi)
{
    return make_group(
        is_endpoints(group), newgroup, [&](ep_group *made) { return ep(to_ep_group(group), n, ranks, made); },
        [&](::MPI_Group *made) { return mpi(to_mpi_group(group), n, ranks, made); });
}

int MPI_Comm_group(MPI_Comm comm, MPI_Group *group)
{
    return group_of_comm(comm, group, ep_comm_group, ::MPI_Comm_group);
}

int MPI_Comm_remote_group(MPI_Comm comm, MPI_Group *group)
{
    return group_of_comm(comm, group, ep_comm_remote_group, ::MPI_Comm_remote_group);
}

int MPI_Group_size(MPI_Group group, int *size)
{
    return ask_group(group, ep_group_size, ::MPI_Group_size, size);
}

int MPI_Group_rank(MPI_Group group, int *rank)
{
    return ask_group(group, ep_group_rank, ::MPI_Group_rank, rank);
}

int MPI_Group_compare(MPI_Group group1, MPI_Group group2, int *result)
{
    if (is_endpoints(group1) || is_endpoints(group2))
        return ep_result(ep_group_compare(to_ep_group(group1), to_ep_group(group2), result));
    return mpi_result(::MPI_Group_compare(to_mpi_group(group1), to_mpi_group(group2), result));
}

int MPI_Group_translate_ranks(MPI_Group group1, int n, const int ranks1[], MPI_Group group2, int ranks2[])
{
    if (n > 0 && (!ranks1 || !ranks2))
        return wrong_argument();
    std::vector<int> from;
    int code;
    for (int i = 0; i < n; i++)
        from.push_back(to_mpi_rank(ranks1[i]));
    if (is_endpoints(group1) || is_endpoints(group2))
        code = ep_result(
            ep_group_translate_ranks(to_ep_group(group1), n, from.data(), to_ep_group(group2), ranks2));
    else
        code = mpi_result(
            ::MPI_Group_translate_ranks(to_mpi_group(group1), n, from.data(), to_mpi_group(group2), ranks2));
    for (int i = 0; code == MPI_SUCCESS && i < n; i++)
        ranks2[i] = from_mpi_rank(ranks2[i]);
    return code;
}

int MPI_Group_union(MPI_Group group1, MPI_Group group2, MPI_Group *newgroup)
{
    return combine_groups(group1, group2, newgroup, ep_group_union, ::MPI_Group_union);
}

int MPI_Group_intersection(MPI_Group group1, MPI_Group group2, MPI_Group *newgroup)
{
    return combine_groups(group1, group2, newgroup, ep_group_intersection, ::MPI_Group_intersection);
}

int MPI_Group_difference(MPI_Group group1, MPI_Group group2, MPI_Group *newgroup)
{
    return combine_groups(group1, group2, newgroup, ep_group_difference, ::MPI_Group_difference);
}

int MPI_Group_incl(MPI_Group group, int n, const int ranks[], MPI_Group *newgroup)
{
    return choose_ranks(group, n, ranks, newgroup, ep_group_incl, ::MPI_Group_incl);
}

int MPI_Group_excl(MPI_Group group, int n, const int ranks[], MPI_Group *newgroup)
{
    return choose_ranks(group, n, ranks, newgroup, ep_group_excl, ::MPI_Group_excl);
}

int MPI_Group_free(MPI_Group *group)
{
    if (!group)
        return wrong_argument();
    if (*group == MPI_GROUP_EMPTY) {
        *group = MPI_GROUP_NULL;
        return MPI_SUCCESS;
    }
    ep_group of_ep = to_ep_group(*group);
    ::MPI_Group of_mpi = to_mpi_group(*group);
    int code =
        is_endpoints(*group) ? ep_result(ep_group_free(&of_ep)) : mpi_result(::MPI_Group_free(&of_mpi));
    if (code == MPI_SUCCESS)
        *group = MPI_GROUP_NULL;
    return code;
}

} // namespace ep_lib
