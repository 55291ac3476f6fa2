! SPDX-License-Identifier: BSD-3-Clause
! Each rank writes its own file by unit 10, and reads it, while all print. Arguments: lines, directory.
program units
    use, intrinsic :: iso_fortran_env
    implicit none
    integer :: rank, lines, i, j, k
    integer, external :: begin
    character(200) :: directory, text
    rank = begin()
    call get_command_argument(1, text)
    read (text, *) lines
    call get_command_argument(2, directory)
    write (text, '(2a, i0)') trim(directory), '/unit10.', rank
    open (10, file=text, status='replace', action='readwrite')
    call meet()
    do i = 0, lines - 1
        write (10, *) rank, i, 3*i
        write (*, '(i0, x, i0, a)', advance='no') rank, i, ': abcd'
        write (*, '(a)') 'efghij'
        write (error_unit, '(i0, x, i0, a)') rank, i, ': error'
    end do
    rewind (10)
    do i = 0, lines - 1
        read (10, *) j, k
        if (j /= rank .or. k /= i) error stop 'not what was written'
    end do
    read (10, *, iostat=k) j
    if (k /= iostat_end) error stop 'more than was written'
    close (10)
    call finish()
end program
