#include "pipeline/check.h"

#include <algorithm>
#include <set>

#include "base/strings.h"
#include "decide/decide.h"
#include "lint/lint.h"
#include "pipeline/coverage.h"
#include "pipeline/prove.h"
#include "pipeline/suppress.h"
#include "source/encoding.h"

namespace muster {
namespace {

void tell(const Options& options, const std::string& stage) {
  if (options.progress) options.progress(stage);
}

Result<Config> find_and_read_config(const Options& options, const FileSystem& disk) {
  if (!options.config.empty()) return read_config(options.config, disk);
  for (const std::string& path : options.paths) {
    // Standard input belongs to the repository one stands in.
    if (const std::optional<std::string> found = find_config(path == "-" ? "." : path, disk))
      return read_config(*found, disk);
  }
  return Config{};
}

std::optional<Error> add_rule_files(const std::string& folder, const FileSystem& disk, std::vector<RuleSource>& out) {
  Result<std::vector<FileSystem::Entry>> entries = disk.list(folder);
  if (!entries) return entries.error();
  for (const FileSystem::Entry& entry : *entries) {
    const std::string path = folder + "/" + entry.name;
    if (entry.kind == FileSystem::Kind::Folder) {
      if (std::optional<Error> error = add_rule_files(path, disk, out)) return error;
    } else if (entry.kind == FileSystem::Kind::File && entry.name.ends_with(".yaml")) {
      Result<std::string> text = disk.read(path);
      if (!text) return text.error();
      out.push_back({path, decode_text(std::move(*text)).text});
    }
  }
  return std::nullopt;
}

Result<std::vector<RuleSource>> read_overlay(const Options& options, const FileSystem& disk) {
  std::vector<RuleSource> overlay;
  for (const std::string& folder : options.rule_folders) {
    if (std::optional<Error> error = add_rule_files(folder, disk, overlay)) return *error;
  }
  return overlay;
}

Result<RuleBook> load_book(const Options& options, const FileSystem& disk, const Config& config) {
  Result<std::vector<RuleSource>> overlay = read_overlay(options, disk);
  if (!overlay) return overlay.error();
  return RuleBook::load(*overlay, {config.severities, config.params, config.rows}, options.threads);
}

bool changes_book(const Options& options, const Config& config) {
  return !options.rule_folders.empty() || !config.severities.empty() || !config.params.empty() || !config.rows.empty();
}

/// The shipped book as it is gets loaded once in a process.
std::optional<Error> find_book(const Options& options, const FileSystem& disk, Workspace& w) {
  const Config& config = w.config;
  if (!changes_book(options, config)) {
    static const Result<RuleBook> kShipped = RuleBook::embedded(options.threads);
    if (!kShipped) return kShipped.error();
    w.book = &*kShipped;
    return std::nullopt;
  }
  Result<RuleBook> merged = load_book(options, disk, config);
  if (!merged) return merged.error();
  w.merged_book = std::make_unique<const RuleBook>(std::move(*merged));
  w.book = w.merged_book.get();
  return std::nullopt;
}

/// --fleet and --workloads, else what muster.yaml names; they may stand outside the paths that are checked.
std::vector<std::string> files_of_our_own(const Options& options, const Config& config) {
  std::vector<std::string> out;
  const auto add = [&](const std::string& given, const std::string& configured) {
    if (!given.empty()) {
      out.push_back(given);
    } else if (!configured.empty()) {
      out.push_back(config.folder + "/" + configured);
    }
  };
  add(options.fleet, config.fleet);
  add(options.workloads, config.workloads);
  return out;
}

/// The text of muster.yaml joins the input's, behind all of its files, so that findings can point into it.
void place_config(Config& config, SourceMap& sources, const FileSystem& disk) {
  if (config.file.empty()) return;
  const std::string absolute = disk.absolute(config.file);
  const std::string shown = path_from(disk.absolute("."), absolute);
  const FileId id =
      sources.add(shown, config.text, shown.starts_with("..") ? absolute.substr(absolute.rfind('/') + 1) : shown);
  config.shown = shown;
  for (ConfigSuppression& entry : config.suppressions) entry.place.file = id;
}

/// Whether the paths hold everything that muster.yaml speaks of.
bool sees_all_of(const Config& config, const Options& options, const FileSystem& disk) {
  return std::ranges::any_of(options.paths, [&](const std::string& path) {
    const std::string absolute = path == "-" ? "-" : disk.absolute(path);
    return config.folder == absolute || config.folder.starts_with(absolute.ends_with('/') ? absolute : absolute + "/");
  });
}

/// Given on the command line, else in muster.yaml, else in the fleet file, else in a dump.
Targets find_targets(const Options& options, const Config& config, const Model& model,
                     const std::optional<std::string>& dumped) {
  Targets targets = options.targets;
  targets.insert(config.targets.begin(), config.targets.end());
  for (const Fleet& fleet : model.fleets) {
    for (const FleetControlPlane& plane : fleet.control_planes) {
      const std::string name = plane.kind.value == "k3s" ? "kubernetes" : plane.kind.value;
      const std::optional<Version> version =
          plane.version.is_set() ? Version::parse(plane.version.value) : std::nullopt;
      if (version && target_type().find(name) != nullptr) targets.emplace(name, *version);
    }
  }
  const std::optional<Version> slurm = dumped ? Version::parse(*dumped) : std::nullopt;
  if (slurm) targets.emplace("slurm", *slurm);
  return targets;
}

Result<std::vector<ObjectSuppression>> compile_suppressions(const Config& config, const RuleBook& book) {
  std::vector<ObjectSuppression> out;
  for (std::size_t i = 0; i < config.suppressions.size(); ++i) {
    const ConfigSuppression& entry = config.suppressions[i];
    const Rule* rule = book.find(entry.rule);
    if (rule == nullptr) {
      std::vector<std::string_view> known;
      for (const Rule& other : book.rules()) known.push_back(other.info.id);
      return Error{Error::Code::Usage,
                   config.file + ": suppress: there is no rule `" + entry.rule + "`" + did_you_mean(entry.rule, known)};
    }
    if (entry.where.empty()) continue;
    if (rule->collection == nullptr)
      return Error{Error::Code::Usage, config.file + ": suppress: `" + entry.rule + "` has no objects; use `path`"};
    CompileEnv env;
    env.variables = {{rule->variable, Type{TypeKind::Object, nullptr, nullptr, rule->collection->element, {}}},
                     {"target", Type{TypeKind::Object, nullptr, nullptr, &target_type(), {}}}};
    std::vector<ExprIssue> issues;
    std::optional<Expr> where = Expr::compile(entry.where, env, issues);
    if (!where)
      return Error{Error::Code::Usage, config.file + ": suppress: " + entry.where + ": " + issues.front().message};
    out.push_back({entry.rule, std::move(*where), i});
  }
  return out;
}

/// Everything up to the model and the facts of the site.
std::optional<Error> read_model(const Options& options, const FileSystem& disk, Workspace& w) {
  tell(options, "reading files");
  DiscoverOptions discovery{options.paths, files_of_our_own(options, w.config), w.config.excludes, w.config.folder};
  if (options.read_ignored) discovery.ignored = DiscoverOptions::Ignored::Read;
  Result<Inputs> inputs = discover(discovery, disk, w.findings);  // nothing is read from disk after this line
  if (!inputs) return inputs.error();
  w.inputs = std::move(*inputs);
  place_config(w.config, w.inputs.sources, disk);
  tell(options, "parsing " + count_of(w.inputs.files.size(), "file"));
  w.parsed = parse_all(w.inputs, options.threads, w.findings);
  LinkOptions linking;
  linking.stated = w.config.operators;
  if (w.config.complete) linking.complete_bundles.push_back(w.config.folder);
  tell(options, "joining what belongs together");
  w.model = normalise_all(w.parsed, w.inputs, linking, w.findings);  // from here on nobody looks at YAML
  w.site.targets = find_targets(options, w.config, w.model, dumped_slurm_version(w.parsed));
  w.site.facts = read_site_facts(w.model);
  return std::nullopt;
}

/// Fingerprints of all findings; what is suppressed takes none from what is not.
void name_findings(Workspace& w) {
  const std::size_t kept = w.findings.size();
  for (SuppressedFinding& entry : w.suppressed) w.findings.push_back(entry.finding);
  assign_fingerprints(w.findings, w.inputs.sources);
  for (std::size_t i = 0; i < w.suppressed.size(); ++i)
    w.suppressed[i].finding.fingerprint = w.findings[kept + i].fingerprint;
  w.findings.resize(kept);
}

/// What muster.yaml takes out of the report.
Configured what_is_configured(const Workspace& w) {
  Configured out;
  if (w.config.file.empty()) return out;
  out.file = w.config.shown;
  for (const auto& [rule, severity] : w.config.severities) {
    if (!severity) out.off.push_back(rule);
    if (severity) out.severities.push_back(rule + "=" + std::string(name_of(*severity)));
  }
  out.excludes = w.config.excludes;
  out.excluded = w.inputs.excluded.size();
  out.suppressed = static_cast<std::size_t>(
      std::ranges::count(w.suppressed, SuppressedFinding::Where::Config, &SuppressedFinding::said));
  return out;
}

Report make_report(Workspace& w, Coverage coverage) {
  Report report;
  report.sources = &w.inputs.sources;
  std::set<std::string> rules;
  for (const SuppressedFinding& entry : w.suppressed) rules.insert(entry.finding.rule);
  for (const Finding& finding : w.findings) {
    rules.insert(finding.rule);
    std::size_t& count = finding.severity == Severity::Error     ? report.summary.errors
                         : finding.severity == Severity::Warning ? report.summary.warnings
                                                                 : report.summary.infos;
    ++count;
  }
  for (const std::string& rule : rules) report.rules.push_back(w.book->find(rule)->info);
  report.summary.undecided = w.undecided.size();
  report.summary.suppressed = w.suppressed.size();
  report.summary.files = w.parsed.size() + w.inputs.skipped;
  report.summary.skipped = w.inputs.skipped;
  for (const ParsedFile& file : w.parsed) {
    report.summary.artifacts += file.artifacts.size();
    if (!file.ours()) ++report.summary.skipped;
    if (!file.template_kind) continue;
    ++report.summary.templates;
    report.templates.push_back({w.inputs.sources.file(file.file).path(), std::string(name_of(*file.template_kind))});
  }
  report.coverage = std::move(coverage);
  report.configured = what_is_configured(w);
  report.suppressed = w.suppressed;
  report.findings = std::move(w.findings);
  report.undecided = std::move(w.undecided);
  return report;
}

}  // namespace

Result<RuleBook> load_rule_book(const Options& options, const FileSystem& disk) {
  Result<Config> config = find_and_read_config(options, disk);
  if (!config) return config.error();
  return load_book(options, disk, *config);
}

Result<BookCheck> check_rule_book(const Options& options, const FileSystem& disk) {
  Result<Config> config = find_and_read_config(options, disk);
  if (!config) return config.error();
  Result<std::vector<RuleSource>> overlay = read_overlay(options, disk);
  if (!overlay) return overlay.error();
  const bool shipped = overlay->empty() && config->rows.empty();
  return RuleBook::check(*overlay, {config->severities, config->params, config->rows},
                         shipped ? BookOrigin::Shipped : BookOrigin::Site, Proof::Run, options.threads);
}

Result<Workspace> read_workspace(const Options& options, const FileSystem& disk, BookUse use) {
  Workspace w;
  Result<Config> config = find_and_read_config(options, disk);
  if (!config) return config.error();
  w.config = std::move(*config);
  if (use == BookUse::Always || changes_book(options, w.config)) {
    if (std::optional<Error> error = find_book(options, disk, w)) return *error;
  }
  if (std::optional<Error> error = read_model(options, disk, w)) return *error;
  if (use == BookUse::ForDecisions && w.model.workloads.empty()) return w;
  if (w.book == nullptr) {
    if (std::optional<Error> error = find_book(options, disk, w)) return *error;
  }
  tell(options, "deciding");
  w.decisions = decide_all(w.model, *w.book, w.site);  // after this line the decisions are final
  return w;
}

Result<Report> check(const Options& options, const FileSystem& disk, Workspace& workspace) {
  Result<Workspace> read = read_workspace(options, disk);
  if (!read) return read.error();
  workspace = std::move(*read);
  Workspace& w = workspace;
  Result<std::vector<ObjectSuppression>> suppressions = compile_suppressions(w.config, *w.book);
  if (!suppressions) return suppressions.error();

  tell(options, "checking");
  LintResult linted = lint({w.model, w.decisions, *w.book, w.site.targets, *suppressions});
  tell(options, "proving");
  for (Finding& finding : prove_for_check(w.model)) w.findings.push_back(std::move(finding));
  complete_from_rules(w.findings, *w.book);  // of readers, decoders and the prover
  linted.findings.insert(linted.findings.end(), std::make_move_iterator(w.findings.begin()),
                         std::make_move_iterator(w.findings.end()));
  w.suppressed =
      suppress(linted, {w.parsed, w.inputs, w.config, *w.book, options.today, sees_all_of(w.config, options, disk)});
  w.findings = std::move(linted.findings);
  w.undecided = std::move(linted.undecided);
  sort_findings(w.findings, w.inputs.sources);
  sort_suppressed(w.suppressed, w.inputs.sources);
  name_findings(w);
  sort_undecided(w.undecided, w.inputs.sources);
  return make_report(w, take_coverage(w.parsed, w.inputs, options.threads));
}

}  // namespace muster
