! SPDX-License-Identifier: BSD-3-Clause
! OpenMP: each rank has its team, its threadprivate variables and its critical sections, and in task mode a call of MPI in a task blocks
! that task alone. The argument: tasks, where such calls are to be made; stop, where a thread of rank 1 is to end it.
module counted
    implicit none
    integer :: mine = 0, sum = 0
    integer :: block_mine
    common /block/ block_mine
!$omp threadprivate(mine, /block/)
end module

program openmp
    use mpi
    use omp_lib
    use counted
    implicit none
    integer :: rank, size, provided, error, i
    character(10) :: what
    call MPI_Init_thread(MPI_THREAD_MULTIPLE, provided, error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    call MPI_Comm_size(MPI_COMM_WORLD, size, error)
    call get_command_argument(1, what)
    if (what == 'stop') call thread_stops
    do i = 1, 10
        call loops
        call own_threads
        call sections
        call plain_tasks
    end do
    if (what == 'tasks') then
        call blocking_tasks
        call tasks_in_order
    end if
    call MPI_Barrier(MPI_COMM_WORLD, error)
    print '(a)', 'openmp'
    call MPI_Finalize(error)
contains
    subroutine check(good, text)
        logical, intent(in) :: good
        character(*), intent(in) :: text
        if (good) return
        print *, 'rank', rank, ': ', text
        error stop
    end subroutine

    subroutine loops
        integer :: k, total
        real :: a(1000)
        total = 0
!$omp parallel do reduction(+: total) schedule(dynamic, 7)
        do k = 1, 1000
            a(k) = rank + k
            total = total + k
        end do
!$omp end parallel do
        call check(total == 500500 .and. all(a == [(rank + k, k = 1, 1000)]), 'do')
    end subroutine

    subroutine thread_stops
!$omp parallel
        if (rank == 1 .and. omp_get_thread_num() == omp_get_num_threads() - 1) stop 9
!$omp barrier
!$omp end parallel
        call MPI_Barrier(MPI_COMM_WORLD, error)
    end subroutine

    subroutine own_threads
        integer :: k
        logical :: good
        good = .true.
!$omp parallel private(k) reduction(.and.: good)
        mine = rank*100 + omp_get_thread_num()
        block_mine = -mine
        do k = 1, 100
!$omp barrier
            good = good .and. mine == rank*100 + omp_get_thread_num() .and. block_mine == -mine
        end do
!$omp end parallel
        call check(good, 'threadprivate')
    end subroutine

    ! A message in a critical section: another rank's section of the same name keeps nobody out.
    subroutine sections
        integer :: n, got, partner, code
        partner = ieor(rank, 1)
        sum = 0
        n = 0
!$omp parallel
!$omp critical
        n = n + 1
!$omp end critical
!$omp critical (named)
        sum = sum + 1
!$omp end critical (named)
!$omp end parallel
        call check(n == sum .and. n >= 1, 'critical')
        if (partner >= size) return
!$omp critical
        if (rank < partner) then
            call MPI_Recv(got, 1, MPI_INTEGER, partner, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, code)
        else
            call MPI_Ssend(rank, 1, MPI_INTEGER, partner, 1, MPI_COMM_WORLD, code)
        end if
!$omp end critical
!$omp critical (named)
        if (rank < partner) then
            call MPI_Recv(got, 1, MPI_INTEGER, partner, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE, code)
        else
            call MPI_Ssend(rank, 1, MPI_INTEGER, partner, 2, MPI_COMM_WORLD, code)
        end if
!$omp end critical (named)
    end subroutine

    recursive integer function fibonacci(n) result(f)
        integer, intent(in) :: n
        integer :: a, b
        if (n < 2) then
            f = n
            return
        end if
!$omp task shared(a)
        a = fibonacci(n - 1)
!$omp end task
!$omp task shared(b)
        b = fibonacci(n - 2)
!$omp end task
!$omp taskwait
        f = a + b
    end function

    subroutine plain_tasks
        integer :: f
!$omp parallel
!$omp single
        f = fibonacci(10)
!$omp end single
!$omp end parallel
        call check(f == 55, 'tasks')
    end subroutine

    ! Each receives what a later one sends.
    subroutine blocking_tasks
        integer :: k, code, got(100), sent(100)
        got = -1
!$omp parallel
!$omp single
        do k = 1, 100
!$omp task firstprivate(k) private(code)
            call MPI_Recv(got(k), 1, MPI_INTEGER, modulo(rank - 1, size), k, MPI_COMM_WORLD, MPI_STATUS_IGNORE, code)
!$omp end task
        end do
        do k = 100, 1, -1
!$omp task firstprivate(k) private(code)
            sent(k) = 1000*rank + k
            call MPI_Ssend(sent(k), 1, MPI_INTEGER, modulo(rank + 1, size), k, MPI_COMM_WORLD, code)
!$omp end task
        end do
!$omp end single
!$omp end parallel
        call check(all(got == [(1000*modulo(rank - 1, size) + k, k = 1, 100)]), 'tasks that block')
    end subroutine

    ! What depends on a task that has blocked comes after it.
    subroutine tasks_in_order
        integer :: k, code, value, seen
        value = 0
        seen = -1
!$omp parallel
!$omp single
!$omp task depend(out: value) private(code)
        call MPI_Recv(value, 1, MPI_INTEGER, rank, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE, code)
!$omp end task
!$omp task depend(in: value)
        seen = value
!$omp end task
!$omp task private(code, k)
        k = rank + 17
        call MPI_Ssend(k, 1, MPI_INTEGER, rank, 7, MPI_COMM_WORLD, code)
!$omp end task
!$omp taskwait
!$omp end single
!$omp end parallel
        call check(seen == rank + 17, 'tasks that depend')
    end subroutine
end program
