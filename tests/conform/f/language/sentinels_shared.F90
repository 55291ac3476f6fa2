! SPDX-License-Identifier: BSD-3-Clause
#define PASS(name) shared_/**/name
#include "language/passing.h"
