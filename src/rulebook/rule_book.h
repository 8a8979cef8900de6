#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "facts/slurm_keys.h"
#include "rulebook/prove.h"
#include "rulebook/rule.h"
#include "rulebook/table.h"

namespace muster {

/// A file of rules: from the binary, or from a site's folder.
struct RuleSource {
  std::string path;
  std::string text;
};

/// What an input can need of the book.
struct NeededRules {
  std::set<std::string_view> collections;  ///< of which it has objects
  /// Whether the first condition of a rule may hold for one of them; without it any may.
  std::function<bool(const Collection& collection, std::string_view variable, std::string_view condition)> may_hold;
};

/// A row of a table as a site wants it.
struct RowOverride {
  std::string table;
  std::string row;
  bool off = false;                                      ///< as if the row were not there
  std::map<std::string, std::vector<std::string>> when;  ///< cells that replace the row's
  std::map<std::string, std::string> then;               ///< outputs that replace the row's
  std::string reason;
  std::string file;  ///< where it is written
  Position at;
};

/// What a site changes without writing rules.
struct RuleOverrides {
  std::map<std::string, std::optional<Severity>> severities;         ///< by rule; nothing: off
  std::map<std::string, std::map<std::string, std::string>> params;  ///< by rule and parameter
  std::vector<RowOverride> rows;
};

class RuleBook;
class LateRules;
struct DeleteLateRules {
  void operator()(const LateRules* late) const;
};

/// What came of reading a book: problems in the order of their files, and the book unless one of them refuses it.
struct BookCheck;

/// All rules and decision tables, checked. Values in expressions point into it: it stays where it is.
class RuleBook {
 public:
  RuleBook() = default;
  RuleBook(const RuleBook&) = delete;
  RuleBook& operator=(const RuleBook&) = delete;
  RuleBook(RuleBook&&) = default;
  RuleBook& operator=(RuleBook&&) = default;

  /// The book compiled into the binary.
  static Result<RuleBook> embedded(unsigned threads = 1);
  /// The same for an input that needs no more: other rules are only named until `find` is asked for them, and the
  /// tables are read only where there are workloads to decide about.
  static Result<RuleBook> embedded_for(const NeededRules& needed, unsigned threads = 1);
  /// That book with a site's files over it (same id replaces) and its overrides. Fails with everything that is wrong,
  /// each with its place.
  static Result<RuleBook> load(const std::vector<RuleSource>& overlay, const RuleOverrides& overrides,
                               unsigned threads = 1);
  /// The same with everything that was found; `origin` says by which measure.
  static BookCheck check(const std::vector<RuleSource>& overlay, const RuleOverrides& overrides, BookOrigin origin,
                         Proof proof = Proof::Run, unsigned threads = 1);

  /// Sorted by id.
  const std::vector<Rule>& rules() const { return rules_; }
  /// A rule that was only named is read then.
  const Rule* find(std::string_view id) const;
  /// In the order in which they feed each other.
  const std::vector<Table>& tables() const { return tables_; }
  const Table* find_table(std::string_view id) const;
  /// The facts and outcomes of all tables, cut into cells.
  const Space& space() const { return *space_; }
  /// Releases of a target that muster knows, oldest first.
  const std::vector<Version>& releases(const std::string& target) const;
  /// The first release of a target whose ways the rules know; none: as far back as anybody asks.
  const Version* known_since(const std::string& target) const;
  /// What the releases of Slurm make of the keys of its files.
  const SlurmKeyTable& slurm_keys() const { return slurm_keys_; }

 private:
  friend class BookLoader;
  static BookCheck read(const std::vector<RuleSource>& overlay, const RuleOverrides& overrides, BookOrigin origin,
                        Proof proof, unsigned threads, const NeededRules* needed);
  std::vector<Rule> rules_;
  std::unique_ptr<LateRules, DeleteLateRules> late_;
  std::vector<Table> tables_;
  std::unique_ptr<Space> space_;
  std::map<std::string, std::vector<Version>> releases_;
  std::map<std::string, Version> known_since_;
  SlurmKeyTable slurm_keys_;
};

struct BookCheck {
  std::optional<RuleBook> book;
  std::vector<BookProblem> problems;
  ProofStats stats;
};

}  // namespace muster
