! SPDX-License-Identifier: BSD-3-Clause
! A wave on a ring of ranks.
program wave
  use field
  use halo, only: exchange
  use mpi
  implicit none
  external :: mean_square, report
  integer :: rank, step, ierr, comm
  double precision :: energy
  call MPI_Init(ierr)
  call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierr)
  call MPI_Comm_rank(comm, rank, ierr)
  if (rank == 0) u(1:8) = [1, 2, 3, 4, 4, 3, 2, 1] / 4d0
  before = u
  do step = 1, 60
    call move
    if (mod(step, 20) == 0) then
      call mean_square(u(1), width, comm, energy)
      call report(comm, step, energy)
    end if
  end do
  call MPI_Comm_free(comm, ierr)
  call MPI_Finalize(ierr)
contains
  subroutine move
    use mpi_f08, only: MPI_Comm
    real(kind(1d0)) :: after(width)
    call exchange(MPI_Comm(comm))
    after = 2 * u(1:width) - before(1:width) + 0.25d0 * (u(0:width - 1) - 2 * u(1:width) + u(2:width + 1))
    before = u
    u(1:width) = after
  end subroutine
end program
