! SPDX-License-Identifier: BSD-3-Clause
! Ends in the way that the first argument says; the second one is a file that is to be complete then.
program ends
    use, intrinsic :: ieee_exceptions
    use, intrinsic :: iso_c_binding
    implicit none
    character(200) :: way, path
    integer :: unit, i
    real, volatile :: x, zero
    call get_command_argument(1, way)
    call get_command_argument(2, path)
    open (newunit=unit, file=path)
    write (unit, '(a)') 'kept'
    print '(a)', 'before'
    write (*, '(a)', advance='no') 'without an end'
    zero = 0
    select case (way)
    case ('question')
        write (*, '(a)', advance='no') ', a number? '
        read *, i
        print *, i
    case ('stop')
        stop
    case ('stop number')
        stop 3
    case ('stop text')
        stop 'a text'
    case ('stop quiet')
        stop 4, quiet=.true.
    case ('stop exception')
        x = 1/zero
        stop 'after a division'
    case ('error stop')
        error stop
    case ('error stop number')
        error stop 5
    case ('error stop text')
        error stop 'another text'
    case ('exit')
        call exit(6)
    case ('runtime error')
        open (newunit=i, file=trim(path)//'/none/there', status='old')
    case ('end of file')
        rewind (unit)
        read (unit, '(a)') way, way
    case ('bounds')
        call beyond(int(zero) + 11)
    case ('allocate')
        call twice
    case ('abort')
        call abort
    case ('segv')
        call wild(int(zero) + 5)
    case ('overflow')
        call deep(1)
    case ('fpe')
        call ieee_set_halting_mode(ieee_divide_by_zero, .true.)
        x = 1/zero
        print *, x
    end select
contains
    subroutine beyond(n)
        integer, intent(in) :: n
        integer :: few(10)
        few = 1
        print *, few(n)
    end subroutine

    subroutine twice
        integer, allocatable :: a(:)
        allocate (a(5))
        allocate (a(5))
    end subroutine

    subroutine wild(n)
        integer, intent(in) :: n
        integer, pointer :: p(:)
        call c_f_pointer(transfer(16_c_intptr_t, c_null_ptr), p, [10])
        p(n) = 3
    end subroutine

    recursive subroutine deep(n)
        integer, intent(in) :: n
        real, volatile :: a(10000)
        a(1) = n
        call deep(n + 1)
        a(2) = n
    end subroutine
end program
