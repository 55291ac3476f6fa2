! SPDX-License-Identifier: BSD-3-Clause
! What is ep's own: ep_run, funnels, counters.
module ranks_procedures
  use, intrinsic :: iso_c_binding
  use mpi_f08
  use ep
  use harness
  implicit none
contains
  subroutine work(world, arg, ierror)
    type(ep_comm) :: world
    type(c_ptr), value :: arg
    integer :: ierror, rank, size, total
    integer, pointer :: sum
    call ep_comm_rank(world, rank)
    call ep_comm_size(EP_COMM_WORLD, size)
    call ep_allreduce(rank, total, 1, MPI_INTEGER, MPI_SUM, EP_COMM_WORLD)
    call c_f_pointer(arg, sum)
    !$omp atomic
    sum = sum + total
    ierror = merge(MPI_ERR_OTHER, MPI_SUCCESS, rank == 1 .and. size == 3)
  end subroutine

  ! Once for all endpoints of the process: each has brought an array of its own.
  subroutine called(process_comm, num_args, args, result)
    type(MPI_Comm) :: process_comm
    integer :: num_args, result, i
    type(c_ptr) :: args(num_args)
    real(8), pointer :: brought(:)
    real(8) :: mine, total
    mine = 0
    do i = 1, num_args
      call c_f_pointer(args(i), brought, [2])
      mine = mine + brought(1)
    end do
    call MPI_Allreduce(mine, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, process_comm)
    do i = 1, num_args
      call c_f_pointer(args(i), brought, [2])
      brought(2) = total
    end do
    result = num_args
  end subroutine
end module

program ranks
  use ranks_procedures
  implicit none
  call run(body)
contains
  subroutine body(world)
    type(ep_comm), intent(in) :: world
    integer :: rank, size
    call ep_comm_rank(world, rank)
    call ep_comm_size(world, size)
    call check(ep_wtime() > 0 .and. ep_wtick() > 0, 'wtime, wtick')
    call funnels(world, rank, size)
    call counters(world, rank, size)
    call again(world)
  end subroutine

  subroutine funnels(world, rank, size)
    type(ep_comm), intent(in) :: world
    integer, intent(in) :: rank, size
    type(ep_funnel) :: funnel
    type(ep_comm) :: near
    real(8), target :: mine(2)
    integer :: result, n
    call ep_comm_split_type(world, EP_COMM_TYPE_PROCESS, 0, MPI_INFO_NULL, near)
    call ep_comm_size(near, n)
    call ep_funnel_create(world, funnel)
    mine = [real(rank + 1, 8), 0d0]
    call ep_funnel_call(funnel, called, c_loc(mine), result)
    call check(result == n, 'what a function of a funnel returned')
    call check(nint(mine(2)) == size*(size + 1)/2, 'what it wrote')
    call ep_funnel_free(funnel)
    call check(funnel == EP_FUNNEL_NULL, 'funnel_free')
    call ep_comm_free(near)
  end subroutine

  subroutine counters(world, rank, size)
    type(ep_comm), intent(in) :: world
    integer, intent(in) :: rank, size
    integer :: n, i, kind, found, sends
    character(len=40) :: name, unit
    character(len=200) :: meaning
    integer(MPI_COUNT_KIND) :: value
    integer(MPI_COUNT_KIND), allocatable :: values(:)
    sends = -1
    call ep_counter_count(n)
    call check(n > 0, 'counter_count')
    do i = 0, n - 1
      call ep_counter_info(i, name, meaning, unit, kind)
      call ep_counter_find(name, found)
      call check(found == i .and. len_trim(meaning) > 0, 'counter_info, counter_find')
      if (kind == EP_COUNTER_IS_COUNT .and. index(name, 'send') > 0 .and. sends < 0) sends = i
      call check(any(kind == [EP_COUNTER_IS_COUNT, EP_COUNTER_LEVEL, EP_COUNTER_PEAK]), 'kinds of counters')
    end do
    allocate (values(n))
    call ep_counter_reset(world)
    call ep_sendrecv(rank, 1, MPI_INTEGER, mod(rank + 1, size), 0, found, 1, MPI_INTEGER, mod(rank + size - 1, size), 0, world, &
      EP_STATUS_IGNORE)
    call ep_counter_read_all(world, n, values)
    call check(any(values > 0), 'counter_read_all')
    call ep_counter_read(world, 0, value)
    call check(value >= values(1), 'counter_read')
  end subroutine

  ! Three ranks in the first process and none in the others, one of which fails; called by one thread of each process.
  subroutine again(world)
    type(ep_comm), intent(in) :: world
    type(ep_comm) :: near
    integer :: leader, process, ierror, n
    integer, target :: sum
    call ep_comm_split_type(world, EP_COMM_TYPE_PROCESS, 0, MPI_INFO_NULL, near)
    call ep_comm_rank(near, leader)
    call MPI_Comm_rank(MPI_COMM_WORLD, process)
    if (leader == 0) then
      n = merge(3, 0, process == 0)
      sum = 0
      call ep_run(n, work, c_loc(sum), ierror)
      call check(sum == 3*n, 'ep_run: what the ranks did')
      call check(ierror == merge(MPI_ERR_OTHER, MPI_SUCCESS, n > 0), 'ep_run: what they returned')
    end if
    call ep_barrier(near)
    call ep_comm_free(near)
  end subroutine
end program
