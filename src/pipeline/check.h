#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/boxed.h"
#include "base/result.h"
#include "decide/decision.h"
#include "facts/site_facts.h"
#include "kinds/knowledge.h"
#include "pipeline/config.h"
#include "pipeline/coverage.h"
#include "pipeline/discover.h"
#include "pipeline/excerpts.h"
#include "pipeline/local_images.h"
#include "pipeline/read_model.h"
#include "pipeline/rendered.h"
#include "pipeline/suppress.h"
#include "report/report.h"
#include "rulebook/rule_book.h"

namespace muster {

class Circumstances;
class KeptInput;

/// Called before each stage with what it is about to do; for progress on a terminal.
using Progress = std::function<void(const std::string& stage)>;

struct Options {
  std::vector<std::string> paths;
  std::string config;  ///< --config; empty: found above the first path
  std::vector<std::string> rule_folders;
  std::string fleet;                  ///< --fleet
  std::string workloads;              ///< --workloads
  Targets targets;                    ///< --target
  std::vector<std::string> sets;      ///< --set: settings and targets count, what is about facts is left to `decide`
  std::vector<std::string> select;    ///< --select: rules, patterns, families and planes
  std::vector<std::string> ignore;    ///< --ignore
  std::vector<std::string> excludes;  ///< --exclude: globs beside those of muster.yaml
  std::string stdin_name;             ///< --stdin-filename: what `-` is called
  std::string baseline;               ///< --baseline
  std::string since;                  ///< --since: a revision
  AmongOthers among;                  ///< of --shard
  bool read_ignored = false;          ///< --no-ignore
  std::string helm;                   ///< --render: the program that renders charts; empty: they are not
  bool keeps_trees = true;            ///< false: of the files, nothing is asked for behind the report
  bool one_run = false;               ///< the process ends after it: of the shipped rules only those it needs are read
  unsigned threads = 1;
  Date today;
  Progress progress;
  std::function<bool()> stopped;  ///< asked before each stage: true ends the check, with an error
};

/// Everything the stages made, in the order of the hallway.
struct Workspace {
  // Out of line: every unit that knows one would compile what all its members are made of.
  Workspace();
  Workspace(Workspace&&) noexcept;
  Workspace& operator=(Workspace&&) noexcept;
  ~Workspace();

  Config config;
  std::unique_ptr<const Knowledge> merged_knowledge;  ///< where a site has kinds, schedulers or operators of its own
  const Knowledge* knowledge = nullptr;               ///< that, or the shipped one
  std::unique_ptr<const RuleBook> merged_book;        ///< where a site changes the shipped one, or it is read in part
  const RuleBook* book = nullptr;                     ///< that, or the shipped one, which lives as long as the process
  Inputs inputs;
  std::vector<ParsedFile> parsed;
  Rendered rendered;
  std::vector<std::vector<Stranger>> strangers;    ///< by file; for `check` alone
  std::vector<std::vector<Allowance>> allowances;  ///< by file; empty: the trees are still there
  Model model;
  Site site;
  std::unique_ptr<const Circumstances> circumstances;  ///< that the decisions were made in
  Located<std::string> installed;                      ///< release of Slurm, as playbooks and Dockerfiles have it
  Located<std::string> installed_kubernetes;  ///< release of Kubernetes, as installers of control planes have it
  Boxed<Excerpt> excerpts;                    ///< for `check` alone
  LocalImages local_images;
  std::vector<Decision> decisions;
  std::optional<std::vector<Finding>>
      implausible;  ///< what cannot be true of the files together, once it was asked for
  std::vector<Finding> findings;
  std::vector<SuppressedFinding> suppressed;
  std::vector<Undecided> undecided;
};

/// Everything that is data: rules and tables, kinds, schedulers and operators.
struct Book {
  std::unique_ptr<const RuleBook> merged_rules;  ///< where a site changes some
  const RuleBook* rules = nullptr;
  std::unique_ptr<const Knowledge> merged;  ///< where a site has files about kinds, schedulers or operators
  const Knowledge* knowledge = nullptr;
};

/// The shipped rules with the folders of `options` and of `muster.yaml`, and what that changes, proved.
Result<Book> load_whole_book(const Options& options, const FileSystem& disk);
/// The same with everything that was found on the way. Fails only where files cannot be read.
Result<BookCheck> check_rule_book(const Options& options, const FileSystem& disk);

/// ForDecisions: where no workload asks for a decision and the site changes no rule, the book is not loaded, and `book`
/// is null. ForCheck: always, and what other texts quote is read, too.
enum class BookUse { Always, ForDecisions, ForCheck };

/// Reads configuration, rules and input and builds the model and the decisions: what every command needs.
Result<Workspace> read_workspace(const Options& options, const FileSystem& disk, BookUse use = BookUse::Always);

/// What was found in the files, and what cannot be true of them together, as rules, suppressions and muster.yaml have
/// it: what `check` says of them. Whether a suppression is used is for `check` to say.
void judge_files(const Options& options, const FileSystem& disk, Workspace& workspace);

/// The whole check. The workspace owns the text that the report shows. `kept`: what an earlier one left; nullptr: every
/// file is read.
Result<Report> check(const Options& options, const FileSystem& disk, Workspace& workspace, KeptInput* kept = nullptr);

}  // namespace muster
