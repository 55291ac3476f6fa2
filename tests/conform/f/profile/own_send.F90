! SPDX-License-Identifier: BSD-3-Clause
! MPI-3.1, 14, 17.1.5: a program's own MPI_Send, MPI_Comm_rank and MPI_Wtime in front of the library's, by the names
! that its style has; all PMPI_ names of what is called here.
#include "conform_f.h"
#if defined(STYLE_F08)
! The library's specific names, which are external procedures.
#if defined(PLAIN_OPENMPI)
#define SEND_NAME mpi_send_f08
#else
#define SEND_NAME mpi_send_f08ts
#endif
#define RANK_NAME mpi_comm_rank_f08
#define BARRIER_NAME mpi_barrier_f08
#else
#define SEND_NAME mpi_send
#define RANK_NAME mpi_comm_rank
#define BARRIER_NAME mpi_barrier
#endif
module counted
  implicit none
  integer, save :: sends = 0, ranks = 0, barriers = 0
end module

subroutine RANK_NAME(comm, rank, ierror)
  use counted
#ifdef STYLE_F08
  use mpi_f08, only: MPI_Comm, PMPI_Comm_rank
  implicit none
  type(MPI_Comm), intent(in) :: comm
  integer, intent(out) :: rank
  integer, optional, intent(out) :: ierror
#else
  implicit none
  integer :: comm, rank, ierror
#endif

  ranks = ranks + 1
  call PMPI_Comm_rank(comm, rank, ierror)
end subroutine

subroutine BARRIER_NAME(comm, ierror)
  use counted
#ifdef STYLE_F08
  use mpi_f08, only: MPI_Comm, PMPI_Barrier
  implicit none
  type(MPI_Comm), intent(in) :: comm
  integer, optional, intent(out) :: ierror
#else
  implicit none
  integer :: comm, ierror
#endif

  barriers = barriers + 1
  call PMPI_Barrier(comm, ierror)
end subroutine

subroutine SEND_NAME(buf, count, datatype, dest, tag, comm, ierror)
  use counted
#ifdef STYLE_F08
  use mpi_f08, only: MPI_Comm, MPI_Datatype, PMPI_Send
  implicit none
#ifdef PLAIN_OPENMPI
  type(*), dimension(*), intent(in) :: buf
#else
  type(*), dimension(..), intent(in) :: buf
#endif
  integer, intent(in) :: count, dest, tag
  type(MPI_Datatype), intent(in) :: datatype
  type(MPI_Comm), intent(in) :: comm
  integer, optional, intent(out) :: ierror
#else
  implicit none
  integer :: buf(*), count, datatype, dest, tag, comm, ierror
#endif

  sends = sends + 1
  call PMPI_Send(buf, count, datatype, dest, tag, comm, ierror)
end subroutine

program main
  USE_MPI
  use conform
  use counted
  implicit none
  INCLUDE_MPI
  integer :: a(4), b(4), me, all_of(1), before
  REQUEST_T :: request
  double precision :: at

  call conform_init
  CHECK(ranks >= 1) ! conform_init's
  before = sends
  a = rank
  call PMPI_Irecv(b, 4, MPI_INTEGER, modulo(rank - 1, size_of_world), 0, MPI_COMM_WORLD, request, ierr); OK
  call MPI_Send(a, 4, MPI_INTEGER, modulo(rank + 1, size_of_world), 0, MPI_COMM_WORLD, ierr); OK
  call PMPI_Wait(request, MPI_STATUS_IGNORE, ierr); OK
  CHECK(all(b == modulo(rank - 1, size_of_world)))
  EXPECT(sends - before, 1)
  before = ranks
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierr); OK
  EXPECT(ranks - before, 1)
  EXPECT(me, rank)
  call MPI_Barrier(MPI_COMM_WORLD, ierr); OK
  call PMPI_Barrier(MPI_COMM_WORLD, ierr); OK
  EXPECT(barriers, 1)
  call PMPI_Allreduce(a, all_of, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr); OK
  EXPECT(all_of(1), size_of_world * (size_of_world - 1) / 2)
#ifdef STYLE_H
  at = MPI_Wtime()
#else
  at = PMPI_Wtime()
#endif
  CHECK(at >= 0)
  call conform_end
end program
