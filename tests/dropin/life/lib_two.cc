// SPDX-License-Identifier: BSD-3-Clause
// A library that needs another one.
#include <cstdio>

extern "C" int one(void);
extern "C" int two(void);

namespace {
struct sum {
    int ranks;
    sum()
        : ranks(one())
    {
    }
    ~sum() { std::printf("two ends\n"); }
};
}

int two(void)
{
    static sum s;
    return s.ranks += one();
}
