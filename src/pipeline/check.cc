#include "pipeline/check.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <set>

#include "base/parallel.h"
#include "base/strings.h"
#include "decide/circumstances.h"
#include "decide/decide.h"
#include "decide/plausible.h"
#include "embed/assets.h"
#include "facts/manifest_facts.h"
#include "facts/platform_facts.h"
#include "lint/first_conditions.h"
#include "lint/lint.h"
#include "pipeline/application_folders.h"
#include "pipeline/applied_folders.h"
#include "pipeline/awaited_objects.h"
#include "pipeline/broken_files.h"
#include "pipeline/charts.h"
#include "pipeline/compose_files.h"
#include "pipeline/decided_schedulers.h"
#include "pipeline/early_files.h"
#include "pipeline/empty_files.h"
#include "pipeline/filled_elsewhere.h"
#include "pipeline/flux_scripts.h"
#include "pipeline/given_values.h"
#include "pipeline/kept_input.h"
#include "pipeline/left_open.h"
#include "pipeline/named_elsewhere.h"
#include "pipeline/other_clusters.h"
#include "pipeline/prove.h"
#include "pipeline/put_aside.h"
#include "pipeline/refused_pods.h"
#include "pipeline/rendered_charts.h"
#include "pipeline/rule_files.h"
#include "pipeline/selection.h"
#include "pipeline/site_files.h"
#include "pipeline/slips_in_text.h"
#include "pipeline/stack_monitors.h"
#include "pipeline/stated.h"
#include "pipeline/triton_models.h"
#include "pipeline/unlisted_manifests.h"
#include "slurm/stated_release.h"

