/* SPDX-License-Identifier: BSD-3-Clause */
/* What the bindings of all topologies share (MPI 7.5.5). */
#include "api/topology.h"

static const char *topology_name_of(int kind)
{
    if (kind == MPI_CART)
        return "Cartesian";
    return kind == MPI_GRAPH ? "graph" : "distributed graph";
}

int check_comm_old(struct where *w, ep_comm comm)
{
    int rc = check_comm(w, comm);
    if (rc == MPI_SUCCESS && w->view->comm->inter)
        return raise_error(*w, MPI_ERR_COMM, "argument comm is an intercommunicator");
    return rc;
}

int check_topology(struct where *w, ep_comm comm, int kind, struct topology **t)
{
    int rc = check_comm(w, comm);
    if (rc)
        return rc;
    *t = topology_of(w->view);
    if (!*t)
        return raise_error(*w, MPI_ERR_TOPOLOGY, "argument comm has no topology");
    if ((*t)->kind != kind)
        return raise_error(*w, MPI_ERR_TOPOLOGY, "argument comm has a %s topology: it must be a %s one",
                           topology_name_of((*t)->kind), topology_name_of(kind));
    return MPI_SUCCESS;
}

int check_node(struct where w, int rank)
{
    if (rank >= 0 && rank < w.view->size)
        return MPI_SUCCESS;
    return raise_error(w, MPI_ERR_RANK, "argument rank is %d: it must be in 0..%d", rank, w.view->size - 1);
}

int check_array(struct where w, const void *array, int n, const char *name)
{
    return n > 0 ? check_pointer(w, array, name) : MPI_SUCCESS;
}

int check_new(struct where w, ep_comm *newcomm, const char *name)
{
    int rc = check_pointer(w, newcomm, name);
    if (rc == MPI_SUCCESS)
        *newcomm = EP_COMM_NULL;
    return rc;
}

int topology_create(struct where w, int color, int key, struct topology *t, ep_comm *newcomm)
{
    if (!t && color != MPI_UNDEFINED)
        return derive_refuse(w, raise_error(w, MPI_ERR_NO_MEM, "no memory for the topology"));
    int rc = derive_split(w, color, key, true, newcomm);
    if (rc != MPI_SUCCESS || !*newcomm || !topology_attach(*newcomm, t)) /* there is room for it */
        topology_drop(t);
    return rc;
}

int ep_topo_test(ep_comm comm, int *status)
{
    struct where w = {NULL, "ep_topo_test"};
    int rc = check_comm(&w, comm);
    if (rc || (rc = check_pointer(w, status, "status")))
        return rc;
    struct topology *t = topology_of(w.view);
    *status = t ? t->kind : MPI_UNDEFINED;
    return MPI_SUCCESS;
}
