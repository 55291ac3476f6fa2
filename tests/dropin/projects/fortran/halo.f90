! SPDX-License-Identifier: BSD-3-Clause
! The ends of the neighbours' parts, on a ring.
module halo
  use field
  use mpi_f08
  implicit none
contains
  subroutine exchange(comm)
    type(MPI_Comm), intent(in) :: comm
    integer :: rank, size
    type(MPI_Request) :: requests(4)
    call MPI_Comm_rank(comm, rank)
    call MPI_Comm_size(comm, size)
    call MPI_Irecv(u(0), 1, MPI_DOUBLE_PRECISION, modulo(rank - 1, size), 1, comm, requests(1))
    call MPI_Irecv(u(width + 1), 1, MPI_DOUBLE_PRECISION, modulo(rank + 1, size), 2, comm, requests(2))
    call MPI_Isend(u(width), 1, MPI_DOUBLE_PRECISION, modulo(rank + 1, size), 1, comm, requests(3))
    call MPI_Isend(u(1), 1, MPI_DOUBLE_PRECISION, modulo(rank - 1, size), 2, comm, requests(4))
    call MPI_Waitall(4, requests, MPI_STATUSES_IGNORE)
  end subroutine
end module
