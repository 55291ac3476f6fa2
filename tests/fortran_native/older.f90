! SPDX-License-Identifier: BSD-3-Clause
! Programs that use mpif.h or module mpi: datatypes, operators, hints and communicators of MPI are INTEGER.
module older_operator
  implicit none
contains
  subroutine either(invec, inoutvec, len, datatype)
    integer :: len, datatype, invec(len), inoutvec(len), i
    do i = 1, len
      if (inoutvec(i) == 0) inoutvec(i) = invec(i)
    end do
    if (datatype == 0 .and. len < 0) stop 2
  end subroutine
end module

program older
  use ep
  use harness
  implicit none
  call run(body)
contains
  subroutine body(world)
    type(ep_comm), intent(in) :: world
    call with_header(world)
    call with_module(world)
  end subroutine

  subroutine with_header(world)
    type(ep_comm), intent(in) :: world
    include 'mpif.h'
    integer :: rank, size, got(2), ierr, processes, n
    type(ep_comm) :: new
    type(ep_status) :: status
    type(ep_win) :: win
    call ep_comm_rank(world, rank, ierr)
    call ep_comm_size(world, size, ierr)
    call ep_sendrecv([rank, 1], 2, MPI_INTEGER, mod(rank + 1, size), 0, got, 2, MPI_INTEGER, MPI_ANY_SOURCE, 0, world, status, ierr)
    call ep_get_count(status, MPI_INTEGER, n, ierr)
    call check(got(1) == mod(rank + size - 1, size) .and. n == 2, 'mpif.h: sendrecv')
    got = 1
    call ep_allreduce(MPI_IN_PLACE, got, 2, MPI_INTEGER, MPI_SUM, world, ierr)
    call check(all(got == size), 'mpif.h: MPI_IN_PLACE')
    call ep_comm_dup_with_info(world, MPI_INFO_NULL, new, ierr)
    call ep_dist_graph_create(world, 1, [rank], [1], [rank], MPI_UNWEIGHTED, MPI_INFO_NULL, .false., new, ierr)
    call ep_comm_free(new, ierr)
    call ep_win_create(got, 8_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, world, win, ierr)
    call ep_win_fence(0, win, ierr)
    call ep_put(rank, 1, MPI_INTEGER, rank, 1_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)
    call ep_win_fence(0, win, ierr)
    call check(got(2) == rank, 'mpif.h: put')
    call ep_win_free(win, ierr)
    call ep_comm_get_mpi_comm(world, processes, ierr)
    call MPI_Comm_size(processes, n, ierr)
    call check(n >= 1, 'mpif.h: get_mpi_comm')
  end subroutine

  subroutine with_module(world)
    use mpi
    use older_operator
    type(ep_comm), intent(in) :: world
    integer :: rank, got, op, ierr
    logical :: commutes
    call ep_comm_rank(world, rank)
    call ep_op_create(either, .true., op)
    call ep_op_commutative(op, commutes)
    call check(commutes, 'module mpi: op_create')
    call ep_allreduce(rank, got, 1, MPI_INTEGER, op, world)
    call check(got >= 0, 'module mpi: an operator of the program')
    call ep_op_free(op, ierr)
    call check(op == MPI_OP_NULL .and. ierr == MPI_SUCCESS, 'module mpi: op_free')
    call ep_allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, got, 0, MPI_INTEGER, world)
  end subroutine
end program
