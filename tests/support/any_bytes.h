#pragma once

#include <string>

namespace muster::test {

/// What a check of one file with any bytes comes to.
struct AnyBytes {
  std::string broken_promise;  ///< empty when every place lies within its file and nothing lacks a place or a rule
  std::string report;          ///< all findings and what is undecided, for comparisons
};

/// The stages of a check over one file in memory, with the shipped rules loaded once. Names that end in muster.yaml are
/// read as configuration, too.
AnyBytes check_any_bytes(const std::string& name, const std::string& bytes);

}  // namespace muster::test