namespace muster {

Workspace::Workspace() = default;
Workspace::Workspace(Workspace&&) noexcept = default;
Workspace& Workspace::operator=(Workspace&&) noexcept = default;
Workspace::~Workspace() = default;

namespace {

/// Says what comes next, unless it should not come.
std::optional<Error> begin(const Options& options, const std::string& stage) {
  if (options.stopped && options.stopped()) return Error{Error::Code::Usage, "stopped before " + stage};
  if (options.progress) options.progress(stage);
  return std::nullopt;
}

Result<Config> find_and_read_config(const Options& options, const FileSystem& disk) {
  if (!options.config.empty()) return read_config(options.config, disk);
  for (const std::string& path : options.paths) {
    // Standard input belongs to the repository one stands in.
    std::string there = path;
    if (path == "-") there = options.stdin_name.empty() ? "." : options.stdin_name;
    if (const std::optional<std::string> found = find_config(there, disk)) return read_config(*found, disk);
  }
  return Config{};
}

/// The kinds, schedulers and operators of a site over the shipped ones; `merged` where it has some.
std::optional<Error> find_knowledge(const SiteFiles& files, std::unique_ptr<const Knowledge>& merged,
                                    const Knowledge*& out) {
  out = &Knowledge::shipped();
  if (files.knowledge.empty()) return std::nullopt;
  std::vector<BookProblem> problems;
  merged = Knowledge::load(files.knowledge, problems);
  out = merged.get();
  if (merged != nullptr) return std::nullopt;
  std::vector<std::string> lines;
  for (const BookProblem& problem : problems) lines.push_back(to_text(problem));
  return Error{Error::Code::Rules,
               "the files of kinds, schedulers and operators cannot be used:\n" + join(lines, "\n")};
}

bool changes_book(const SiteFiles& files, const Config& config) {
  return !files.rules.empty() || !config.severities.empty() || !config.params.empty() || !config.rows.empty();
}

/// Whether the model says which rules can be needed: a suppression of muster.yaml may speak of any.
bool reads_rules_by_model(const Options& options, const SiteFiles& files, const Config& config) {
  return options.one_run && !changes_book(files, config) && config.suppressions.empty();
}

/// The book with what a site changes; `merged` where it changes something. As it is shipped it is loaded once in a
/// process.
std::optional<Error> find_rules(const SiteFiles& files, const Options& options, const Config& config,
                                std::unique_ptr<const RuleBook>& merged, const RuleBook*& out) {
  if (!changes_book(files, config)) {
    static const Result<RuleBook> kShipped = RuleBook::embedded(options.threads);
    if (!kShipped) return kShipped.error();
    out = &*kShipped;
    return std::nullopt;
  }
  Result<RuleBook> book = RuleBook::load(files.rules, {config.severities, config.params, config.rows}, options.threads);
  if (!book) return book.error();
  merged = std::make_unique<const RuleBook>(std::move(*book));
  out = merged.get();
  return std::nullopt;
}

std::optional<Error> find_book(const Options& options, const SiteFiles& files, Workspace& w) {
  const Config& config = w.config;
  if (reads_rules_by_model(options, files, config)) {
    std::vector<const Model*> models{&w.model};
    for (const Excerpt& excerpt : w.excerpts) models.push_back(&excerpt.model);
    NeededRules asked;
    for (const Model* model : models) add_collections_in(*model, asked.collections);
    FirstConditions conditions(std::move(models), w.site.targets);
    asked.may_hold = std::bind_front(&FirstConditions::may_hold, &conditions);
    Result<RuleBook> needed = RuleBook::embedded_for(asked, options.threads);
    if (!needed) return needed.error();
    w.merged_book = std::make_unique<const RuleBook>(std::move(*needed));
    w.book = w.merged_book.get();
    return std::nullopt;
  }
  return find_rules(files, options, config, w.merged_book, w.book);
}

/// The folders of muster.yaml, then those of --rules: the later one replaces.
std::vector<std::string> folders_of(const Options& options, const Config& config) {
  std::vector<std::string> out;
  for (const std::string& folder : config.rule_folders) out.push_back(config.folder + "/" + folder);
  out.insert(out.end(), options.rule_folders.begin(), options.rule_folders.end());
  return out;
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
  for (ConfigSetting& entry : config.operators) entry.place.file = id;
  for (auto& [target, place] : config.target_places) place.file = id;
}

/// Whether the paths hold everything that muster.yaml speaks of.
bool sees_all_of(const Config& config, const Options& options, const FileSystem& disk) {
  return std::ranges::any_of(options.paths, [&](const std::string& path) {
    const std::string absolute = path == "-" ? "-" : disk.absolute(path);
    return config.folder == absolute || config.folder.starts_with(absolute.ends_with('/') ? absolute : absolute + "/");
  });
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

Result<Inputs> find_inputs(const Options& options, const FileSystem& disk, KeptInput* kept, Workspace& w) {
  DiscoverOptions discovery{options.paths, files_of_our_own(options, w.config), w.config.excludes, w.config.folder};
  discovery.excludes.insert(discovery.excludes.end(), options.excludes.begin(), options.excludes.end());
  if (w.config.file.empty()) discovery.root = disk.absolute(".");
  discovery.stdin_name = options.stdin_name;
  discovery.among = options.among;
  if (options.read_ignored) discovery.ignored = DiscoverOptions::Ignored::Read;
  return kept != nullptr ? kept->discover(discovery, disk, w.findings) : discover(discovery, disk, w.findings);
}

/// The model of the files, and what of their trees is asked for behind it.
void make_model(const LinkOptions& linking, BookUse use, const ReadAhead& ahead, unsigned threads, Workspace& w) {
  std::vector<bool> ours(w.parsed.size());
  for (std::size_t i = 0; i < ours.size(); ++i) ours[i] = w.parsed[i].ours();
  if (ahead.early != nullptr) {
    ahead.early->note_rest(w.parsed, threads);
  } else if (use == BookUse::ForCheck) {
    w.strangers.resize(w.parsed.size());
    in_parallel(w.parsed.size(), threads, [&](std::size_t i) {
      w.strangers[i] = ahead.strangers(w.parsed[i], w.inputs.sources.file(static_cast<FileId>(i)));
    });
  }
  w.model = normalise_all(w.parsed, w.inputs, linking, w.findings, w.rendered.bundles, threads,
                          ahead);  // from here on nobody looks at YAML
  find_broken_files(w.inputs, ours, w.findings);
  find_slips_in_text(w.inputs, w.findings);
  find_unlisted_manifests(w.inputs, w.findings);
  find_empty_files(w.inputs, w.findings);
  find_rule_file_slips(w.inputs, w.findings);
  w.local_images.find_pulled(w.inputs, w.findings);
  find_late_namespaces(w.inputs, w.model, w.findings);
  find_objects_applied_again(w.inputs, w.model, w.findings);
  find_bare_folders(w.inputs, w.model, w.findings);
  find_emptied_variables(w.model, w.findings);
  find_refused_pods(w.inputs, w.model, w.findings);
  find_unselected_monitors(w.inputs, w.model, w.findings);
  find_compose_files(w.inputs, w.model, w.findings);
  find_awaited_objects(w.inputs, w.model, w.findings);
  find_triton_models(w.inputs, w.findings);
  forgive_named_elsewhere(w.inputs, w.model);
  if (ahead.early == nullptr) return;
  w.strangers = std::move(ahead.early->strangers);
  w.allowances = std::move(ahead.early->allowances);
}

/// Releases that count, of all and of each site.
void settle_releases(const Targets& given, Workspace& w) {
  w.installed = installed_slurm_release(w.inputs, w.model);
  w.installed_kubernetes = installed_kubernetes_release(w.inputs, w.model);
  w.site.targets = find_targets(
      {given, w.config, w.model, dumped_slurm_versions(w.parsed), w.installed, w.installed_kubernetes}, w.findings);
  // What a user says counts for all sites.
  const auto slurm = w.site.targets.find("slurm");
  const bool told = slurm != w.site.targets.end() && slurm->second.text() != w.installed.value;
  for (SlurmSite& site : w.model.slurm_sites) {
    if (told) site.release.reset();
    const bool common = slurm != w.site.targets.end() && (told || w.installed.field != kOfProse);
    // Folders of packages tell an older release, and nobody knows which.
    site.release_stated = site.release ? !site.release->is_rough() || site.release->text() >= kFirstKnownSlurm : common;
  }
}

/// Everything up to the model and the facts of the site.
std::optional<Error> read_model(const Options& options, const FileSystem& disk, BookUse use, KeptInput* kept,
                                Workspace& w) {
  if (std::optional<Error> error = begin(options, "reading files")) return error;
  Result<Inputs> inputs = find_inputs(options, disk, kept, w);
  // Nothing is read from disk after this line.
  if (!inputs) return inputs.error();
  w.inputs = std::move(*inputs);
  place_config(w.config, w.inputs.sources, disk);
  // What is stated beside the input; the stronger first.
  std::vector<std::string> sets = options.sets;
  Targets given = options.targets;
  LinkOptions linking;
  linking.schedulers = &w.knowledge->schedulers();
  if (std::optional<Error> error = take_stated(sets, *linking.schedulers, given, linking.stated)) return error;
  Result<std::vector<OperatorSetting>> configured = settings_of(w.config, *linking.schedulers);
  if (!configured) return configured.error();
  linking.stated.insert(linking.stated.end(), configured->begin(), configured->end());
  if (options.progress) options.progress("parsing " + count_of(w.inputs.files.size(), "file"));
  const KindTable& kinds = w.knowledge->kinds();
  const bool drops = use == BookUse::ForCheck && !keeps_files(options, w.config) && kept == nullptr;
  std::optional<EarlyFiles> early;
  if (drops) early.emplace(w.inputs, linking);
  w.parsed = kept != nullptr ? kept->parse(w.inputs, options.threads, w.findings, kinds)
                             : parse_all(w.inputs, options.threads, w.findings, kinds,
                                         early && options.helm.empty() ? &*early : nullptr);
  FoundCharts charts(w.inputs);
  check_charts(charts, w.inputs, w.findings);
  w.rendered = render_all(w.parsed, w.inputs, w.findings, kinds);
  if (std::optional<Error> error = begin(options, "rendering charts")) return error;
  const auto release = given.find("kubernetes");
  render_charts({options.helm, release == given.end() ? "" : release->second.text()}, charts, w.parsed, w.inputs, disk,
                w.findings, kinds, w.rendered);
  if (w.config.complete) linking.complete_bundles.push_back(w.config.folder);
  if (std::optional<Error> error = begin(options, "joining what belongs together")) return error;
  make_model(linking, use, {early ? &*early : nullptr, kept}, options.threads, w);
  if (use == BookUse::ForCheck) w.excerpts = read_excerpts(w.inputs, w.parsed, linking, kinds, options.threads);
  settle_releases(given, w);
  contradicted_settings(w.model, linking.stated, w.findings);
  w.site.facts = read_site_facts(w.model);
  add_platform_facts(w.model, w.site);
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

Report make_report(Workspace& w, Coverage coverage, Selected selected) {
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
  for (const std::string& rule : rules) {
    report.rules.push_back(w.book->find(rule)->info);
    RuleInfo& info = report.rules.back();
    // Also where a site replaces it: the section is still there.
    info.shipped = find_asset("rules/" + info.family + "/" + info.id + ".yaml") != nullptr;
  }
  report.summary.undecided = w.undecided.size();
  report.summary.suppressed = w.suppressed.size();
  report.summary.files = w.parsed.size() + w.inputs.skipped;
  report.summary.skipped = w.inputs.skipped;
  const std::map<FileId, std::size_t> quoted = excerpts_by_file(w.excerpts);
  for (const ParsedFile& file : w.parsed) {
    report.summary.artifacts += file.artifacts.size();
    if (!file.ours() && !quoted.contains(file.file)) ++report.summary.skipped;
    if (!file.template_kind) continue;
    ++report.summary.templates;
    report.templates.push_back({w.inputs.sources.file(file.file).path(), std::string(name_of(*file.template_kind)),
                                !file.artifacts.empty() || quoted.contains(file.file)});
  }
  for (const RenderedBundle& bundle : w.rendered.bundles) report.summary.artifacts += bundle.made_artifacts();
  report.coverage = std::move(coverage);
  report.configured = configured_by(w.config, w.inputs.excluded.size(), w.suppressed);
  report.selected = std::move(selected);
  report.suppressed = w.suppressed;
  const auto judged_by = [&](std::string_view target, const Located<std::string>& installed) {
    const auto found = w.site.targets.find(std::string(target));
    return found != w.site.targets.end() && found->second.text() == installed.value;
  };
  if (judged_by("slurm", w.installed)) report.installed_slurm = w.installed;
  if (judged_by("kubernetes", w.installed_kubernetes)) report.installed_kubernetes = w.installed_kubernetes;
  report.findings = std::move(w.findings);
  report.undecided = std::move(w.undecided);
  return report;
}

}  // namespace

Result<Book> load_whole_book(const Options& options, const FileSystem& disk) {
  Result<Config> config = find_and_read_config(options, disk);
  if (!config) return config.error();
  Result<SiteFiles> files = read_site_files(folders_of(options, *config), disk);
  if (!files) return files.error();
  Book out;
  if (std::optional<Error> error = find_knowledge(*files, out.merged, out.knowledge)) return *error;
  if (std::optional<Error> error = find_rules(*files, options, *config, out.merged_rules, out.rules)) return *error;
  return out;
}

Result<BookCheck> check_rule_book(const Options& options, const FileSystem& disk) {
  Result<Config> config = find_and_read_config(options, disk);
  if (!config) return config.error();
  Result<SiteFiles> files = read_site_files(folders_of(options, *config), disk);
  if (!files) return files.error();
  const bool shipped = files->rules.empty() && config->rows.empty();
  BookCheck out = RuleBook::check(files->rules, {config->severities, config->params, config->rows},
                                  shipped ? BookOrigin::Shipped : BookOrigin::Site, Proof::Run, options.threads);
  if (!files->knowledge.empty() && Knowledge::load(files->knowledge, out.problems) == nullptr) out.book.reset();
  return out;
}

namespace {

std::optional<Error> fill_workspace(const Options& options, const FileSystem& disk, BookUse use, KeptInput* kept,
                                    Workspace& w) {
  Result<Config> config = find_and_read_config(options, disk);
  if (!config) return config.error();
  w.config = std::move(*config);
  Result<SiteFiles> files = read_site_files(folders_of(options, w.config), disk);
  if (!files) return files.error();
  if (kept != nullptr && kept->give_book(w.config.text, *files, w)) {
    w.knowledge = w.merged_knowledge != nullptr ? w.merged_knowledge.get() : &Knowledge::shipped();
    w.book = w.merged_book.get();
  } else if (std::optional<Error> error = find_knowledge(*files, w.merged_knowledge, w.knowledge)) {
    return error;
  }
  const bool by_model = reads_rules_by_model(options, *files, w.config);
  const bool at_once = (use != BookUse::ForDecisions && !by_model) || changes_book(*files, w.config);
  if (at_once && w.book == nullptr) {
    if (std::optional<Error> error = find_book(options, *files, w)) return error;
  }
  if (std::optional<Error> error = read_model(options, disk, use, kept, w)) return error;
  if (use == BookUse::ForDecisions && w.model.workloads.empty()) return std::nullopt;
  if (w.book == nullptr) {
    if (std::optional<Error> error = find_book(options, *files, w)) return error;
  }
  if (std::optional<Error> error = begin(options, "deciding")) return error;
  w.circumstances = std::make_unique<const Circumstances>(w.model, *w.book, w.site);
  w.decisions = decide_all(w.model, *w.book, w.site, *w.circumstances);  // after this line the decisions are final
  relate_schedulers(w.model, w.decisions, w.knowledge->schedulers());
  return std::nullopt;
}

}  // namespace

Result<Workspace> read_workspace(const Options& options, const FileSystem& disk, BookUse use) {
  Workspace w;
  if (std::optional<Error> error = fill_workspace(options, disk, use, nullptr, w)) return *error;
  return w;
}

namespace {

/// Joins what readers, decoders and the prover found and what cannot be true to what the rules found; takes out what is
/// said twice, or allowed.
void judge_all(const Options& options, const FileSystem& disk, LintResult linted, Workspace& w) {
  if (!w.implausible) w.implausible = implausible(w.model, w.site.targets);
  drop_settled(w.model, *w.implausible);
  w.findings.insert(w.findings.end(), w.implausible->begin(), w.implausible->end());
  complete_from_rules(w.findings, *w.book);
  linted.findings.insert(linted.findings.end(), std::make_move_iterator(w.findings.begin()),
                         std::make_move_iterator(w.findings.end()));
  drop_said_twice(w.rendered, linted);
  drop_of_other_clusters(w.inputs, w.installed_kubernetes, linted.findings);
  w.local_images.drop_floating(w.inputs, linted.findings);
  settle_filled_elsewhere(w.inputs, linted.findings);
  soften_put_aside(linted.findings, w.inputs);
  w.suppressed =
      suppress(linted, {w.parsed, w.rendered.bundles, w.inputs, w.config, *w.book, options.today,
                        sees_all_of(w.config, options, disk), w.allowances.empty() ? nullptr : &w.allowances});
  w.findings = std::move(linted.findings);
  w.undecided = std::move(linted.undecided);
}

}  // namespace

void judge_files(const Options& options, const FileSystem& disk, Workspace& w) {
  judge_all(options, disk, {}, w);
  std::erase_if(w.findings, [](const Finding& finding) { return finding.rule == "suppression-unused"; });
  sort_findings(w.findings, w.inputs.sources);
}

Result<Report> check(const Options& options, const FileSystem& disk, Workspace& w, KeptInput* kept) {
  w = Workspace{};
  if (auto error = fill_workspace(options, disk, BookUse::ForCheck, kept, w)) return *error;
  Result<Selection> selection = read_selection(options.select, options.ignore, *w.book);
  if (!selection) return selection.error();
  Result<std::vector<ObjectSuppression>> suppressions = compile_suppressions(w.config, *w.book);
  if (!suppressions) return suppressions.error();
  if (std::optional<Error> error = begin(options, "checking")) return *error;
  LintInput input{w.model, w.decisions, *w.book, w.site.targets, *suppressions, options.threads};
  std::optional<std::vector<Finding>> proven;
  if (!keeps_files(options, w.config) && kept == nullptr && w.model.claim_uses.empty() && w.rendered.bundles.empty()) {
    proven = prove_for_check(w.model);  // both look at them, too
    if (!w.implausible) w.implausible = implausible(w.model, w.site.targets);
    input.behind_manifests = [&w] { drop_manifests(w.model, w.parsed); };
  }
  LintResult linted = lint(input);
  leave_unread_open(w, linted.undecided);
  std::ranges::move(lint_excerpts(w.excerpts, *w.book, w.site.targets, options.threads),
                    std::back_inserter(linted.findings));
  if (std::optional<Error> error = begin(options, "proving")) return *error;
  if (!proven) proven = prove_for_check(w.model);
  std::ranges::move(*proven, std::back_inserter(w.findings));
  drop_of_wrong_types(w.findings, w.inputs.sources, linted.undecided);
  judge_all(options, disk, std::move(linted), w);
  const std::size_t left_out = apply_selection(*selection, *w.book, w.findings, w.suppressed, w.undecided);
  sort_findings(w.findings, w.inputs.sources);
  sort_suppressed(w.suppressed, w.inputs.sources);
  name_findings(w);
  sort_undecided(w.undecided, w.inputs.sources);
  return make_report(w,
                     take_coverage(w.parsed, w.strangers, w.rendered, w.inputs, w.model, excerpts_by_file(w.excerpts)),
                     {selection->select, selection->ignore, options.excludes, left_out, w.inputs.excluded.size()});
}

}  // namespace muster
