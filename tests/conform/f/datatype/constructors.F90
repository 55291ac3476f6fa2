! SPDX-License-Identifier: BSD-3-Clause
! MPI-3.1, 4.1: every constructor, what it is made of, sizes and extents; data sent by it arrives where it should.
! MPICH 4.0.2: no MPI_Aint_add in mpif.h; MPI_F_sync_reg of the module mpi crashes.
! conform: fails mpich-H mpich-MPI
#include "conform_f.h"
module constructors
  USE_MPI
  use conform
  implicit none
  INCLUDE_MPI
  integer, parameter :: aint = MPI_ADDRESS_KIND

contains

  ! Send `count` of the type of a in a message to oneself, receive them into b, both through their first elements.
  subroutine through(a, b, count, datatype)
    integer, intent(in) :: a(*), count
    integer, intent(inout) :: b(*)
    DATATYPE_T, intent(in) :: datatype

    call MPI_Sendrecv(a, count, datatype, 0, 3, b, count, datatype, 0, 3, MPI_COMM_SELF, MPI_STATUS_IGNORE, ierr); OK
  end subroutine

  subroutine commit_and_check(datatype, combiner, ints, size, extent)
    DATATYPE_T, intent(inout) :: datatype
    integer, intent(in) :: combiner, ints(:)
    integer, intent(in) :: size, extent
    integer :: got, ni, na, nd
    integer, allocatable :: i(:)
    integer(aint), allocatable :: a(:)
    DATATYPE_T, allocatable :: d(:)
    integer(aint) :: lb, got_extent
    integer(MPI_COUNT_KIND) :: large, large_lb

    call MPI_Type_commit(datatype, ierr); OK
    call MPI_Type_size(datatype, got, ierr); OK
    EXPECT(got, size)
    call MPI_Type_get_extent(datatype, lb, got_extent, ierr); OK
    EXPECT(got_extent, extent)
    call MPI_Type_size_x(datatype, large, ierr); OK
    EXPECT(large, size)
    call MPI_Type_get_extent_x(datatype, large_lb, large, ierr); OK
    EXPECT(large, extent)
    EXPECT(large_lb, lb)
    call MPI_Type_get_envelope(datatype, ni, na, nd, got, ierr); OK
    EXPECT(got, combiner)
    EXPECT(ni, ubound(ints, 1))
    allocate (i(ni), a(na), d(nd))
    call MPI_Type_get_contents(datatype, ni, na, nd, i, a, d, ierr); OK
    CHECK(all(i == ints))
    if (nd > 0) then
      CHECK(d(1) == MPI_INTEGER)
    end if
  end subroutine

  subroutine regular
    integer :: a(24), b(24), i
    DATATYPE_T :: t

    a = [(i, i = 1, 24)]

    call MPI_Type_contiguous(3, MPI_INTEGER, t, ierr); OK
    call commit_and_check(t, MPI_COMBINER_CONTIGUOUS, [3], 12, 12)
    b = 0
    call through(a, b, 2, t)
    CHECK(all(b(1:6) == a(1:6)) .and. all(b(7:) == 0))
    call MPI_Type_free(t, ierr); OK
    CHECK(t == MPI_DATATYPE_NULL)

    call MPI_Type_vector(3, 2, 4, MPI_INTEGER, t, ierr); OK
    call commit_and_check(t, MPI_COMBINER_VECTOR, [3, 2, 4], 24, 40)
    b = 0
    call through(a, b, 1, t)
    CHECK(all(b(1:10) == [1, 2, 0, 0, 5, 6, 0, 0, 9, 10]))
    call MPI_Type_free(t, ierr); OK

    call MPI_Type_create_hvector(3, 2, 12_aint, MPI_INTEGER, t, ierr); OK
    call commit_and_check(t, MPI_COMBINER_HVECTOR, [3, 2], 24, 32)
    b = 0
    call through(a, b, 1, t)
    CHECK(all(b(1:9) == [1, 2, 0, 4, 5, 0, 7, 8, 0]))
    call MPI_Type_free(t, ierr); OK

    call MPI_Type_dup(MPI_INTEGER, t, ierr); OK
    call commit_and_check(t, MPI_COMBINER_DUP, [integer ::], 4, 4)
    call MPI_Type_free(t, ierr); OK

    call MPI_Type_create_resized(MPI_INTEGER, 0_aint, 12_aint, t, ierr); OK
    call commit_and_check(t, MPI_COMBINER_RESIZED, [integer ::], 4, 12)
    b = 0
    call through(a, b, 3, t)
    CHECK(all(b(1:9) == [1, 0, 0, 4, 0, 0, 7, 0, 0]))
    call MPI_Type_free(t, ierr); OK
  end subroutine

  subroutine indexed
    integer :: a(24), b(24), i
    integer(aint) :: where(3)
    DATATYPE_T :: t

    a = [(i, i = 1, 24)]
    call MPI_Type_indexed(3, [1, 2, 1], [0, 4, 8], MPI_INTEGER, t, ierr); OK
    call commit_and_check(t, MPI_COMBINER_INDEXED, [3, 1, 2, 1, 0, 4, 8], 16, 36)
    b = 0
    call through(a, b, 1, t)
    CHECK(all(b(1:9) == [1, 0, 0, 0, 5, 6, 0, 0, 9]))
    call MPI_Type_free(t, ierr); OK

    where = [0, 16, 32]
    call MPI_Type_create_hindexed(3, [1, 2, 1], where, MPI_INTEGER, t, ierr); OK
    call commit_and_check(t, MPI_COMBINER_HINDEXED, [3, 1, 2, 1], 16, 36)
    b = 0
    call through(a, b, 1, t)
    CHECK(all(b(1:9) == [1, 0, 0, 0, 5, 6, 0, 0, 9]))
    call MPI_Type_free(t, ierr); OK

    call MPI_Type_create_indexed_block(3, 2, [0, 4, 8], MPI_INTEGER, t, ierr); OK
    call commit_and_check(t, MPI_COMBINER_INDEXED_BLOCK, [3, 2, 0, 4, 8], 24, 40)
    b = 0
    call through(a, b, 1, t)
    CHECK(all(b(1:10) == [1, 2, 0, 0, 5, 6, 0, 0, 9, 10]))
    call MPI_Type_free(t, ierr); OK

    call MPI_Type_create_hindexed_block(3, 2, where, MPI_INTEGER, t, ierr); OK
    call commit_and_check(t, MPI_COMBINER_HINDEXED_BLOCK, [3, 2], 24, 40)
    b = 0
    call through(a, b, 1, t)
    CHECK(all(b(1:10) == [1, 2, 0, 0, 5, 6, 0, 0, 9, 10]))
    call MPI_Type_free(t, ierr); OK
  end subroutine

  ! Arrays in Fortran's order: the inner part of a matrix, and each process's part of a distributed one.
  subroutine arrays
    integer :: a(6, 5), b(6, 5), i
    DATATYPE_T :: t

    a = reshape([(i, i = 1, 30)], [6, 5])
    call MPI_Type_create_subarray(2, [6, 5], [3, 2], [1, 2], MPI_ORDER_FORTRAN, MPI_INTEGER, t, ierr); OK
    call commit_and_check(t, MPI_COMBINER_SUBARRAY, [2, 6, 5, 3, 2, 1, 2, MPI_ORDER_FORTRAN], 24, 120)
    b = 0
    call through(a, b, 1, t)
    CHECK(all(b(2:4, 3:4) == a(2:4, 3:4)))
    EXPECT(count(b /= 0), 6)
    call MPI_Type_free(t, ierr); OK

    call MPI_Type_create_subarray(2, [5, 6], [2, 3], [2, 1], MPI_ORDER_C, MPI_INTEGER, t, ierr); OK
    call commit_and_check(t, MPI_COMBINER_SUBARRAY, [2, 5, 6, 2, 3, 2, 1, MPI_ORDER_C], 24, 120)
    b = 0
    call through(a, b, 1, t)
    CHECK(all(b(2:4, 3:4) == a(2:4, 3:4)))
    call MPI_Type_free(t, ierr); OK

    ! Process 1 of 2 x 1: columns whole, rows dealt out in turn.
    call MPI_Type_create_darray(2, 1, 2, [6, 5], [MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE], &
      [MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG], [2, 1], MPI_ORDER_FORTRAN, MPI_INTEGER, t, ierr); OK
    call commit_and_check(t, MPI_COMBINER_DARRAY, [2, 1, 2, 6, 5, MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE, &
      MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG, 2, 1, MPI_ORDER_FORTRAN], 60, 120)
    b = 0
    call through(a, b, 1, t)
    CHECK(all(b(2::2, :) == a(2::2, :)))
    EXPECT(count(b /= 0), 15)
    call MPI_Type_free(t, ierr); OK

    ! Process 0 of 1 x 2: blocks of 3 columns.
    call MPI_Type_create_darray(2, 0, 2, [6, 5], [MPI_DISTRIBUTE_NONE, MPI_DISTRIBUTE_BLOCK], &
      [MPI_DISTRIBUTE_DFLT_DARG, 3], [1, 2], MPI_ORDER_FORTRAN, MPI_INTEGER, t, ierr); OK
    call MPI_Type_commit(t, ierr); OK
    b = 0
    call through(a, b, 1, t)
    CHECK(all(b(:, 1:3) == a(:, 1:3)) .and. all(b(:, 4:) == 0))
    call MPI_Type_free(t, ierr); OK
  end subroutine

  ! Structures: of sequence and bind(C) types, by addresses of their parts; and absolute addresses from MPI_BOTTOM.
  subroutine structures
    use, intrinsic :: iso_c_binding, only: c_int, c_double, c_char
    type pair
      sequence
      double precision :: x
      integer :: i(3)
      logical :: l
      complex :: z
    end type
    type, bind(C) :: record
      character(c_char) :: tag
      real(c_double) :: value
      integer(c_int) :: number
    end type
    type(pair), target :: p(3), q(3)
    type(record), target :: r(2), s(2)
    integer(aint) :: where(4), base, next
    DATATYPE_T :: types(4), t, whole
    integer :: k, ni, na, nd, combiner

    call MPI_Get_address(p(1)%x, where(1), ierr); OK
    call MPI_Get_address(p(1)%i, where(2), ierr); OK
    call MPI_Get_address(p(1)%l, where(3), ierr); OK
    call MPI_Get_address(p(1)%z, where(4), ierr); OK
    call MPI_Get_address(p(2)%x, next, ierr); OK
    base = where(1)
    do k = 1, 4
      where(k) = MPI_Aint_diff(where(k), base)
    end do
    CHECK(MPI_Aint_add(base, MPI_Aint_diff(next, base)) == next)
    types = [MPI_DOUBLE_PRECISION, MPI_INTEGER, MPI_LOGICAL, MPI_COMPLEX]
    call MPI_Type_create_struct(4, [1, 3, 1, 1], where, types, t, ierr); OK
    call MPI_Type_get_envelope(t, ni, na, nd, combiner, ierr); OK
    EXPECT(combiner, MPI_COMBINER_STRUCT)
    EXPECT(ni, 5)
    EXPECT(na, 4)
    EXPECT(nd, 4)
    call MPI_Type_create_resized(t, 0_aint, MPI_Aint_diff(next, base), whole, ierr); OK
    call MPI_Type_commit(whole, ierr); OK
    do k = 1, 3
      p(k) = pair(k * 1.5d0, [k, 2 * k, 3 * k], mod(k, 2) == 1, cmplx(k, -k))
      q(k) = pair(0, 0, .false., 0)
    end do
    call MPI_Sendrecv(p(1)%x, 3, whole, 0, 1, q(1)%x, 3, whole, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE, ierr); OK
    do k = 1, 3
      CHECK(q(k)%x == p(k)%x .and. all(q(k)%i == p(k)%i) .and. (q(k)%l .eqv. p(k)%l) .and. q(k)%z == p(k)%z)
    end do
    call MPI_Type_free(whole, ierr); OK
    call MPI_Type_free(t, ierr); OK

    r = [record('a', 1.5d0, 7), record('b', 2.5d0, 8)]
    s = record(' ', 0, 0)
    call MPI_Get_address(r(1)%tag, where(1), ierr); OK
    call MPI_Get_address(r(1)%value, where(2), ierr); OK
    call MPI_Get_address(r(1)%number, where(3), ierr); OK
    call MPI_Type_create_struct(3, [1, 1, 1], where, [MPI_CHARACTER, MPI_DOUBLE_PRECISION, MPI_INTEGER], t, ierr); OK
    call MPI_Type_commit(t, ierr); OK
    types(1) = t
    call MPI_Get_address(s(2)%tag, where(1), ierr); OK
    call MPI_Get_address(s(2)%value, where(2), ierr); OK
    call MPI_Get_address(s(2)%number, where(3), ierr); OK
    call MPI_Type_create_struct(3, [1, 1, 1], where, [MPI_CHARACTER, MPI_DOUBLE_PRECISION, MPI_INTEGER], t, ierr); OK
    call MPI_Type_commit(t, ierr); OK
    call MPI_Sendrecv(MPI_BOTTOM, 1, types(1), 0, 2, MPI_BOTTOM, 1, t, 0, 2, MPI_COMM_SELF, MPI_STATUS_IGNORE, ierr); OK
