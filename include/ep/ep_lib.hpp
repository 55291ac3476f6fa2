/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ep_lib.hpp: the interface that XIOS's thread branch calls ep_lib, on ep. Link ep_lib (docs/ep_lib.md).
 *
 * Functions, types and constants have MPI's names and parameters, in namespace ep_lib; a program says `using namespace
 * ep_lib` and writes MPI_Comm, MPI_Send, MPI_INT. Every function takes communicators of endpoints and classic ones.
 *
 * Neither <mpi.h> nor <ep.h> is included, because their names are the same. A file that needs MPI's own functions, too,
 * includes <ep_mpi.hpp>, or <mpi.h> before this file, which takes MPI's macros away; never <mpi.h> after it. Then
 * ::MPI_Comm and ep_lib::MPI_Comm are written in full, and calls go where their arguments belong.
 *
 * "MPI 3.2.4" is section 3.2.4 of the MPI-3.1 standard; what is said there holds here.
 */
#ifndef EP_EP_LIB_HPP
#define EP_EP_LIB_HPP

#if defined(EP_MPI)
#error "ep_lib.hpp is for programs that are built without epcc: there MPI_Comm is ep_comm"
#endif

#include "ep_lib/types.hpp"
#include "ep_lib/environment.hpp"
#include "ep_lib/comm.hpp"
#include "ep_lib/message.hpp"
#include "ep_lib/collective.hpp"
#include "ep_lib/window.hpp"

#endif
