#pragma once

#include <string_view>

namespace muster {

/// Prints where and why to standard error and ends the process with exit code 3, the code of a bug in muster.
[[noreturn]] void fail_check(std::string_view file, int line, std::string_view condition, std::string_view why);

}  // namespace muster

/// What must hold if muster itself is right. Never for input: input errors are findings.
#define MUSTER_CHECK(condition, why) \
  ((condition) ? static_cast<void>(0) : ::muster::fail_check(__FILE__, __LINE__, #condition, why))
