#pragma once

#include <compare>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "finding/rule_info.h"

namespace muster {

/// What a finding is about, without lines and wording: the same while the finding is, wherever its text moves to.
struct FindingKey {
  std::string file;    ///< from a folder that both sides have in common
  std::string object;  ///< batch/v1/Job/ml/train; empty where nothing in the file has a name
  std::string rule;
  std::string field;  ///< spec.tasks[worker].replicas; the name alone where there is no path
  std::string about;  ///< the user's words in the message; what muster counts is none of them
  auto operator<=>(const FindingKey&) const = default;
};

/// As many findings as are equal in all that makes a key.
struct KeyedFindings {
  FindingKey key;
  Severity severity = Severity::Error;
  std::size_t count = 1;
  bool named = false;  ///< the object has the same name wherever it stands
};

/// Which later findings continue an earlier one.
struct Matching {
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  std::vector<bool> known;        ///< by later one, each of count 1
  std::vector<std::size_t> from;  ///< by later one: the earlier one that it continues, or kNone
  std::vector<std::size_t> left;  ///< by earlier one: how many of its count nothing continues
};

/// Whether the later files still have an object in a file; false where the file is gone.
using HoldsObject = std::function<bool(const std::string& file, const std::string& object)>;

/// Matches equal keys, each earlier finding with at most one later one; then those of an object whose API has another
/// version now; then those of named objects that their file does not hold any more with those of the same object in
/// another file. What is more severe now than it was is not
/// known. In n log n.
Matching match_findings(std::span<const KeyedFindings> earlier, std::span<const KeyedFindings> later,
                        const HoldsObject& holds);

/// batch/Job/ml/train of batch/v1/Job/ml/train; what is no object of Kubernetes as it is.
std::string without_api_version(std::string_view object);

/// The words of a message that stand in backticks.
std::string words_of_user(std::string_view message);

}  // namespace muster
