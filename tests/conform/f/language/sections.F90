! SPDX-License-Identifier: BSD-3-Clause
! MPI-3.1, 17.1.2: what a buffer may be with mpi_f08: sections of any rank, with strides of any sign, pointers, substrings,
! parts of structures, nothing at all; in calls of every kind, and with types of several elements.
! conform: styles F08
! conform: fails openmpi-F08 mpich-F08
#include "conform_f.h"
module sections
  use mpi_f08
  use conform
  use, intrinsic :: iso_c_binding, only: c_ptr
  implicit none
  integer :: next, previous

contains

  ! Through a message to oneself.
  subroutine through(from, to, count, datatype)
    type(*), dimension(..), intent(in), asynchronous :: from
    type(*), dimension(..), asynchronous :: to
    integer, intent(in) :: count
    type(MPI_Datatype), intent(in) :: datatype
    type(MPI_Request) :: requests(2)

    call MPI_Irecv(to, count, datatype, 0, 1, MPI_COMM_SELF, requests(1), ierr); OK
    call MPI_Issend(from, count, datatype, 0, 1, MPI_COMM_SELF, requests(2), ierr); OK
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierr); OK
  end subroutine

  subroutine shapes
    integer, target :: a(4, 4, 4), b(4, 4, 4)
    integer, pointer :: p(:, :), q(:)
    integer, allocatable :: c(:)
    integer :: i, d(2, 2, 2, 2, 2, 2, 2), e(2, 2, 2, 2, 2, 2, 2), one, empty(0)
    character(6) :: words(4), copies(4)
    double precision :: x(8), y(8)

    a = reshape([(i, i = 1, 64)], [4, 4, 4])
    b = 0
    call through(a(1:4:3, 2:3, 4:1:-1), b(2:3, 1:4:3, :), 16, MPI_INTEGER)
    CHECK(all(b(2:3, 1:4:3, :) == a(1:4:3, 2:3, 4:1:-1)))
    EXPECT(count(b /= 0), 16)
    ! Whole, the first dimension reversed, one element of each.
    b = 0
    call through(a(4:1:-1, :, :), b, 64, MPI_INTEGER)
    CHECK(all(b == a(4:1:-1, :, :)))
    b = 0
    call through(a(2, :, 3), b(:, 4, 2), 4, MPI_INTEGER)
    CHECK(all(b(:, 4, 2) == a(2, :, 3)))
    ! Pointers, allocatables, of which one dimension has one element only.
    p => a(::2, 3, ::3)
    allocate (c(4))
    c = 0
    call through(p, c, 4, MPI_INTEGER)
    CHECK(all(c == reshape(p, [4])))
    q => b(1, :, 1)
    call through(c, q, 4, MPI_INTEGER)
    CHECK(all(b(1, :, 1) == c))
    p => a(2:2, ::3, 1)
    c = 0
    call through(p, c(2:4:2), 2, MPI_INTEGER)
    CHECK(all(c == [0, a(2, 1, 1), 0, a(2, 4, 1)]))
    ! Rank 7.
    d = reshape([(i, i = 1, 128)], [2, 2, 2, 2, 2, 2, 2])
    e = 0
    call through(d(:, 2, :, :, 1, :, :), e(1, :, :, 2, :, :, :), 32, MPI_INTEGER)
    CHECK(all(reshape(e(1, :, :, 2, :, :, :), [32]) == reshape(d(:, 2, :, :, 1, :, :), [32])))
    EXPECT(count(e /= 0), 32)
    ! Scalars, nothing, constants.
    call through(a(3, 3, 3), one, 1, MPI_INTEGER)
    EXPECT(one, a(3, 3, 3))
    call through(17, one, 1, MPI_INTEGER)
    EXPECT(one, 17)
    call through(empty, empty, 0, MPI_INTEGER)
    call through(a(3:2, :, :), c(4:1), 0, MPI_INTEGER)
    ! Substrings.
    words = ['abcdef', 'ghijkl', 'mnopqr', 'stuvwx']
    copies = '......'
    call through(words(:)(2:4), copies(4:1:-1)(3:5), 12, MPI_CHARACTER)
    CHECK(all(copies == ['..tuv.', '..nop.', '..hij.', '..bcd.']))
    ! An expression, and what has no fixed shape.
    x = [(i, i = 1, 8)]
    y = 0
    call through(2 * x, y, 8, MPI_DOUBLE_PRECISION)
    CHECK(all(y == 2 * x))
    y = 0
    call assumed(x(::2), y(2::2))
    CHECK(all(y(2::2) == x(::2)) .and. all(y(::2) == 0))
  end subroutine

  subroutine assumed(from, to)
    double precision :: from(:), to(:)

    call through(from, to, size(from), MPI_DOUBLE_PRECISION)
  end subroutine

  ! Types of several elements, with gaps: of the section's elements, as if these lay side by side.
  subroutine of_types
    type(MPI_Datatype) :: vector, pair, back
    integer :: a(4, 8), b(4, 8), i

    a = reshape([(i, i = 1, 32)], [4, 8])
    call MPI_Type_vector(2, 1, 2, MPI_INTEGER, vector, ierr); OK
    call MPI_Type_create_resized(vector, 0_MPI_ADDRESS_KIND, 16_MPI_ADDRESS_KIND, pair, ierr); OK
    call MPI_Type_commit(pair, ierr); OK
    b = 0
    ! Elements 1, 3, 5, 7 of the second row.
    call through(a(2, :), b(3, :), 2, pair)
    CHECK(all(b(3, ::2) == a(2, ::2)))
    EXPECT(count(b /= 0), 4)
    ! Backwards in memory, and across the ends of columns.
    call MPI_Type_create_indexed_block(3, 1, [5, 3, 0], MPI_INTEGER, back, ierr); OK
    call MPI_Type_commit(back, ierr); OK
    b = 0
    call through(a(1:3, 1:2), b(2:4, 4:3:-1), 1, back)
    CHECK(b(4, 3) == a(3, 2) .and. b(2, 3) == a(1, 2) .and. b(2, 4) == a(1, 1))
    EXPECT(count(b /= 0), 3)
    call MPI_Type_free(vector, ierr); OK
    call MPI_Type_free(pair, ierr); OK
    call MPI_Type_free(back, ierr); OK
  end subroutine

  subroutine point_to_point
    integer, asynchronous :: a(3, 10), b(3, 10)
    character :: packed(100)
    integer :: position, i
    type(MPI_Request) :: request
    type(MPI_Message) :: message
    integer, save :: attached(1000)
    type(c_ptr) :: address

    a = reshape([(rank * 100 + i, i = 1, 30)], [3, 10])
    call MPI_Buffer_attach(attached, 4000, ierr); OK
    b = -1
    call MPI_Bsend(a(2, :), 10, MPI_INTEGER, next, 1, MPI_COMM_WORLD, ierr); OK
    call MPI_Mprobe(previous, 1, MPI_COMM_WORLD, message, MPI_STATUS_IGNORE, ierr); OK
    call MPI_Mrecv(b(1, :), 10, MPI_INTEGER, message, MPI_STATUS_IGNORE, ierr); OK
    CHECK(all(b(1, :) == a(2, :) + (previous - rank) * 100) .and. all(b(2:, :) == -1))
    call MPI_Ibsend(a(3, ::2), 5, MPI_INTEGER, next, 2, MPI_COMM_WORLD, request, ierr); OK
    call MPI_Recv(b(2, 5:1:-1), 5, MPI_INTEGER, previous, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr); OK
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr); OK
    CHECK(all(b(2, 5:1:-1) == a(3, ::2) + (previous - rank) * 100) .and. all(b(3, :) == -1))
    call MPI_Buffer_detach(address, position, ierr); OK
    b = a
    call MPI_Sendrecv_replace(b(2, :), 10, MPI_INTEGER, next, 3, previous, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr); OK
    CHECK(all(b(2, :) == a(2, :) + (previous - rank) * 100) .and. all(b(1, :) == a(1, :)))
    position = 0
    call MPI_Pack(a(1, :), 10, MPI_INTEGER, packed, 100, position, MPI_COMM_SELF, ierr); OK
    position = 0
    b = -1
    call MPI_Unpack(packed, 100, position, b(3, 10:1:-1), 10, MPI_INTEGER, MPI_COMM_SELF, ierr); OK
    CHECK(all(b(3, 10:1:-1) == a(1, :)) .and. all(b(1:2, :) == -1))
    position = 0
    call MPI_Pack(a(1, 1:5), 5, MPI_INTEGER, packed(1:100:2), 50, position, MPI_COMM_SELF, ierr); OK
    position = 0
    call MPI_Unpack(packed(1:100:2), 50, position, b(1, 1:5), 5, MPI_INTEGER, MPI_COMM_SELF, ierr); OK
    CHECK(all(b(1, 1:5) == a(1, 1:5)))
  end subroutine

  ! More than the section has, by the communicator's error handler; arguments that are wrong in other ways.
  subroutine mistakes
    type(MPI_Comm) :: comm
    type(MPI_Datatype) :: t
    type(MPI_Request) :: request
    integer :: a(2, 10)

    a = 0
    call MPI_Comm_dup(MPI_COMM_SELF, comm, ierr); OK
    call MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN, ierr); OK
    request = MPI_REQUEST_NULL
    call MPI_Send(a(1, ::2), 6, MPI_INTEGER, 0, 0, comm, ierr); FAILS(MPI_ERR_BUFFER)
    call MPI_Irecv(a(1, ::2), 3, MPI_2INTEGER, 0, 0, comm, request, ierr); FAILS(MPI_ERR_BUFFER)
    call MPI_Send(a(1, ::2), -1, MPI_INTEGER, 0, 0, comm, ierr); FAILS(MPI_ERR_COUNT)
    call MPI_Send(a(1, ::2), 1, MPI_DATATYPE_NULL, 0, 0, comm, ierr); FAILS(MPI_ERR_TYPE)
    call MPI_Type_contiguous(2, MPI_INTEGER, t, ierr); OK
    call MPI_Send(a(1, ::2), 1, t, 0, 0, comm, ierr); FAILS(MPI_ERR_TYPE) ! not committed
    call MPI_Type_free(t, ierr); OK
    call MPI_Isend(a(1, ::2), 5, MPI_INTEGER, 1, 0, comm, request, ierr); FAILS(MPI_ERR_RANK)
    CHECK(request == MPI_REQUEST_NULL)
    call MPI_Comm_free(comm, ierr); OK
  end subroutine

  subroutine collectives
    integer, asynchronous :: a(2, 8 * size_of_world), b(2, 8 * size_of_world)
    integer :: counts(0:size_of_world - 1), places(0:size_of_world - 1), bytes(0:size_of_world - 1), n, i, k
    type(MPI_Datatype) :: types(0:size_of_world - 1)
    type(MPI_Request) :: request

    n = size_of_world
    a = reshape([(rank * 1000 + i, i = 1, 16 * n)], [2, 8 * n])
    counts = 2
    places = [(3 * i, i = 0, n - 1)] ! a gap of one element of the section
    bytes = 4 * places
    types = MPI_INTEGER
    do k = 1, 2
      b = -1
      if (k == 1) then
        call MPI_Gatherv(a(2, :), 2, MPI_INTEGER, b(1, :), counts, places, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr); OK
      else
        call MPI_Igatherv(a(2, :), 2, MPI_INTEGER, b(1, :), counts, places, MPI_INTEGER, 0, MPI_COMM_WORLD, request, ierr); OK
        call done
      end if
      if (rank == 0) then
        do i = 0, n - 1
          CHECK(all(b(1, 3 * i + 1:3 * i + 2) == i * 1000 + [2, 4]))
        end do
      end if
      EXPECT(count(b /= -1), merge(2 * n, 0, rank == 0))
      b = -1
      if (k == 1) then
        call MPI_Scatterv(a(2, :), counts, places, MPI_INTEGER, b(1, 7:8), 2, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr); OK
      else
        call MPI_Iscatterv(a(2, :), counts, places, MPI_INTEGER, b(1, 7:8), 2, MPI_INTEGER, 0, MPI_COMM_WORLD, request, ierr); OK
        call done
      end if
      CHECK(all(b(1, 7:8) == [6 * rank + 2, 6 * rank + 4]))
      EXPECT(count(b /= -1), 2)
      b = -1
      if (k == 1) then
        call MPI_Alltoallw(a(1, :), counts, bytes, types, b(2, :), counts, bytes, types, MPI_COMM_WORLD, ierr); OK
      else
        call MPI_Ialltoallw(a(1, :), counts, bytes, types, b(2, :), counts, bytes, types, MPI_COMM_WORLD, request, ierr); OK
        call done
      end if
      do i = 0, n - 1
        CHECK(all(b(2, 3 * i + 1:3 * i + 2) == i * 1000 + 6 * rank + [1, 3]))
      end do
      EXPECT(count(b /= -1), 2 * n)
      ! In place, with a section that is not.
      b = a
      if (k == 1) then
        call MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, b(2, :), 2, MPI_INTEGER, MPI_COMM_WORLD, ierr); OK
      else
        call MPI_Ialltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, b(2, :), 2, MPI_INTEGER, MPI_COMM_WORLD, request, ierr); OK
        call done
      end if
      CHECK(all(b(2, :2 * n) == [(i * 1000 + [4 * rank + 2, 4 * rank + 4], i = 0, n - 1)]))
      CHECK(all(b(1, :) == a(1, :)))
      b = -1
      if (k == 1) then
        call MPI_Reduce_scatter_block(a(1, :), b(1, 3:4), 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr); OK
      else
        call MPI_Ireduce_scatter_block(a(1, :), b(1, 3:4), 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, request, ierr); OK
        call done
      end if
      CHECK(all(b(1, 3:4) == n * [4 * rank + 1, 4 * rank + 3] + 500 * n * (n - 1)))
      b = a
      if (k == 1) then
        call MPI_Scan(MPI_IN_PLACE, b(2, ::4), 2 * n, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, ierr); OK
      else
        call MPI_Iscan(MPI_IN_PLACE, b(2, ::4), 2 * n, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, request, ierr); OK
        call done
      end if
      CHECK(all(b == a)) ! each one's are larger than all before
    end do

  contains

    subroutine done
      call MPI_Wait(request, MPI_STATUS_IGNORE, ierr); OK
    end subroutine
  end subroutine

  subroutine one_sided
    integer, asynchronous :: memory(0:7), a(2, 8), b(2, 8)
    type(MPI_Win) :: win
    type(MPI_Request) :: request
    integer :: i

    memory = 0
    a = reshape([(rank * 100 + i, i = 1, 16)], [2, 8])
    call MPI_Win_create(memory, 32_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr); OK
    call MPI_Win_fence(0, win, ierr); OK
    call MPI_Accumulate(a(2, :), 8, MPI_INTEGER, next, 0_MPI_ADDRESS_KIND, 8, MPI_INTEGER, MPI_SUM, win, ierr); OK
    call MPI_Win_fence(0, win, ierr); OK
    CHECK(all(memory == a(2, :) + (previous - rank) * 100))
    call MPI_Barrier(MPI_COMM_WORLD, ierr); OK ! the next one replaces some of it
    b = -1
    call MPI_Get_accumulate(a(1, ::2), 4, MPI_INTEGER, b(2, 8:2:-2), 4, MPI_INTEGER, next, 4_MPI_ADDRESS_KIND, 4, MPI_INTEGER, &
      MPI_REPLACE, win, ierr); OK
    call MPI_Win_fence(0, win, ierr); OK
    CHECK(all(b(2, 8:2:-2) == a(2, 5:8)))
    EXPECT(count(b /= -1), 4)
    CHECK(all(memory(4:7) == a(1, ::2) + (previous - rank) * 100))
    ! More than the section has: by the window's error handler.
    call MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN, ierr); OK
    call MPI_Put(a(1, ::2), 5, MPI_INTEGER, next, 0_MPI_ADDRESS_KIND, 5, MPI_INTEGER, win, ierr); FAILS(MPI_ERR_BUFFER)
    call MPI_Win_fence(MPI_MODE_NOSUCCEED, win, ierr); OK
    call MPI_Win_lock_all(0, win, ierr); OK
    b = -1
    call MPI_Rget(b(1, ::2), 4, MPI_INTEGER, next, 0_MPI_ADDRESS_KIND, 4, MPI_INTEGER, win, request, ierr); OK
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr); OK
    CHECK(all(b(1, ::2) == a(2, 1:4)) .and. all(b(2, :) == -1))
    call MPI_Win_unlock_all(win, ierr); OK
    call MPI_Win_free(win, ierr); OK
  end subroutine
end module

program main
  use sections
  implicit none

  call conform_init
  next = modulo(rank + 1, size_of_world)
  previous = modulo(rank - 1, size_of_world)
  call shapes
  call of_types
  call point_to_point
  call mistakes
  call collectives
  call one_sided
  call conform_end
end program
