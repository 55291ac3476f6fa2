! SPDX-License-Identifier: BSD-3-Clause
! A rank gives up by MPI_Abort, within an output statement; or (the argument: stop) by STOP, while others wait for it.
program gives_up
    implicit none
    integer :: rank
    integer, external :: begin
    rank = begin()
    if (rank == 1) then
        print '(a)', 'before'
        if (command_argument_count() > 0) stop 7
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
