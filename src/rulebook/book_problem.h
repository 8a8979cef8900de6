#pragma once

#include <string>
#include <vector>

#include "finding/rule_info.h"
#include "source/span.h"

namespace muster {

/// A value in a case that shows a problem.
struct WitnessValue {
  std::string name;  ///< of a fact, or table.output
  std::string text;
  bool quoted = true;  ///< false: a number or boolean
  friend bool operator==(const WitnessValue&, const WitnessValue&) = default;
};
/// A concrete case: facts first, then what tables decide of them.
using Witness = std::vector<WitnessValue>;

/// Something wrong with the rule book. An error refuses it.
struct BookProblem {
  Severity severity = Severity::Error;
  std::string check;    ///< syntax, gap, overlap, shadowed ...
  std::string subject;  ///< id of the table or rule; may be empty
  std::string message;
  std::string file;  ///< empty: it stands in no file
  Position at;
  Witness witness;  ///< may be empty
};

/// `path:line:column: message`, and the witness on a line of its own.
std::string to_text(const BookProblem& problem);
/// nodes=1, bare_metal=true
std::string to_text(const Witness& witness);

}  // namespace muster
