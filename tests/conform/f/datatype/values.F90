! SPDX-License-Identifier: BSD-3-Clause
! MPI-3.1, 3.2.2, 4.2, 4.3, 17.1.9: Fortran's types, also those by kind and by precision; pack and unpack.
#include "conform_f.h"
module values
  USE_MPI
  use conform
  implicit none
  INCLUDE_MPI
  integer, parameter :: aint = MPI_ADDRESS_KIND

contains

  subroutine size_is(datatype, name, size)
    DATATYPE_T, intent(in) :: datatype
    character(*), intent(in) :: name
    integer, intent(in) :: size
    integer :: got, length
    character(MPI_MAX_OBJECT_NAME) :: its

    call MPI_Type_size(datatype, got, ierr); OK
    call MPI_Type_get_name(datatype, its, length, ierr); OK
    if (got /= size) call conform_error(name // ' has another size')
    if (its /= name) call conform_error(name // ' is called ' // its)
    EXPECT(length, len_trim(its))
  end subroutine

  subroutine predefined
    call size_is(MPI_INTEGER, 'MPI_INTEGER', 4)
    call size_is(MPI_REAL, 'MPI_REAL', 4)
    call size_is(MPI_DOUBLE_PRECISION, 'MPI_DOUBLE_PRECISION', 8)
    call size_is(MPI_COMPLEX, 'MPI_COMPLEX', 8)
    call size_is(MPI_DOUBLE_COMPLEX, 'MPI_DOUBLE_COMPLEX', 16)
    call size_is(MPI_LOGICAL, 'MPI_LOGICAL', 4)
    call size_is(MPI_CHARACTER, 'MPI_CHARACTER', 1)
    call size_is(MPI_BYTE, 'MPI_BYTE', 1)
    call size_is(MPI_PACKED, 'MPI_PACKED', 1)
    call size_is(MPI_INTEGER1, 'MPI_INTEGER1', 1)
    call size_is(MPI_INTEGER2, 'MPI_INTEGER2', 2)
    call size_is(MPI_INTEGER4, 'MPI_INTEGER4', 4)
    call size_is(MPI_INTEGER8, 'MPI_INTEGER8', 8)
    call size_is(MPI_REAL4, 'MPI_REAL4', 4)
    call size_is(MPI_REAL8, 'MPI_REAL8', 8)
    call size_is(MPI_COMPLEX8, 'MPI_COMPLEX8', 8)
    call size_is(MPI_COMPLEX16, 'MPI_COMPLEX16', 16)
    call size_is(MPI_2REAL, 'MPI_2REAL', 8)
    call size_is(MPI_2DOUBLE_PRECISION, 'MPI_2DOUBLE_PRECISION', 16)
    call size_is(MPI_2INTEGER, 'MPI_2INTEGER', 8)
    call size_is(MPI_AINT, 'MPI_AINT', storage_size(0_aint) / 8)
    call size_is(MPI_OFFSET, 'MPI_OFFSET', storage_size(0_MPI_OFFSET_KIND) / 8)
    call size_is(MPI_COUNT, 'MPI_COUNT', storage_size(0_MPI_COUNT_KIND) / 8)
  end subroutine

  ! Each type of C has a number in Fortran, too.
  subroutine types_of_c
    integer :: size

    call MPI_Type_size(MPI_DOUBLE, size, ierr); OK
    EXPECT(size, 8)
    call MPI_Type_size(MPI_INT, size, ierr); OK
    EXPECT(size, 4)
    call MPI_Type_size(MPI_INT64_T, size, ierr); OK
    EXPECT(size, 8)
    call MPI_Type_size(MPI_C_DOUBLE_COMPLEX, size, ierr); OK
    EXPECT(size, 16)
    call MPI_Type_size(MPI_DOUBLE_INT, size, ierr); OK
    EXPECT(size, 12)
  end subroutine

  ! Values of all kinds around the ring, as a message each.
  subroutine travel
    integer :: next, previous
    double precision :: d(2)
    complex :: c(2)
    complex(kind(0d0)) :: z(2)
    logical :: l(3)
    character(5) :: s(2)
    integer(8) :: i8(2)
    integer(2) :: i2(2)
    real(8) :: r8(2)

    next = modulo(rank + 1, size_of_world)
    previous = modulo(rank - 1, size_of_world)
    d = rank + 0.25d0
    call MPI_Sendrecv_replace(d, 2, MPI_DOUBLE_PRECISION, next, 0, previous, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr); OK
    CHECK(all(d == previous + 0.25d0))
    c = cmplx(rank, 1)
    call MPI_Sendrecv_replace(c, 2, MPI_COMPLEX, next, 0, previous, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr); OK
    CHECK(all(c == cmplx(previous, 1)))
    z = cmplx(rank, 2, kind(0d0))
    call MPI_Sendrecv_replace(z, 2, MPI_DOUBLE_COMPLEX, next, 0, previous, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr); OK
    CHECK(all(z == cmplx(previous, 2, kind(0d0))))
    l = [.true., .false., mod(rank, 2) == 1]
    call MPI_Sendrecv_replace(l, 3, MPI_LOGICAL, next, 0, previous, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr); OK
    CHECK(l(1) .and. .not. l(2) .and. (l(3) .eqv. mod(previous, 2) == 1))
    write (s, '(a, i4)') 'A', rank, 'B', rank
    call MPI_Sendrecv_replace(s, 10, MPI_CHARACTER, next, 0, previous, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr); OK
    CHECK(s(1)(1:1) == 'A' .and. s(2)(1:1) == 'B' .and. s(1)(2:) == s(2)(2:))
    i8 = rank * 2_8**40
    call MPI_Sendrecv_replace(i8, 2, MPI_INTEGER8, next, 0, previous, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr); OK
    CHECK(all(i8 == previous * 2_8**40))
    i2 = int(rank, 2)
    call MPI_Sendrecv_replace(i2, 2, MPI_INTEGER2, next, 0, previous, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr); OK
    CHECK(all(i2 == previous))
    r8 = rank
    call MPI_Sendrecv_replace(r8, 2, MPI_REAL8, next, 0, previous, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr); OK
    CHECK(all(r8 == previous))
  end subroutine

  ! Types by precision and range (17.1.9): what selected_real_kind gives.
  subroutine parametrised
    integer, parameter :: wide = selected_real_kind(12, 100), long = selected_int_kind(12)
    real(wide) :: x(3), sum_of(3)
    complex(wide) :: z(1), sum_z(1)
    integer(long) :: i(2), sum_i(2)
    integer :: size, ni, na, nd, combiner, ints(2)
    integer(aint) :: addresses(1)
    DATATYPE_T :: real_type, complex_type, integer_type, again, types(1)

    call MPI_Type_create_f90_real(12, 100, real_type, ierr); OK
    call MPI_Type_create_f90_complex(12, 100, complex_type, ierr); OK
    call MPI_Type_create_f90_integer(12, integer_type, ierr); OK
    call MPI_Type_size(real_type, size, ierr); OK
    EXPECT(size, storage_size(x) / 8)
    call MPI_Type_size(integer_type, size, ierr); OK
    EXPECT(size, storage_size(i) / 8)
    x = rank + 0.5_wide
    call MPI_Allreduce(x, sum_of, 3, real_type, MPI_SUM, MPI_COMM_WORLD, ierr); OK
    CHECK(all(sum_of == size_of_world * (size_of_world - 1) / 2 + size_of_world * 0.5_wide))
    z = cmplx(rank, -1, wide)
    call MPI_Allreduce(z, sum_z, 1, complex_type, MPI_SUM, MPI_COMM_WORLD, ierr); OK
    CHECK(sum_z(1) == cmplx(size_of_world * (size_of_world - 1) / 2, -size_of_world, wide))
    i = 2_long ** 35
    call MPI_Allreduce(i, sum_i, 2, integer_type, MPI_SUM, MPI_COMM_WORLD, ierr); OK
    CHECK(all(sum_i == size_of_world * 2_long ** 35))
    call MPI_Type_get_envelope(real_type, ni, na, nd, combiner, ierr); OK
    EXPECT(combiner, MPI_COMBINER_F90_REAL)
    EXPECT(ni, 2)
    call MPI_Type_get_contents(real_type, 2, 0, 0, ints, addresses, types, ierr); OK
    CHECK(all(ints == [12, 100]))
    ! The same arguments give the same type.
    call MPI_Type_create_f90_real(12, 100, again, ierr); OK
    CHECK(again == real_type)
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr); OK
    call MPI_Type_create_f90_real(500, MPI_UNDEFINED, again, ierr); REFUSED
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL, ierr); OK
  end subroutine

  ! All processes make a new type at the same time: each finds it again.
  subroutine together
    integer :: p, r
    DATATYPE_T :: first, again

    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr); OK
    types: do p = 1, 6
      do r = 1, 37
        call MPI_Barrier(MPI_COMM_WORLD, ierr); OK
        call MPI_Type_create_f90_complex(p, r, first, ierr)
        if (ierr /= MPI_SUCCESS .and. p > 1) exit types ! MPICH keeps 64
        OK
        call MPI_Barrier(MPI_COMM_WORLD, ierr); OK
        call MPI_Type_create_f90_complex(p, r, again, ierr); OK
        CHECK(again == first)
      end do
    end do types
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL, ierr); OK
  end subroutine

  subroutine by_size
    integer :: size
    DATATYPE_T :: t
    real(8) :: x
    complex :: c(3)
    integer(2) :: i2
    logical :: l

    call MPI_Type_match_size(MPI_TYPECLASS_REAL, 8, t, ierr); OK
    call MPI_Type_size(t, size, ierr); OK
    EXPECT(size, 8)
    call MPI_Type_match_size(MPI_TYPECLASS_INTEGER, 2, t, ierr); OK
    call MPI_Type_size(t, size, ierr); OK
    EXPECT(size, 2)
    call MPI_Type_match_size(MPI_TYPECLASS_COMPLEX, 16, t, ierr); OK
    call MPI_Type_size(t, size, ierr); OK
    EXPECT(size, 16)
