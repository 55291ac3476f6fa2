! SPDX-License-Identifier: BSD-3-Clause
! What sentinels.F90 does with either set of procedures.
subroutine RUN_NAME
  USE_MPI
  use conform
#ifdef STYLE_F08
  use CALLED(module)
#endif
  implicit none
  INCLUDE_MPI
  integer :: a(2), b(2), weights(2), sources(2), in, out
  integer(MPI_ADDRESS_KIND) :: where(1)
  logical :: weighted
  DATATYPE_T :: t
  COMM_T :: graph
  REQUEST_T :: requests(2)
#ifdef STYLE_F08
  external :: CALLED(recv_older)
#endif
  STATUSES_T(statuses, 2)
  STATUS_T(status)

  a = rank
  call CALLED(allreduce)(a, b, 2, MPI_COMM_WORLD, ierr); OK
  CHECK(all(b == size_of_world * (size_of_world - 1) / 2))
  call CALLED(allreduce)(MPI_IN_PLACE, a, 2, MPI_COMM_WORLD, ierr); OK
  CHECK(all(a == b))

  call MPI_Isend(a, 2, MPI_INTEGER, 0, 5, MPI_COMM_SELF, requests(1), ierr); OK
  b = 0
  call CALLED(recv)(b, 2, MPI_INTEGER, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE, ierr); OK
  call MPI_Wait(requests(1), MPI_STATUS_IGNORE, ierr); OK
  CHECK(all(a == b))
  call MPI_Isend(a, 2, MPI_INTEGER, 0, 6, MPI_COMM_SELF, requests(1), ierr); OK
  call CALLED(recv)(b, 2, MPI_INTEGER, 0, MPI_COMM_SELF, status, ierr); OK
  call MPI_Wait(requests(1), MPI_STATUS_IGNORE, ierr); OK
  EXPECT(OF(status, MPI_TAG), 6)

  ! Absolute addresses.
  call MPI_Get_address(b, where(1), ierr); OK
  call MPI_Type_create_hindexed(1, [2], where, MPI_INTEGER, t, ierr); OK
  call MPI_Type_commit(t, ierr); OK
  a = rank + 70
  call MPI_Isend(a, 2, MPI_INTEGER, 0, 7, MPI_COMM_SELF, requests(1), ierr); OK
  call CALLED(recv)(MPI_BOTTOM, 1, t, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE, ierr); OK
  call MPI_Wait(requests(1), MPI_STATUS_IGNORE, ierr); OK
  call MPI_Get_address(b, where(1), ierr); OK
  CHECK(all(b == rank + 70))
#ifdef STYLE_F08
  a = rank + 80
  call MPI_Isend(a, 2, MPI_INTEGER, 0, 7, MPI_COMM_SELF, requests(1), ierr); OK
  call CALLED(recv_older)(MPI_BOTTOM, 1, t, 0, MPI_COMM_SELF)
  call MPI_Wait(requests(1), MPI_STATUS_IGNORE, ierr); OK
  call MPI_Get_address(b, where(1), ierr); OK
  CHECK(all(b == rank + 80))
#endif
  call MPI_Type_free(t, ierr); OK

  call MPI_Irecv(b, 2, MPI_INTEGER, 0, 8, MPI_COMM_SELF, requests(1), ierr); OK
  call MPI_Isend(a, 2, MPI_INTEGER, 0, 8, MPI_COMM_SELF, requests(2), ierr); OK
  call CALLED(waitall)(2, requests, MPI_STATUSES_IGNORE, ierr); OK
  call MPI_Irecv(b, 2, MPI_INTEGER, 0, 8, MPI_COMM_SELF, requests(1), ierr); OK
  call MPI_Isend(a, 2, MPI_INTEGER, 0, 8, MPI_COMM_SELF, requests(2), ierr); OK
  call CALLED(waitall)(2, requests, statuses, ierr); OK
  EXPECT(OF_EACH(statuses, 1, MPI_TAG), 8)

  sources = [modulo(rank + 1, size_of_world), modulo(rank - 1, size_of_world)]
  weights = 5
  call CALLED(neighbours)(2, sources, weights, graph, ierr); OK
  call MPI_Dist_graph_neighbors_count(graph, in, out, weighted, ierr); OK
  CHECK(weighted .and. in == 2 .and. out == 2)
  call MPI_Comm_free(graph, ierr); OK
  call CALLED(neighbours)(2, sources, MPI_UNWEIGHTED, graph, ierr); OK
  call MPI_Dist_graph_neighbors_count(graph, in, out, weighted, ierr); OK
  CHECK(.not. weighted .and. in == 2 .and. out == 2)
  call MPI_Comm_free(graph, ierr); OK
  call CALLED(neighbours)(0, sources, MPI_WEIGHTS_EMPTY, graph, ierr); OK
  call MPI_Dist_graph_neighbors_count(graph, in, out, weighted, ierr); OK
  CHECK(weighted .and. in == 0 .and. out == 0)
  call MPI_Comm_free(graph, ierr); OK

  a = [rank, -rank]
  call CALLED(own)(a, 2, ierr); OK
  CHECK(all(a == [size_of_world - 1, 0]))
end subroutine
