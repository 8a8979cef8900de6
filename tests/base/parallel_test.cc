#include "base/parallel.h"

#include <atomic>
#include <stdexcept>

#include "support/catch.h"

using muster::in_parallel;

TEST_CASE("each number is worked on once, by as many threads as there are", "[parallel]") {
  for (const unsigned threads : {1U, 4U}) {
    std::vector<int> seen(1000);
    in_parallel(seen.size(), threads, [&](std::size_t i) { ++seen[i]; });
    CHECK(seen == std::vector<int>(1000, 1));
  }
}

TEST_CASE("what a thread throws is thrown to the caller, and the process goes on", "[parallel]") {
  for (const unsigned threads : {1U, 4U}) {
    const auto work = [](std::size_t i) {
      if (i % 10 == 7) throw std::runtime_error("number " + std::to_string(i));
    };
    CHECK_THROWS_AS(in_parallel(1000, threads, work), std::runtime_error);
  }
  std::string said;
  try {
    in_parallel(2, 2, [](std::size_t i) { throw std::runtime_error("number " + std::to_string(i)); });
  } catch (const std::runtime_error& error) {
    said = error.what();
  }
  CHECK((said == "number 0" || said == "number 1"));  // of those that were tried, the lowest
}
