#include "pipeline/fix.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "base/strings.h"
#include "pipeline/gate.h"
#include "source/edited_files.h"

namespace muster {
namespace {

// A fix may show what it hid, which may have a fix of its own.
constexpr int kRounds = 4;
// Where fixes do not go together each is tried alone, at the price of a check.
constexpr std::size_t kMostTries = 40;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

struct Candidate {
  std::string rule;
  Severity severity = Severity::Error;
  std::string path;
  std::string place;
  std::vector<TextEdit> edits;
};

/// Whether a name says that a file is kept from before: `slurm.conf.bak`, `bak/slurm.conf`.
bool is_kept_copy(std::string_view path) {
  constexpr std::string_view kEndings[] = {".bak", ".old", ".orig", ".save", ".rpmsave", ".dpkg-old"};
  constexpr std::string_view kFolders[] = {"bak", "backup", "backups", "old"};
  const std::vector<std::string_view> parts = split(path, '/');
  return std::ranges::any_of(kEndings, [&](std::string_view ending) { return path.ends_with(ending); }) ||
         std::any_of(parts.begin(), std::prev(parts.end()),
                     [&](std::string_view part) { return std::ranges::find(kFolders, part) != std::end(kFolders); });
}

/// What a check came to, as far as a fix may not make it worse.
struct Outcome {
  using Counts = std::map<std::pair<std::string, std::string>, std::size_t>;  ///< by rule and file
  Counts findings;
  Counts grave;              ///< those of them that are more than worth knowing
  std::size_t left_out = 0;  ///< of rules that are not selected
  std::size_t undecided = 0;
  std::size_t artifacts = 0;      ///< nothing is found in what is not read any more
  std::size_t templates = 0;      ///< nor in what waits to be rendered
  std::set<std::string> unbuilt;  ///< kustomizations and charts
};

Outcome outcome_of(const Report& report) {
  Outcome out;
  out.left_out = report.selected.left_out;
  out.undecided = report.summary.undecided;
  out.artifacts = report.summary.artifacts;
  out.templates = report.summary.templates;
  for (const NotBuilt& one : report.coverage.not_rendered) out.unbuilt.insert(one.file);
  for (const Finding& finding : report.findings) {
    const std::pair<std::string, std::string> key{finding.rule, report.sources->file(finding.where.file).path()};
    ++out.findings[key];
    if (finding.severity != Severity::Info) ++out.grave[key];
  }
  return out;
}

/// How many of some counts are gone.
std::size_t gone_from(const Outcome::Counts& before, const Outcome::Counts& after) {
  std::size_t out = 0;
  for (const auto& [key, number] : before) {
    const auto left = after.find(key);
    out += number - std::min(number, left == after.end() ? 0 : left->second);
  }
  return out;
}

/// The same without some findings.
Outcome without(Outcome outcome, const std::vector<Candidate>& fixed) {
  for (const Candidate& one : fixed) {
    --outcome.findings[{one.rule, one.path}];
    if (one.severity != Severity::Info) --outcome.grave[{one.rule, one.path}];
  }
  return outcome;
}

/// What is worse than expected; empty where nothing is. What is only worth knowing may come, but none that was to go.
std::string worse_than(const Outcome& expected, const Outcome& now) {
  for (const auto& [key, number] : now.findings) {
    const auto found = expected.findings.find(key);
    const auto grave = now.grave.find(key);
    const auto grave_before = expected.grave.find(key);
    const bool more = found != expected.findings.end() && number > found->second;
    const bool graver =
        grave != now.grave.end() && grave->second > (grave_before == expected.grave.end() ? 0 : grave_before->second);
    if (more || graver) return "there would then be one more finding: " + key.first + " in " + key.second;
  }
  for (const std::string& file : now.unbuilt) {
    if (!expected.unbuilt.contains(file)) return file + " would then not be rendered";
  }
  if (now.templates > expected.templates) return "one file more would then wait to be rendered";
  if (now.left_out > expected.left_out) return "a rule that is not selected would then find more";
  if (now.undecided > expected.undecided) return "more would then be undecided";
  if (now.artifacts < expected.artifacts) return "fewer objects would then be read";
  return {};
}

/// The input with some files changed, checked.
struct CheckedState {
  std::map<std::string, std::string> texts;  ///< by absolute path
  std::unique_ptr<Workspace> workspace;
  Report report;
};

std::string edited(std::string_view text, const std::vector<const TextEdit*>& by_begin, std::size_t shift) {
  std::string out;
  std::size_t at = 0;
  for (const TextEdit* edit : by_begin) {
    out += text.substr(at, shift + edit->where.begin - at);
    out += edit->text;
    at = shift + edit->where.end;
  }
  return out.append(text.substr(at));
}

class Fixer {
 public:
  Fixer(const Options& options, bool unsafe, const FileSystem& disk)
      : options_(options), unsafe_(unsafe), disk_(disk) {}

