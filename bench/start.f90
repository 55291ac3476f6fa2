! SPDX-License-Identifier: BSD-3-Clause
! start.c in Fortran: each rank has a libgfortran of its own, too.
program start
  use mpi_f08
  implicit none
  integer :: rank, smaps, stat
  character(len=4096) :: line

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Barrier(MPI_COMM_WORLD)
  if (rank == 0 .and. command_argument_count() > 0) then
    open (newunit=smaps, file='/proc/self/smaps', action='read')
    do
      read (smaps, '(a)', iostat=stat) line
      if (stat /= 0) exit
      print '(a)', trim(line)
    end do
    close (smaps)
  end if
  call MPI_Barrier(MPI_COMM_WORLD)
  call MPI_Finalize()
end program
