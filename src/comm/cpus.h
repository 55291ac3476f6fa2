/* SPDX-License-Identifier: BSD-3-Clause */
/* How many CPUs there are for how many endpoints. */
#ifndef EP_COMM_CPUS_H
#define EP_COMM_CPUS_H

#include <mpi.h>

int cpus_allowed(void); /* this process may use */
int cpus_online(void);  /* of the machine */

/* Tell the waiting code (crt) whether endpoints have to share CPUs: in this process, or on this machine
 * with the other processes of comm. Collective over comm. */
void cpus_note_load(MPI_Comm comm, int endpoints);

#endif