#ifndef STYLE_H
    call MPI_Sizeof(x, size, ierr); OK
    EXPECT(size, 8)
    call MPI_Sizeof(c, size, ierr); OK
    EXPECT(size, 8)
    call MPI_Sizeof(i2, size, ierr); OK
    EXPECT(size, 2)
    call MPI_Sizeof(l, size, ierr); OK
    EXPECT(size, 4)
#endif
  end subroutine

  subroutine packing
    character :: buffer(200)
    integer :: position, i, size, a(3), b(3), end
    double precision :: d
    logical :: l
    STATUS_T(status)

    a = [11, 22, 33]
    position = 0
    call MPI_Pack(a, 3, MPI_INTEGER, buffer, 200, position, MPI_COMM_WORLD, ierr); OK
    call MPI_Pack(1.5d0, 1, MPI_DOUBLE_PRECISION, buffer, 200, position, MPI_COMM_WORLD, ierr); OK
    call MPI_Pack(.true., 1, MPI_LOGICAL, buffer, 200, position, MPI_COMM_WORLD, ierr); OK
    end = position
    size = 0
    call MPI_Pack_size(3, MPI_INTEGER, MPI_COMM_WORLD, i, ierr); OK
    size = size + i
    call MPI_Pack_size(1, MPI_DOUBLE_PRECISION, MPI_COMM_WORLD, i, ierr); OK
    size = size + i
    call MPI_Pack_size(1, MPI_LOGICAL, MPI_COMM_WORLD, i, ierr); OK
    CHECK(size + i >= end)
    call MPI_Sendrecv_replace(buffer, end, MPI_PACKED, modulo(rank + 1, size_of_world), 0, modulo(rank - 1, size_of_world), 0, &
      MPI_COMM_WORLD, status, ierr); OK
    position = 0
    call MPI_Unpack(buffer, end, position, b, 3, MPI_INTEGER, MPI_COMM_WORLD, ierr); OK
    call MPI_Unpack(buffer, end, position, d, 1, MPI_DOUBLE_PRECISION, MPI_COMM_WORLD, ierr); OK
    call MPI_Unpack(buffer, end, position, l, 1, MPI_LOGICAL, MPI_COMM_WORLD, ierr); OK
    EXPECT(position, end)
    CHECK(all(b == a) .and. d == 1.5d0 .and. l)
  end subroutine

  subroutine packing_external
    character :: buffer(64)
    integer(aint) :: position, size
    integer :: a(2), b(2)

    a = [1, 258]
    call MPI_Pack_external_size('external32', 2, MPI_INTEGER, size, ierr); OK
    EXPECT(size, 8)
    position = 0
    call MPI_Pack_external('external32', a, 2, MPI_INTEGER, buffer, 64_aint, position, ierr); OK
    EXPECT(position, 8)
    ! Big-endian.
    CHECK(all(ichar(buffer(1:8)) == [0, 0, 0, 1, 0, 0, 1, 2]))
    position = 0
    b = 0
    call MPI_Unpack_external('external32', buffer, 8_aint, position, b, 2, MPI_INTEGER, ierr); OK
    CHECK(all(b == a))
  end subroutine
end module

program main
  use values
  implicit none

  call conform_init
  call predefined
  call types_of_c
  call travel
  call parametrised
  call together
  call by_size
  call packing
  call packing_external
  call conform_end
end program