  Result<FixRun> run(Workspace& workspace, Report& report) {
    CheckedState good{{}, std::make_unique<Workspace>(std::move(workspace)), std::move(report)};
    good.report.sources = &good.workspace->inputs.sources;
    const Outcome before = outcome_of(good.report);
    std::optional<Error> error = all_at_once(before, good);
    if (!error && !held_) error = one_by_one(good);
    workspace = std::move(*good.workspace);
    report = std::move(good.report);
    report.sources = &workspace.inputs.sources;
    if (error) return *error;
    for (const Finding& finding : report.findings)
      run_.unsafe += finding.fix && finding.fix->safety == FixSafety::Unsafe && !unsafe_ ? 1 : 0;
    run_.known = static_cast<std::size_t>(std::ranges::count_if(report.known, [&](const KnownFinding& one) {
      return one.finding.fix && (one.finding.fix->safety == FixSafety::Safe || unsafe_);
    }));
    run_.fixed = gone_from(before.findings, outcome_of(report).findings);
    for (auto& [absolute, after] : good.texts) {
      auto& [path, text] = originals_.at(absolute);
      run_.files.push_back({path, std::move(text), std::move(after)});
    }
    std::ranges::sort(run_.files, {}, &FixedFile::path);
    return std::move(run_);
  }

 private:
  /// Round after round, until nothing is left to fix; the last that keeps to what is expected stays.
  std::optional<Error> all_at_once(Outcome expected, CheckedState& good) {
    CheckedState state{good.texts, nullptr, {}};
    const Report* report = &good.report;
    for (int round = 0; round < kRounds; ++round) {
      const std::vector<Candidate> candidates = candidates_of(*report, round == 0);
      if (candidates.empty()) return std::nullopt;
      if (round == 0) expected = without(std::move(expected), candidates);
      Result<CheckedState> next = check_with(*report, candidates, state.texts);
      if (!next) return next.error();
      held_ = worse_than(expected, outcome_of(next->report)).empty();
      if (held_) {
        good = std::move(*next);
        state.texts = good.texts;
        report = &good.report;
      } else {
        state = std::move(*next);
        report = &state.report;
      }
    }
    return std::nullopt;
  }

  std::optional<Error> one_by_one(CheckedState& good) {
    std::set<std::pair<std::string, std::string>> tried;
    for (std::size_t tries = 0; tries < kMostTries; ++tries) {
      const std::vector<Candidate> candidates = candidates_of(good.report, false);
      const auto next = std::ranges::find_if(candidates, [&](const Candidate& one) {
        return !tried.contains({one.rule, one.path + one.edits.front().text});
      });
      if (next == candidates.end()) return std::nullopt;
      tried.insert({next->rule, next->path + next->edits.front().text});
      // What is alike in one file stands or falls together.
      std::vector<Candidate> alike;
      for (const Candidate& one : candidates) {
        if (one.rule == next->rule && one.path == next->path && one.edits.front().text == next->edits.front().text)
          alike.push_back(one);
      }
      const Outcome expected = without(outcome_of(good.report), alike);
      Result<CheckedState> state = check_with(good.report, alike, good.texts);
      if (!state) return state.error();
      const std::string worse = worse_than(expected, outcome_of(state->report));
      if (worse.empty()) {
        good = std::move(*state);
        held_ = true;
      } else {
        for (const Candidate& one : alike) run_.left.push_back({one.place, one.rule, worse});
      }
    }
    return std::nullopt;
  }

