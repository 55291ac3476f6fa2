/* SPDX-License-Identifier: BSD-3-Clause */
/* Endpoints and communicators. */
#include "ep_lib/dispatch.hpp"

namespace ep_lib {

MPI_Comm *passage = nullptr;

/* ---- endpoints ---- */

/* Where the endpoints of all processes are: their order is that of the processes. Collective. */
static std::shared_ptr<comm_origin> find_origin(::MPI_Comm base, int num_ep)
{
    struct share {
        process_id process;
        std::size_t endpoints;
    };
    std::shared_ptr<comm_origin> origin = std::make_shared<comm_origin>();
    ::MPI_Datatype byte = own::datatypes[detail::datatype_BYTE];
    share mine = {own_process(), static_cast<std::size_t>(num_ep)};
    int size = 0;
    ::MPI_Comm_size(base, &size);
    std::vector<share> shares(static_cast<std::size_t>(size));
    ::MPI_Allgather(&mine, sizeof mine, byte, shares.data(), sizeof mine, byte, base);
    for (const share &each : shares)
        origin->process_of.insert(origin->process_of.end(), each.endpoints, each.process);
    return origin;
}

/* Both groups of a new intercommunicator, whose origins may be two: each endpoint says where it is. Collective. */
static int join_origins(const MPI_Comm &inter)
{
    comm_object *object = object_of(inter.mpi_comm.comm);
    std::shared_ptr<comm_origin> origin = std::make_shared<comm_origin>();
    ::MPI_Datatype byte = own::datatypes[detail::datatype_BYTE];
    ep_group local = EP_GROUP_NULL, remote = EP_GROUP_NULL;
    process_id mine = own_process();
    int remotes = 0;
    ep_comm_remote_size(object->ep, &remotes);
    std::vector<process_id> there(static_cast<std::size_t>(remotes));
    int code = ep_allgather(&mine, sizeof mine, byte, there.data(), sizeof mine, byte, object->ep);
    if (code != MPI_SUCCESS)
        return ep_result(code);
    ep_comm_group(object->ep, &local);
    ep_comm_remote_group(object->ep, &remote);
    ep_group_union(local, remote, &origin->group); /* they have no endpoint in common */
    origin->process_of = processes_of(local, *object->origin);
    origin->process_of.insert(origin->process_of.end(), there.begin(), there.end());
    ep_group_free(&local);
    ep_group_free(&remote);
    object->origin = origin;
    return MPI_SUCCESS;
}

static int create_endpoints(::MPI_Comm base, int num_ep, ::MPI_Info info, MPI_Comm *&out)
{
    std::size_t room = num_ep > 0 ? static_cast<std::size_t>(num_ep) : 1;
    std::vector<ep_comm> made(room, EP_COMM_NULL);
    int code = ep_result(ep_comm_create_endpoints(base, num_ep, info, made.data()));
    if (code != MPI_SUCCESS)
        return code;
    std::shared_ptr<comm_origin> origin = find_origin(base, num_ep);
    out = new MPI_Comm[room];
    for (std::size_t i = 0; i < room && num_ep > 0; i++) {
        if (i == 0)
            ep_comm_group(made[0], &origin->group);
        out[i] = from_ep_comm(made[i], origin);
    }
    return code;
}

int MPI_Comm_create_endpoints(void *base_comm_ptr, int num_ep, MPI_Info info, MPI_Comm *&out)
{
    return create_endpoints(to_mpi_comm(base_comm_ptr), num_ep, to_mpi_info(info), out);
}

int MPI_Comm_create_endpoints(MPI_Comm base, int num_ep, MPI_Info info, MPI_Comm *&out)
{
    return create_endpoints(base.is_ep ? own::comm_null : mpi_of(base), num_ep, to_mpi_info(info), out);
}

int MPI_Comm_create_endpoints(const MPI_Comm *base, int num_ep, MPI_Info info, MPI_Comm *&out)
{
    return MPI_Comm_create_endpoints(base ? *base : MPI_COMM_NULL, num_ep, info, out);
}

/* ---- what is asked of a communicator ---- */

int MPI_Comm_rank(MPI_Comm comm, int *rank)
{
    return ask(comm, ep_comm_rank, ::MPI_Comm_rank, rank);
}

int MPI_Comm_size(MPI_Comm comm, int *size)
{
    return ask(comm, ep_comm_size, ::MPI_Comm_size, size);
}

int MPI_Comm_remote_size(MPI_Comm comm, int *size)
{
    return ask(comm, ep_comm_remote_size, ::MPI_Comm_remote_size, size);
}

int MPI_Comm_test_inter(MPI_Comm comm, int *flag)
{
    return ask(comm, ep_comm_test_inter, ::MPI_Comm_test_inter, flag);
}

int MPI_Comm_compare(MPI_Comm comm1, MPI_Comm comm2, int *result)
{
    if (comm1.is_ep == comm2.is_ep)
        return comm1.is_ep ? ep_result(ep_comm_compare(ep_of(comm1), ep_of(comm2), result))
                           : mpi_result(::MPI_Comm_compare(mpi_of(comm1), mpi_of(comm2), result));
    if (!result)
        return wrong_argument();
    *result = MPI_UNEQUAL;
    return MPI_SUCCESS;
}

/* The value of an attribute that is a rank, or stands for none. */
static const int *attribute_rank(const int *value)
{
    static const int any_source = MPI_ANY_SOURCE, proc_null = MPI_PROC_NULL;
    switch (from_mpi_rank(*value)) {
    case MPI_ANY_SOURCE:
        return &any_source;
    case MPI_PROC_NULL:
        return &proc_null;
    }
    return value;
}

int MPI_Comm_get_attr(MPI_Comm comm, int keyval, void *attribute_val, int *flag)
{
    int code = ask(comm, ep_comm_get_attr, ::MPI_Comm_get_attr, keyval, attribute_val, flag);
    if (code == MPI_SUCCESS && *flag && (keyval == MPI_HOST || keyval == MPI_IO)) {
        const int **rank = static_cast<const int **>(attribute_val);
        *rank = attribute_rank(*rank);
    }
    return code;
}

int MPI_Attr_get(MPI_Comm comm, int keyval, void *attribute_val, int *flag)
{
    return MPI_Comm_get_attr(comm, keyval, attribute_val, flag);
}

int MPI_Comm_set_name(MPI_Comm comm, const char *name)
{
    return ask(comm, ep_comm_set_name, ::MPI_Comm_set_name, name);
}

int MPI_Comm_get_name(MPI_Comm comm, char *name, int *resultlen)
{
    return ask(comm, ep_comm_get_name, ::MPI_Comm_get_name, name, resultlen);
}

/* ---- new communicators ---- */

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *newcomm)
{
    return derive(comm, newcomm, ep_comm_dup, ::MPI_Comm_dup);
}

