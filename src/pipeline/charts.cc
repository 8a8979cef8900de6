#include "pipeline/charts.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "base/strings.h"
#include "helm/compared_numbers.h"
#include "helm/helm_ignore.h"
#include "helm/template_syntax.h"
#include "kubernetes/known_charts.h"
#include "pipeline/chart_folders.h"
#include "pipeline/chart_inputs.h"
#include "pipeline/given_values.h"
#include "syntax/yaml_reader.h"

namespace muster {
namespace {

/// The `/` of `.Values.limits.nvidia.com/gpu`, of which helm-value-path-broken speaks.
bool is_in_value_path(std::string_view text, std::size_t at) {
  if (at >= text.size() || (text[at] != '/' && text[at] != '-')) return false;
  std::size_t begin = at;
  while (begin > 0 && (is_word_char(text[begin - 1]) || text[begin - 1] == '.')) --begin;
  return text.substr(begin, at - begin).starts_with(".Values.");
}

void check_template_syntax(const ChartFolder& chart, std::vector<Finding>& findings) {
  const auto rules = std::ranges::find(chart.files, ".helmignore", &ChartFile::path);
  const helm::IgnoreRules ignored(rules == chart.files.end() ? std::string_view() : rules->text);
  for (const ChartFile& file : chart.files) {
    if (!file.path.starts_with("templates/") || !contains(file.text, "{{")) continue;
    if (ignored.ignores(std::string(file.path))) continue;
    const std::optional<TemplateTrouble> trouble = template_trouble(file.text);
    if (!trouble || is_in_value_path(file.text, trouble->begin)) continue;
    const Span where{file.file, static_cast<std::uint32_t>(trouble->begin), static_cast<std::uint32_t>(trouble->end)};
    Finding finding =
        problem(trouble->function ? "helm-function-unknown" : "helm-template-broken", where, trouble->why);
    finding.follows = "Helm refuses the whole chart";
    findings.push_back(std::move(finding));
  }
}

/// Numbers of a file of values are float64, and Go compares no float64 with an int. Source:
/// golang/go:src/text/template/funcs.go, eq and lt (1.25); helm/helm:pkg/chartutil/values.go, ReadValues (3.19).
void check_compared_numbers(const ChartFolder& chart, std::vector<Finding>& findings) {
  const auto values = std::ranges::find(chart.files, "values.yaml", &ChartFile::path);
  if (values == chart.files.end()) return;
  Document read;
  std::vector<Finding> ignored;
  const std::vector<Span> documents = split_yaml_documents(values->file, values->text);
  if (documents.empty() || !read_yaml(values->text, documents.front(), read, ignored)) return;
  for (const ChartFile& file : chart.files) {
    if (!file.path.starts_with("templates/") || !contains(file.text, ".Values")) continue;
    for (const helm::ComparedNumber& one : helm::compared_numbers(file.text)) {
      Node value = read.root();
      for (const std::string& key : one.value) value = value[key];
      if (!value.is_scalar() || value.style() != ScalarStyle::Plain || !parse_int(value.text())) continue;
      const Span where{file.file, static_cast<std::uint32_t>(one.begin), static_cast<std::uint32_t>(one.end)};
      Finding finding =
          problem("helm-number-compared", where,
                  "`" + one.function + " .Values." + join(one.value, ".") + " " + std::to_string(one.number) +
                      "` fails: the value is a float64, and " + std::to_string(one.number) + " is an int");
      finding.related.push_back({value.where(), "the value"});
      findings.push_back(std::move(finding));
    }
  }
}

/// Other files of values that are for this chart alone.
std::vector<ChartFile> values_for(std::string_view folder, const ChartFolder& chart,
                                  const std::vector<GivenValues>& given, const Inputs& inputs) {
  std::set<FileId> files;
  for (const ChartFile& file : chart.files) {
    if (is_values_to_try(file.path)) files.insert(file.file);
  }
  for (const GivenValues& one : given) {
    if (one.chart_known && one.chart == folder) files.insert(one.files.begin(), one.files.end());
  }
  std::vector<ChartFile> out;
  for (const FileId file : files) {
    const auto is_for_other = [&](const GivenValues& one) {
      return (!one.chart_known || one.chart != folder) && std::ranges::find(one.files, file) != one.files.end();
    };
    const std::string_view path = inputs.files[static_cast<std::size_t>(file)].context.path;
    if (std::ranges::none_of(given, is_for_other)) out.push_back({path, inputs.sources.file(file).text(), file});
  }
  return out;
}

/// Texts that may set values of a chart: commands, objects that install one, charts that bring one of a folder along.
std::vector<std::string_view> texts_with_values(const ChartFolders& folders, const Inputs& inputs) {
  constexpr std::array<std::string_view, 10> kSigns{
      "--set",        "kind: Application", "kind: HelmRelease", "helm_release", "kind: HelmChart",
      "valuesObject", "setValue",          "helmCharts:",       "releases:",    "kubernetes.core.helm"};
  std::vector<std::string_view> out;
  for (std::size_t i = 0; !folders.empty() && i < inputs.files.size(); ++i) {
    const std::string_view text = inputs.sources.file(static_cast<FileId>(i)).text();
    if (std::ranges::any_of(kSigns, [&](std::string_view sign) { return contains(text, sign); })) out.push_back(text);
  }
  for (const auto& [folder, chart] : folders) {
    const auto brings = [](const ChartFile& file) {
      return (file.path == "Chart.yaml" || file.path == "requirements.yaml") && contains(file.text, "file://");
    };
    if (std::ranges::none_of(chart.files, brings)) continue;
    for (const ChartFile& file : chart.files) {
      if (is_values_to_try(file.path) || file.path == "values.yaml") out.push_back(file.text);
    }
  }
  return out;
}

/// Files that a command gives to a chart of a repository elsewhere, and to no other.
void check_remote(const std::vector<GivenValues>& given, const Inputs& inputs, std::vector<Finding>& findings) {
  std::map<FileId, std::set<std::string_view>> charts;
  for (const GivenValues& one : given) {
    for (const FileId file : one.files) charts[file].insert(one.chart_known ? std::string_view("./") : one.remote);
  }
  for (const auto& [file, names] : charts) {
    if (names.size() != 1 || !is_known_chart(*names.begin())) continue;
    const std::string_view text = inputs.sources.file(file).text();
    const std::vector<Span> pieces = split_yaml_documents(file, text);
    std::vector<Finding> ignored;
    Document document;
    if (pieces.size() == 1 && read_yaml(text, pieces.front(), document, ignored))
      check_known_values(*names.begin(), document.root(), std::nullopt, findings);
  }
}

}  // namespace

void check_charts(FoundCharts& charts, const Inputs& inputs, std::vector<Finding>& findings) {
  std::optional<std::vector<std::string_view>> texts;  // few charts ask for them
  std::map<std::string, bool, std::less<>> known;
  const ValueToldOf told = [&](std::string_view name) {
    if (const auto found = known.find(name); found != known.end()) return found->second;
    if (!texts) texts = texts_with_values(charts.folders, inputs);
    return known[std::string(name)] =
               std::ranges::any_of(*texts, [&](std::string_view text) { return speaks_of_value(text, name); });
  };
  for (const auto& [folder, chart] : charts.folders) {
    if (!is_filled_in_before(chart, folder)) {
      check_template_syntax(chart, findings);
      check_compared_numbers(chart, findings);
    }
    const std::size_t slash = folder.rfind('/');
    const std::string_view above = slash == folder.npos ? std::string_view() : folder.substr(0, slash);
    const bool within = !folder.empty() && chart_around(charts.folders, above) != charts.folders.end();
    if (chart.whole())
      check_chart_values(chart.files, chart.subcharts, values_for(folder, chart, charts.given, inputs), told, within,
                         findings);
  }
  check_remote(charts.given, inputs, findings);
}

}  // namespace muster
