/* SPDX-License-Identifier: BSD-3-Clause */
/* Windows of all flavors on all communicators: everybody puts to and gets from everybody, between fences. */
#include "rma.h"

static void exchange(MPI_Comm comm, enum flavor flavor)
{
    struct area a;
    long *out, *in;

    area_make(&a, flavor, size_of(comm), -1, comm);
    out = malloc(sizeof(long) * (size_t)a.size);
    in = malloc(sizeof(long) * (size_t)a.size);
    CALL(MPI_Win_fence(0, a.win));
    for (int t = 0; t < a.size; t++) {
        out[t] = 1000 * a.rank + t;
        CALL(MPI_Put(&out[t], 1, MPI_LONG, t, area_at(&a, t, a.rank), 1, MPI_LONG, a.win));
    }
    CALL(MPI_Win_fence(0, a.win));
    for (int s = 0; s < a.size; s++)
        if (a.mem[s] != 1000 * s + a.rank)
            conform_error("%s, flavor %d: %ld from rank %d", conform_comm_name(), flavor, a.mem[s], s);
    CALL(MPI_Win_fence(0, a.win));
    for (int t = 0; t < a.size; t++) {
        in[t] = -2;
        CALL(MPI_Get(&in[t], 1, MPI_LONG, t, area_at(&a, t, (a.rank + t) % a.size), 1, MPI_LONG, a.win));
    }
    CALL(MPI_Win_fence(MPI_MODE_NOSUCCEED, a.win));
    for (int t = 0; t < a.size; t++)
        if (in[t] != 1000 * ((a.rank + t) % a.size) + t)
            conform_error("%s, flavor %d: got %ld from rank %d", conform_comm_name(), flavor, in[t], t);
    free(out);
    free(in);
    area_free(&a);
}

int main(int argc, char **argv)
{
    MPI_Comm comm;
    int is_inter;

    conform_init(&argc, &argv);
    while (conform_comm(&comm, &is_inter)) {
        for (int flavor = 0; flavor < FLAVORS && comm != MPI_COMM_NULL && !is_inter; flavor++)
            exchange(comm, flavor);
        conform_free_comm(&comm);
    }
    return conform_end(0);
}
