#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "finding/finding.h"

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
};

/// A file that would be ours once rendered.
struct SkippedTemplate {
  std::string file;
  std::string kind;
};

/// What a check found, ready to be written.
struct Report {
  const SourceMap* sources = nullptr;
  std::vector<Finding> findings;      ///< sorted, with fingerprints
  std::vector<Undecided> undecided;   ///< sorted
  std::vector<SkippedTemplate> templates;
  std::vector<RuleInfo> rules;        ///< those that findings name, sorted by id
  Summary summary;
};

enum class Color { Never, Always };

/// How to write.
struct RenderOptions {
  Color color = Color::Never;
  bool quiet = false;      ///< findings and nothing else
  std::string docs_url;    ///< where the rule reference is published
  std::string version;     ///< of muster
};

/// A report format; rows sorted by name.
struct ReportFormat {
  std::string_view name;
  std::string_view doc;
  std::string (*render)(const Report& report, const RenderOptions& options);
};
std::span<const ReportFormat> report_formats();
const ReportFormat* find_report_format(std::string_view name);

/// `rules.html#gang-min-below-size` of the published reference.
std::string rule_url(const RenderOptions& options, std::string_view rule);

std::string render_text(const Report& report, const RenderOptions& options);
std::string render_json(const Report& report, const RenderOptions& options);
std::string render_sarif(const Report& report, const RenderOptions& options);
std::string render_github(const Report& report, const RenderOptions& options);

}  // namespace muster