#ifdef STYLE_F08
    if (.not. MPI_ASYNC_PROTECTS_NONBLOCKING) call MPI_F_sync_reg(s)
#else
    call MPI_F_SYNC_REG(s(2)%number)
#endif
    CHECK(s(2)%tag == 'a' .and. s(2)%value == 1.5d0 .and. s(2)%number == 7)
    CHECK(s(1)%number == 0)
    call MPI_Type_free(types(1), ierr); OK
    call MPI_Type_free(t, ierr); OK
  end subroutine

  ! True extents, and names.
  subroutine extents_and_names
    integer(aint) :: lb, extent
    integer(MPI_COUNT_KIND) :: large_lb, large
    character(MPI_MAX_OBJECT_NAME) :: name
    integer :: length
    DATATYPE_T :: t

    call MPI_Type_create_indexed_block(2, 1, [2, 5], MPI_REAL, t, ierr); OK
    call MPI_Type_get_true_extent(t, lb, extent, ierr); OK
    EXPECT(lb, 8)
    EXPECT(extent, 16)
    call MPI_Type_get_true_extent_x(t, large_lb, large, ierr); OK
    EXPECT(large_lb, 8)
    EXPECT(large, 16)
    name = 'x'
    call MPI_Type_get_name(t, name, length, ierr); OK
    EXPECT(length, 0)
    CHECK(name == ' ')
    call MPI_Type_set_name(t, '  two words   ', ierr); OK
    call MPI_Type_get_name(t, name, length, ierr); OK
    CHECK(adjustl(name) == 'two words') ! leading blanks may be stripped, trailing ones are
    CHECK(name(length:length) /= ' ' .and. name(length + 1:) == ' ')
    call MPI_Type_get_name(MPI_DOUBLE_PRECISION, name, length, ierr); OK
    CHECK(name == 'MPI_DOUBLE_PRECISION')
    call MPI_Type_free(t, ierr); OK
  end subroutine
end module

program main
  use constructors
  implicit none

  call conform_init
  call regular
  call indexed
  call arrays
  call structures
  call extents_and_names
  call conform_end
end program
