! SPDX-License-Identifier: BSD-3-Clause
! Messages (MPI 3): all modes, several requests, statuses, probes.
program p2p
  use, intrinsic :: iso_c_binding ! before mpi_f08, else gfortran 12 may fall over c_loc
  use mpi_f08
  use ep
  use harness
  implicit none
  call run(body)
contains
  subroutine body(world)
    type(ep_comm), intent(in) :: world
    integer :: rank, size
    call ep_comm_rank(world, rank)
    call ep_comm_size(world, size)
    call blocking(world, rank, size)
    call several(world, rank, size)
    call persistent(world, rank, size)
    call probes(world, rank, size)
    call buffered(world, rank, size)
    call bottom(world, rank, size)
    call cancelled(world, rank)
  end subroutine

  integer function next(rank, size)
    integer, intent(in) :: rank, size
    next = mod(rank + 1, size)
  end function

  integer function before(rank, size)
    integer, intent(in) :: rank, size
    before = mod(rank + size - 1, size)
  end function

  subroutine blocking(world, rank, size)
    type(ep_comm), intent(in) :: world
    integer, intent(in) :: rank, size
    type(ep_status) :: status
    real(8) :: a(3), b(5)
    integer :: n, ierror
    a = rank
    b = -1
    if (mod(rank, 2) == 0) then
      call ep_send(a, 3, MPI_DOUBLE_PRECISION, next(rank, size), 7, world)
      call ep_recv(b, 5, MPI_DOUBLE_PRECISION, MPI_ANY_SOURCE, MPI_ANY_TAG, world, status)
    else
      call ep_recv(b, 5, MPI_DOUBLE_PRECISION, MPI_ANY_SOURCE, MPI_ANY_TAG, world, status, ierror)
      call check(ierror == MPI_SUCCESS, 'ierror of ep_recv')
      call ep_ssend(a, 3, MPI_DOUBLE_PRECISION, next(rank, size), 7, world)
    end if
    call ep_get_count(status, MPI_DOUBLE_PRECISION, n)
    call check(all(b(1:3) == before(rank, size)) .and. all(b(4:5) == -1), 'blocking: data')
    call check(status%MPI_SOURCE == before(rank, size) .and. status%MPI_TAG == 7 .and. n == 3, 'blocking: status')
    call ep_sendrecv_replace(a(1), 1, MPI_DOUBLE_PRECISION, next(rank, size), 0, before(rank, size), 0, world, EP_STATUS_IGNORE)
    call check(a(1) == before(rank, size), 'sendrecv_replace')
  end subroutine

  subroutine several(world, rank, size)
    type(ep_comm), intent(in) :: world
    integer, intent(in) :: rank, size
    integer, parameter :: n = 40
    type(ep_request) :: requests(2*n)
    type(ep_status) :: statuses(2*n), status
    integer, asynchronous :: sent(n), got(n)
    integer :: i, index, outcount, indices(2*n), done
    logical :: flag
    sent = [(rank * 1000 + i, i = 1, n)]
    do i = 1, n
      call ep_irecv(got(i), 1, MPI_INTEGER, before(rank, size), i, world, requests(i))
      call ep_isend(sent(i), 1, MPI_INTEGER, next(rank, size), i, world, requests(n + i))
    end do
    call ep_waitall(2*n, requests, statuses)
    call check(all(got == sent - rank * 1000 + before(rank, size) * 1000), 'waitall: data')
    call check(all(statuses(1:n)%MPI_TAG == [(i, i = 1, n)]) .and. all(statuses(1:n)%MPI_SOURCE == before(rank, size)), &
      'waitall: statuses')
    ! One message for the third request alone; the others are null.
    requests(1:5) = EP_REQUEST_NULL
    call ep_irecv(got(1), 1, MPI_INTEGER, before(rank, size), 99, world, requests(3))
    call ep_send(sent(2), 1, MPI_INTEGER, next(rank, size), 99, world)
    call ep_waitany(5, requests, index, status)
    call check(index == 3 .and. status%MPI_TAG == 99, 'waitany: an index that begins with 1')
    call ep_waitany(5, requests, index, EP_STATUS_IGNORE)
    call check(index == MPI_UNDEFINED, 'waitany: none is active')
    call ep_testall(5, requests, flag, EP_STATUSES_IGNORE)
    call check(flag, 'testall')
    ! Some
    do i = 1, 4
      call ep_irecv(got(i), 1, MPI_INTEGER, before(rank, size), 200 + i, world, requests(i))
    end do
    do i = 4, 1, -1
      call ep_send(sent(i), 1, MPI_INTEGER, next(rank, size), 200 + i, world)
    end do
    done = 0
    do while (done < 4)
      call ep_waitsome(4, requests, outcount, indices, statuses)
      do i = 1, outcount
        call check(statuses(i)%MPI_TAG == 200 + indices(i), 'waitsome: status and index belong together')
      end do
      done = done + outcount
    end do
    call ep_testsome(4, requests, outcount, indices, EP_STATUSES_IGNORE)
    call check(outcount == MPI_UNDEFINED, 'testsome: none is active')
    call ep_irecv(got(1), 1, MPI_INTEGER, before(rank, size), 300, world, requests(1))
    call ep_send(sent(1), 1, MPI_INTEGER, next(rank, size), 300, world)
    flag = .false.
    do while (.not. flag)
      call ep_test(requests(1), flag, status)
    end do
    call check(status%MPI_TAG == 300 .and. requests(1) == EP_REQUEST_NULL, 'test')
  end subroutine

  subroutine persistent(world, rank, size)
    type(ep_comm), intent(in) :: world
    integer, intent(in) :: rank, size
    type(ep_request) :: requests(2)
    integer, asynchronous :: a, b
    integer :: i
    call ep_recv_init(b, 1, MPI_INTEGER, before(rank, size), 5, world, requests(1))
    call ep_send_init(a, 1, MPI_INTEGER, next(rank, size), 5, world, requests(2))
    do i = 1, 3
      a = 10 * rank + i
      call ep_startall(2, requests)
      call ep_waitall(2, requests, EP_STATUSES_IGNORE)
      call check(b == 10 * before(rank, size) + i, 'persistent')
      call check(all(requests /= EP_REQUEST_NULL), 'persistent requests stay')
    end do
    call ep_request_free(requests(1))
    call ep_request_free(requests(2))
    call check(all(requests == EP_REQUEST_NULL), 'request_free')
  end subroutine

  subroutine probes(world, rank, size)
    type(ep_comm), intent(in) :: world
    integer, intent(in) :: rank, size
    type(ep_message) :: message
    type(ep_status) :: status
    type(ep_request) :: request
    integer, asynchronous :: got(4)
    integer :: n
    logical :: flag
    call ep_send([1, 2, 3], 3, MPI_INTEGER, next(rank, size), 11, world)
    call ep_probe(before(rank, size), 11, world, status)
    call ep_get_elements(status, MPI_INTEGER, n)
    call check(n == 3, 'probe')
    call ep_mprobe(MPI_ANY_SOURCE, 11, world, message, status)
    call ep_mrecv(got, 4, MPI_INTEGER, message, EP_STATUS_IGNORE)
    call check(all(got(1:3) == [1, 2, 3]) .and. message == EP_MESSAGE_NULL, 'mrecv')
    call ep_iprobe(before(rank, size), 12, world, flag, EP_STATUS_IGNORE)
    call check(.not. flag, 'iprobe')
    call ep_mprobe(MPI_PROC_NULL, 12, world, message, status)
    call check(message == EP_MESSAGE_NO_PROC .and. status%MPI_SOURCE == MPI_PROC_NULL, 'mprobe of no process')
    call ep_imrecv(got, 4, MPI_INTEGER, message, request)
    call ep_wait(request, status)
    call ep_get_count(status, MPI_INTEGER, n)
    call check(n == 0, 'imrecv of no process')
  end subroutine

  subroutine buffered(world, rank, size)
    type(ep_comm), intent(in) :: world
    integer, intent(in) :: rank, size
    character(len=1), target :: room(4096)
    type(c_ptr) :: address
    integer :: n, got
    call ep_buffer_attach(room, 4096)
    call ep_bsend(rank, 1, MPI_INTEGER, next(rank, size), 21, world)
    call ep_recv(got, 1, MPI_INTEGER, before(rank, size), 21, world, EP_STATUS_IGNORE)
    call ep_buffer_detach(address, n)
    call check(got == before(rank, size), 'bsend')
    call check(n == 4096 .and. c_associated(address, c_loc(room)), 'buffer_detach')
  end subroutine

  ! A type with absolute addresses, from MPI_BOTTOM.
  subroutine bottom(world, rank, size)
    type(ep_comm), intent(in) :: world
    integer, intent(in) :: rank, size
    integer, asynchronous :: a, b
    integer(MPI_ADDRESS_KIND) :: there(1)
    type(MPI_Datatype) :: type
    a = rank
    b = -1
    call MPI_Get_address(b, there(1))
    call MPI_Type_create_hindexed(1, [1], there, MPI_INTEGER, type)
    call MPI_Type_commit(type)
    call ep_sendrecv(a, 1, MPI_INTEGER, next(rank, size), 31, MPI_BOTTOM, 1, type, before(rank, size), 31, world, EP_STATUS_IGNORE)
    if (.not. MPI_ASYNC_PROTECTS_NONBLOCKING) call MPI_F_sync_reg(b)
    call check(b == before(rank, size), 'MPI_BOTTOM')
    call MPI_Type_free(type)
  end subroutine

  subroutine cancelled(world, rank)
    type(ep_comm), intent(in) :: world
    integer, intent(in) :: rank
    integer, asynchronous :: a
    type(ep_request) :: request
    type(ep_status) :: status
    logical :: flag
    call ep_irecv(a, 1, MPI_INTEGER, rank, 41, world, request)
    call ep_request_get_status(request, flag, status)
    call check(.not. flag, 'request_get_status')
    call ep_cancel(request)
    call ep_wait(request, status)
    call ep_test_cancelled(status, flag)
    call check(flag, 'cancel')
  end subroutine
end program
