#include "pipeline/chart_inputs.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "base/strings.h"
#include "pipeline/chart_folders.h"
#include "pipeline/given_values.h"

namespace muster {
namespace {

constexpr std::size_t kMostValues = 24;  // times that one chart is rendered, first with nothing but its own
constexpr int kMostSteps = 5;            ///< charts beside charts beside charts

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

/// A chart below the folder `charts` of another is rendered with it.
bool is_part_of_other(const ChartFolders& charts, std::string_view folder) {
  const std::string_view above = folder_of(folder);
  if (folder.empty() || !(above == "charts" || above.ends_with("/charts"))) return false;
  return charts.contains(folder_of(above));
}

/// `../common/tgi` beside `charts/chat`: charts/common/tgi. Nothing where it leads out.
std::optional<std::string> resolved(std::string_view folder, std::string_view path) {
  std::vector<std::string_view> parts;
  for (const std::string_view text : {folder, path}) {
    for (const std::string_view part : split(text, '/')) {
      if (part.empty() || part == ".") continue;
      if (part != "..") {
        parts.push_back(part);
      } else if (parts.empty()) {
        return std::nullopt;
      } else {
        parts.pop_back();
      }
    }
  }
  std::string out;
  for (const std::string_view part : parts)
    out += (out.empty() && !folder.starts_with('/') ? "" : "/") + std::string(part);
  return out;
}

/// Folders of the charts that one names by `repository: file://PATH`.
std::vector<std::string> charts_beside(std::string_view folder, const ChartFolder& chart) {
  std::vector<std::string> out;
  for (const ChartFile& file : chart.files) {
    if (file.path != "Chart.yaml" && file.path != "requirements.yaml") continue;
    for (std::string_view line : split(file.text, '\n')) {
      line = trim(line);
      if (line.starts_with("- ")) line = trim(line.substr(2));
      constexpr std::string_view kBefore = "repository:";
      if (!line.starts_with(kBefore)) continue;
      line = trim(line.substr(kBefore.size()));
      if (line.starts_with('"') || line.starts_with('\'')) line = line.substr(1, line.find(line[0], 1) - 1);
      constexpr std::string_view kFile = "file://";
      if (!line.starts_with(kFile)) continue;
      if (auto path = resolved(folder, trim(line.substr(kFile.size())))) out.push_back(std::move(*path));
    }
  }
  return out;
}

/// Whether a chart is another one without the file.
bool decides(std::string_view path) {
  return path.starts_with("templates/") || path.starts_with("charts/") || path == "Chart.yaml" ||
         path == "values.yaml" || path == ".helmignore";
}

class ChartCollector {
 public:
  ChartCollector(ChartFolders& folders, ChartInput& out) : folders_(folders), out_(out) {}

  /// Adds a chart and what is within it below `prefix`, "" or charts/NAME/, then those beside it.
  void add(std::string_view folder, const std::string& prefix, const std::string& name, int steps) {
    const auto own = folders_.find(folder);
    if (own == folders_.end()) return;
    take(*own, "", prefix, name);
    const std::string within = folder.empty() ? std::string() : std::string(folder) + "/";
    for (auto part = folders_.lower_bound(within); part != folders_.end() && part->first.starts_with(within); ++part) {
      if (part != own) take(*part, std::string(part->first.substr(within.size())) + "/", prefix, name);
    }
    if (steps == 0) return;
    std::set<std::string> once;
    for (const std::string& beside : charts_beside(folder, own->second)) {
      const std::string below = prefix + "charts/" + beside.substr(beside.rfind('/') + 1) + "/";
      const auto is_there = [&](const ChartText& file) { return file.path.starts_with(below); };
      if (!folders_.contains(beside) || beside == folder || !once.insert(beside).second) continue;
      if (std::ranges::none_of(out_.texts, is_there)) add(beside, below, name, steps - 1);
    }
  }

 private:
  void take(const ChartFolders::value_type& chart, const std::string& below, const std::string& prefix,
            const std::string& name) {
    if (is_filled_in_before(chart.second, chart.first)) out_.open = "another program fills it in first";
    const bool reads_files =
        std::ranges::any_of(chart.second.files, [](const ChartFile& file) { return contains(file.text, ".Files"); });
    for (const std::string& path : chart.second.left_out) {
      if (out_.open.empty() && (reads_files || decides(path))) out_.open = "`" + below + path + "` is not read";
    }
    for (const ChartFile& file : chart.second.files) {
      const std::string path = prefix + below + std::string(file.path);
      if (is_values_to_try(path)) {
        if (out_.values.size() < kMostValues)
          out_.values.push_back({{path, file.text, file.file}});
        else
          ++out_.untried;
      }
      out_.templates.emplace(name + "/" + path, file.file);
      out_.texts.push_back({path, file.text, file.file});
    }
  }

  ChartFolders& folders_;
  ChartInput& out_;
};

void add_given(const GivenValues& given, const Inputs& inputs, ChartInput& chart) {
  chart.untried += given.untried;
  const auto is_tried = [&](const std::vector<ChartText>& values) {
    return values.size() == 1 && given.files.size() == 1 && values.front().file == given.files.front();
  };
  if (std::ranges::any_of(chart.values, is_tried)) return;
  if (chart.values.size() >= kMostValues) {
    ++chart.untried;
    return;
  }
  std::vector<ChartText>& values = chart.values.emplace_back();
  for (const FileId file : given.files)
    values.push_back(
        {inputs.files[static_cast<std::size_t>(file)].context.path, inputs.sources.file(file).text(), file});
}

}  // namespace

bool is_values_to_try(std::string_view path) {
  if (path.starts_with("ci/")) return path.ends_with("-values.yaml") && path.find('/', 3) == path.npos;
  const bool yaml = path.ends_with(".yaml") || path.ends_with(".yml");
  return yaml && !contains(path, "/") && contains(path, "values") && path != "values.yaml" &&
         !contains(path, ".schema.");
}

std::deque<ChartInput> chart_inputs(FoundCharts& charts, const Inputs& inputs) {
  ChartFolders& folders = charts.folders;
  std::deque<ChartInput> out;
  for (const auto& [folder, own] : folders) {
    const std::string_view text = inputs.sources.file(own.chart).text();
    if (is_part_of_other(folders, folder) || value_of(text, "type:") == "library") continue;
    ChartInput& chart = out.emplace_back();
    chart.folder = folder;
    chart.file = own.chart;
    chart.values.emplace_back();
    ChartCollector(folders, chart).add(folder, "", std::string(value_of(text, "name:")), kMostSteps);
    for (const GivenValues& one : charts.given) {
      if (one.chart_known && one.chart == folder) add_given(one, inputs, chart);
    }
  }
  return out;
}

void each_packed_chart(ChartInput& chart, const FileSystem& disk,
                       const std::function<void(const std::string&, std::string)>& take) {
  const std::string folder = (chart.folder.empty() ? "." : chart.folder) + "/charts";
  const Result<std::vector<FileSystem::Entry>> entries = disk.list(folder);
  if (!entries) return;
  for (const FileSystem::Entry& entry : *entries) {
    const std::string path = folder + "/" + entry.name;
    if (!entry.name.ends_with(".tgz")) continue;
    if (entry.link || entry.kind != FileSystem::Kind::File) {
      chart.left_out.push_back(entry.name);
      continue;
    }
    Result<std::string> text =
        disk.size(path) > kMaxFileSize ? Error{Error::Code::Io, "it is too large"} : disk.read(path);
    if (text)
      take(entry.name, std::move(*text));
    else
      chart.left_out.push_back(entry.name);
  }
}

}  // namespace muster
