! SPDX-License-Identifier: BSD-3-Clause
! Every collective function, on communicators within a group and between two, with and without MPI_IN_PLACE: the names
! are macros, so that one text is for the blocking and the non-blocking functions.
#include "conform_f.h"
module MODULE_NAME
  USE_MPI
  use conform
  implicit none
  INCLUDE_MPI
  COMM_T :: comm
  REQUEST_T, save :: request
  integer :: me, n, i, j

contains

  ! What process p has for process q, in place k.
  elemental integer function word(p, q, k)
    integer, intent(in) :: p, q, k

    word = p * 10000 + q * 100 + k
  end function

  subroutine to_and_from_root
    integer :: root, a(3), counts(0:n - 1), places(0:n - 1), mine(n), part(n)
    integer, allocatable :: all_of(:)

    allocate (all_of(0:3 * n * n))
    do root = 0, n - 1, max(1, n - 1)
      a = -1
      if (me == root) a = word(root, 0, [1, 2, 3])
      call BCAST(a, 3, MPI_INTEGER, root, comm REQUEST, ierr); DONE
      CHECK(all(a == word(root, 0, [1, 2, 3])))

      all_of = -1
      a = word(me, root, [1, 2, 3])
      call GATHER(a, 3, MPI_INTEGER, all_of, 3, MPI_INTEGER, root, comm REQUEST, ierr); DONE
      if (me == root) then
        CHECK(all(all_of(:3 * n - 1) == [((word(i, root, j), j = 1, 3), i = 0, n - 1)]))
        CHECK(all(all_of(3 * n:) == -1))
      else
        CHECK(all(all_of == -1))
      end if

      ! In place: the root's own part is where it belongs.
      if (me == root) then
        all_of(:3 * n - 1) = [((word(me, i, j), j = 1, 3), i = 0, n - 1)]
        call SCATTER(all_of, 3, MPI_INTEGER, MPI_IN_PLACE, 3, MPI_INTEGER, root, comm REQUEST, ierr); DONE
      else
        call SCATTER(all_of, 3, MPI_INTEGER, a, 3, MPI_INTEGER, root, comm REQUEST, ierr); DONE
        CHECK(all(a == word(root, me, [1, 2, 3])))
      end if

      ! Process p has p + 1 words, with gaps between them.
      counts = [(i + 1, i = 0, n - 1)]
      places = [(i * (n + 1), i = 0, n - 1)]
      all_of = -1
      mine = [(word(me, 7, i), i = 1, n)]
      call GATHERV(mine, me + 1, MPI_INTEGER, all_of, counts, places, MPI_INTEGER, root, comm REQUEST, ierr); DONE
      if (me == root) then
        do i = 0, n - 1
          CHECK(all(all_of(places(i):places(i) + i) == word(i, 7, [(j, j = 1, i + 1)])))
          CHECK(all_of(places(i) + counts(i)) == -1)
        end do
      end if
      part = -1
      if (me == root) all_of = [(i, i = 0, 3 * n * n)]
      call SCATTERV(all_of, counts, places, MPI_INTEGER, part, me + 1, MPI_INTEGER, root, comm REQUEST, ierr); DONE
      CHECK(all(part(:me + 1) == [(places(me) + i, i = 0, me)]) .and. all(part(me + 2:) == -1))
    end do
  end subroutine

  subroutine all_to_all
    integer :: a(2), out(2, 0:n - 1), in(2, 0:n - 1), counts(0:n - 1), places(0:n - 1), bytes(0:n - 1)
    DATATYPE_T :: types(0:n - 1)

    a = word(me, 1, [1, 2])
    call ALLGATHER(a, 2, MPI_INTEGER, in, 2, MPI_INTEGER, comm REQUEST, ierr); DONE
    CHECK(all(reshape(in, [2 * n]) == [((word(i, 1, j), j = 1, 2), i = 0, n - 1)]))
    in = -1
    in(:, me) = a
    call ALLGATHER(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, 2, MPI_INTEGER, comm REQUEST, ierr); DONE
    CHECK(all(reshape(in, [2 * n]) == [((word(i, 1, j), j = 1, 2), i = 0, n - 1)]))
    ! In the order of ranks from the last.
    counts = 2
    places = [(2 * (n - 1 - i), i = 0, n - 1)]
    in = -1
    call ALLGATHERV(a, 2, MPI_INTEGER, in, counts, places, MPI_INTEGER, comm REQUEST, ierr); DONE
    CHECK(all(reshape(in, [2 * n]) == [((word(n - 1 - i, 1, j), j = 1, 2), i = 0, n - 1)]))

    out = reshape([((word(me, i, j), j = 1, 2), i = 0, n - 1)], [2, n])
    in = -1
    call ALLTOALL(out, 2, MPI_INTEGER, in, 2, MPI_INTEGER, comm REQUEST, ierr); DONE
    call check_all_to_all
    in = out
    call ALLTOALL(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, 2, MPI_INTEGER, comm REQUEST, ierr); DONE
    call check_all_to_all
    places = [(2 * i, i = 0, n - 1)]
    in = -1
    call ALLTOALLV(out, counts, places, MPI_INTEGER, in, counts, places, MPI_INTEGER, comm REQUEST, ierr); DONE
    call check_all_to_all
    bytes = 4 * places
    types = MPI_INTEGER
    in = -1
    call ALLTOALLW(out, counts, bytes, types, in, counts, bytes, types, comm REQUEST, ierr); DONE
    call check_all_to_all
    call BARRIER(comm REQUEST, ierr); DONE

  contains

    subroutine check_all_to_all
      CHECK(all(reshape(in, [2 * n]) == [((word(i, me, j), j = 1, 2), i = 0, n - 1)]))
    end subroutine
  end subroutine

  subroutine reductions
    integer :: a(2), b(2), counts(0:n - 1), out(0:2 * n - 1), in(0:2 * n - 1), total
    logical :: l(2), any_of(2)
    real :: r(1), most(1)
    complex :: c(1), product_of(1)
    OP_T :: operators(4)

    total = n * (n - 1) / 2
    a = [me, 2 * me]
    b = -1
    call REDUCE(a, b, 2, MPI_INTEGER, MPI_SUM, n - 1, comm REQUEST, ierr); DONE
    if (me == n - 1) then
      CHECK(all(b == [total, 2 * total]))
    else
      CHECK(all(b == -1))
    end if
    b = a
    if (me == 0) then
      call REDUCE(MPI_IN_PLACE, b, 2, MPI_INTEGER, MPI_MAX, 0, comm REQUEST, ierr); DONE
      CHECK(all(b == [n - 1, 2 * n - 2]))
    else
      call REDUCE(a, b, 2, MPI_INTEGER, MPI_MAX, 0, comm REQUEST, ierr); DONE
    end if
    call ALLREDUCE(a, b, 2, MPI_INTEGER, MPI_SUM, comm REQUEST, ierr); DONE
    CHECK(all(b == [total, 2 * total]))
    b = a
    call ALLREDUCE(MPI_IN_PLACE, b, 2, MPI_INTEGER, MPI_SUM, comm REQUEST, ierr); DONE
    CHECK(all(b == [total, 2 * total]))
    l = [me == 0, .false.]
    call ALLREDUCE(l, any_of, 2, MPI_LOGICAL, MPI_LOR, comm REQUEST, ierr); DONE
    CHECK(any_of(1) .and. .not. any_of(2))
    r = me
    call ALLREDUCE(r, most, 1, MPI_REAL, MPI_MAX, comm REQUEST, ierr); DONE
    CHECK(most(1) == n - 1)
    c = (0, 1)
    call ALLREDUCE(c, product_of, 1, MPI_COMPLEX, MPI_PROD, comm REQUEST, ierr); DONE
    CHECK(product_of(1) == (0, 1) ** n)
    operators = [MPI_BAND, MPI_BOR, MPI_BXOR, MPI_MIN]
    do i = 1, 4
      a = ibset(0, me)
      call ALLREDUCE(a, b, 1, MPI_INTEGER, operators(i), comm REQUEST, ierr); DONE
      EXPECT(b(1), merge(merge(0, 1, n > 1), merge(1, 2**n - 1, i == 4), i == 1))
    end do

    a = [me, 2 * me]
    counts = 2
    out = [(word(me, 0, i), i = 0, 2 * n - 1)]
    call REDUCE_SCATTER(out, b, counts, MPI_INTEGER, MPI_SUM, comm REQUEST, ierr); DONE
    CHECK(all(b == n * [2 * me, 2 * me + 1] + 10000 * total))
    in = out
    call REDUCE_SCATTER_BLOCK(MPI_IN_PLACE, in, 2, MPI_INTEGER, MPI_SUM, comm REQUEST, ierr); DONE
    CHECK(all(in(0:1) == n * [2 * me, 2 * me + 1] + 10000 * total))
    call SCAN_(a, b, 2, MPI_INTEGER, MPI_SUM, comm REQUEST, ierr); DONE
    CHECK(all(b == [1, 2] * me * (me + 1) / 2))
    b = -1
    call EXSCAN(a, b, 2, MPI_INTEGER, MPI_SUM, comm REQUEST, ierr); DONE
    CHECK(all(b == merge(-1, [1, 2] * me * (me - 1) / 2, me == 0)))
  end subroutine

  ! The largest of each with its place, in Fortran's pairs.
  subroutine places_of_largest
    integer :: i2(2), most_i(2)
    real :: r2(2, 2), most_r(2, 2)
    double precision :: d2(2), least_d(2)

    i2 = [mod(me, 2), me]
    call ALLREDUCE(i2, most_i, 1, MPI_2INTEGER, MPI_MAXLOC, comm REQUEST, ierr); DONE
    CHECK(all(most_i == [min(1, n - 1), min(1, n - 1)])) ! the first of them
    r2 = reshape([real(me), real(me), real(-me), real(me)], [2, 2])
    call ALLREDUCE(r2, most_r, 2, MPI_2REAL, MPI_MAXLOC, comm REQUEST, ierr); DONE
    CHECK(all(most_r == reshape([real(n - 1), real(n - 1), 0., 0.], [2, 2])))
    d2 = [-real(me, 8), real(me, 8)]
    call ALLREDUCE(d2, least_d, 1, MPI_2DOUBLE_PRECISION, MPI_MINLOC, comm REQUEST, ierr); DONE
    CHECK(all(least_d == [-real(n - 1, 8), real(n - 1, 8)]))
  end subroutine

  ! Between the processes of even and of odd ranks.
  subroutine between_groups
    COMM_T :: half, inter
    integer :: a(2), b(2), local, remote, mine, root, sum_of_others
    integer, allocatable :: in(:), out(:)
    logical :: low

    if (size_of_world < 2) return
    low = mod(rank, 2) == 0
    call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), rank, half, ierr); OK
    call MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, merge(1, 0, low), 9, inter, ierr); OK
    call MPI_Comm_rank(inter, mine, ierr); OK
    call MPI_Comm_size(inter, local, ierr); OK
    call MPI_Comm_remote_size(inter, remote, ierr); OK
    allocate (in(2 * remote))
    a = word(rank, 5, [1, 2])
    ! From 0, who is the first of the low ones, to the others.
    root = merge(merge(MPI_ROOT, MPI_PROC_NULL, mine == 0), 0, low)
    b = a
    call BCAST(b, 2, MPI_INTEGER, root, inter REQUEST, ierr); DONE
    if (.not. low) then
      CHECK(all(b == word(0, 5, [1, 2])))
    end if
    b = -1
    in = -1
    call GATHER(a, 2, MPI_INTEGER, in, 2, MPI_INTEGER, root, inter REQUEST, ierr); DONE
    if (root == MPI_ROOT) then
      CHECK(all(in == [((word(2 * i + 1, 5, j), j = 1, 2), i = 0, remote - 1)]))
    end if
    call ALLGATHER(a, 2, MPI_INTEGER, in, 2, MPI_INTEGER, inter REQUEST, ierr); DONE
    CHECK(all(in == [((word(2 * i + merge(1, 0, low), 5, j), j = 1, 2), i = 0, remote - 1)]))
    sum_of_others = sum([(2 * i + merge(1, 0, low), i = 0, remote - 1)])
    a = rank
    call ALLREDUCE(a, b, 1, MPI_INTEGER, MPI_SUM, inter REQUEST, ierr); DONE
    EXPECT(b(1), sum_of_others)
    call REDUCE(a, b(2), 1, MPI_INTEGER, MPI_SUM, root, inter REQUEST, ierr); DONE
    if (root == MPI_ROOT) then
      EXPECT(b(2), sum_of_others)
    end if
    out = [(word(mine, i, 1), i = 0, remote - 1)]
    call ALLTOALL(out, 1, MPI_INTEGER, in, 1, MPI_INTEGER, inter REQUEST, ierr); DONE
    CHECK(all(in(:remote) == [(word(i, mine, 1), i = 0, remote - 1)]))
    call BARRIER(inter REQUEST, ierr); DONE
    call MPI_Comm_free(inter, ierr); OK
    call MPI_Comm_free(half, ierr); OK
  end subroutine
end module

program main
  use MODULE_NAME
  implicit none
  integer :: pass

  call conform_init
  do pass = 1, 2
    ! The world, and halves with ranks from the last.
    call MPI_Comm_split(MPI_COMM_WORLD, merge(0, mod(rank, 2), pass == 1), merge(rank, -rank, pass == 1), comm, ierr); OK
    call MPI_Comm_rank(comm, me, ierr); OK
    call MPI_Comm_size(comm, n, ierr); OK
    call to_and_from_root
    call all_to_all
    call reductions
    call places_of_largest
    call MPI_Comm_free(comm, ierr); OK
  end do
  call between_groups
  call conform_end
end program
