// SPDX-License-Identifier: BSD-3-Clause
#include "workers.hh"
#include <exception>
#include <mutex>
#include <thread>

namespace {

std::mutex lock;
long collected = 0;

// Each thread's own; what it holds is handed over when the thread ends.
class purse {
  public:
    ~purse()
    {
        std::lock_guard<std::mutex> guard(lock);
        collected += held_;
    }
    void add(long value) { held_ += value; }

  private:
    long held_ = 0;
};

thread_local purse mine;

void work(const std::vector<shape::pointer> &shapes, std::size_t from, std::size_t stride,
          std::exception_ptr &failure)
{
    try {
        for (std::size_t i = from; i < shapes.size(); i += stride) {
            if (!shapes[i])
                throw std::invalid_argument("no shape at " + std::to_string(i));
            mine.add(shapes[i]->twice_area());
        }
    } catch (...) {
        failure = std::current_exception();
    }
}

} // namespace

long sum_by_threads(const std::vector<shape::pointer> &shapes, int threads)
{
    const std::size_t count = static_cast<std::size_t>(threads);
    std::vector<std::thread> team;
    std::vector<std::exception_ptr> failures(count);
    collected = 0;
    for (std::size_t t = 0; t < count; t++)
        team.emplace_back(work, std::cref(shapes), t, count, std::ref(failures[t]));
    for (std::thread &t : team)
        t.join();
    for (const std::exception_ptr &f : failures)
        if (f)
            std::rethrow_exception(f);
    return collected;
}
