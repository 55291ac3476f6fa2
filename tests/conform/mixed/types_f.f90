! SPDX-License-Identifier: BSD-3-Clause
! What types.c calls: types by precision and range (MPI 17.1.9), and by size.
module types
  use, intrinsic :: iso_c_binding
  use mpi
  implicit none
  integer, parameter :: real_kind = selected_real_kind(10, 100), integer_kind = selected_int_kind(12)
  integer :: wrong = 0
contains
  integer(c_int) function type_wrong() bind(C)
    type_wrong = wrong
  end function
  integer(c_int) function real_type() bind(C)
    integer :: ierror
    call MPI_TYPE_CREATE_F90_REAL(10, 100, real_type, ierror)
    if (ierror /= MPI_SUCCESS) wrong = wrong + 1
  end function
  integer(c_int) function complex_type() bind(C)
    integer :: ierror
    call MPI_TYPE_CREATE_F90_COMPLEX(10, MPI_UNDEFINED, complex_type, ierror)
    if (ierror /= MPI_SUCCESS) wrong = wrong + 1
  end function
  integer(c_int) function integer_type() bind(C)
    integer :: ierror
    call MPI_TYPE_CREATE_F90_INTEGER(12, integer_type, ierror)
    if (ierror /= MPI_SUCCESS) wrong = wrong + 1
  end function
  ! What it was made of, as Fortran has it.
  subroutine contents_of(type, integers, combiner) bind(C)
    integer(c_int), value :: type
    integer(c_int) :: integers(2), combiner
    integer :: n_integers, n_addresses, n_types, types(1), ierror
    integer(MPI_ADDRESS_KIND) :: addresses(1)
    call MPI_TYPE_GET_ENVELOPE(type, n_integers, n_addresses, n_types, combiner, ierror)
    if (ierror /= MPI_SUCCESS .or. n_addresses /= 0 .or. n_types /= 0) wrong = wrong + 1
    integers = -1
    call MPI_TYPE_GET_CONTENTS(type, n_integers, n_addresses, n_types, integers, addresses, types, ierror)
    if (ierror /= MPI_SUCCESS) wrong = wrong + 1
    if (combiner == MPI_COMBINER_F90_REAL) combiner = 1
    if (combiner == MPI_COMBINER_F90_COMPLEX) combiner = 2
    if (combiner == MPI_COMBINER_F90_INTEGER) combiner = 3
  end subroutine
  integer(c_int) function matching(class, size) bind(C)
    integer(c_int), value :: class, size
    integer :: ierror, classes(3) = [MPI_TYPECLASS_REAL, MPI_TYPECLASS_INTEGER, MPI_TYPECLASS_COMPLEX]
    call MPI_TYPE_MATCH_SIZE(classes(class), size, matching, ierror)
    if (ierror /= MPI_SUCCESS) wrong = wrong + 1
  end function
  subroutine exchange(comm) bind(C)
    integer(c_int), value :: comm
    real(real_kind) :: out(3), in(3)
    integer(integer_kind) :: out_i, in_i
    complex(real_kind) :: out_c, in_c
    integer :: rank, size, left, right, ierror, status(MPI_STATUS_SIZE)
    call MPI_COMM_RANK(comm, rank, ierror)
    call MPI_COMM_SIZE(comm, size, ierror)
    left = mod(rank + size - 1, size)
    right = mod(rank + 1, size)
    out = [1.5_real_kind, 2.5_real_kind, real(rank, real_kind)]
    call MPI_SENDRECV(out, 3, real_type(), right, 0, in, 3, real_type(), left, 0, comm, status, ierror)
    if (ierror /= MPI_SUCCESS .or. in(1) /= 1.5 .or. nint(in(3)) /= left) wrong = wrong + 1
    out_i = 10_integer_kind**11 + rank
    call MPI_ALLREDUCE(out_i, in_i, 1, integer_type(), MPI_MAX, comm, ierror)
    if (ierror /= MPI_SUCCESS .or. in_i /= 10_integer_kind**11 + size - 1) wrong = wrong + 1
    out_c = cmplx(rank, 1, real_kind)
    call MPI_ALLREDUCE(out_c, in_c, 1, complex_type(), MPI_SUM, comm, ierror)
    if (ierror /= MPI_SUCCESS .or. nint(real(in_c)) /= size * (size - 1) / 2 .or. nint(aimag(in_c)) /= size) wrong = wrong + 1
  end subroutine
end module
