! SPDX-License-Identifier: BSD-3-Clause
! A program in Fortran whose library writes to its unit. The argument: directory.
program uses_library
    implicit none
    integer :: rank, i, n, calls
    integer, external :: begin
    character(200) :: directory, path
    rank = begin()
    call get_command_argument(1, directory)
    write (path, '(2a, i0)') trim(directory), '/library.', rank
    open (20, file=path)
    call meet()
    do i = 1, 100
        call library_write(20, rank)
    end do
    rewind (20)
    do i = 1, 100
        read (20, *) n, calls
        if (n /= rank .or. calls /= i) error stop 'not this library''s'
    end do
    close (20, status='delete')
    call library_open(rank, trim(path))
    call meet()
    call library_close(rank)
    print '(a)', 'own library'
    call finish()
end program
