/* SPDX-License-Identifier: BSD-3-Clause */
/* What the bindings of all topologies share (MPI 7.5.5). */
#include "api/topology.h"

#include "derive/derive.h"

static const char *name_of(int kind)
{
    return kind == MPI_CART ? "Cartesian" : kind == MPI_GRAPH ? "graph" : "distributed graph";
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
                           name_of((*t)->kind), name_of(kind));
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

/*
 * Who has no memory for its topology leaves the others alone in the new communicator, and they see it in the
 * size. Only the little that attaching needs can still be missing in one endpoint alone.
 */
int topology_create(struct where w, int color, int key, int size, struct topology *t, ep_comm *newcomm)
{
    bool wanted = color != MPI_UNDEFINED;
    int rc = derive_split(w, t ? color : MPI_UNDEFINED, key, newcomm);
    if (rc || !wanted) {
        topology_drop(t);
        return rc;
    }
    if (t && *newcomm && (*newcomm)->size == size && topology_attach(*newcomm, t))
        return MPI_SUCCESS;
    topology_drop(t);
    if (*newcomm)
        ep_comm_free(newcomm);
    return raise_error(w, MPI_ERR_NO_MEM,
                       t ? "an endpoint has no memory for its topology, or gave another one"
                         : "no memory for the topology");
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
