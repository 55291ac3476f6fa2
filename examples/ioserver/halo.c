/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * halo.c: the edges of the neighbours' blocks. Each message begins with a flag, by which a client that ends tells its
 * neighbours; two neighbours exchange up to and including the first time that one of them sets it. So no message is
 * left over, and nobody waits for one that does not come.
 */
#include "model_private.h"

#include <stdlib.h>
#include <string.h>

enum { OUT, IN };

static int is_beside(int side)
{
    return side == WEST || side == EAST;
}

static int opposite(int side)
{
    return side ^ 1;
}

static size_t halo_size(const struct model *model, int side)
{
    return 1 + (size_t)NUM_TRACERS * model->nz * (is_beside(side) ? model->ny : model->nx);
}

/* Round the globe from west to east, but not over the poles. */
static void find_neighbours(struct model *model, int client)
{
    const struct job *job = model->job;
    int row = client / job->num_columns, column = client % job->num_columns, n = job->num_columns;
    model->neighbours[WEST] = row * n + (column + n - 1) % n;
    model->neighbours[EAST] = row * n + (column + 1) % n;
    model->neighbours[SOUTH] = row > 0 ? client - n : MPI_PROC_NULL;
    model->neighbours[NORTH] = row < job->num_rows - 1 ? client + n : MPI_PROC_NULL;
}

void halo_create(struct model *model)
{
    int client;
    ep_comm_rank(model->clients, &client);
    find_neighbours(model, client);
    for (int side = 0; side < NUM_SIDES; side++)
        for (int way = 0; way < 2; way++)
            model->halos[way][side] = allocate(halo_size(model, side), sizeof(double));
}

void halo_free(struct model *model)
{
    for (int side = 0; side < NUM_SIDES; side++)
        for (int way = 0; way < 2; way++)
            free(model->halos[way][side]);
}

/* The first point of a side's edge (OUT) or halo (IN), on level 0. */
static size_t first_of_side(const struct model *model, int side, int way)
{
    int inside = way == OUT;
    switch (side) {
    case WEST:
        return at(model, 0, 0, inside ? 0 : -1);
    case EAST:
        return at(model, 0, 0, inside ? model->nx - 1 : model->nx);
    case SOUTH:
        return at(model, 0, inside ? 0 : -1, 0);
    default:
        return at(model, 0, inside ? model->ny - 1 : model->ny, 0);
    }
}

static void copy_side(struct model *model, int side, int way)
{
    double *halo = model->halos[way][side] + 1;
    int n = is_beside(side) ? model->ny : model->nx, step = is_beside(side) ? model->row : 1;
    for (int tracer = 0; tracer < NUM_TRACERS; tracer++)
        for (int k = 0; k < model->nz; k++) {
            double *point =
                model->tracers[tracer] + first_of_side(model, side, way) + (size_t)k * model->level;
            for (int i = 0; i < n; i++, point += step, halo++)
                *(way == OUT ? halo : point) = *(way == OUT ? point : halo);
        }
}

static int is_open(const struct model *model, int side)
{
    return model->neighbours[side] != MPI_PROC_NULL && !model->ended[side];
}

/* A message's tag is the side that it leaves its sender on. */
static void start_side(struct model *model, int side, int ending, ep_request requests[2])
{
    int size = (int)halo_size(model, side), neighbour = model->neighbours[side];
    ep_irecv(model->halos[IN][side], size, MPI_DOUBLE, neighbour, opposite(side), model->clients,
             &requests[0]);
    model->halos[OUT][side][0] = ending;
    copy_side(model, side, OUT);
    ep_isend(model->halos[OUT][side], size, MPI_DOUBLE, neighbour, side, model->clients, &requests[1]);
}

int model_exchange(struct model *model, int ending)
{
    ep_request requests[NUM_SIDES][2];
    int told = 0;
    for (int side = 0; side < NUM_SIDES; side++) {
        requests[side][0] = requests[side][1] = EP_REQUEST_NULL;
        if (is_open(model, side))
            start_side(model, side, ending, requests[side]);
    }
    ep_waitall(2 * NUM_SIDES, requests[0], EP_STATUSES_IGNORE);
    for (int side = 0; side < NUM_SIDES; side++) {
        if (!is_open(model, side))
            continue;
        copy_side(model, side, IN);
        model->ended[side] = ending || model->halos[IN][side][0] != 0;
        told |= model->ended[side];
    }
    return told && !ending;
}
