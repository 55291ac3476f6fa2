! SPDX-License-Identifier: BSD-3-Clause
! OpenMP tasks that block in calls (EP_TASK_MULTIPLE, docs/tasks.md): more of them than threads; tasks that a request completes; crt.
program tasks
  use mpi_f08
  use ep
  use crt
  use omp_lib
  use harness, only : check, threads_of, report
  implicit none
  integer, parameter :: each = 8 ! messages of an endpoint
  integer :: provided, process, threads, size, i
  type(ep_comm), allocatable :: worlds(:)
  call omp_set_external(omp_external_task)
  call ep_init_thread(EP_TASK_MULTIPLE, provided)
  call check(provided == EP_TASK_MULTIPLE, 'EP_TASK_MULTIPLE')
  call check(omp_get_external() == omp_external_task, 'omp_get_external')
  call check(crt_get_task_aware() == 1, 'crt_get_task_aware')
  call MPI_Comm_rank(MPI_COMM_WORLD, process)
  threads = threads_of(process)
  allocate (worlds(threads))
  call ep_comm_create_endpoints(MPI_COMM_WORLD, threads, MPI_INFO_NULL, worlds)
  call ep_comm_size(worlds(1), size)
  !$omp parallel num_threads(2)
  !$omp single
  call blocking
  call completed_later
  call events
  call conditions
  !$omp end single
  !$omp end parallel
  do i = 1, threads
    call ep_comm_free(worlds(i))
  end do
  call report
contains
  ! First all that wait, then those for whom they wait.
  subroutine blocking
    integer :: got(each, threads), i, k, rank
    got = -1
    do k = 1, threads
      call ep_comm_rank(worlds(k), rank)
      do i = 1, each
        !$omp task shared(got, worlds) firstprivate(i, k, rank)
        call ep_recv(got(i, k), 1, MPI_INTEGER, mod(rank + size - 1, size), i, worlds(k), EP_STATUS_IGNORE)
        !$omp end task
      end do
    end do
    do k = 1, threads
      call ep_comm_rank(worlds(k), rank)
      do i = 1, each
        !$omp task shared(worlds) firstprivate(i, k, rank)
        call ep_ssend(100*rank + i, 1, MPI_INTEGER, mod(rank + 1, size), i, worlds(k))
        !$omp end task
      end do
    end do
    !$omp taskwait
    do k = 1, threads
      call ep_comm_rank(worlds(k), rank)
      call check(all(got(:, k) == [(100*mod(rank + size - 1, size) + i, i = 1, each)]), 'tasks that block')
    end do
  end subroutine

  ! A task whose receive is over is over; who depends on it sees the data and the status.
  subroutine completed_later
    integer, asynchronous, target :: got(each, threads)
    type(ep_status), asynchronous, target :: statuses(each, threads)
    integer :: i, k, rank, right
    type(ep_request) :: request
    right = 0
    got = -1
    do k = 1, threads
      call ep_comm_rank(worlds(k), rank)
      do i = 1, each
        !$omp task shared(got, statuses, worlds) firstprivate(i, k, rank) private(request) depend(out: got(i, k))
        call ep_irecv(got(i, k), 1, MPI_INTEGER, mod(rank + size - 1, size), 50 + i, worlds(k), request)
        call ep_iwait(request, statuses(i, k))
        if (request /= EP_REQUEST_NULL) error stop 'ep_iwait'
        !$omp end task
        !$omp task shared(got, statuses, right) firstprivate(i, k, rank) depend(in: got(i, k))
        if (got(i, k) == mod(rank + size - 1, size) + i .and. statuses(i, k)%MPI_TAG == 50 + i) then
          !$omp atomic
          right = right + 1
        end if
        !$omp end task
      end do
    end do
    do k = 1, threads
      call ep_comm_rank(worlds(k), rank)
      do i = each, 1, -1
        call ep_send(rank + i, 1, MPI_INTEGER, mod(rank + 1, size), 50 + i, worlds(k))
      end do
    end do
    !$omp taskwait
    call check(right == each*threads, 'ep_iwait')
  end subroutine

  subroutine events
    integer, asynchronous, target :: got(2, threads)
    type(ep_request) :: requests(2)
    integer :: k, rank
    integer(omp_event_handle_kind) :: event
    got = -1
    do k = 1, threads
      call ep_comm_rank(worlds(k), rank)
      !$omp task shared(got, worlds) firstprivate(k, rank) private(requests) detach(event)
      call ep_irecv(got(1, k), 1, MPI_INTEGER, mod(rank + size - 1, size), 90, worlds(k), requests(1))
      call ep_iwait_event(requests(1), EP_STATUS_IGNORE, event)
      !$omp end task
      !$omp task shared(got, worlds) firstprivate(k, rank) private(requests)
      call ep_irecv(got(2, k), 1, MPI_INTEGER, mod(rank + size - 1, size), 91, worlds(k), requests(1))
      call ep_isend(rank, 1, MPI_INTEGER, mod(rank + 1, size), 91, worlds(k), requests(2))
      call ep_iwaitall(2, requests, EP_STATUSES_IGNORE)
      !$omp end task
      call ep_send(rank + 7, 1, MPI_INTEGER, mod(rank + 1, size), 90, worlds(k))
    end do
    !$omp taskwait
    do k = 1, threads
      call ep_comm_rank(worlds(k), rank)
      call check(got(1, k) == mod(rank + size - 1, size) + 7, 'ep_iwait_event')
      call check(got(2, k) == mod(rank + size - 1, size), 'ep_iwaitall')
    end do
  end subroutine

  subroutine conditions
    type(crt_cond_t), target :: conditions_of(each)
    integer :: i, seen
    seen = 0
    do i = 1, each
      !$omp task shared(conditions_of, seen) firstprivate(i)
      call crt_wait(conditions_of(i))
      !$omp atomic
      seen = seen + 1
      !$omp end task
    end do
    do i = each, 1, -1
      call crt_signal(conditions_of(i))
      call crt_yield()
    end do
    !$omp taskwait
    call check(seen == each, 'crt_wait, crt_signal')
  end subroutine
end program
