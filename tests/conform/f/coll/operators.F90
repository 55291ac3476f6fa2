! SPDX-License-Identifier: BSD-3-Clause
! MPI-3.1, 5.9: operators in Fortran, on predefined and on the program's own types; reduce_local; commutative or not.
#include "conform_f.h"
module operators
  USE_MPI
  use conform
  implicit none
  INCLUDE_MPI
  integer, save :: calls = 0
  DATATYPE_T, save :: expected

contains

  ! Products of 2 x 2 matrices: not commutative. Of the type that holds four integers.
#ifdef STYLE_F08
  subroutine matrices(in, inout, length, datatype)
    use, intrinsic :: iso_c_binding, only: c_ptr, c_f_pointer
    type(c_ptr), value :: in, inout
    integer :: length
    type(MPI_Datatype) :: datatype
    integer, pointer :: a(:, :, :), b(:, :, :)
    integer :: i

    call c_f_pointer(in, a, [2, 2, length])
    call c_f_pointer(inout, b, [2, 2, length])
#else
  subroutine matrices(a, b, length, datatype)
    integer :: length, datatype
    integer :: a(2, 2, length), b(2, 2, length)
    integer :: i
#endif

    calls = calls + 1
    if (datatype /= expected) calls = calls + 1000000
    do i = 1, length
      b(:, :, i) = matmul(a(:, :, i), b(:, :, i))
    end do
  end subroutine

  ! The longer ones of numbers, with double precision.
#ifdef STYLE_F08
  subroutine longer(in, inout, length, datatype)
    use, intrinsic :: iso_c_binding, only: c_ptr, c_f_pointer
    type(c_ptr), value :: in, inout
    integer :: length
    type(MPI_Datatype) :: datatype
    double precision, pointer :: a(:), b(:)

    call c_f_pointer(in, a, [length])
    call c_f_pointer(inout, b, [length])
#else
  subroutine longer(a, b, length, datatype)
    integer :: length, datatype
    double precision :: a(length), b(length)
#endif

    where (abs(a) > abs(b)) b = a
  end subroutine
  pure function matrix(p)
    integer, intent(in) :: p
    integer :: matrix(2, 2)

    matrix = reshape([1, p, 1, p + 1], [2, 2])
  end function

  function product_of(first, last) result(m)
    integer, intent(in) :: first, last
    integer :: m(2, 2), i

    m = reshape([1, 0, 0, 1], [2, 2])
    do i = first, last
      m = matmul(m, matrix(i))
    end do
  end function

  subroutine own_type
    OP_T :: op
    DATATYPE_T :: four
    integer :: mine(2, 2, 3), all_of(2, 2, 3), i
    logical :: commutes
    REQUEST_T :: request

    call MPI_Type_contiguous(4, MPI_INTEGER, four, ierr); OK
    call MPI_Type_commit(four, ierr); OK
    expected = four
    call MPI_Op_create(matrices, .false., op, ierr); OK
    call MPI_Op_commutative(op, commutes, ierr); OK
    CHECK(commutes .eqv. .false.)
    do i = 1, 3
      mine(:, :, i) = matrix(rank)
    end do
    call MPI_Reduce(mine, all_of, 3, four, op, 0, MPI_COMM_WORLD, ierr); OK
    if (rank == 0) call check_product(0, size_of_world - 1)
    call MPI_Allreduce(mine, all_of, 3, four, op, MPI_COMM_WORLD, ierr); OK
    call check_product(0, size_of_world - 1)
    all_of = mine
    call MPI_Iallreduce(MPI_IN_PLACE, all_of, 3, four, op, MPI_COMM_WORLD, request, ierr); OK
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr); OK
    call check_product(0, size_of_world - 1)
    call MPI_Scan(mine, all_of, 3, four, op, MPI_COMM_WORLD, ierr); OK
    call check_product(0, rank)
    do i = 1, 3
      all_of(:, :, i) = matrix(rank + 1)
    end do
    calls = 0
    call MPI_Reduce_local(mine, all_of, 3, four, op, ierr); OK
    call check_product(rank, rank + 1)
    CHECK(calls >= 1 .and. calls <= 3) ! 1000000 more: for another type
    call MPI_Op_free(op, ierr); OK
    CHECK(op == MPI_OP_NULL)
    call MPI_Type_free(four, ierr); OK

  contains

    subroutine check_product(first, last)
      integer, intent(in) :: first, last
      integer :: k

      do k = 1, 3
        CHECK(all(all_of(:, :, k) == product_of(first, last)))
      end do
    end subroutine
  end subroutine

  subroutine predefined_type
    OP_T :: op
    double precision :: a(40), b(40)
    logical :: commutes

    call MPI_Op_create(longer, .true., op, ierr); OK
    call MPI_Op_commutative(op, commutes, ierr); OK
    CHECK(commutes .eqv. .true.)
    call MPI_Op_commutative(MPI_SUM, commutes, ierr); OK
    CHECK(commutes .eqv. .true.)
    a = -(rank + 0.5d0)
    call MPI_Allreduce(a, b, 40, MPI_DOUBLE_PRECISION, op, MPI_COMM_WORLD, ierr); OK
    CHECK(all(b == -(size_of_world - 0.5d0)))
    call MPI_Op_free(op, ierr); OK
  end subroutine

  ! The predefined operators on Fortran's types: two processes' values, without a communicator.
  subroutine locally
    integer :: i(2)
    real :: r(2)
    complex :: c(1)
    logical :: l(4)
    integer(8) :: long(1)

    i = [5, 6]
    call MPI_Reduce_local([3, 9], i, 2, MPI_INTEGER, MPI_MAX, ierr); OK
    CHECK(all(i == [5, 9]))
    r = [2., 3.]
    call MPI_Reduce_local([4., 0.5], r, 2, MPI_REAL, MPI_PROD, ierr); OK
    CHECK(all(r == [8., 1.5]))
    c = (1, 2)
    call MPI_Reduce_local([(3., 4.)], c, 1, MPI_COMPLEX, MPI_SUM, ierr); OK
    CHECK(c(1) == (4, 6))
    l = [.true., .true., .false., .false.]
    call MPI_Reduce_local([.true., .false., .true., .false.], l, 4, MPI_LOGICAL, MPI_LXOR, ierr); OK
    CHECK(all(l .eqv. [.false., .true., .true., .false.]))
    long = 2_8 ** 40
    call MPI_Reduce_local([1_8], long, 1, MPI_INTEGER8, MPI_BOR, ierr); OK
    CHECK(long(1) == 2_8 ** 40 + 1)
  end subroutine
end module

program main
  use operators
  implicit none

  call conform_init
  call own_type
  call predefined_type
  call locally
  call conform_end
end program
