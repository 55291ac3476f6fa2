! SPDX-License-Identifier: BSD-3-Clause
! A rank gives up by MPI_Abort, within an output statement.
program gives_up
    implicit none
    integer :: rank
    integer, external :: begin
    rank = begin()
    if (rank == 1) then
        print '(a)', 'before'
        print *, leave()
    end if
    call meet()
    call meet()
contains
    integer function leave()
        call give_up(3)
        leave = 0
    end function
end program
