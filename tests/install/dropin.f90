! SPDX-License-Identifier: BSD-3-Clause
! The same by modules: its parts are of both.
module parts
contains
  function of_rank(comm) result(mine)
    use mpi
    integer, intent(in) :: comm
    integer :: mine, ierr
    call MPI_Comm_rank(comm, mine, ierr)
    mine = mine + 1
  end function
end module

program dropin
  use mpi_f08
  use parts
  implicit none
  integer :: mine, sum
  call MPI_Init()
  mine = of_rank(MPI_COMM_WORLD%MPI_VAL)
  call MPI_Allreduce(mine, sum, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  if (mine == 1) print '(i0)', sum
  call MPI_Finalize()
end program
