! SPDX-License-Identifier: BSD-3-Clause
! MPI-3.1, 6.3, 6.4, 6.6, 6.8: groups, communicators, intercommunicators, names.
#include "conform_f.h"
module groups
  USE_MPI
  use conform
  implicit none
  INCLUDE_MPI

contains

  subroutine of_processes
    GROUP_T :: world, some, other, result
    integer :: size, me, i, places(3), relation, ranges(3, 1)

    call MPI_Comm_group(MPI_COMM_WORLD, world, ierr); OK
    call MPI_Group_size(world, size, ierr); OK
    EXPECT(size, size_of_world)
    call MPI_Group_rank(world, me, ierr); OK
    EXPECT(me, rank)

    ! The even ones, by their ranks and by a range; the rest.
    call MPI_Group_incl(world, (size + 1) / 2, [(i, i = 0, size - 1, 2)], some, ierr); OK
    ranges(:, 1) = [0, size - 1, 2]
    call MPI_Group_range_incl(world, 1, ranges, other, ierr); OK
    call MPI_Group_compare(some, other, relation, ierr); OK
    EXPECT(relation, MPI_IDENT)
    CHECK(some /= other)
    call MPI_Group_rank(some, me, ierr); OK
    EXPECT(me, merge(rank / 2, MPI_UNDEFINED, mod(rank, 2) == 0))
    call MPI_Group_free(other, ierr); OK
    CHECK(other == MPI_GROUP_NULL)
    call MPI_Group_range_excl(world, 1, ranges, other, ierr); OK
    call MPI_Group_size(other, i, ierr); OK
    EXPECT(i, size / 2)
    call MPI_Group_union(some, other, result, ierr); OK
    call MPI_Group_compare(world, result, relation, ierr); OK
    EXPECT(relation, merge(MPI_SIMILAR, MPI_IDENT, size > 2))
    call MPI_Group_free(result, ierr); OK
    call MPI_Group_intersection(some, other, result, ierr); OK
    CHECK(result == MPI_GROUP_EMPTY)
    call MPI_Group_difference(world, some, result, ierr); OK
    call MPI_Group_compare(other, result, relation, ierr); OK
    EXPECT(relation, MPI_IDENT)
    if (size > 1) then
      call MPI_Group_free(result, ierr); OK
    end if
    call MPI_Group_excl(world, size, [(i, i = 0, size - 1)], result, ierr); OK
    CHECK(result == MPI_GROUP_EMPTY)

    call MPI_Group_translate_ranks(world, 3, [0, size - 1, MPI_PROC_NULL], some, places, ierr); OK
    CHECK(places(1) == 0 .and. places(2) == merge((size - 1) / 2, MPI_UNDEFINED, mod(size, 2) == 1))
    EXPECT(places(3), MPI_PROC_NULL)
    call MPI_Group_free(some, ierr); OK
    if (size > 1) then
      call MPI_Group_free(other, ierr); OK
    end if
    call MPI_Group_free(world, ierr); OK
  end subroutine

  subroutine communicators
    COMM_T :: comm, other
    GROUP_T :: group, part
    INFO_T :: info
    REQUEST_T :: request
    integer :: relation, size, i, sum_of(1), me
    logical :: flag

    call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierr); OK
    call MPI_Comm_compare(MPI_COMM_WORLD, comm, relation, ierr); OK
    EXPECT(relation, MPI_CONGRUENT)
    call MPI_Comm_compare(comm, comm, relation, ierr); OK
    EXPECT(relation, MPI_IDENT)
    call MPI_Comm_compare(comm, MPI_COMM_SELF, relation, ierr); OK
    CHECK(relation == merge(MPI_UNEQUAL, MPI_CONGRUENT, size_of_world > 1))
    call MPI_Comm_test_inter(comm, flag, ierr); OK
    CHECK(flag .eqv. .false.)
    call MPI_Comm_free(comm, ierr); OK
    CHECK(comm == MPI_COMM_NULL)

    call MPI_Comm_idup(MPI_COMM_WORLD, comm, request, ierr); OK
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr); OK
    call MPI_Allreduce([1], sum_of, 1, MPI_INTEGER, MPI_SUM, comm, ierr); OK
    EXPECT(sum_of(1), size_of_world)

    ! Ranks from the last.
    call MPI_Comm_split(comm, 0, -rank, other, ierr); OK
    call MPI_Comm_rank(other, me, ierr); OK
    EXPECT(me, size_of_world - 1 - rank)
    call MPI_Comm_compare(comm, other, relation, ierr); OK
    EXPECT(relation, merge(MPI_SIMILAR, MPI_CONGRUENT, size_of_world > 1))
    call MPI_Comm_free(other, ierr); OK
    call MPI_Comm_split(comm, merge(1, MPI_UNDEFINED, rank == 0), 0, other, ierr); OK
    CHECK((other /= MPI_COMM_NULL) .eqv. rank == 0)
    if (rank == 0) then
      call MPI_Comm_free(other, ierr); OK
    end if

    call MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, other, ierr); OK
    call MPI_Comm_size(other, size, ierr); OK
    CHECK(size >= 1 .and. size <= size_of_world)
    call MPI_Comm_free(other, ierr); OK

    call MPI_Comm_group(comm, group, ierr); OK
    call MPI_Group_incl(group, (size_of_world + 1) / 2, [(i, i = 0, size_of_world - 1, 2)], part, ierr); OK
    call MPI_Comm_create(comm, part, other, ierr); OK
    CHECK((other /= MPI_COMM_NULL) .eqv. mod(rank, 2) == 0)
    if (other /= MPI_COMM_NULL) then
      call MPI_Comm_free(other, ierr); OK
    end if
    if (mod(rank, 2) == 0) then
      call MPI_Comm_create_group(comm, part, 5, other, ierr); OK
      call MPI_Comm_rank(other, me, ierr); OK
      EXPECT(me, rank / 2)
      call MPI_Comm_free(other, ierr); OK
    end if
    call MPI_Group_free(part, ierr); OK
    call MPI_Group_free(group, ierr); OK

    call MPI_Info_create(info, ierr); OK
    call MPI_Comm_dup_with_info(comm, info, other, ierr); OK
    call MPI_Comm_set_info(other, info, ierr); OK
    call MPI_Info_free(info, ierr); OK
    call MPI_Comm_get_info(other, info, ierr); OK
    CHECK(info /= MPI_INFO_NULL)
    call MPI_Info_free(info, ierr); OK
    call MPI_Comm_free(other, ierr); OK
    call MPI_Comm_free(comm, ierr); OK
  end subroutine

  subroutine names
    COMM_T :: comm
    character(MPI_MAX_OBJECT_NAME) :: name
    character(MPI_MAX_OBJECT_NAME + 10) :: long
    integer :: length

    call MPI_Comm_get_name(MPI_COMM_WORLD, name, length, ierr); OK
    CHECK(name == 'MPI_COMM_WORLD')
    EXPECT(length, 14)
    call MPI_Comm_dup(MPI_COMM_SELF, comm, ierr); OK
    call MPI_Comm_get_name(comm, name, length, ierr); OK
    EXPECT(length, 0)
    CHECK(name == ' ')
    call MPI_Comm_set_name(comm, 'of one''s own   ', ierr); OK
    long = repeat('#', MPI_MAX_OBJECT_NAME + 10)
    call MPI_Comm_get_name(comm, long(:MPI_MAX_OBJECT_NAME), length, ierr); OK
    EXPECT(length, 12)
    CHECK(long(:MPI_MAX_OBJECT_NAME) == 'of one''s own') ! blanks to its end
    CHECK(long(MPI_MAX_OBJECT_NAME + 1:) == '##########') ! and no further
    call MPI_Comm_set_name(comm, '', ierr); OK
    call MPI_Comm_get_name(comm, name, length, ierr); OK
    EXPECT(length, 0)
    call MPI_Comm_free(comm, ierr); OK
  end subroutine

  subroutine between_groups
    COMM_T :: half, inter, merged, copy
    GROUP_T :: group
    integer :: local, remote, me, got, size, relation
    logical :: flag, high
    STATUS_T(status)

    if (size_of_world < 2) return
    high = mod(rank, 2) == 1
    call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), rank, half, ierr); OK
    call MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, merge(0, 1, high), 3, inter, ierr); OK
    call MPI_Comm_test_inter(inter, flag, ierr); OK
    CHECK(flag .eqv. .true.)
    call MPI_Comm_size(inter, local, ierr); OK
    call MPI_Comm_remote_size(inter, remote, ierr); OK
    EXPECT(local + remote, size_of_world)
    call MPI_Comm_remote_group(inter, group, ierr); OK
    call MPI_Group_size(group, size, ierr); OK
    EXPECT(size, remote)
    call MPI_Group_free(group, ierr); OK
    call MPI_Comm_rank(inter, me, ierr); OK
    if (me < remote) then
      call MPI_Sendrecv(rank, 1, MPI_INTEGER, me, 4, got, 1, MPI_INTEGER, me, 4, inter, status, ierr); OK
      EXPECT(got, merge(rank - 1, rank + 1, high))
      EXPECT(OF(status, MPI_SOURCE), me)
    end if
    call MPI_Comm_dup(inter, copy, ierr); OK
    call MPI_Comm_compare(inter, copy, relation, ierr); OK
    EXPECT(relation, MPI_CONGRUENT)
    call MPI_Comm_free(copy, ierr); OK
    call MPI_Intercomm_merge(inter, high, merged, ierr); OK
    call MPI_Comm_rank(merged, me, ierr); OK
    EXPECT(me, rank / 2 + merge((size_of_world + 1) / 2, 0, high))
    call MPI_Comm_free(merged, ierr); OK
    call MPI_Comm_free(inter, ierr); OK
    call MPI_Comm_free(half, ierr); OK
  end subroutine
end module

program main
  use groups
  implicit none

  call conform_init
  call of_processes
  call communicators
  call names
  call between_groups
  call conform_end
end program
