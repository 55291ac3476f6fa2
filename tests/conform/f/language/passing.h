! SPDX-License-Identifier: BSD-3-Clause
! Procedures that pass on what they are given, sentinels among it. They are PASS(name): once of the program, once of a
! shared library of it.
#include "conform_f.h"
#if defined(STYLE_F08)
#define BUFFER(b) type(*), dimension(..) :: b
#define USE_HERE
module PASS(module)
  use mpi_f08
  implicit none
contains
#else
#define BUFFER(b) integer :: b(*)
#define USE_HERE USE_MPI
#endif

subroutine PASS(allreduce)(in, out, count, comm, ierror)
  USE_HERE
  implicit none
  INCLUDE_MPI
  integer :: count, ierror
  BUFFER(in)
  BUFFER(out)
  COMM_T :: comm

  call MPI_Allreduce(in, out, count, MPI_INTEGER, MPI_SUM, comm, ierror)
end subroutine

subroutine PASS(recv)(buffer, count, datatype, source, comm, status, ierror)
  USE_HERE
  implicit none
  INCLUDE_MPI
  integer :: count, source, ierror
  BUFFER(buffer)
  DATATYPE_T :: datatype
  COMM_T :: comm
#ifdef STYLE_F08
  type(MPI_Status) :: status
#else
  integer :: status(*)
#endif

  call MPI_Recv(buffer, count, datatype, source, MPI_ANY_TAG, comm, status, ierror)
end subroutine

subroutine PASS(waitall)(count, requests, statuses, ierror)
  USE_HERE
  implicit none
  INCLUDE_MPI
  integer :: count, ierror
  REQUEST_T :: requests(count)
#ifdef STYLE_F08
  type(MPI_Status) :: statuses(*)
#else
  integer :: statuses(MPI_STATUS_SIZE, *)
#endif

  call MPI_Waitall(count, requests, statuses, ierror)
end subroutine

subroutine PASS(neighbours)(count, sources, weights, graph, ierror)
  USE_HERE
  implicit none
  INCLUDE_MPI
  integer :: count, sources(*), weights(*), ierror
  COMM_T :: graph

  call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, count, sources, weights, count, sources, weights, MPI_INFO_NULL, .false., &
    graph, ierror)
end subroutine

! With the sentinels that are at home here.
subroutine PASS(own)(values, count, ierror)
  USE_HERE
  implicit none
  INCLUDE_MPI
  integer :: count, values(*), ierror
  REQUEST_T :: request

  call MPI_Iallreduce(MPI_IN_PLACE, values, count, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, request, ierror)
  if (ierror == MPI_SUCCESS) call MPI_Wait(request, MPI_STATUS_IGNORE, ierror)
  if (ierror /= MPI_SUCCESS) return
  call MPI_Sendrecv_replace(values, count, MPI_INTEGER, 0, 0, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE, ierror)
end subroutine
#if defined(STYLE_F08)
end module

! A procedure without an interface, as in older programs.
subroutine PASS(recv_older)(buffer, count, datatype, source, comm)
  use mpi_f08
  implicit none
  integer :: count, source, buffer(*)
  type(MPI_Datatype) :: datatype
  type(MPI_Comm) :: comm

  call MPI_Recv(buffer, count, datatype, source, MPI_ANY_TAG, comm, MPI_STATUS_IGNORE)
end subroutine
#endif
