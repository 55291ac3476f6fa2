! SPDX-License-Identifier: BSD-3-Clause
! MPI-3.1, 17.1.2, 17.1.6 to 17.1.8: what mpi_f08 has alone: non-contiguous buffers, no ierror, keyword arguments, handles
! that are types, statuses both ways, abstract interfaces.
! conform: styles F08
! Open MPI 4.1.4 has no descriptors: MPI_SUBARRAYS_SUPPORTED is false.
! MPICH 4.0.2 loses data where there are fewer elements than the section has, or one place for each process in it.
! conform: fails openmpi-F08 mpich-F08
#include "conform_f.h"
module f08
  use mpi_f08
  use conform
  use, intrinsic :: iso_c_binding, only: c_ptr, c_f_pointer
  implicit none
  integer :: next, previous
  integer, save :: handled = 0

contains

  ! A section of an array goes as it is, by blocking and by non-blocking calls.
  subroutine sections
    integer, asynchronous :: a(8, 6), b(8, 6)
    type(MPI_Request) :: requests(2)
    type(MPI_Status) :: status
    integer :: i, got

    CHECK(MPI_SUBARRAYS_SUPPORTED .eqv. .true.)
    a = reshape([(rank * 1000 + i, i = 1, 48)], [8, 6])
    b = -1
    ! A row.
    call MPI_Irecv(b(3, :), 6, MPI_INTEGER, previous, 1, MPI_COMM_WORLD, requests(1))
    call MPI_Isend(a(2, :), 6, MPI_INTEGER, next, 1, MPI_COMM_WORLD, requests(2))
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
    CHECK(all(b(3, :) == a(2, :) + (previous - rank) * 1000))
    EXPECT(count_of(b), 6)
    ! Each second column, backwards; blocking.
    b = -1
    call MPI_Irecv(b(:, 1:3), 24, MPI_INTEGER, previous, 2, MPI_COMM_WORLD, requests(1))
    call MPI_Send(a(:, 6:1:-2), 24, MPI_INTEGER, next, 2, MPI_COMM_WORLD)
    call MPI_Wait(requests(1), status)
    CHECK(all(b(:, 1:3) == a(:, 6:1:-2) + (previous - rank) * 1000))
    call MPI_Get_count(status, MPI_INTEGER, got)
    EXPECT(got, 24)
    ! Fewer elements than the section has, and a type of more than one of them.
    b = -1
    call MPI_Sendrecv(a(1:8:2, 2:4), 5, MPI_INTEGER, next, 3, b(2:8:2, 1:3), 5, MPI_INTEGER, previous, 3, MPI_COMM_WORLD, status)
    CHECK(all(b(2:8:2, 1) == a(1:8:2, 2) + (previous - rank) * 1000))
    EXPECT(b(2, 2), a(1, 3) + (previous - rank) * 1000)
    EXPECT(count_of(b), 5)
    call collective
    call persistent
    call one_sided
    call of_types
    call polymorphic(a(:, 1:3))

  contains

    integer function count_of(m)
      integer, intent(in) :: m(:, :)

      count_of = count(m /= -1)
    end function

    ! Of any type, each element after the other.
    subroutine polymorphic(of_any)
      class(*), intent(in) :: of_any(:, :)

      b = -1
      call MPI_Sendrecv(of_any, 24, MPI_INTEGER, next, 9, b, 24, MPI_INTEGER, previous, 9, MPI_COMM_WORLD, status)
      CHECK(all(b(:, 1:3) == a(:, 1:3) + (previous - rank) * 1000))
      EXPECT(count_of(b), 24)
    end subroutine

    subroutine collective
      integer :: all_of(3, 2 * size_of_world)
      type(MPI_Request) :: request

      all_of = -1
      call MPI_Allgather(a(1:5:2, 4), 3, MPI_INTEGER, all_of(:, ::2), 3, MPI_INTEGER, MPI_COMM_WORLD)
      do i = 0, size_of_world - 1
        CHECK(all(all_of(:, 2 * i + 1) == a(1:5:2, 4) + (i - rank) * 1000))
        CHECK(all(all_of(:, 2 * i + 2) == -1))
      end do
      b = -1
      call MPI_Iallreduce(a(::3, 2), b(::3, 5), 3, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, request)
      call MPI_Wait(request, MPI_STATUS_IGNORE)
      CHECK(all(b(::3, 5) == a(::3, 2) + (size_of_world - 1 - rank) * 1000))
      EXPECT(count_of(b), 3)
      b = a
      call MPI_Bcast(b(4, 2:6:2), 3, MPI_INTEGER, 0, MPI_COMM_WORLD)
      CHECK(all(b(4, 2:6:2) == a(4, 2:6:2) - rank * 1000))
    end subroutine

    subroutine persistent
      b = -1
      call MPI_Recv_init(b(5, ::2), 3, MPI_INTEGER, previous, 4, MPI_COMM_WORLD, requests(1))
      call MPI_Send_init(a(6, ::2), 3, MPI_INTEGER, next, 4, MPI_COMM_WORLD, requests(2))
      do i = 1, 2
        call MPI_Startall(2, requests)
        call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
        CHECK(all(b(5, ::2) == a(6, ::2) + (previous - rank) * 1000))
        a = a + 100
      end do
      EXPECT(count_of(b), 3)
      call MPI_Request_free(requests(1))
      call MPI_Request_free(requests(2))
      a = a - 200
    end subroutine

    subroutine one_sided
      integer, asynchronous :: memory(6)
      type(MPI_Win) :: win

      memory = -1
      call MPI_Win_create(memory, 24_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win)
      call MPI_Win_fence(0, win)
      call MPI_Put(a(7, :), 6, MPI_INTEGER, next, 0_MPI_ADDRESS_KIND, 6, MPI_INTEGER, win)
      call MPI_Win_fence(0, win)
      CHECK(all(memory == a(7, :) + (previous - rank) * 1000))
      b = -1
      call MPI_Get(b(8, :), 6, MPI_INTEGER, next, 0_MPI_ADDRESS_KIND, 6, MPI_INTEGER, win)
      call MPI_Win_fence(0, win)
      CHECK(all(b(8, :) == a(7, :)))
      call MPI_Win_free(win)
    end subroutine

    ! Elements that are structures, and parts of structures: a stride that is no multiple of the element.
    subroutine of_types
      type record
        sequence
        integer :: i, j, k
      end type
      type(record) :: r(5), s(5)
      complex, target :: c(4), d(4)
      real, pointer :: imaginary(:), real_part(:)

      r = [(record(i, 10 * i, 100 * i), i = 1, 5)]
      s = record(-1, -1, -1)
      call MPI_Sendrecv(r%j, 5, MPI_INTEGER, 0, 0, s%k, 5, MPI_INTEGER, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE)
      CHECK(all(s%k == r%j) .and. all(s%i == -1) .and. all(s%j == -1))
      c = [((1., 2.) * i, i = 1, 4)]
      d = 0
      imaginary => c%im ! GCC 12 breaks down over c%im itself
      real_part => d%re
      call MPI_Sendrecv(imaginary, 4, MPI_REAL, 0, 0, real_part, 4, MPI_REAL, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE)
      CHECK(all(d%re == c%im) .and. all(d%im == 0))
    end subroutine
  end subroutine

  subroutine handles
    type(MPI_Comm) :: comm, other
    type(MPI_Datatype) :: t
    integer :: me, size

    comm = MPI_COMM_WORLD
    CHECK(comm == MPI_COMM_WORLD .and. .not. comm /= MPI_COMM_WORLD .and. comm /= MPI_COMM_SELF)
    CHECK(MPI_INTEGER /= MPI_REAL .and. MPI_SUM == MPI_SUM .and. MPI_INFO_NULL == MPI_INFO_NULL)
    other%MPI_VAL = comm%MPI_VAL
    call MPI_Comm_rank(other, me)
    EXPECT(me, rank)
    t = MPI_Datatype(MPI_REAL%MPI_VAL)
    call MPI_Type_size(t, size)
    EXPECT(size, 4)
    call old_style(comm%MPI_VAL)
    ! Arguments by their names, in any order.
    call MPI_Comm_dup(newcomm=other, comm=comm)
    call MPI_Comm_size(comm=other, size=size, ierror=ierr); OK
    EXPECT(size, size_of_world)
    call MPI_Sendrecv(sendbuf=me, sendcount=1, sendtype=MPI_INTEGER, dest=next, sendtag=0, recvbuf=size, recvcount=1, &
      recvtype=MPI_INTEGER, source=previous, recvtag=0, status=MPI_STATUS_IGNORE, comm=other)
    EXPECT(size, previous)
    call MPI_Comm_free(other)
  end subroutine

  subroutine statuses
    type(MPI_Status) :: status, again
    integer :: old(MPI_STATUS_SIZE), got
    integer :: a(3)

    a = 1
    call MPI_Sendrecv_replace(a, 3, MPI_INTEGER, 0, 17, 0, 17, MPI_COMM_SELF, status)
    call MPI_Status_f082f(status, old)
    EXPECT(old(MPI_SOURCE), 0)
    EXPECT(old(MPI_TAG), 17)
    call MPI_Status_f2f08(old, again)
    EXPECT(again%MPI_TAG, 17)
    call MPI_Get_count(again, MPI_INTEGER, got)
    EXPECT(got, 3)
  end subroutine

  subroutine handler(comm, code)
    type(MPI_Comm) :: comm
    integer :: code

    handled = handled + 1
  end subroutine

  ! Procedure variables with MPI's interfaces; an error without ierror goes to the handler.
  subroutine interfaces
    procedure(MPI_Comm_errhandler_function), pointer :: f
    procedure(MPI_User_function), pointer :: g
    procedure(MPI_Comm_copy_attr_function), pointer :: copy
    procedure(MPI_Grequest_query_function), pointer :: query
    type(MPI_Errhandler) :: h
    integer :: a(1)

    nullify (g, query)
    copy => MPI_COMM_DUP_FN
    CHECK(associated(copy))
    f => handler
    call MPI_Comm_create_errhandler(f, h)
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, h)
    a = 0
    call MPI_Send(a, 1, MPI_INTEGER, size_of_world, 0, MPI_COMM_WORLD)
    EXPECT(handled, 1)
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL)
    call MPI_Errhandler_free(h)
  end subroutine

  subroutine memory
    type(c_ptr) :: p
    real, pointer :: x(:)
    integer :: length
    integer, target :: attached(1000)

    call MPI_Alloc_mem(400_MPI_ADDRESS_KIND, MPI_INFO_NULL, p)
    call c_f_pointer(p, x, [100])
    x = 1
    call MPI_Free_mem(x)
    call MPI_Buffer_attach(attached, 4000)
    call MPI_Buffer_detach(p, length)
    EXPECT(length, 4000)
  end subroutine
end module

! Another part of the program, with mpif.h's handles.
subroutine old_style(comm)
  use conform
  implicit none
  include 'mpif.h'
  integer, intent(in) :: comm
  integer :: size

  call MPI_Comm_size(comm, size, ierr); OK
  EXPECT(size, size_of_world)
end subroutine

program main
  use f08
  implicit none

  call conform_init
  next = modulo(rank + 1, size_of_world)
  previous = modulo(rank - 1, size_of_world)
  call sections
  call handles
  call statuses
  call interfaces
  call memory
  call conform_end
end program
