! SPDX-License-Identifier: BSD-3-Clause
! MPI-3.1, 7: grids, graphs, distributed graphs; neighbourhood collectives, blocking and not.
#include "conform_f.h"
module topologies
  USE_MPI
  use conform
  implicit none
  INCLUDE_MPI
  integer, parameter :: aint = MPI_ADDRESS_KIND

contains

  subroutine grids
    COMM_T :: grid, row
    integer :: dims(2), kind_of, ndims, coordinates(2), me, before, after, i, got(2)
    logical :: periods(2)
    integer :: one(1)
    logical :: wrap(1)

    dims = [0, 2 - mod(size_of_world, 2)]
    call MPI_Dims_create(size_of_world, 2, dims, ierr); OK
    EXPECT(product(dims), size_of_world)
    call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, [.true., .false.], .false., grid, ierr); OK
    call MPI_Topo_test(grid, kind_of, ierr); OK
    EXPECT(kind_of, MPI_CART)
    call MPI_Cartdim_get(grid, ndims, ierr); OK
    EXPECT(ndims, 2)
    call MPI_Cart_get(grid, 2, got, periods, coordinates, ierr); OK
    CHECK(all(got == dims) .and. (periods(1) .eqv. .true.) .and. (periods(2) .eqv. .false.))
    CHECK(all(coordinates == [rank / dims(2), mod(rank, dims(2))]))
    call MPI_Cart_rank(grid, coordinates, me, ierr); OK
    EXPECT(me, rank)
    call MPI_Cart_rank(grid, [-1, dims(2) - 1], me, ierr); OK ! the first dimension wraps
    EXPECT(me, size_of_world - 1)
    call MPI_Cart_coords(grid, size_of_world - 1, 2, coordinates, ierr); OK
    CHECK(all(coordinates == dims - 1))
    call MPI_Cart_shift(grid, 0, 1, before, after, ierr); OK ! dimensions count from 0 here, too
    EXPECT(before, modulo(rank - dims(2), size_of_world))
    EXPECT(after, modulo(rank + dims(2), size_of_world))
    call MPI_Cart_shift(grid, 1, 1, before, after, ierr); OK
    EXPECT(before, merge(MPI_PROC_NULL, rank - 1, mod(rank, dims(2)) == 0))
    call MPI_Cart_sub(grid, [.false., .true.], row, ierr); OK
    call MPI_Cart_get(row, 1, one, wrap, coordinates, ierr); OK
    CHECK(one(1) == dims(2) .and. .not. wrap(1) .and. coordinates(1) == mod(rank, dims(2)))
    call MPI_Comm_free(row, ierr); OK
    call MPI_Cart_map(MPI_COMM_WORLD, 2, dims, [.true., .false.], me, ierr); OK
    CHECK(me >= 0 .and. me < size_of_world)

    ! What each neighbour of the grid has: from the one before and the one after in each dimension.
    block
      integer :: in(4), want(4)

      in = -5
      call MPI_Cart_shift(grid, 0, 1, want(1), want(2), ierr); OK
      call MPI_Cart_shift(grid, 1, 1, want(3), want(4), ierr); OK
      call MPI_Neighbor_allgather(rank, 1, MPI_INTEGER, in, 1, MPI_INTEGER, grid, ierr); OK
      do i = 1, 4
        EXPECT(in(i), merge(-5, want(i), want(i) == MPI_PROC_NULL))
      end do
    end block
    call MPI_Comm_free(grid, ierr); OK
    call MPI_Topo_test(MPI_COMM_WORLD, kind_of, ierr); OK
    EXPECT(kind_of, MPI_UNDEFINED)
  end subroutine

  ! A ring, each edge both ways.
  subroutine graphs
    COMM_T :: graph
    integer :: ends(size_of_world), edges(2 * size_of_world), got(size_of_world), got_edges(2 * size_of_world)
    integer :: nodes, count_of, kind_of, neighbours(2), i, me

    if (size_of_world < 3) return
    ends = [(2 * i, i = 1, size_of_world)]
    edges = [(modulo(i - 1, size_of_world), modulo(i + 1, size_of_world), i = 0, size_of_world - 1)]
    call MPI_Graph_create(MPI_COMM_WORLD, size_of_world, ends, edges, .false., graph, ierr); OK
    call MPI_Topo_test(graph, kind_of, ierr); OK
    EXPECT(kind_of, MPI_GRAPH)
    call MPI_Graphdims_get(graph, nodes, count_of, ierr); OK
    CHECK(nodes == size_of_world .and. count_of == 2 * size_of_world)
    call MPI_Graph_get(graph, size_of_world, 2 * size_of_world, got, got_edges, ierr); OK
    CHECK(all(got == ends) .and. all(got_edges == edges))
    call MPI_Graph_neighbors_count(graph, rank, count_of, ierr); OK
    EXPECT(count_of, 2)
    call MPI_Graph_neighbors(graph, rank, 2, neighbours, ierr); OK
    CHECK(all(neighbours == [modulo(rank - 1, size_of_world), modulo(rank + 1, size_of_world)]))
    call MPI_Graph_map(MPI_COMM_WORLD, size_of_world, ends, edges, me, ierr); OK
    call MPI_Comm_free(graph, ierr); OK
  end subroutine

  ! From the two before, to the two after; with weights, without, and in the general form.
  subroutine distributed
    COMM_T :: graph
    integer :: in_degree, out_degree, kind_of, from(2), to(2), weights_in(2), weights_out(2), sources(2), targets(2), pass
    logical :: weighted

    from = modulo(rank - [1, 2], size_of_world)
    to = modulo(rank + [1, 2], size_of_world)
    do pass = 1, 4
      select case (pass)
      case (1)
        call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, from, MPI_UNWEIGHTED, 2, to, MPI_UNWEIGHTED, MPI_INFO_NULL, .false., &
          graph, ierr); OK
      case (2)
        call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, from, [10, 20], 2, to, [10, 20], MPI_INFO_NULL, .false., graph, ierr); OK
      case (3)
        call MPI_Dist_graph_create(MPI_COMM_WORLD, 1, [rank], [2], to, MPI_UNWEIGHTED, MPI_INFO_NULL, .false., graph, ierr); OK
      case (4)
        ! The last one knows all edges.
        block
          integer :: i, all_of(2 * size_of_world), w(2 * size_of_world), twos(size_of_world)

          twos = 2
          all_of = [(modulo(i + 1, size_of_world), modulo(i + 2, size_of_world), i = 0, size_of_world - 1)]
          w = [(10, 20, i = 1, size_of_world)]
          if (rank == size_of_world - 1) then
            call MPI_Dist_graph_create(MPI_COMM_WORLD, size_of_world, [(i, i = 0, size_of_world - 1)], twos, all_of, w, &
              MPI_INFO_NULL, .false., graph, ierr); OK
          else
            call MPI_Dist_graph_create(MPI_COMM_WORLD, 0, twos, twos, all_of, MPI_WEIGHTS_EMPTY, MPI_INFO_NULL, .false., graph, ierr)
            OK
          end if
        end block
      end select
      call MPI_Topo_test(graph, kind_of, ierr); OK
      EXPECT(kind_of, MPI_DIST_GRAPH)
      call MPI_Dist_graph_neighbors_count(graph, in_degree, out_degree, weighted, ierr); OK
      EXPECT(in_degree, 2)
      EXPECT(out_degree, 2)
      CHECK(weighted .eqv. mod(pass, 2) == 0)
      weights_in = -1
      if (weighted) then
        call MPI_Dist_graph_neighbors(graph, 2, sources, weights_in, 2, targets, weights_out, ierr); OK
        CHECK(sum(weights_in) == 30 .and. sum(weights_out) == 30)
        CHECK(weights_in(1) == merge(10, 20, sources(1) == from(1)) .or. from(1) == from(2))
      else
        call MPI_Dist_graph_neighbors(graph, 2, sources, MPI_UNWEIGHTED, 2, targets, MPI_UNWEIGHTED, ierr); OK
      end if
      CHECK(sum(sources) == sum(from) .and. sum(targets) == sum(to))
      if (pass <= 2) then
        CHECK(all(sources == from) .and. all(targets == to))
      end if
      if (pass == 2) call neighbourhoods(graph, from, to)
      call MPI_Comm_free(graph, ierr); OK
    end do
    ! Nobody has a neighbour.
    call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 0, from, MPI_WEIGHTS_EMPTY, 0, to, MPI_WEIGHTS_EMPTY, MPI_INFO_NULL, &
      .false., graph, ierr); OK
    call MPI_Dist_graph_neighbors_count(graph, in_degree, out_degree, weighted, ierr); OK
    CHECK(in_degree == 0 .and. out_degree == 0 .and. weighted)
    call MPI_Comm_free(graph, ierr); OK
  end subroutine

  subroutine neighbourhoods(graph, from, to)
    COMM_T, intent(in) :: graph
    integer, intent(in) :: from(2), to(2)
    integer :: out(2), in(2), want(2), counts(2), places(2), first_then_second(2)
    integer(aint) :: bytes(2), at(2)
    DATATYPE_T :: types(2)
    REQUEST_T :: request

    counts = 1
    places = [1, 0] ! the second's first
    bytes = 4 * places
    first_then_second = [0, 1]
    at = [0, 4]
    types = MPI_INTEGER
    out = rank * 100 + to
    want = from * 100 + rank
    in = -1
    call MPI_Neighbor_allgather(rank, 1, MPI_INTEGER, in, 1, MPI_INTEGER, graph, ierr); OK
    CHECK(all(in == from))
    call MPI_Neighbor_allgatherv(rank, 1, MPI_INTEGER, in, counts, places, MPI_INTEGER, graph, ierr); OK
    CHECK(all(in(2:1:-1) == from))
    if (from(1) == from(2)) return ! which of two edges between the same is whose?
    call MPI_Neighbor_alltoall(out, 1, MPI_INTEGER, in, 1, MPI_INTEGER, graph, ierr); OK
    CHECK(all(in == want))
    call MPI_Neighbor_alltoallv(out, counts, first_then_second, MPI_INTEGER, in, counts, places, MPI_INTEGER, graph, ierr); OK
    CHECK(all(in(2:1:-1) == want))
    in = -1
    call MPI_Neighbor_alltoallw(out, counts, at, types, in, counts, bytes, types, graph, ierr); OK
    CHECK(all(in(2:1:-1) == want))

    in = -1
    call MPI_Ineighbor_allgather(rank, 1, MPI_INTEGER, in, 1, MPI_INTEGER, graph, request, ierr); OK
    call done
    CHECK(all(in == from))
    call MPI_Ineighbor_allgatherv(rank, 1, MPI_INTEGER, in, counts, places, MPI_INTEGER, graph, request, ierr); OK
    call done
    CHECK(all(in(2:1:-1) == from))
    call MPI_Ineighbor_alltoall(out, 1, MPI_INTEGER, in, 1, MPI_INTEGER, graph, request, ierr); OK
    call done
    CHECK(all(in == want))
    call MPI_Ineighbor_alltoallv(out, counts, first_then_second, MPI_INTEGER, in, counts, places, MPI_INTEGER, graph, request, ierr); OK
    call done
    CHECK(all(in(2:1:-1) == want))
    in = -1
    call MPI_Ineighbor_alltoallw(out, counts, at, types, in, counts, bytes, types, graph, request, ierr); OK
    call done
    CHECK(all(in(2:1:-1) == want))

  contains

    subroutine done
      call MPI_Wait(request, MPI_STATUS_IGNORE, ierr); OK
    end subroutine
  end subroutine
end module

program main
  use topologies
  implicit none

  call conform_init
  call grids
  call graphs
  call distributed
  call conform_end
end program
