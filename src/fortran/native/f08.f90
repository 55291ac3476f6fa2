! SPDX-License-Identifier: BSD-3-Clause
! Where mpi_f08 of the MPI underneath has the variables that are known by their addresses, and its keys of attributes.
subroutine ep_fortran_f08
  use mpi_f08, only : MPI_TAG_UB, MPI_HOST, MPI_IO, MPI_WTIME_IS_GLOBAL, MPI_UNIVERSE_SIZE, MPI_APPNUM, MPI_LASTUSEDCODE, &
    MPI_WIN_BASE, MPI_WIN_SIZE, MPI_WIN_DISP_UNIT, MPI_WIN_CREATE_FLAVOR, MPI_WIN_MODEL, &
    MPI_BOTTOM, MPI_IN_PLACE, MPI_UNWEIGHTED, MPI_WEIGHTS_EMPTY
  implicit none
  integer, parameter :: keys(*) = [MPI_TAG_UB, MPI_HOST, MPI_IO, MPI_WTIME_IS_GLOBAL, MPI_UNIVERSE_SIZE, MPI_APPNUM, &
    MPI_LASTUSEDCODE, MPI_WIN_BASE, MPI_WIN_SIZE, MPI_WIN_DISP_UNIT, MPI_WIN_CREATE_FLAVOR, MPI_WIN_MODEL]
  external :: ep_fortran_sentinels, ep_fortran_keys
  call ep_fortran_keys(size(keys), keys)
  call ep_fortran_sentinels(MPI_BOTTOM, MPI_IN_PLACE, MPI_UNWEIGHTED, MPI_WEIGHTS_EMPTY)
end subroutine
