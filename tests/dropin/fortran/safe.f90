! SPDX-License-Identifier: BSD-3-Clause
! Under the name of a library that is made for threads: one for all ranks, with a run-time system of its own.
subroutine safe_print(rank)
    implicit none
    integer, intent(in) :: rank
    character(20) :: text
    write (text, '(i0)') rank
    print '(2a)', 'safe ', trim(text)
end subroutine
