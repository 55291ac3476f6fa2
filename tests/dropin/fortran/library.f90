! SPDX-License-Identifier: BSD-3-Clause
! A library: uses units that its program has opened, and keeps something.
subroutine library_write(unit, rank)
    implicit none
    integer, intent(in) :: unit, rank
    integer, save :: calls = 0
    calls = calls + 1
    write (unit, *) rank, calls
end subroutine

! The library's own unit 10, which stays open.
subroutine library_open(rank, path)
    implicit none
    integer, intent(in) :: rank
    character(*), intent(in) :: path
    integer :: i
    open (10, file=path)
    do i = 1, 100
        write (10, *) rank + i
    end do
end subroutine

subroutine library_close(rank)
    implicit none
    integer, intent(in) :: rank
    integer :: i, n
    rewind (10)
    do i = 1, 100
        read (10, *) n
        if (n /= rank + i) error stop 'library: another number'
    end do
    close (10, status='delete')
end subroutine
