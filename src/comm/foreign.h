/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Handles of the MPI underneath that programs pass: datatypes, operators, infos, the communicators that endpoints are made over.
 *
 * Open MPI takes any address for one and uses what is there, so a freed or a wrong one is a crash; its objects begin with the address of
 * their class and a count, which tell. MPICH's handles are numbers, places in tables of each kind, of which it looks only at some bits; the
 * others tell what it has no table for. A freed one is a place like that of another: there is nothing to tell it by.
 */
#ifndef EP_COMM_FOREIGN_H
#define EP_COMM_FOREIGN_H

#include <mpi.h>
#include <stdbool.h>

/* Not null, not freed, and of this kind? */
bool foreign_type_is_sound(MPI_Datatype datatype);
bool foreign_op_is_sound(MPI_Op op);
bool foreign_info_is_sound(MPI_Info info);
bool foreign_comm_is_sound(MPI_Comm comm);

#endif
