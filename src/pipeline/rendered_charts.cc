#include "pipeline/rendered_charts.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "base/strings.h"
#include "helm/read_output.h"
#include "helm/run_helm.h"
#include "pipeline/chart_capabilities.h"
#include "pipeline/chart_folders.h"

namespace muster {
namespace {

/// What a chart is rendered from.
struct Chart {
  std::string folder;  ///< as it is shown; "" is the top
  FileId file = FileId::None;
  bool whole = true;
  std::vector<ChartText> texts;
  std::vector<std::string> values;  ///< paths of ci/*-values.yaml; the empty one is first
  std::map<std::string, FileId, std::less<>> templates;
  std::deque<std::string> kept;  ///< texts that are none of the input: of packed charts, and those that were changed
  std::vector<std::string> api_versions;  ///< that it asks for by their kinds
};

/// Top-level `key: value` of a Chart.yaml.
std::string_view value_of(std::string_view text, std::string_view key) {
  for (std::string_view line : split(text, '\n')) {
    if (!line.starts_with(key)) continue;
    line = trim(line.substr(key.size()));
    while (line.size() > 1 && (line.front() == '"' || line.front() == '\'')) line = line.substr(1, line.size() - 2);
    return trim(line.substr(0, line.find(" #")));
  }
  return {};
}

bool is_ci_values(std::string_view path) {
  return path.starts_with("ci/") && path.ends_with("-values.yaml") && path.find('/', 3) == path.npos;
}

/// Packed charts that it depends on: they are no text, so that they were not read with the input.
void add_packed(const std::string& folder, const FileSystem& disk, Chart& chart) {
  const Result<std::vector<FileSystem::Entry>> entries = disk.list(folder + "/charts");
  if (!entries) return;
  for (const FileSystem::Entry& entry : *entries) {
    const std::string path = folder + "/charts/" + entry.name;
    if (entry.link || entry.kind != FileSystem::Kind::File || !entry.name.ends_with(".tgz")) continue;
    if (disk.size(path) > kMaxFileSize) continue;
    Result<std::string> text = disk.read(path);
    if (!text) continue;
    chart.kept.push_back(std::move(*text));
    chart.texts.push_back({"charts/" + entry.name, chart.kept.back()});
  }
}

/// Every text as a cluster of that release sees it.
void answer_capabilities(const std::string& kubernetes, Chart& chart) {
  for (ChartText& file : chart.texts) {
    AskedVersions asked = asked_versions(file.text, kubernetes);
    std::ranges::move(asked.served, std::back_inserter(chart.api_versions));
    if (!asked.text.empty()) file.text = chart.kept.emplace_back(std::move(asked.text));
  }
}

/// A chart below the folder `charts` of another is rendered with it.
bool is_part_of_other(ChartFolders& charts, std::string_view folder) {
  const std::string_view above = folder_of(folder);
  if (folder.empty() || !(above == "charts" || above.ends_with("/charts"))) return false;
  return charts.contains(folder_of(above));
}

std::deque<Chart> charts_of(const Inputs& inputs) {
  ChartFolders folders = find_charts(inputs);
  std::deque<Chart> out;
  for (const auto& [folder, own] : folders) {
    const std::string_view text = inputs.sources.file(own.chart).text();
    if (is_part_of_other(folders, folder) || value_of(text, "type:") == "library") continue;
    Chart& chart = out.emplace_back();
    chart.folder = folder;
    chart.file = own.chart;
    chart.values.emplace_back();
    const std::string_view name = value_of(text, "name:");
    const std::string within = folder.empty() ? std::string() : std::string(folder) + "/";
    for (auto part = folders.lower_bound(folder); part != folders.end(); ++part) {
      if (part->first != folder && !part->first.starts_with(within)) continue;
      chart.whole &= part->second.whole;
      const std::string below(part->first.substr(std::min(within.size(), part->first.size())));
      for (const ChartFile& file : part->second.files) {
        std::string path = (below.empty() ? "" : below + "/") + std::string(file.path);
        if (below.empty() && is_ci_values(path)) chart.values.push_back(path);
        chart.templates.emplace(std::string(name) + "/" + path, file.file);
        chart.texts.push_back({std::move(path), file.text});
      }
    }
  }
  return out;
}

}  // namespace

void render_charts(const ChartRendering& how, std::vector<ParsedFile>& parsed, const Inputs& inputs,
                   const FileSystem& disk, std::vector<Finding>& findings, const KindTable& kinds, Rendered& rendered) {
  std::set<FileId> written;
  CustomKinds custom(parsed, paths_in(inputs));
  std::vector<Finding> found;
  for (Chart& chart : charts_of(inputs)) {
    const auto give_up = [&](std::string why) { rendered.not_rendered.push_back({chart.file, std::move(why), true}); };
    if (!chart.whole) {
      give_up("not all of it is read");
      continue;
    }
    add_packed(chart.folder.empty() ? "." : chart.folder, disk, chart);
    answer_capabilities(how.kubernetes, chart);
    for (const std::string& values : chart.values) {
      const std::string with = values.empty() ? "" : "with " + values + ": ";
      Result<std::string> output = run_helm({how.helm, chart.texts, values, how.kubernetes, chart.api_versions});
      if (!output) {
        give_up(with + output.error().message);
        continue;
      }
      ChartObjects made = read_helm_output(std::move(*output), chart.templates, inputs.sources);
      if (!made.trouble.empty()) give_up(with + made.trouble);
      RenderedBundle& bundle = rendered.bundles.emplace_back();
      bundle.made_by = chart.file;
      bundle.chart = true;
      bundle.objects = made.objects.size();
      bundle.elsewhere = made.elsewhere;
      for (const FileId file : made.templates) ++rendered.uses[file];
      written.insert(made.templates.begin(), made.templates.end());
      add_objects(made.objects, inputs, kinds, bundle);
      report_bundle(
          bundle, custom, [](FileId) { return false; }, found);
    }
  }
  for (const FileId file : written) {
    ParsedFile& part = parsed[static_cast<std::size_t>(file)];
    part.template_kind.reset();
    put_aside(part, "Helm renders it, and what it writes is judged");
  }
  // What was found in the text of a template holds; what was taken from its lines is known better now.
  std::erase_if(findings, [&](const Finding& finding) {
    return written.contains(finding.where.file) && finding.about != About::Text && !finding.rule.starts_with("helm-");
  });
  std::ranges::move(found, std::back_inserter(findings));
}

}  // namespace muster