int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *newcomm)
{
    return derive(comm, newcomm, ep_comm_split, ::MPI_Comm_split, color, key);
}

int MPI_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm *newcomm)
{
    return derive(comm, newcomm, ep_comm_split_type, ::MPI_Comm_split_type, split_type, key,
                  to_mpi_info(info));
}

int MPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm *newcomm)
{
    return derive(
        comm, newcomm, [&](ep_comm c, ep_comm *made) { return ep_comm_create(c, to_ep_group(group), made); },
        [&](::MPI_Comm c, ::MPI_Comm *made) { return ::MPI_Comm_create(c, to_mpi_group(group), made); });
}

int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *newcomm)
{
    return derive(
        comm, newcomm,
        [&](ep_comm c, ep_comm *made) { return ep_comm_create_group(c, to_ep_group(group), tag, made); },
        [&](::MPI_Comm c, ::MPI_Comm *made) {
            return ::MPI_Comm_create_group(c, to_mpi_group(group), tag, made);
        });
}

int MPI_Intercomm_create(MPI_Comm local_comm, int local_leader, MPI_Comm peer_comm, int remote_leader,
                         int tag, MPI_Comm *newintercomm)
{
    int code = derive(
        local_comm, newintercomm,
        [&](ep_comm c, ep_comm *made) {
            return ep_intercomm_create(c, local_leader, ep_of(peer_comm), remote_leader, tag, made);
        },
        [&](::MPI_Comm c, ::MPI_Comm *made) {
            ::MPI_Comm peer = peer_comm.is_ep ? own::comm_null : mpi_of(peer_comm);
            return ::MPI_Intercomm_create(c, local_leader, peer, remote_leader, tag, made);
        });
    if (code == MPI_SUCCESS && local_comm.is_ep && (code = join_origins(*newintercomm)) != MPI_SUCCESS)
        MPI_Comm_free(newintercomm);
    return code;
}

int MPI_Intercomm_merge(MPI_Comm intercomm, bool high, MPI_Comm *newintracomm)
{
    return derive(intercomm, newintracomm, ep_intercomm_merge, ::MPI_Intercomm_merge, static_cast<int>(high));
}

int MPI_Comm_free(MPI_Comm *comm)
{
    if (!comm)
        return wrong_argument();
    MPI_Comm freed = *comm;
    ep_comm of_ep = ep_of(freed);
    ::MPI_Comm of_mpi = freed.is_ep ? own::comm_null : mpi_of(freed);
    withdraw_comm(freed);
    int code = freed.is_ep ? ep_result(ep_comm_free(&of_ep)) : mpi_result(::MPI_Comm_free(&of_mpi));
    if (code != MPI_SUCCESS) {
        restore_comm(freed);
        return code;
    }
    end_comm(freed);
    *comm = MPI_COMM_NULL;
    return code;
}

} // namespace ep_lib
