#pragma once

#include <cstdint>
#include <map>
#include <optional>
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

/// What a check of a folder found.
struct FolderFindings {
  std::map<std::string, std::vector<PlacedFinding>> files;  ///< by absolute path, in the order of the report
  std::map<std::string, RuleInfo> rules;                    ///< that found something
  std::map<std::string, std::int64_t> versions;             ///< of the open files, by absolute path
};

/// `folder`: the one that the check stood in, absolute.
FolderFindings place_findings(const Report& report, const std::string& folder, PositionEncoding encoding);

}  // namespace muster
