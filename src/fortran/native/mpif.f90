! SPDX-License-Identifier: BSD-3-Clause
! The same of mpif.h and module mpi.
subroutine ep_fortran_mpif
  implicit none
  include 'mpif.h'
  external :: ep_fortran_sentinels
  call ep_fortran_sentinels(MPI_BOTTOM, MPI_IN_PLACE, MPI_UNWEIGHTED, MPI_WEIGHTS_EMPTY)
end subroutine
