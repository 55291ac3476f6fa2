! SPDX-License-Identifier: BSD-3-Clause
! What else of Fortran's run-time system is the rank's: random numbers, the environment, commands. The argument: directory.
program own
    use, intrinsic :: iso_fortran_env
    use, intrinsic :: iso_c_binding, only: c_null_char
    implicit none
    integer :: rank, i
    integer, external :: begin
    character(200) :: directory
    rank = begin()
    call get_command_argument(1, directory)
    call random
    call clocks
    call environment
    call commands
    call meet()
    do i = 0, 199
        write (*, '(i0, x, i0, a)') rank, i, ': in Fortran'
        call print_in_c(rank, i)
    end do
    if (command_argument_count() /= 1) error stop 'arguments'
    call finish()
contains
    subroutine check(good, what)
        logical, intent(in) :: good
        character(*), intent(in) :: what
        if (.not. good) then
            write (error_unit, *) 'rank', rank, ': ', what
            error stop
        end if
    end subroutine

    ! The same seed gives the same numbers, whatever others draw meanwhile; another one others.
    subroutine random
        integer :: n
        integer, allocatable :: seed(:)
        real :: a(1000), b(1000), x
        call random_seed(size=n)
        allocate (seed(n))
        seed = rank/2
        call random_seed(put=seed)
        call meet()
        do n = 1, 1000
            call random_number(x)
            a(n) = x
        end do
        call random_seed(put=seed)
        call random_number(b)
        call check(all(a == b), 'random numbers')
        call random_init(.false., .true.)
        call random_number(b)
        call check(any(a /= b), 'random_init')
    end subroutine

    subroutine clocks
        integer(int64) :: first, second, rate
        character(10) :: date
        real :: time
        call system_clock(first, rate)
        call date_and_time(date)
        call cpu_time(time)
        call system_clock(second)
        call check(second >= first .and. rate > 0 .and. time >= 0 .and. date(1:2) == '20', 'clocks')
    end subroutine

    subroutine environment
        character(20) :: text
        character(20) :: wanted
        integer :: status
        call get_environment_variable('OF_ALL', text, status=status)
        call check(status == 0 .and. text == 'same', 'environment')
        call set_environment(rank)
        call meet()
        call get_environment_variable('OF_THE_RANK', text)
        write (wanted, '(a, i0)') 'value ', rank
        call check(text == wanted, 'environment of the rank')
        call get_environment_variable('OF_NOBODY', status=status)
        call check(status == 1, 'no environment')
    end subroutine

    ! With the rank's environment and in its directory; what it has printed comes before. Nobody takes another's command away.
    subroutine commands
        integer :: status, n
        logical :: exists
        character(200) :: text
        write (text, '(3a, i0)') 'mkdir ', trim(directory), '/of', rank
        call execute_command_line(trim(text), exitstat=status)
        call check(status == 0, 'mkdir')
        call change_directory(trim(text(7:))//c_null_char)
        do n = 1, 5
            call execute_command_line('exit 3', exitstat=status)
            call check(status == 3, 'status of a command')
            call execute_command_line('true', wait=.false.)
        end do
        call execute_command_line('echo "$OF_THE_RANK" >here; ! read line')
        open (30, file='here', status='old')
        read (30, '(a)') text
        close (30)
        write (directory, '(a, i0)') 'value ', rank
        call check(text == directory, 'environment of a command')
        print '(i0, a)', rank, ' before'
        write (text, '(a, i0, a)') 'echo ', rank, ' within'
        call execute_command_line(text)
        print '(i0, a)', rank, ' behind'
        call execute_command_line('echo done >later', wait=.false.)
        exists = .false.
        do while (.not. exists)
            inquire (file='later', exist=exists)
        end do
    end subroutine
end program
