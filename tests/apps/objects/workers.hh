// SPDX-License-Identifier: BSD-3-Clause
// workers.hh: threads inside a process.
#pragma once
#include "shape.hh"
#include <vector>

// Sum of all areas, by some threads; their exceptions come out here.
long sum_by_threads(const std::vector<shape::pointer> &shapes, int threads);
