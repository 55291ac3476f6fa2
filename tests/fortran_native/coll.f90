! SPDX-License-Identifier: BSD-3-Clause
! Collectives (MPI 5, 7.6): blocking and not, MPI_IN_PLACE, operators of the program's, arrays of datatypes, neighbours.
module coll_operators
  use, intrinsic :: iso_c_binding
  use mpi_f08
  implicit none
contains
  ! The product of 2x2 matrices does not commute.
  subroutine multiply(invec, inoutvec, len, datatype)
    type(c_ptr), value :: invec, inoutvec
    integer :: len
    type(MPI_Datatype) :: datatype
    integer, pointer :: a(:, :, :), b(:, :, :)
    integer :: i
    if (datatype == MPI_INTEGER) return ! cannot be
    call c_f_pointer(invec, a, [2, 2, len])
    call c_f_pointer(inoutvec, b, [2, 2, len])
    do i = 1, len
      b(:, :, i) = matmul(a(:, :, i), b(:, :, i))
    end do
  end subroutine
end module

program coll
  use, intrinsic :: iso_c_binding
  use mpi_f08
  use ep
  use harness
  use coll_operators
  implicit none
  call run(body)
contains
  subroutine body(world)
    type(ep_comm), intent(in) :: world
    integer :: rank, size
    call ep_comm_rank(world, rank)
    call ep_comm_size(world, size)
    call rooted(world, rank, size)
    call all_of_all(world, rank, size)
    call reductions(world, rank, size)
    call own_operator(world, rank, size)
    call not_blocking(world, rank, size)
    call neighbours(world, rank, size)
    call ep_barrier(world)
  end subroutine

  subroutine rooted(world, rank, size)
    type(ep_comm), intent(in) :: world
    integer, intent(in) :: rank, size
    integer :: root, i, counts(size), displs(size), x(3)
    integer, allocatable :: all(:)
    root = size - 1
    x = 0
    if (rank == root) x = [1, 2, 3]
    call ep_bcast(x, 3, MPI_INTEGER, root, world)
    call check(x(1) == 1 .and. x(3) == 3, 'bcast')
    allocate (all(2*size), source=-1)
    call ep_gather([rank, -rank], 2, MPI_INTEGER, all, 2, MPI_INTEGER, root, world)
    if (rank == root) then
      call check(sum(all) == 0 .and. all(2*size - 1) == root, 'gather')
      call ep_scatter(all, 2, MPI_INTEGER, MPI_IN_PLACE, 2, MPI_INTEGER, root, world)
    else
      call ep_scatter(all, 2, MPI_INTEGER, x, 2, MPI_INTEGER, root, world)
      call check(x(1) == rank .and. x(2) == -rank, 'scatter')
    end if
    counts = [(mod(i, 2) + 1, i = 1, size)]
    displs = [(2*(i - 1), i = 1, size)]
    all = -1
    call ep_gatherv([rank, rank], counts(rank + 1), MPI_INTEGER, all, counts, displs, MPI_INTEGER, root, world)
    if (rank == root) call check(all(1) == 0 .and. all(2*size - 1) == root, 'gatherv')
    x = 0
    call ep_reduce(rank + 1, x, 1, MPI_INTEGER, MPI_SUM, root, world)
    if (rank == root) call check(x(1) == size*(size + 1)/2, 'reduce')
    if (rank == root) then
      x(1) = rank
      call ep_reduce(MPI_IN_PLACE, x, 1, MPI_INTEGER, MPI_MAX, root, world)
      call check(x(1) == size - 1, 'reduce in place')
    else
      call ep_reduce(rank, x, 1, MPI_INTEGER, MPI_MAX, root, world)
    end if
  end subroutine

  subroutine all_of_all(world, rank, size)
    type(ep_comm), intent(in) :: world
    integer, intent(in) :: rank, size
    integer :: i, in(size), out(size), ones(size), displs(size)
    type(MPI_Datatype) :: types(size)
    in = [(100*rank + i, i = 0, size - 1)]
    call ep_alltoall(in, 1, MPI_INTEGER, out, 1, MPI_INTEGER, world)
    call check(all(out == [(100*i + rank, i = 0, size - 1)]), 'alltoall')
    call ep_allgather(rank, 1, MPI_INTEGER, out, 1, MPI_INTEGER, world)
    call check(all(out == [(i, i = 0, size - 1)]), 'allgather')
    out(rank + 1) = 7*rank
    call ep_allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, out, 1, MPI_INTEGER, world)
    call check(all(out == [(7*i, i = 0, size - 1)]), 'allgather in place')
    ones = 1
    displs = [(4*(size - i), i = 1, size)]
    types = MPI_INTEGER
    types(1) = MPI_INTEGER4
    call ep_alltoallw(in, ones, displs, types, out, ones, displs, types, world)
    call check(all(out == [(100*i + size - 1 - rank, i = size - 1, 0, -1)] ), 'alltoallw')
    call ep_alltoallv(in, ones, displs/4, MPI_INTEGER, out, ones, displs/4, MPI_INTEGER, world)
    call check(all(out == [(100*i + size - 1 - rank, i = size - 1, 0, -1)]), 'alltoallv')
  end subroutine

  subroutine reductions(world, rank, size)
    type(ep_comm), intent(in) :: world
    integer, intent(in) :: rank, size
    integer :: i, mine, total, all(size), counts(size)
    real(8) :: pair(2)
    logical :: l
    mine = rank + 1
    call ep_allreduce(mine, total, 1, MPI_INTEGER, MPI_SUM, world)
    call check(total == size*(size + 1)/2, 'allreduce')
    call ep_scan(mine, total, 1, MPI_INTEGER, MPI_SUM, world)
    call check(total == mine*(mine + 1)/2, 'scan')
    total = -1
    call ep_exscan(mine, total, 1, MPI_INTEGER, MPI_SUM, world)
    call check(total == merge(-1, rank*(rank + 1)/2, rank == 0), 'exscan')
    l = rank == 0
    call ep_allreduce(MPI_IN_PLACE, l, 1, MPI_LOGICAL, MPI_LOR, world)
    call check(l, 'allreduce of LOGICAL')
    pair = [real(mod(rank, 2), 8), real(rank, 8)]
    call ep_allreduce(MPI_IN_PLACE, pair, 1, MPI_2DOUBLE_PRECISION, MPI_MAXLOC, world)
    call check(pair(2) == merge(1, 0, size > 1), 'maxloc')
    all = [(i, i = 1, size)]
    call ep_reduce_scatter_block(all, total, 1, MPI_INTEGER, MPI_SUM, world)
    call check(total == size*mine, 'reduce_scatter_block')
    counts = 1
    call ep_reduce_scatter(all, total, counts, MPI_INTEGER, MPI_MAX, world)
    call check(total == mine, 'reduce_scatter')
    call ep_reduce_local(mine, total, 1, MPI_INTEGER, MPI_SUM)
    call check(total == 2*mine, 'reduce_local')
  end subroutine

  subroutine own_operator(world, rank, size)
    type(ep_comm), intent(in) :: world
    integer, intent(in) :: rank, size
    type(MPI_Op) :: op
    type(MPI_Datatype) :: type
    integer :: a(2, 2), b(2, 2), wanted(2, 2), i
    logical :: commutes
    call ep_op_create(multiply, .false., op)
    call ep_op_commutative(op, commutes)
    call check(.not. commutes, 'op_commutative')
    call MPI_Type_contiguous(4, MPI_INTEGER, type)
    call MPI_Type_commit(type)
    a = factor(rank)
    call ep_allreduce(a, b, 1, type, op, world)
    wanted = factor(0)
    do i = 1, size - 1
      wanted = matmul(wanted, factor(i))
    end do
    call check(all(b == wanted), 'an operator of the program')
    call ep_op_free(op)
    call check(op == MPI_OP_NULL, 'op_free')
    call MPI_Type_free(type)
  end subroutine

  function factor(rank)
    integer, intent(in) :: rank
    integer :: factor(2, 2)
    factor = reshape([1, mod(rank, 3), mod(rank, 2), 1], [2, 2])
  end function

  subroutine not_blocking(world, rank, size)
    type(ep_comm), intent(in) :: world
    integer, intent(in) :: rank, size
    type(ep_request) :: requests(3)
    integer, asynchronous :: mine, total, all(size), x
    integer :: i
    mine = rank
    x = merge(5, 0, rank == 0)
    call ep_iallreduce(mine, total, 1, MPI_INTEGER, MPI_SUM, world, requests(1))
    call ep_iallgather(mine, 1, MPI_INTEGER, all, 1, MPI_INTEGER, world, requests(2))
    call ep_ibcast(x, 1, MPI_INTEGER, 0, world, requests(3))
    call ep_waitall(3, requests, EP_STATUSES_IGNORE)
    call check(total == size*(size - 1)/2, 'iallreduce')
    call check(sum(abs(all - [(i, i = 0, size - 1)])) == 0, 'iallgather')
    call check(x == 5, 'ibcast')
    call ep_ibarrier(world, requests(1))
    call ep_wait(requests(1), EP_STATUS_IGNORE)
  end subroutine

  subroutine neighbours(world, rank, size)
    type(ep_comm), intent(in) :: world
    integer, intent(in) :: rank, size
    type(ep_comm) :: ring, graph
    integer :: dims(1), coords(1), topology, left, right, in(2), out(2), indegree, outdegree, sources(1), destinations(1)
    integer :: weights(1), ones(2)
    integer(MPI_ADDRESS_KIND) :: displs(2)
    logical :: periods(1), weighted
    call ep_cart_create(world, 1, [size], [.true.], .false., ring)
    call ep_topo_test(ring, topology)
    call check(topology == MPI_CART, 'topo_test')
    call ep_cart_get(ring, 1, dims, periods, coords)
    call check(dims(1) == size .and. periods(1) .and. coords(1) == rank, 'cart_get')
    call ep_cart_shift(ring, 0, 1, left, right)
    out = [rank, -rank]
    call ep_neighbor_alltoall(out, 1, MPI_INTEGER, in, 1, MPI_INTEGER, ring)
    call check(in(1) == -left .and. in(2) == right, 'neighbor_alltoall')
    ones = 1
    displs = [0, 4]
    in = 0
    call ep_neighbor_alltoallw(out, ones, displs, [MPI_INTEGER, MPI_INTEGER], in, ones, displs, [MPI_INTEGER, MPI_INTEGER], ring)
    call check(in(1) == -left .and. in(2) == right, 'neighbor_alltoallw')
    call ep_dist_graph_create_adjacent(world, 1, [left], MPI_UNWEIGHTED, 1, [right], MPI_UNWEIGHTED, MPI_INFO_NULL, .false., graph)
    call ep_dist_graph_neighbors_count(graph, indegree, outdegree, weighted)
    call check(indegree == 1 .and. outdegree == 1 .and. .not. weighted, 'dist_graph_neighbors_count')
    call ep_dist_graph_neighbors(graph, 1, sources, MPI_UNWEIGHTED, 1, destinations, MPI_UNWEIGHTED)
    call check(sources(1) == left .and. destinations(1) == right, 'dist_graph_neighbors')
    call ep_neighbor_allgather(rank, 1, MPI_INTEGER, in, 1, MPI_INTEGER, graph)
    call check(in(1) == left, 'neighbor_allgather')
    call ep_comm_free(graph)
    call ep_dist_graph_create_adjacent(world, 1, [left], [3], 1, [right], [4], MPI_INFO_NULL, .false., graph)
    call ep_dist_graph_neighbors(graph, 1, sources, weights, 1, destinations, ones)
    call check(weights(1) == 3 .and. ones(1) == 4, 'weights')
    call ep_comm_free(graph)
    call ep_comm_free(ring)
  end subroutine
end program
