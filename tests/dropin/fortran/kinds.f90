! SPDX-License-Identifier: BSD-3-Clause
! All kinds of input and output, at the same time by all ranks, each with its own units of the same numbers.
program kinds
    use, intrinsic :: iso_fortran_env
    implicit none
    integer :: rank, i
    integer, external :: begin
    character(200) :: directory
    rank = begin()
    call get_command_argument(1, directory)
    do i = 1, 20
        call formatted
        call unformatted
        call direct
        call stream
        call names
        call scratch
        call inside
        call asynchronous_write
        call asked
    end do
    call meet()
    call preconnected
    call finish()
contains
    function path(name)
        character(*), intent(in) :: name
        character(200) :: path
        write (path, '(4a, i0)') trim(directory), '/', name, '.', rank
    end function

    subroutine check(good, what)
        logical, intent(in) :: good
        character(*), intent(in) :: what
        if (.not. good) then
            write (error_unit, *) 'rank', rank, ': ', what
            error stop
        end if
    end subroutine

    subroutine formatted
        integer :: k, n
        character(10) :: word
        real :: x
        open (11, file=path('formatted'), form='formatted')
        do k = 1, 100
            write (11, '(i8, f10.3, a10)') rank*1000 + k, k/8., 'word'
        end do
        backspace (11)
        rewind (11)
        do k = 1, 100
            read (11, '(i8, f10.3, a10)') n, x, word
            call check(n == rank*1000 + k .and. abs(x - k/8.) < 1e-3 .and. adjustl(word) == 'word', 'formatted')
        end do
        endfile (11)
        close (11, status='delete')
    end subroutine

    subroutine unformatted
        real(real64) :: a(1000), b(1000)
        integer :: k, n
        open (12, file=path('unformatted'), form='unformatted')
        do k = 1, 10
            a = rank + k
            write (12) a, k
        end do
        do k = 10, 1, -1
            backspace (12)
            read (12) b, n
            backspace (12)
            call check(all(b == rank + k) .and. n == k, 'unformatted')
        end do
        close (12, status='delete')
    end subroutine

    subroutine direct
        integer :: k, n
        open (13, file=path('direct'), access='direct', form='unformatted', recl=4)
        do k = 50, 1, -1
            write (13, rec=k) rank + k
        end do
        do k = 1, 50
            read (13, rec=k) n
            call check(n == rank + k, 'direct')
        end do
        close (13, status='delete')
    end subroutine

    subroutine stream
        character(5) :: text
        integer :: at
        open (14, file=path('stream'), access='stream', form='unformatted')
        write (14) 'abc', rank, 'defgh'
        inquire (14, pos=at)
        call check(at == 13, 'stream: pos')
        read (14, pos=8) text
        call check(text == 'defgh', 'stream')
        close (14, status='delete')
    end subroutine

    subroutine names
        integer :: number, list(3)
        real :: x
        logical :: yes
        character(20) :: text
        namelist /group/ number, list, x, yes, text
        number = rank
        list = [rank, rank + 1, rank + 2]
        x = rank/4.
        yes = .true.
        text = 'of a rank'
        open (15, file=path('namelist'), delim='apostrophe')
        write (15, nml=group)
        rewind (15)
        number = -1
        list = -1
        x = -1
        yes = .false.
        text = ''
        read (15, nml=group)
        call check(number == rank .and. all(list == [rank, rank + 1, rank + 2]) .and. x == rank/4. .and. yes &
                   .and. text == 'of a rank', 'namelist')
        close (15, status='delete')
    end subroutine

    subroutine scratch
        integer :: one, two, n
        open (newunit=one, status='scratch')
        open (newunit=two, status='scratch', form='unformatted')
        call check(one < 0 .and. two < 0 .and. one /= two, 'newunit')
        write (one, *) rank
        write (two) rank + 1
        rewind (one)
        rewind (two)
        read (one, *) n
        call check(n == rank, 'scratch')
        read (two) n
        call check(n == rank + 1, 'scratch, unformatted')
        close (one)
        close (two)
    end subroutine

    subroutine inside
        character(30) :: text
        integer :: n
        write (text, '(a, i0)') 'number ', rank
        read (text(8:), *) n
        call check(n == rank, 'internal file')
    end subroutine

    subroutine asynchronous_write
        integer, asynchronous :: a(1000)
        integer :: b(1000), id
        a = rank
        open (16, file=path('asynchronous'), asynchronous='yes', form='unformatted')
        write (16, asynchronous='yes', id=id) a
        wait (16, id=id)
        rewind (16)
        read (16) b
        call check(all(b == rank), 'asynchronous')
        close (16, status='delete')
    end subroutine

    ! Nothing is known of what another rank has opened.
    subroutine asked
        logical :: opened, exists
        character(200) :: name
        integer :: number
        open (20 + mod(rank, 7), file=path('asked'))
        do number = 20, 26
            inquire (number, opened=opened)
            call check(opened .eqv. number == 20 + mod(rank, 7), 'opened')
        end do
        inquire (20 + mod(rank, 7), name=name)
        call check(name == path('asked'), 'name')
        inquire (file=path('asked'), number=number)
        call check(number == 20 + mod(rank, 7), 'number')
        close (20 + mod(rank, 7), status='delete')
        inquire (file=path('asked'), exist=exists)
        call check(.not. exists, 'exist')
    end subroutine

    ! Units 5, 6 and 0 by their numbers, under names, and unit 6 as a file.
    subroutine preconnected
        character(200) :: text
        integer :: n, unit
        call check(input_unit == 5 .and. output_unit == 6 .and. error_unit == 0, 'numbers of units')
        read (5, '(a)', iostat=n) text
        if (rank == 0) then
            call check(n == 0 .and. text == 'a line', 'unit 5')
        else
            call check(n == iostat_end, 'unit 5 of another rank')
        end if
        open (newunit=unit, file='/dev/stdout', action='write')
        do n = 0, 199
            write (unit, '(i0, x, i0)', advance='no') rank, n
            write (unit, '(a)') ': by name'
        end do
        close (unit)
        print '(a)', 'ok'
        flush (6)
        open (6, file=path('output'))
        print '(a, i0)', 'output of ', rank
        close (6)
        open (6, file=path('output'))
        read (6, '(a)') text
        write (error_unit, '(a)') trim(text)
        close (6, status='delete')
    end subroutine
end program
