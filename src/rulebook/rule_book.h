#pragma once

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "rulebook/rule.h"
#include "rulebook/table.h"

namespace muster {

/// A file of rules: from the binary, or from a site's folder.
struct RuleSource {
  std::string path;
  std::string text;
};

/// What a site changes without writing rules.
struct RuleOverrides {
  std::map<std::string, std::optional<Severity>> severities;                  ///< by rule; nothing: off
  std::map<std::string, std::map<std::string, std::string>> params;           ///< by rule and parameter
};

/// All rules and decision tables, checked. Values in expressions point into it: it stays where it is.
class RuleBook {
 public:
  RuleBook() = default;
  RuleBook(const RuleBook&) = delete;
  RuleBook& operator=(const RuleBook&) = delete;
  RuleBook(RuleBook&&) = default;
  RuleBook& operator=(RuleBook&&) = default;

  /// The book compiled into the binary.
  static Result<RuleBook> embedded();
  /// That book with a site's files over it (same id replaces) and its overrides. Fails with everything that is wrong,
  /// each with its place.
  static Result<RuleBook> load(const std::vector<RuleSource>& overlay, const RuleOverrides& overrides);

  /// Sorted by id.
  const std::vector<Rule>& rules() const { return rules_; }
  const Rule* find(std::string_view id) const;
  /// In the order in which they feed each other.
  const std::vector<Table>& tables() const { return tables_; }
  const Table* find_table(std::string_view id) const;
  /// Releases of a target that muster knows, oldest first.
  const std::vector<Version>& releases(const std::string& target) const;

 private:
  friend class BookLoader;
  std::vector<Rule> rules_;
  std::vector<Table> tables_;
  std::map<std::string, std::vector<Version>> releases_;
  std::deque<std::string> texts_;  ///< of parameters
};

}  // namespace muster
