#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "decide/decision.h"
#include "facts/site_facts.h"
#include "pipeline/config.h"
#include "pipeline/discover.h"
#include "pipeline/read_model.h"
#include "report/report.h"
#include "rulebook/rule_book.h"

namespace muster {

/// Called before each stage with what it is about to do; for progress on a terminal.
using Progress = std::function<void(const std::string& stage)>;

struct Options {
  std::vector<std::string> paths;
  std::string config;              ///< --config; empty: found above the first path
  std::vector<std::string> rule_folders;
  std::string fleet;               ///< --fleet
  std::string workloads;           ///< --workloads
  Targets targets;                 ///< --target
  unsigned threads = 1;
  Date today;
  Progress progress;
  RuleBook* ready_book = nullptr;  ///< the shipped book of an earlier check; taken, where nothing overrides it, instead of reading it anew
};

/// Everything the stages made, in the order of the hallway.
struct Workspace {
  Config config;
  RuleBook book;
  Inputs inputs;
  std::vector<ParsedFile> parsed;
  Model model;
  Site site;
  std::vector<Decision> decisions;
  std::vector<Finding> findings;
  std::vector<SuppressedFinding> suppressed;
  std::vector<Undecided> undecided;
};

/// The shipped rules with the folders of `options` and what `muster.yaml` changes, proved.
Result<RuleBook> load_rule_book(const Options& options, const FileSystem& disk);
/// The same with everything that was found on the way. Fails only where files cannot be read.
Result<BookCheck> check_rule_book(const Options& options, const FileSystem& disk);

/// Reads configuration, rules and input and builds the model and the decisions: what every command needs.
Result<Workspace> read_workspace(const Options& options, const FileSystem& disk);

/// The whole check. The workspace owns the text that the report shows.
Result<Report> check(const Options& options, const FileSystem& disk, Workspace& workspace);

}  // namespace muster
