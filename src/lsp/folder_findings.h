#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "finding/rule_info.h"
#include "lsp/text_position.h"
#include "report/report.h"

namespace muster {

/// The other half of a contradiction, or a piece of a fix: a stretch of a file and what is said of it or comes there.
struct PlacedText {
  std::string path;  ///< absolute
  TextRange where;
  std::string text;
  friend bool operator==(const PlacedText&, const PlacedText&) = default;
};

/// A finding as an editor has it: it needs no texts to be looked up in.
struct PlacedFinding {
  std::string rule;
  Severity severity = Severity::Error;
  Effect effect = Effect::Risk;
  TextRange where;
  std::string message;
  std::string follows;
  std::string help;
  std::vector<PlacedText> related;
  std::optional<FixSafety> safety;  ///< set where there are edits
  std::vector<PlacedText> edits;
  friend bool operator==(const PlacedFinding&, const PlacedFinding&) = default;
};

/// What a check of a folder found, or what of that is different from what an earlier one found.
struct FolderFindings {
  /// By absolute path, in the order of the report. Of a difference: empty where there are none any more.
  std::map<std::string, std::vector<PlacedFinding>> files;
  std::map<std::string, RuleInfo> rules;         ///< that found something
  std::map<std::string, std::int64_t> versions;  ///< of the open files, by absolute path
};

/// Places what one check after the other of a folder finds, and of each but the first only what is different.
class FindingPlacer {
 public:
  /// Which check read a text first, as KeptInput::read_by says it.
  using ReadBy = std::function<std::optional<std::uint64_t>(FileId)>;

  /// `folder`: the one that the checks stand in, absolute.
  FindingPlacer(std::string folder, PositionEncoding encoding) : folder_(std::move(folder)), encoding_(encoding) {}

  /// The files whose findings are not those that stood in the same texts at the last call.
  FolderFindings place(const Report& report, const ReadBy& read_by);

 private:
  class Texts;
  struct Known {
    std::vector<Finding> findings;
    std::map<FileId, std::optional<std::uint64_t>> texts;  ///< that they point into, and who read them first
    std::string path;                                      ///< absolute
    std::uint64_t seen = 0;                                ///< at which call
  };
  static Known known(std::span<const Finding> findings, Texts& texts, const ReadBy& read_by);
  static bool is_same(const Known& known, std::span<const Finding> findings, const ReadBy& read_by);

  std::string folder_;
  PositionEncoding encoding_;
  std::map<std::string, Known> known_;  ///< by the path that is shown
  std::uint64_t calls_ = 0;
};

}  // namespace muster
