/* SPDX-License-Identifier: BSD-3-Clause */
#include "comm/cpus.h"

#include <sched.h>
#include <unistd.h>

#include "crt/crt.h"
#include "comm/lanes.h"

/* Sets of up to 8192 CPUs; beyond that the kernel refuses and the online count is taken. */
enum { MASK_WORDS = 128 };

struct mask {
    unsigned long word[MASK_WORDS];
};

static int cpus_are_allowed(struct mask *m)
{
    return places_cpus(m->word, sizeof *m);
}

int cpus_online(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : (int)n;
}

int cpus_allowed(void)
{
    struct mask m;
    int n = cpus_are_allowed(&m);
    return n > 0 ? n : cpus_online();
}

/* Endpoints against CPUs, once for this process and once for all processes of the machine; what counts is
 * the tighter of the two, over all communicators ever made. */
void cpus_note_load(MPI_Comm comm, int endpoints)
{
    struct mask mine, together;
    MPI_Comm node;
    int total = 0;
    cpus_are_allowed(&mine);
    int rc = MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node), worst;
    rc = lanes_note(&node, rc);
    MPI_Allreduce(&rc, &worst, 1, MPI_INT, MPI_MAX, comm);
    if (worst != MPI_SUCCESS) { /* this was only to choose how to wait */
        lanes_undo(&node);
        return;
    }
    MPI_Allreduce(&endpoints, &total, 1, MPI_INT, MPI_SUM, node);
    MPI_Allreduce(&mine, &together, MASK_WORDS, MPI_UNSIGNED_LONG, MPI_BOR, node);
    lanes_undo(&node);
    int cpus = CPU_COUNT_S(sizeof together, (cpu_set_t *)(void *)&together);
    if (endpoints > cpus_allowed() || (cpus > 0 && total > cpus))
        idle_set_crowded();
}
