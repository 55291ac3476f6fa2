// SPDX-License-Identifier: BSD-3-Clause
// C++: variables of namespaces, classes, templates and functions are symmetric, those with constructors too.
#include "check.h"

namespace outer {
namespace {
long hidden = 3;
}
struct Counter {
    static long of_class;
    long begun;
    Counter() : begun(42) {}
};
long Counter::of_class = 17;
Counter constructed;
template <typename T> struct Box {
    static T kept;
};
template <typename T> T Box<T>::kept = T(9);
inline long &local()
{
    static long value = Counter::of_class * 2; // at its first use
    return value;
}
} // namespace outer

template <typename T> static void exchange(T &variable, T begins, int round)
{
    CHECK_AT(variable == begins, round);
    shmem_barrier_all();
    T mine = T(shmem_my_pe() + round * 100);
    shmem_putmem(&variable, &mine, sizeof mine, right_of(1));
    shmem_barrier_all();
    CHECK_AT(variable == T(left_of(1) + round * 100), round);
    shmem_barrier_all();
}

int main()
{
    shmem_init();
    exchange(outer::hidden, 3L, 1);
    exchange(outer::local(), 34L, 2);
    exchange(outer::Counter::of_class, 17L, 3);
    exchange(outer::constructed.begun, 42L, 4);
    exchange(outer::Box<long>::kept, 9L, 5);
    exchange(outer::Box<double>::kept, 9.0, 6);
    return check_end();
}
