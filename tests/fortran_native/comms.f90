! SPDX-License-Identifier: BSD-3-Clause
! Communicators, groups, names, hints, attributes and error handlers (MPI 6, 8.3), with callbacks of the program's.
module comms_callbacks
  use mpi_f08
  use ep
  use harness
  implicit none
  integer :: deleted = 0, errors = 0
contains
  subroutine copy(oldcomm, comm_keyval, extra_state, attribute_val_in, attribute_val_out, flag, ierror)
    type(ep_comm) :: oldcomm
    integer :: comm_keyval, ierror
    integer(MPI_ADDRESS_KIND) :: extra_state, attribute_val_in, attribute_val_out
    logical :: flag
    call check(oldcomm /= EP_COMM_NULL .and. comm_keyval /= MPI_KEYVAL_INVALID, 'arguments of a copy function')
    attribute_val_out = attribute_val_in + extra_state
    flag = .true.
    ierror = MPI_SUCCESS
  end subroutine

  subroutine delete(comm, comm_keyval, attribute_val, extra_state, ierror)
    type(ep_comm) :: comm
    integer :: comm_keyval, ierror
    integer(MPI_ADDRESS_KIND) :: attribute_val, extra_state
    call check(comm /= EP_COMM_NULL .and. comm_keyval /= MPI_KEYVAL_INVALID .and. attribute_val /= 0 .and. extra_state == 5, &
      'arguments of a delete function')
    !$omp atomic
    deleted = deleted + 1
    ierror = MPI_SUCCESS
  end subroutine

  subroutine handler(comm, error_code)
    type(ep_comm) :: comm
    integer :: error_code, class
    call ep_error_class(error_code, class)
    call check(class == MPI_ERR_RANK .and. comm /= EP_COMM_NULL, 'arguments of an error handler')
    !$omp atomic
    errors = errors + 1
  end subroutine

  subroutine win_handler(win, error_code)
    type(ep_win) :: win
    integer :: error_code, class
    call ep_error_class(error_code, class)
    call check(class == MPI_ERR_RMA_SYNC .and. win /= EP_WIN_NULL, 'arguments of an error handler of windows')
    !$omp atomic
    errors = errors + 1
  end subroutine

  subroutine query(extra_state, status, ierror)
    integer(MPI_ADDRESS_KIND) :: extra_state
    type(ep_status) :: status
    integer :: ierror
    status%MPI_SOURCE = int(extra_state)
    status%MPI_TAG = 8
    call ep_status_set_elements(status, MPI_INTEGER, 3)
    call ep_status_set_cancelled(status, .false.)
    ierror = MPI_SUCCESS
  end subroutine

  subroutine free_it(extra_state, ierror)
    integer(MPI_ADDRESS_KIND) :: extra_state
    integer :: ierror
    call check(extra_state == 77, 'argument of the function that frees')
    ierror = MPI_SUCCESS
  end subroutine

  subroutine cancel_it(extra_state, complete, ierror)
    integer(MPI_ADDRESS_KIND) :: extra_state
    logical :: complete
    integer :: ierror
    call check(extra_state == 77 .and. .not. complete, 'arguments of the function that cancels')
    ierror = MPI_SUCCESS
  end subroutine
end module

program comms
  use comms_callbacks
  implicit none
  call run(body)
