! SPDX-License-Identifier: BSD-3-Clause
! MPI-3.1, 15, 16: what MPI-1 had: addresses in default integers, other names, markers of bounds.
! conform: styles H MPI
#include "conform_f.h"
module mpi_1
  USE_MPI
  use conform
  implicit none
  INCLUDE_MPI
  integer, save :: handled = 0, common_memory(100)

contains

  subroutine handler(comm, code)
    integer :: comm, code

    handled = handled + 1
  end subroutine

  subroutine types
    integer :: t, extent, bound, lengths(2), places(2), parts(2), a(9), b(9), i

    a = [(i, i = 1, 9)]
    lengths = [1, 2]
    places = [0, 12]
    parts = MPI_INTEGER
    call MPI_Type_struct(2, lengths, places, parts, t, ierr); OK
    call MPI_Type_commit(t, ierr); OK
    call MPI_Type_extent(t, extent, ierr); OK
    EXPECT(extent, 20)
    call MPI_Type_lb(t, bound, ierr); OK
    EXPECT(bound, 0)
    call MPI_Type_ub(t, bound, ierr); OK
    EXPECT(bound, 20)
    b = 0
    call MPI_Sendrecv(a, 1, t, 0, 0, b, 1, t, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE, ierr); OK
    CHECK(all(b == [1, 0, 0, 4, 5, 0, 0, 0, 0]))
    call MPI_Type_free(t, ierr); OK
    call MPI_Type_hvector(2, 1, 20, MPI_INTEGER, t, ierr); OK
    call MPI_Type_extent(t, extent, ierr); OK
    EXPECT(extent, 24)
    call MPI_Type_free(t, ierr); OK
    call MPI_Type_hindexed(2, lengths, places, MPI_INTEGER, t, ierr); OK
    call MPI_Type_extent(t, extent, ierr); OK
    EXPECT(extent, 20)
    call MPI_Type_free(t, ierr); OK
  end subroutine

  ! Addresses may not fit.
  subroutine addresses
    integer(MPI_ADDRESS_KIND) :: exact(2)
    integer :: old(2)

    call MPI_Get_address(common_memory(1), exact(1), ierr); OK
    call MPI_Get_address(common_memory(11), exact(2), ierr); OK
    EXPECT(exact(2) - exact(1), 40)
#if defined(PLAIN_OPENMPI) || defined(PLAIN_MPICH)
    if (any(exact > huge(1))) return
#endif
    call MPI_Address(common_memory(1), old(1), ierr); OK
    call MPI_Address(common_memory(11), old(2), ierr); OK
    ! Differences are right, as far as an integer goes.
    EXPECT(modulo(int(old(2), 8) - old(1), 2_8**32), 40)
    if (any(exact > huge(1))) return
    CHECK(all(old == exact))
  end subroutine

  subroutine handlers
    integer :: h, got, a(1)

    call MPI_Errhandler_create(handler, h, ierr); OK
    call MPI_Errhandler_set(MPI_COMM_WORLD, h, ierr); OK
    call MPI_Errhandler_get(MPI_COMM_WORLD, got, ierr); OK
    CHECK(got == h)
    a = 0
    call MPI_Send(a, 1, MPI_INTEGER, size_of_world, 0, MPI_COMM_WORLD, ierr)
    FAILS(MPI_ERR_RANK)
    EXPECT(handled, 1)
    call MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL, ierr); OK
    call MPI_Errhandler_free(h, ierr); OK
  end subroutine
end module

program main
  use mpi_1
  implicit none

  call conform_init
  call types
  call addresses
  call handlers
  call conform_end
end program
