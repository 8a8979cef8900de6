#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "finding/matching.h"
#include "source/located.h"

namespace muster {

struct Summary {
  std::size_t errors = 0;
  std::size_t warnings = 0;
  std::size_t infos = 0;
  std::size_t undecided = 0;
  std::size_t suppressed = 0;
  std::size_t artifacts = 0;  ///< objects and files that muster knows
  std::size_t files = 0;      ///< all that were looked at
  std::size_t skipped = 0;    ///< none of ours, binary, empty or too large
  std::size_t templates = 0;  ///< ours once rendered
  std::size_t known = 0;      ///< there before, as a baseline or a revision has it; in none of the counts above
};

/// A file that would be ours once rendered.
struct SkippedTemplate {
  std::string file;
  std::string kind;
  bool in_part = false;  ///< its lines without marks were checked
};

/// Objects of one kind that muster does not know.
struct UnknownKind {
  std::string api;  ///< acme.io/v1
  std::string kind;
  std::size_t objects = 0;
  std::size_t with_gpus = 0;  ///< with a pod template whose containers ask for accelerators
};

/// A kustomization that muster does not build, or a chart that Helm does not render, and why: its files are judged one
/// by one.
struct NotBuilt {
  std::string file;
  std::string why;
  bool chart = false;
};

/// What became of one file: read, fields checked, unknown kind, rendered, not rendered, template, too large, ignored,
/// excluded or foreign; where it holds both, a line for each.
struct CoverageLine {
  std::string fate;
  std::string file;
  std::string detail;
};

/// What became of everything that was found; objects where they can be counted, else files.
struct Coverage {
  std::size_t read = 0;                    ///< objects and files that muster knows
  std::vector<UnknownKind> unknown_kinds;  ///< those with most GPUs first
  std::vector<UnknownKind> checked_kinds;  ///< not read, but their fields were gone through; none with GPUs
  std::size_t quoted = 0;                  ///< batch scripts and manifests that texts for people and scripts quote
  std::size_t templates = 0;
  std::size_t too_large = 0;
  std::size_t ignored = 0;             ///< by git, by their name or by muster.yaml; a folder counts once
  std::size_t foreign = 0;             ///< none of ours, binary, empty or unreadable
  std::size_t rendered = 0;            ///< kustomizations that were built
  std::size_t charts = 0;              ///< renderings of charts
  std::vector<NotBuilt> not_rendered;  ///< what was not
  std::vector<CoverageLine> lines;     ///< by file

  std::size_t unknown_with_gpus() const {
    std::size_t sum = 0;
    for (const UnknownKind& kind : unknown_kinds) sum += kind.with_gpus;
    return sum;
  }
};

/// What muster.yaml takes out of a report.
struct Configured {
  std::string file;                     ///< muster.yaml; empty when there is none
  std::vector<std::string> off;         ///< rules
  std::vector<std::string> severities;  ///< `rule=severity`
  std::vector<std::string> excludes;    ///< globs
  std::size_t excluded = 0;             ///< files and folders they leave out
  std::size_t suppressed = 0;           ///< findings that its `suppress` covers

  bool says_something() const { return !off.empty() || !severities.empty() || !excludes.empty() || suppressed > 0; }
};

/// What the command line takes out of a report.
struct Selected {
  std::vector<std::string> select;    ///< rules, patterns, families and planes; empty: all
  std::vector<std::string> ignore;    ///< likewise
  std::vector<std::string> excludes;  ///< globs
  std::size_t left_out = 0;           ///< findings of rules that are not selected
  std::size_t excluded = 0;           ///< files and folders left out by globs, those of muster.yaml among them

