/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Handles of the MPI underneath that programs pass: datatypes, operators, infos. MPICH looks at them itself. Open MPI takes
 * any address for one and uses what is there, so a freed or a wrong one is a crash; its objects begin with the address of
 * their class and a count, which tell.
 */
#ifndef EP_COMM_FOREIGN_H
#define EP_COMM_FOREIGN_H

#include <mpi.h>
#include <stdbool.h>

/* Not null, not freed, and of this kind? */
bool foreign_type_is_sound(MPI_Datatype datatype);
bool foreign_op_is_sound(MPI_Op op);
bool foreign_info_is_sound(MPI_Info info);

#endif