  /// What can be changed, and of what cannot the reason.
  std::vector<Candidate> candidates_of(const Report& report, bool tell) {
    std::vector<Candidate> out;
    std::set<Span> taken;
    for (const Finding& finding : report.findings) {
      if (!finding.fix || (finding.fix->safety == FixSafety::Unsafe && !unsafe_)) continue;
      const SourceFile& file = report.sources->file(finding.where.file);
      const std::string place = file.path() + ":" + std::to_string(file.position(finding.where.begin).line);
      std::vector<TextEdit> edits = edits_of(finding.fix, *report.sources);
      std::string why;
      if (edits.empty()) {
        why = finding.fix->remove ? "something else stands on its line, or the line is all that a branch has"
                                  : "its text is written in another way than expected";
      } else if (is_kept_copy(file.path())) {
        why = "its name says that the file is kept from before";
      } else if (!is_editable(report.sources->file(finding.fix->where.file))) {
        why = "it stands in no UTF-8 file of its own";
      } else if (std::ranges::any_of(edits, [&](const TextEdit& edit) { return overlaps(taken, edit); })) {
        why = "another fix changes the same place";
      }
      if (why.empty()) {
        for (const TextEdit& edit : edits) taken.insert(edit.where);
        out.push_back({finding.rule, finding.severity, file.path(), place, std::move(edits)});
      } else if (tell) {
        run_.left.push_back({place, finding.rule, why});
      }
    }
    return out;
  }

  static bool overlaps(const std::set<Span>& taken, const TextEdit& edit) {
    const auto behind = taken.upper_bound(edit.where);
    if (behind != taken.end() && behind->file == edit.where.file && behind->begin < edit.where.end) return true;
    if (behind == taken.begin()) return false;
    const Span& before = *std::prev(behind);
    return before.file == edit.where.file && before.end > edit.where.begin;
  }

  /// Whether what is on disk is the text that the check had, but for its mark.
  bool is_editable(const SourceFile& file) {
    const auto [known, fresh] = editable_.try_emplace(&file, false);
    if (!fresh) return known->second;
    if (disk_.kind(file.path()) != FileSystem::Kind::File) return false;
    const std::string absolute = disk_.absolute(file.path());
    if (is_link(file.path())) return false;
    if (originals_.contains(absolute)) return known->second = true;
    Result<std::string> raw = disk_.read(file.path());
    if (!raw) return false;
    const std::string_view text = raw->starts_with(kByteOrderMark) ? std::string_view(*raw).substr(3) : *raw;
    if (text != file.text()) return false;
    originals_.try_emplace(absolute, file.path(), std::move(*raw));
    return known->second = true;
  }

  /// What a link leads to may be anywhere, and is written by nobody who means the link.
  bool is_link(const std::string& path) const {
    const std::size_t slash = path.rfind('/');
    const Result<std::vector<FileSystem::Entry>> beside =
        disk_.list(slash == path.npos ? "." : path.substr(0, std::max<std::size_t>(slash, 1)));
    if (!beside) return true;
    const auto found = std::ranges::find(*beside, path.substr(slash + 1), &FileSystem::Entry::name);
    return found == beside->end() || found->link || found->kind != FileSystem::Kind::File;
  }

  Result<CheckedState> check_with(const Report& report, const std::vector<Candidate>& candidates,
                                  std::map<std::string, std::string> texts) {
    std::map<FileId, std::vector<const TextEdit*>> by_file;
    for (const Candidate& one : candidates) {
      for (const TextEdit& edit : one.edits) by_file[edit.where.file].push_back(&edit);
    }
    for (auto& [id, edits] : by_file) {
      std::ranges::stable_sort(edits, {}, [](const TextEdit* edit) { return edit->where.begin; });
      const std::string absolute = disk_.absolute(report.sources->file(id).path());
      const std::string& before = texts.contains(absolute) ? texts[absolute] : originals_.at(absolute).second;
      texts[absolute] = edited(before, edits, before.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0);
    }
    editable_.clear();
    CheckedState state{std::move(texts), std::make_unique<Workspace>(), {}};
    Result<Report> checked = gate(options_, EditedFiles(disk_, state.texts), *state.workspace);
    if (!checked) return checked.error();
    state.report = std::move(*checked);
    return state;
  }

  const Options& options_;
  bool unsafe_;
  const FileSystem& disk_;
  FixRun run_;
  bool held_ = true;                                                      ///< whether the last check was as expected
  std::map<std::string, std::pair<std::string, std::string>> originals_;  ///< by absolute path: as shown, and its bytes
  std::map<const SourceFile*, bool> editable_;
};

}  // namespace

Result<FixRun> fix_findings(const Options& options, bool unsafe, const FileSystem& disk, Workspace& workspace,
                            Report& report) {
  return Fixer(options, unsafe, disk).run(workspace, report);
}

}  // namespace muster
