#pragma once

#include <optional>
#include <string>
#include <vector>

#include "finding/finding.h"
#include "lint/lint.h"
#include "rulebook/rule_book.h"

namespace muster {

/// Of which rules a report speaks. Words are ids of rules, patterns of them with `*`, families such as `slurm`, and
/// planes; a text may hold several between commas.
struct Selection {
  std::vector<std::string> select;  ///< empty: all of them
  std::vector<std::string> ignore;  ///< stronger
  bool says_something() const { return !select.empty() || !ignore.empty(); }
};

/// Splits what was given; an error for a word that means no rule of the book.
Result<Selection> read_selection(const std::vector<std::string>& select, const std::vector<std::string>& ignore,
                                 const RuleBook& book);

/// Takes out what is not selected and counts the findings among it. What is wrong with files themselves (family
/// `input`) need not be selected: a file that cannot be read must not pass for one without findings.
std::size_t apply_selection(const Selection& selection, const RuleBook& book, std::vector<Finding>& findings,
                            std::vector<SuppressedFinding>& suppressed, std::vector<Undecided>& undecided);

}  // namespace muster