  bool says_something() const { return !select.empty() || !ignore.empty() || !excludes.empty(); }
};

/// A repository of several that could not be checked.
struct UncheckedRepository {
  std::string folder;
  std::string why;
};

/// Which of several repositories, each checked by itself, a report is about.
struct Shard {
  std::size_t number = 1;                   ///< from 1
  std::size_t of = 1;                       ///< shards that together hold every repository once
  std::size_t repositories = 0;             ///< in this one
  std::size_t all = 0;                      ///< in all of them
  std::string fleet;                        ///< made of the names of all: equal in shards that belong together
  std::vector<UncheckedRepository> failed;  ///< by folder
};

/// A finding that was there before: it fails nothing.
struct KnownFinding {
  enum class By { Baseline, Revision };
  Finding finding;
  By by = By::Baseline;
};

/// What the findings were held against.
struct Compared {
  std::string baseline;               ///< the file as it is shown; empty: none
  std::string revision;               ///< as it was named; empty: none
  std::string commit;                 ///< its id
  std::vector<KeyedFindings> stale;   ///< what the baseline has and the input has not any more
  std::size_t undecided = 0;          ///< what was open at the revision already, and is not listed again
  std::vector<std::string> not_compared;  ///< submodules that differ and that could not be read: a line each

  bool any() const { return !baseline.empty() || !revision.empty(); }
};

/// What a check found, ready to be written.
struct Report {
  const SourceMap* sources = nullptr;
  std::vector<Finding> findings;     ///< sorted, with fingerprints; of those that were compared, the new ones
  std::vector<Undecided> undecided;  ///< sorted
  std::vector<SkippedTemplate> templates;
  std::vector<SuppressedFinding> suppressed;  ///< sorted, with fingerprints
  std::vector<RuleInfo> rules;                ///< those that findings name, suppressed ones too, sorted by id
  Coverage coverage;
  Configured configured;
  Selected selected;
  Compared compared;
  std::vector<KnownFinding> known;            ///< sorted, with fingerprints
  Located<std::string> installed_slurm;       ///< the release that was taken from what installs it; absent: none was
  Located<std::string> installed_kubernetes;  ///< as `installed_slurm`
  std::optional<Shard> shard;                 ///< absent: one run over all of its input
  bool places_only = false;                   ///< read from results: `sources` have lines, but not what stands in them
  Summary summary;
};

enum class Color { Never, Always };

/// How to write.
struct RenderOptions {
  Color color = Color::Never;
  bool quiet = false;     ///< findings and nothing else
  bool coverage = false;  ///< what became of each file
  std::string rules_url;  ///< of the published docs/rules.md; empty: it is not published, and nothing links to it
  std::string version;    ///< of muster
  std::optional<Severity> fail_on = Severity::Error;  ///< what fails the run, and what is graver; absent: nothing
  bool fail_on_unknown = false;                       ///< what is undecided fails it, too

  bool fails(Severity severity) const { return fail_on && severity <= *fail_on; }
};

/// A report format; rows sorted by name.
struct ReportFormat {
  std::string_view name;
  std::string_view doc;
  std::string (*render)(const Report& report, const RenderOptions& options);
};
std::span<const ReportFormat> report_formats();
/// The names of the rows of such a table.
template <typename Format>
std::vector<std::string> names_of_formats(std::span<const Format> formats) {
  std::vector<std::string> out;
  for (const Format& format : formats) out.emplace_back(format.name);
  return out;
}
const ReportFormat* find_report_format(std::string_view name);

/// The section of a rule in the published reference; empty where there is none.
std::string rule_url(const RenderOptions& options, const RuleInfo& rule);
/// What the report knows about a rule; nullptr where no finding names it.
const RuleInfo* find_rule(const Report& report, std::string_view id);

std::string render_text(const Report& report, const RenderOptions& options);
std::string render_json(const Report& report, const RenderOptions& options);
std::string render_sarif(const Report& report, const RenderOptions& options);
std::string render_github(const Report& report, const RenderOptions& options);
std::string render_github_summary(const Report& report, const RenderOptions& options);
std::string render_markdown(const Report& report, const RenderOptions& options);
std::string render_gitlab(const Report& report, const RenderOptions& options);
std::string render_junit(const Report& report, const RenderOptions& options);
std::string render_checkstyle(const Report& report, const RenderOptions& options);
std::string render_rdjson(const Report& report, const RenderOptions& options);

}  // namespace muster
