! SPDX-License-Identifier: BSD-3-Clause
! OpenMP threads as endpoints, in the shape that EP_TEST_T says: endpoints of each process, "4" or "3,0,2".
module harness
  use mpi_f08
  use ep
  use omp_lib
  implicit none
  private
  public :: run, check, text_of, threads_of, report
  integer :: failures = 0

  abstract interface
    subroutine rank_body(world)
      import
      type(ep_comm), intent(in) :: world
    end subroutine
  end interface
contains
  subroutine check(holds, what)
    logical, intent(in) :: holds
    character(len=*), intent(in) :: what
    if (holds) return
    !$omp atomic
    failures = failures + 1
    !$omp critical (harness_output)
    print '(a,a)', 'not ok: ', what
    !$omp end critical (harness_output)
  end subroutine

  function text_of(n)
    integer, intent(in) :: n
    character(len=12) :: text_of
    write (text_of, '(i0)') n
  end function

  integer function threads_of(process)
    integer, intent(in) :: process
    character(len=40) :: list
    integer :: i, first, comma
    call get_environment_variable('EP_TEST_T', list)
    if (list == '') list = '4'
    first = 1
    do i = 1, process
      comma = index(list(first:), ',')
      if (comma > 0) first = first + comma
    end do
    comma = index(list(first:), ',')
    if (comma > 0) list(first + comma - 1:) = ' '
    read (list(first:), *) threads_of
  end function

  ! MPI is initialised, each thread calls body as its rank, all of which have their errors returned to them.
  subroutine run(body)
    procedure(rank_body) :: body
    integer :: provided, process, threads
    type(ep_comm), allocatable :: endpoints(:)
    call ep_init_thread(MPI_THREAD_MULTIPLE, provided)
    call check(provided == MPI_THREAD_MULTIPLE, 'MPI_THREAD_MULTIPLE')
    call MPI_Comm_rank(MPI_COMM_WORLD, process)
    threads = threads_of(process)
    allocate (endpoints(threads))
    call ep_comm_create_endpoints(MPI_COMM_WORLD, threads, MPI_INFO_NULL, endpoints)
    !$omp parallel num_threads(threads) if(threads > 0)
    if (threads > 0) call rank_begin(endpoints(omp_get_thread_num() + 1), body)
    !$omp end parallel
    call report
  end subroutine

  ! The end of MPI, and of the program where anything went wrong in any process.
  subroutine report
    integer :: total
    call MPI_Allreduce(failures, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    call ep_finalize()
    if (total > 0) stop 1
  end subroutine

  subroutine rank_begin(world, body)
    type(ep_comm), intent(inout) :: world
    procedure(rank_body) :: body
    call ep_thread_bind(world)
    call body(world)
    call ep_thread_bind(EP_COMM_NULL)
    call ep_comm_free(world)
    call check(world == EP_COMM_NULL, 'a freed communicator is null')
  end subroutine
end module
