#include "base/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace muster {

void in_parallel(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::exception_ptr failure;
  std::size_t failed = count;  // the lowest number counts, so that the same failure is told however threads meet
  const auto take = [&] {
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        work(i);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (i < failed) failure = std::current_exception();
        failed = std::min(failed, i);
        next = count;
      }
    }
  };
  {
    std::vector<std::jthread> helpers;
    try {
      for (std::size_t t = 1; t < std::min<std::size_t>(threads, count); ++t) helpers.emplace_back(take);
    } catch (const std::system_error&) {
      // The machine gives no more threads: those there are do the work.
    }
    take();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace muster