contains
  subroutine body(world)
    type(ep_comm), intent(in) :: world
    integer :: rank, size
    call ep_comm_rank(world, rank)
    call ep_comm_size(world, size)
    call made(world, rank, size)
    call members(world, rank, size)
    call strings(world, rank)
    call attributes(world, rank, size)
    call handlers(world, rank, size)
    call generalized(rank)
    call both_sides(world, rank, size)
  end subroutine

  subroutine made(world, rank, size)
    type(ep_comm), intent(in) :: world
    integer, intent(in) :: rank, size
    type(ep_comm) :: new, again
    type(MPI_Comm) :: processes
    type(ep_request) :: request
    integer :: n, result, process, host
    logical :: flag
    call ep_comm_rank(EP_COMM_WORLD, n)
    call check(n == rank, 'EP_COMM_WORLD of a thread that is bound')
    call ep_comm_size(EP_COMM_SELF, n)
    call check(n == 1, 'EP_COMM_SELF')
    call ep_comm_split(world, mod(rank, 2), -rank, new)
    call ep_comm_rank(new, n)
    call check(n == (size - 1 - rank)/2, 'split')
    call ep_comm_dup(new, again)
    call ep_comm_compare(new, again, result)
    call check(result == MPI_CONGRUENT .and. new /= again, 'dup, compare')
    call ep_comm_free(again)
    call ep_comm_idup(new, again, request)
    call ep_wait(request, EP_STATUS_IGNORE)
    call ep_comm_test_inter(again, flag)
    call check(.not. flag, 'idup')
    call ep_comm_free(again)
    call ep_comm_free(new)
    call ep_comm_split(world, MPI_UNDEFINED, 0, new)
    call check(new == EP_COMM_NULL, 'a color that is undefined')
    call ep_comm_split_type(world, EP_COMM_TYPE_PROCESS, 0, MPI_INFO_NULL, new)
    call ep_comm_get_mpi_comm(new, processes)
    call MPI_Comm_size(processes, n)
    call check(n == 1, 'get_mpi_comm')
    call ep_comm_free(new)
    call ep_comm_get_mpi_comm(world, processes)
    call MPI_Comm_compare(processes, MPI_COMM_WORLD, result)
    call MPI_Comm_rank(processes, process)
    call MPI_Comm_rank(MPI_COMM_WORLD, host)
    if (result == MPI_CONGRUENT) call check(process == host, 'get_mpi_comm: ranks')
  end subroutine

  subroutine members(world, rank, size)
    type(ep_comm), intent(in) :: world
    integer, intent(in) :: rank, size
    type(ep_group) :: all, some, other
    type(ep_comm) :: new
    integer :: n, result, ranks(2), i
    call ep_comm_group(world, all)
    call ep_group_range_incl(all, 1, reshape([0, size - 1, 2], [3, 1]), some)
    call ep_group_size(some, n)
    call check(n == (size + 1)/2, 'range_incl')
    call ep_group_excl(all, n, [(2*i, i = 0, n - 1)], other)
    call ep_group_union(some, other, new_group(all))
    call ep_group_translate_ranks(all, 2, [0, size - 1], some, ranks)
    call check(ranks(1) == 0 .and. ranks(2) == merge((size - 1)/2, MPI_UNDEFINED, mod(size, 2) == 1), 'translate_ranks')
    call ep_group_compare(some, EP_GROUP_EMPTY, result)
    call check(result == MPI_UNEQUAL, 'group_compare')
    call ep_comm_create(world, some, new)
    call check((new /= EP_COMM_NULL) .eqv. mod(rank, 2) == 0, 'comm_create')
    if (new /= EP_COMM_NULL) call ep_comm_free(new)
    call ep_group_free(all)
    call ep_group_free(some)
    call ep_group_free(other)
  end subroutine

  ! Somewhere to put a handle that is not looked at.
  function new_group(like)
    type(ep_group), intent(in) :: like
    type(ep_group), pointer :: new_group
    allocate (new_group, source=like)
  end function

  subroutine strings(world, rank)
    type(ep_comm), intent(in) :: world
    integer, intent(in) :: rank
    type(ep_comm) :: comm
    type(MPI_Info) :: info
    character(len=MPI_MAX_OBJECT_NAME) :: name
    character(len=MPI_MAX_ERROR_STRING) :: text
    character(len=8) :: value
    integer :: n, code, class, ierror
    logical :: flag
    call ep_comm_dup(world, comm)
    call ep_comm_get_name(comm, name, n)
    call check(n == 0 .and. name == '', 'no name')
    call ep_comm_set_name(comm, 'rank '//trim(text_of(rank))//'   ')
    call ep_comm_get_name(comm, name, n)
    call check(name == 'rank '//trim(text_of(rank)) .and. n == len_trim(name), 'name')
    call MPI_Info_create(info)
    call MPI_Info_set(info, 'ep_reproducible', 'true')
    call ep_comm_set_info(comm, info)
    call MPI_Info_free(info)
    call ep_comm_get_info(comm, info)
    call MPI_Info_get(info, 'ep_reproducible', 8, value, flag)
    call check(flag .and. value == 'true', 'info')
    call MPI_Info_free(info)
    call ep_comm_set_errhandler(comm, EP_ERRORS_RETURN)
    call ep_send(rank, 1, MPI_INTEGER, 100000, 0, comm, ierror)
    call ep_error_class(ierror, class)
    call check(class == MPI_ERR_RANK, 'an error that is returned')
    call ep_error_string(ierror, text, n)
    call check(index(text, 'ep_send: endpoint ') == 1 .and. n == len_trim(text) .and. index(text, '100000') > 0, &
      'error_string: '//trim(text))
    call ep_add_error_class(class)
    call ep_add_error_code(class, code)
    call ep_add_error_string(code, 'out of tea  ')
    call ep_error_string(code, text, n)
    call check(text == 'out of tea' .and. n == 10, 'add_error_string')
    call ep_comm_free(comm)
  end subroutine

  subroutine attributes(world, rank, size)
    type(ep_comm), intent(in) :: world
    integer, intent(in) :: rank, size
    type(ep_comm) :: comm, again
    integer :: keyval, plain, before, n
    integer(MPI_ADDRESS_KIND) :: value
    logical :: flag
    call ep_comm_get_attr(world, MPI_TAG_UB, value, flag)
    call check(flag .and. value >= 32767, 'MPI_TAG_UB')
    call ep_comm_create_keyval(copy, delete, keyval, 5_MPI_ADDRESS_KIND)
    call ep_comm_create_keyval(EP_COMM_DUP_FN, EP_COMM_NULL_DELETE_FN, plain, 0_MPI_ADDRESS_KIND)
    call ep_comm_dup(world, comm)
    call ep_barrier(comm)
    before = deleted
    call ep_barrier(comm)
    call ep_comm_get_attr(comm, keyval, value, flag)
    call check(.not. flag, 'no attribute yet')
    call ep_comm_set_attr(comm, keyval, 100_MPI_ADDRESS_KIND + rank)
    call ep_comm_set_attr(comm, plain, -3_MPI_ADDRESS_KIND)
    call ep_comm_dup(comm, again)
    call ep_comm_get_attr(again, keyval, value, flag)
    call check(flag .and. value == 105 + rank, 'a copy function')
    call ep_comm_get_attr(again, plain, value, flag)
    call check(flag .and. value == -3, 'EP_COMM_DUP_FN')
    call ep_comm_delete_attr(again, keyval)
    call ep_comm_get_attr(again, keyval, value, flag)
    call check(.not. flag, 'delete_attr')
    call ep_comm_free(again)
    call ep_comm_free(comm)
    call ep_comm_free_keyval(keyval)
    call ep_comm_free_keyval(plain)
    call check(keyval == MPI_KEYVAL_INVALID, 'free_keyval')
    call ep_allreduce(rank, n, 1, MPI_INTEGER, MPI_MAX, world)
    call check(deleted >= before + 2 .and. n == size - 1, 'delete functions')
  end subroutine

  subroutine handlers(world, rank, size)
    type(ep_comm), intent(in) :: world
    integer, intent(in) :: rank, size
    type(ep_comm) :: comm
    type(ep_win) :: win
    type(ep_errhandler) :: errhandler, got
    integer :: before, ierror, memory(1)
    memory = 0
    call ep_comm_dup(world, comm)
    call ep_comm_create_errhandler(handler, errhandler)
    call ep_comm_set_errhandler(comm, errhandler)
    call ep_comm_get_errhandler(comm, got)
    call check(got == errhandler, 'get_errhandler')
    call ep_errhandler_free(got)
    before = errors
    call ep_send(rank, 1, MPI_INTEGER, size, 0, comm, ierror)
    call check(ierror /= MPI_SUCCESS .and. errors > before, 'an error handler of the program')
    before = errors
    call ep_comm_call_errhandler(comm, MPI_ERR_RANK)
    call check(errors > before, 'call_errhandler')
    call ep_errhandler_free(errhandler)
    call check(errhandler == EP_ERRHANDLER_NULL, 'errhandler_free')
    call ep_comm_free(comm)
    call ep_win_create(memory, 4_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, world, win)
    call ep_win_create_errhandler(win_handler, errhandler)
    call ep_win_set_errhandler(win, errhandler)
    before = errors
    call ep_win_unlock(0, win, ierror)
    call check(ierror /= MPI_SUCCESS .and. errors > before, 'an error handler of windows')
    call ep_errhandler_free(errhandler)
    call ep_win_free(win)
  end subroutine

  subroutine generalized(rank)
    integer, intent(in) :: rank
    type(ep_request) :: request
    type(ep_status) :: status
    integer :: n
    logical :: flag
    call ep_grequest_start(query, free_it, cancel_it, 77_MPI_ADDRESS_KIND, request)
    call ep_test(request, flag, EP_STATUS_IGNORE)
    call check(.not. flag, 'a request of the program')
    call ep_cancel(request)
    call ep_grequest_complete(request)
    call ep_wait(request, status)
    call ep_get_elements(status, MPI_INTEGER, n)
    call ep_test_cancelled(status, flag)
    call check(status%MPI_SOURCE == 77 .and. status%MPI_TAG == 8 .and. n == 3 .and. .not. flag, 'a query function')
    call check(rank >= 0 .and. request == EP_REQUEST_NULL, 'complete')
  end subroutine

  subroutine both_sides(world, rank, size)
    type(ep_comm), intent(in) :: world
    integer, intent(in) :: rank, size
    type(ep_comm) :: half, other, all
    integer :: n, got
    logical :: flag
    if (size < 2) return
    call ep_comm_split(world, mod(rank, 2), rank, half)
    call ep_intercomm_create(half, 0, world, 1 - mod(rank, 2), 3, other)
    call ep_comm_test_inter(other, flag)
    call ep_comm_remote_size(other, n)
    call check(flag .and. n == merge(size/2, (size + 1)/2, mod(rank, 2) == 0), 'intercomm_create')
    call ep_allreduce(mod(rank, 2), got, 1, MPI_INTEGER, MPI_SUM, other)
    call check(got == merge(size/2, 0, mod(rank, 2) == 0), 'allreduce of an intercommunicator')
    call ep_intercomm_merge(other, mod(rank, 2) == 1, all)
    call ep_comm_rank(all, n)
    call check(n == merge(rank/2, (size + 1)/2 + rank/2, mod(rank, 2) == 0), 'intercomm_merge')
    call ep_comm_free(all)
    call ep_comm_free(other)
    call ep_comm_free(half)
  end subroutine
end program
