#include "helm/render_chart.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "base/strings.h"
#include "helm/chart.h"
#include "helm/helm_ignore.h"
#include "helm/semver.h"

namespace muster::helm {
namespace {

/// A template and what it is executed with.
struct Planned {
  const ChartText* file = nullptr;
  Value dot;
  std::string folder;  ///< NAME/templates
};

class ChartRenderer {
 public:
  ChartRenderer(const ChartQuestion& question, const SourceMap& sources)
      : question_(question), sources_(sources), engine_(store_, question.steps) {
    engine_.has_api = question.has_api;
    const auto rules = std::ranges::find(question.files, ".helmignore", &ChartText::path);
    const IgnoreRules ignored(rules == question.files.end() ? std::string_view() : rules->text);
    std::ranges::copy_if(question.files, std::back_inserter(files_),
                         [&](const ChartText& file) { return !ignored.ignores(file.path); });
  }

  std::size_t left() const { return engine_.left(); }

  RenderedChart run() {
    Chart chart;
    Value given;
    if (!load_chart(files_, "", sources_, store_, chart, out_.trouble)) return std::move(out_);
    if (!read_given_values(question_.values, sources_, store_, given, out_.trouble)) return std::move(out_);
    if (imports_values(chart)) return out_.trouble = "`import-values` is not done here", std::move(out_);
    // Conditions see the values of all parts, and parts that are off give none.
    Value first;
    if (!deep_copy(given, store_, first)) return out_.trouble = "values are nested too deeply", std::move(out_);
    coalesce(chart, *first.map, store_);
    choose_parts(chart, first, store_);
    take_values_of_parts(chart, store_);
    coalesce(chart, *given.map, store_);
    plan(chart, given, chart.name, release(), capabilities());
    write_all();
    return std::move(out_);
  }

 private:
  static bool imports_values(const Chart& chart) {
    const Value* all = chart.metadata.map->find("Dependencies");
    for (std::size_t i = 0; all->is_list() && i < all->list->items.size(); ++i) {
      if (all->list->items[i].is_map() && all->list->items[i].map->find("import-values") != nullptr) return true;
    }
    return std::ranges::any_of(chart.parts, imports_values);
  }

  Value release() {
    const Value out = store_.map();
    out.map->at("Name") = Value::of(std::string("release-name"));
    out.map->at("Namespace") = Value::of(question_.name_space);
    out.map->at("IsUpgrade") = Value::of(false);
    out.map->at("IsInstall") = Value::of(true);
    out.map->at("Revision") = Value::of(std::int64_t{1});
    out.map->at("Service") = Value::of(std::string("Helm"));
    return out;
  }

  Value capabilities() {
    const std::optional<SemanticVersion> asked = SemanticVersion::parse(question_.kubernetes);
    const Value version = store_.map();
    version.map->record = true;
    version.map->printed = "v" + (asked ? asked->text() : "1.34.0");
    version.map->at("Version") = Value::of(version.map->printed);
    version.map->at("GitVersion") = Value::of(version.map->printed);
    version.map->at("Major") = Value::of(std::to_string(asked ? asked->numbers[0] : 1));
    version.map->at("Minor") = Value::of(std::to_string(asked ? asked->numbers[1] : 34));
    const Value versions = store_.map();
    versions.map->methods = Map::Methods::ApiVersions;
    const Value program = store_.map();
    program.map->record = true;
    program.map->at("Version") = Value::of(std::string("v3.19.0"));
    program.map->at("GitCommit") = Value::of(std::string());
    program.map->at("GitTreeState") = Value::of(std::string("clean"));
    program.map->at("GoVersion") = Value::of(std::string("go1.24.7"));
    const Value out = store_.map();
    out.map->record = true;
    out.map->at("KubeVersion") = version;
    out.map->at("APIVersions") = versions;
    out.map->at("HelmVersion") = program;
    return out;
  }

  Value plan(const Chart& chart, const Value& values, const std::string& path, const Value& release,
             const Value& capabilities) {
    const Value dot = store_.map();
    const Value files = store_.map();
    files.map->methods = Map::Methods::Files;
    engine_.files[files.map] = chart.files;
    const Value parts = store_.map();
    dot.map->at("Chart") = chart.metadata;
    dot.map->at("Files") = files;
    dot.map->at("Release") = release;
    dot.map->at("Capabilities") = capabilities;
    dot.map->at("Values") = values;
    dot.map->at("Subcharts") = parts;
    for (const Chart& part : chart.parts) {
      const Value* own = values.map->find(part.name);
      parts.map->at(part.name) = plan(part, own != nullptr && own->is_map() ? *own : store_.map(),
                                      path + "/charts/" + part.name, release, capabilities);
    }
    for (const std::string& missing : chart.missing) out_.missing.push_back(missing);
    for (const ChartText* file : chart.templates) {
      const std::string below = file->path.substr(chart.folder.size());
      if (chart.library && !is_partial(below)) continue;
      planned_.push_back({path + "/" + below, {file, dot, path + "/templates"}});
    }
    return dot;
  }

  static bool is_partial(std::string_view path) { return path.substr(path.rfind('/') + 1).starts_with('_'); }

  void write_all() {
    // Templates of outer charts come last: what they define holds.
    std::ranges::sort(planned_, [](const auto& a, const auto& b) {
      const auto bars = [](const std::string& path) { return std::ranges::count(path, '/'); };
      return bars(a.first) != bars(b.first) ? bars(a.first) > bars(b.first) : a.first > b.first;
    });
    for (const auto& [name, one] : planned_) {
      if (!engine_.add(name, one.file->text)) return void(out_.trouble = engine_.trouble());
    }
    for (const auto& [name, one] : planned_) {
      if (is_partial(name) || name.ends_with("/NOTES.txt")) continue;
      const Value self = store_.map();
      self.map->at("Name") = Value::of(name);
      self.map->at("BasePath") = Value::of(one.folder);
      one.dot.map->at("Template") = self;
      RenderedTemplate rendered{name, one.file->file, engine_.write(name, one.dot)};
      if (engine_.failed()) {
        out_.trouble = name + ": " + std::string(trim(engine_.trouble()));
        out_.refused = engine_.refused();
        out_.templates.clear();
        return;
      }
      if (!trim(rendered.written.text).empty()) out_.templates.push_back(std::move(rendered));
    }
    std::ranges::reverse(out_.templates);
  }

  const ChartQuestion& question_;
  const SourceMap& sources_;
  std::vector<ChartText> files_;  ///< without those that are ignored
  Store store_;
  Engine engine_;
  std::vector<std::pair<std::string, Planned>> planned_;
  RenderedChart out_;
};

}  // namespace

RenderedChart render_chart(const ChartQuestion& question, const SourceMap& sources) {
  ChartRenderer renderer(question, sources);
  RenderedChart out = renderer.run();
  out.steps = question.steps - renderer.left();
  return out;
}

}  // namespace muster::helm
