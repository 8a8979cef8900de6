#include "pipeline/merge.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "base/strings.h"
#include "embed/assets.h"
#include "pipeline/coverage.h"
#include "pipeline/read_result.h"
#include "rulebook/rule_book.h"
#include "syntax/json_reader.h"

namespace muster {
namespace {

constexpr std::string_view kResultVersion = "muster.check/v1";

Error no_result(const std::string& name, const std::string& why) {
  return {Error::Code::Usage,
          "`" + name + "` is no result that `muster check --format json` of this release writes: " + why};
}

/// Kinds of several results are one.
void join_kinds(std::vector<UnknownKind>& kinds) {
  std::map<std::pair<std::string, std::string>, UnknownKind> all;
  for (const UnknownKind& kind : kinds) {
    UnknownKind& sum = all[{kind.api, kind.kind}];
    sum = {kind.api, kind.kind, sum.objects + kind.objects, sum.with_gpus + kind.with_gpus};
  }
  kinds.clear();
  for (auto& [name, kind] : all) kinds.push_back(std::move(kind));
  sort_kinds(kinds);
}

void sort_known(std::vector<KnownFinding>& known, const SourceMap& sources) {
  std::ranges::stable_sort(known, [&](const KnownFinding& a, const KnownFinding& b) {
    const auto order = [&](const Finding& one) {
      return std::tuple(std::string_view(sources.file(one.where.file).path()), one.where.begin, one.where.end,
                        std::string_view(one.rule), std::string_view(one.message));
    };
    return order(a.finding) < order(b.finding);
  });
}

/// Words of several, which came in the order of the results; of one alone they stand as it has them.
void sort_words(std::string& list) {
  std::vector<std::string> words;
  constexpr std::string_view kBetween = ", ";
  std::size_t begin = 0;
  for (std::size_t at = list.find(kBetween); at != list.npos; at = list.find(kBetween, begin)) {
    words.push_back(list.substr(begin, at - begin));
    begin = at + kBetween.size();
  }
  words.push_back(list.substr(begin));
  std::ranges::sort(words);
  list = muster::join(words, kBetween);
}

void sort_sums(Report& report) {
  Configured& configured = report.configured;
  if (contains(configured.file, ", ")) {
    sort_words(configured.file);
    for (std::vector<std::string>* list : {&configured.off, &configured.severities, &configured.excludes})
      std::ranges::sort(*list);
  }
  for (std::string* words : {&report.compared.baseline, &report.compared.revision, &report.compared.commit})
    sort_words(*words);
  std::ranges::stable_sort(report.compared.stale, {}, &KeyedFindings::key);
}

void count_findings(Report& report) {
  Summary& summary = report.summary;
  for (const Finding& finding : report.findings) {
    std::size_t& count = finding.severity == Severity::Error     ? summary.errors
                         : finding.severity == Severity::Warning ? summary.warnings
                                                                 : summary.infos;
    ++count;
  }
  summary.undecided = report.undecided.size();
  summary.suppressed = report.suppressed.size();
  summary.known = report.known.size();
}

/// The words of the rules that are named; of a site's own as much as its findings say.
std::optional<Error> describe_rules(Report& report) {
  std::map<std::string, const Finding*> named;
  for (const Finding& finding : report.findings) named.try_emplace(finding.rule, &finding);
  for (const SuppressedFinding& one : report.suppressed) named.try_emplace(one.finding.rule, &one.finding);
  const Result<RuleBook> book = RuleBook::embedded();
  if (!book) return book.error();
  for (const auto& [rule, finding] : named) {
    const Rule* known = book->find(rule);
    RuleInfo& info = report.rules.emplace_back();
    if (known != nullptr) {
      info = known->info;
    } else {
      info.id = rule;
      info.severity = finding->severity;
      info.effect = finding->effect;
      info.plane = finding->plane;
      info.help = finding->help;
    }
    info.shipped = find_asset("rules/" + info.family + "/" + info.id + ".yaml") != nullptr;
  }
  return std::nullopt;
}

/// What is wrong where the shards do not make a whole; empty: nothing.
std::string missing_words(const std::vector<std::size_t>& missing, std::size_t of) {
  constexpr std::size_t kShown = 10;
  std::vector<std::string> numbers;
  for (std::size_t i = 0; i < std::min(missing.size(), kShown); ++i) numbers.push_back(std::to_string(missing[i]));
  const std::size_t more = missing.size() - numbers.size();
  return (missing.size() == 1 ? "shard " : "shards ") + join(numbers, ", ") +
         (more > 0 ? " and " + with_thousands(more) + " more" : "") + " of " + std::to_string(of) +
         (missing.size() == 1 ? " is" : " are") + " missing: run `muster check --shard " + numbers.front() + "/" +
         std::to_string(of) + "` with the same paths, and name " +
         (missing.size() == 1 ? "its result" : "the results") + ", too";
}

/// What the command line took out of a result, as words to compare.
std::string selection_of(const Node& root) {
  std::string out;
  for (const std::string_view key : {"select", "ignore", "excludes"}) {
    const Node list = root["selected"][key];
    for (std::size_t i = 0; i < list.size(); ++i) out.append(key).append(list.item(i).text()).append("\n");
  }
  return out;
}

}  // namespace

std::optional<Error> ResultMerger::add(const std::string& name, std::string text) {
  if (text.size() > kMaxSize) return no_result(name, "it is larger than 256 MiB");
  Part part;
  part.name = name;
  const FileId file = part.text.add(name, std::move(text));
  std::vector<Finding> findings;
  const bool whole = read_json(file, part.text.file(file).text(), part.document, findings);
  if (!findings.empty()) {
    const Position at = part.text.begin_of(findings.front().where);
    return no_result(name, "line " + std::to_string(at.line) + ": " + findings.front().message);
  }
  if (!whole || part.document.root()["version"].text() != kResultVersion)
    return no_result(name, "expected {\"version\": \"" + std::string(kResultVersion) + "\", ...}");
  const Node root = part.document.root();
  for (const std::string_view key : {"findings", "undecided", "suppressed", "known", "templates"}) {
    if (!root[key].is_sequence()) return no_result(name, "`" + std::string(key) + "` is missing");
  }
  if (!root["coverage"].is_mapping() || !root["summary"].is_mapping())
    return no_result(name, "`coverage` or `summary` is missing");
  if (!places_.add(part.document)) return no_result(name, "a `location` in it is none, or its lines are too many");
  parts_.push_back(std::move(part));
  return std::nullopt;
}

std::optional<Error> ResultMerger::shards_are_whole() const {
  const Shard first = *read_shard(parts_.front().document.root());
  const std::string& name = parts_.front().name;
  if (first.of < 1 || first.of > kMaxShards) return no_result(name, "there cannot be so many shards");
  std::map<std::size_t, const std::string*> numbers;
  for (const Part& part : parts_) {
    const Shard shard = *read_shard(part.document.root());
    if (shard.of != first.of)
      return Error{Error::Code::Usage, "`" + name + "` is one of " + std::to_string(first.of) + " shards and `" +
                                           part.name + "` one of " + std::to_string(shard.of) +
                                           ": merge the results of one run"};
    if (shard.fleet != first.fleet)
      return Error{Error::Code::Usage, "`" + name + "` and `" + part.name +
                                           "` are shards of different repositories: paths or folders changed between "
                                           "the runs; run all shards again over the same"};
    if (shard.number < 1 || shard.number > shard.of) return no_result(part.name, "there is no such shard");
    const auto [known, fresh] = numbers.try_emplace(shard.number, &part.name);
    if (!fresh)
      return Error{Error::Code::Usage, "`" + *known->second + "` and `" + part.name + "` are both shard " +
                                           std::to_string(shard.number) + " of " + std::to_string(shard.of) +
                                           ": name each shard once"};
  }
  std::vector<std::size_t> missing;
  for (std::size_t i = 1; i <= first.of; ++i) {
    if (!numbers.contains(i)) missing.push_back(i);
  }
  if (!missing.empty()) return Error{Error::Code::Usage, missing_words(missing, first.of)};
  return std::nullopt;
}

std::optional<Error> ResultMerger::say_nothing_twice() const {
  std::map<std::tuple<std::string, std::string, std::string>, const Part*> said;
  for (const Part& part : parts_) {
    const Node findings = part.document.root()["findings"];
    for (std::size_t i = 0; i < findings.size(); ++i) {
      const Node one = findings.item(i);
      const std::string file(one["location"]["file"].text());
      const auto [known, fresh] =
          said.try_emplace({file, std::string(one["rule"].text()), std::string(one["fingerprint"].text())}, &part);
      if (!fresh && known->second != &part)
        return Error{Error::Code::Usage, "`" + known->second->name + "` and `" + part.name + "` both look at `" + file +
                                             "`: run `muster check` where paths tell files apart, such as the folder "
                                             "around all repositories"};
    }
  }
  return std::nullopt;
}

std::optional<Error> ResultMerger::belong_together() const {
  std::size_t shards = 0;
  for (const Part& part : parts_) {
    if (read_shard(part.document.root())) ++shards;
    if (selection_of(part.document.root()) != selection_of(parts_.front().document.root()))
      return Error{Error::Code::Usage, "`" + parts_.front().name + "` and `" + part.name +
                                           "` were made with other --select, --ignore or --exclude: merge the results "
                                           "of one run"};
  }
  if (shards == 0) return say_nothing_twice();
  if (shards < parts_.size())
    return Error{Error::Code::Usage,
                 "some of these results are of --shard and some are not: merge the results of one run"};
  return shards_are_whole();
}

Result<Report> ResultMerger::merge(SourceMap& sources) {
  if (parts_.empty()) return Error{Error::Code::Usage, "name the results to merge"};
  if (std::optional<Error> error = belong_together()) return *error;
  std::optional<Shard> all = read_shard(parts_.front().document.root());
  if (!all) return join(sources);
  all->number = all->of = 1;
  all->repositories = all->all;
  all->failed.clear();
  for (const Part& part : parts_) {
    const Shard shard = *read_shard(part.document.root());
    all->failed.insert(all->failed.end(), shard.failed.begin(), shard.failed.end());
  }
  return join_parts(sources, std::move(*all));
}

Result<Report> ResultMerger::join_parts(SourceMap& sources, Shard shard) {
  Result<Report> report = join(sources);
  if (!report) return report;
  std::ranges::sort(shard.failed, {}, &UncheckedRepository::folder);
  report->shard = std::move(shard);
  return report;
}

Result<Report> ResultMerger::join(SourceMap& sources) {
  places_.settle(sources);
  Report report;
  report.sources = &sources;
  report.places_only = true;
  for (const Part& part : parts_) {
    const std::string wrong = read_result(part.document.root(), places_, report);
    if (!wrong.empty()) return no_result(part.name, wrong);
  }
  for (Located<std::string>* release : {&report.installed_slurm, &report.installed_kubernetes}) {
    if (!release->is_set()) *release = {};
  }
  sort_findings(report.findings, sources);
  sort_suppressed(report.suppressed, sources);
  sort_undecided(report.undecided, sources);
  sort_known(report.known, sources);
  std::ranges::stable_sort(report.templates, {}, &SkippedTemplate::file);
  Coverage& coverage = report.coverage;
  std::ranges::stable_sort(coverage.not_rendered, {}, &NotBuilt::file);
  std::ranges::stable_sort(coverage.lines, {}, &CoverageLine::file);
  join_kinds(coverage.unknown_kinds);
  join_kinds(coverage.checked_kinds);
  sort_sums(report);
  count_findings(report);
  if (std::optional<Error> error = describe_rules(report)) return *error;
  return report;
}

}  // namespace muster
