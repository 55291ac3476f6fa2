! SPDX-License-Identifier: BSD-3-Clause
! Sections of arrays as buffers: rows, every second element, components of derived types.
program sections
  use mpi_f08
  use ep
  use harness
  implicit none
  type particle
    real(8) :: x
    integer :: id
  end type
  call run(body)
contains
  subroutine body(world)
    type(ep_comm), intent(in) :: world
    integer :: rank, size
    call ep_comm_rank(world, rank)
    call ep_comm_size(world, size)
    call rows(world, rank, size)
    call components(world, rank, size)
    call collective(world, rank, size)
  end subroutine

  ! Rows of a matrix are not contiguous; every second element neither.
  subroutine rows(world, rank, size)
    type(ep_comm), intent(in) :: world
    integer, intent(in) :: rank, size
    integer, asynchronous :: a(4, 6), b(4, 6)
    integer :: i, j, before
    type(ep_request) :: requests(2)
    before = mod(rank + size - 1, size)
    a = reshape([((100 * rank + 10 * i + j, i = 1, 4), j = 1, 6)], [4, 6])
    b = 0
    call ep_sendrecv(a(2, :), 6, MPI_INTEGER, mod(rank + 1, size), 1, b(3, :), 6, MPI_INTEGER, before, 1, world, &
      EP_STATUS_IGNORE)
    call check(all(b(3, :) == [(100 * before + 20 + j, j = 1, 6)]), 'a row')
    call check(all(b([1, 2, 4], :) == 0), 'beside the row')
    b = 0
    call ep_irecv(b(1:4:3, 2:6:2), 6, MPI_INTEGER, before, 2, world, requests(1))
    call ep_isend(a(2:4:2, 1:5:2), 6, MPI_INTEGER, mod(rank + 1, size), 2, world, requests(2))
    call ep_waitall(2, requests, EP_STATUSES_IGNORE)
    call check(all(requests == EP_REQUEST_NULL), 'requests that are complete are null')
    call check(all(b(1:4:3, 2:6:2) == a(2:4:2, 1:5:2) - 100 * rank + 100 * before), 'sections, later')
    call check(all(b(2:3, :) == 0) .and. all(b(:, 1:5:2) == 0), 'beside the section')
  end subroutine

  subroutine components(world, rank, size)
    type(ep_comm), intent(in) :: world
    integer, intent(in) :: rank, size
    type(particle), asynchronous, target :: some(5)
    type(ep_request) :: request
    integer :: before, i
    before = mod(rank + size - 1, size)
    some = [(particle(rank + 0.5d0, 10*rank + i), i = 1, 5)]
    call ep_irecv(some%id, 5, MPI_INTEGER, before, 3, world, request)
    call ep_send([(10*rank + i + 1, i = 1, 5)], 5, MPI_INTEGER, mod(rank + 1, size), 3, world)
    call ep_wait(request, EP_STATUS_IGNORE)
    call check(all(some%id == [(10*before + i + 1, i = 1, 5)]), 'components')
    call check(all(some%x == rank + 0.5d0), 'beside the components')
  end subroutine

  subroutine collective(world, rank, size)
    type(ep_comm), intent(in) :: world
    integer, intent(in) :: rank, size
    integer :: a(3, 4), i
    a = rank
    call ep_bcast(a(2, :), 4, MPI_INTEGER, size - 1, world)
    call check(all(a(2, :) == size - 1) .and. all(a(1:3:2, :) == rank), 'bcast of a row')
    a = rank
    call ep_allreduce(MPI_IN_PLACE, a(:, 1:4:3), 6, MPI_INTEGER, MPI_SUM, world)
    call check(all(a(:, 1:4:3) == sum([(i, i = 0, size - 1)])) .and. all(a(:, 2:3) == rank), 'allreduce of columns')
  end subroutine
end program
