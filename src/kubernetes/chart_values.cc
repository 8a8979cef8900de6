#include "kubernetes/chart_values.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "base/strings.h"
#include "gang/pod_template.h"
#include "kubernetes/printed_maps.h"
#include "kubernetes/value_nil.h"
#include "kubernetes/value_reads.h"
#include "syntax/yaml_reader.h"

namespace muster {
namespace {

constexpr std::size_t kMostNamed = 8;        // values in one message
constexpr std::size_t kMostPlacements = 20;  // findings of one chart
constexpr int kMostUnreadLevels = 6;         // in a block that nobody reads

/// The one document of a text that a parser takes.
std::optional<Document> document_of(const ChartFile& file) {
  const std::vector<Span> pieces = split_yaml_documents(file.file, file.text);
  std::vector<Finding> ignored;
  Document out;
  if (pieces.size() != 1 || !read_yaml(file.text, pieces.front(), out, ignored) || !ignored.empty())
    return std::nullopt;
  return out;
}

const ChartFile* find_file(const std::vector<ChartFile>& files, std::string_view path) {
  const auto found = std::ranges::find(files, path, &ChartFile::path);
  return found == files.end() ? nullptr : &*found;
}

/// Whether a key says where pods run, on what or how many. Values of Helm charts have no schema: these are the names of
/// the fields of a pod and those that `helm create` (3.19) writes.
bool is_placement(std::string_view key) {
  constexpr std::array<std::string_view, 14> kNames{"affinity",     "hostIPC",
                                                    "hostNetwork",  "nodeName",
                                                    "nodeSelector", "priorityClassName",
                                                    "replicaCount", "replicas",
                                                    "resources",    "runtimeClassName",
                                                    "shmSize",      "schedulerName",
                                                    "tolerations",  "topologySpreadConstraints"};
  return std::ranges::find(kNames, key) != kNames.end() || key == "gpu" || key == "gpus" || key == "gpuCount" ||
         key == "numGpus";
}

/// Whether a template writes pods, or an object of whatever kind that does.
bool has_pods(std::string_view text) {
  constexpr std::array<std::string_view, 5> kSigns{"containers:", "odSpec:", "resources:", "image:", "replicas:"};
  return std::ranges::any_of(kSigns, [&](std::string_view sign) { return contains(text, sign); });
}

bool is_empty(const Node& value) {
  return value.is_null() || (value.is_scalar() ? value.text().empty() : value.size() == 0);
}

/// Whether a loop that takes entries could go over a value: over a list, or a mapping of entries.
bool holds_entries(const Node& value) {
  if (!value.is_mapping()) return !value.is_scalar() || value.is_null();
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (!value.value(i).is_mapping()) return false;
  }
  return true;
}

/// Whether other places of the file may repeat it: it has an anchor, or something in it has.
bool has_anchor(const ChartFile& file, const Node& value) {
  const std::size_t begin = value.key_where().end;
  const std::size_t end = std::max<std::size_t>(begin, value.where().end);
  return contains(file.text.substr(begin, end - begin), " &");
}

/// Where Helm certainly reads a value or something in it.
Span first_read(const ValueReads::Part& part) {
  if (part.where.placed()) return part.where;
  for (const auto& [name, inner] : part.parts) {
    if (const Span where = first_read(*inner); where.placed()) return where;
  }
  return {};
}

class ChartValues {
 public:
  /// `files`: of the chart, where these are its own values; else empty.
  ChartValues(const ChartFile& values, const ValueReads& reads, std::span<const ChartFile> files)
      : values_(values), reads_(reads), files_(files) {}

  /// `others`: keys at the top that are not the chart's own. `said`: values of which another file speaks.
  /// `accelerated`: of a chart with devices; of any other, names that are misspelt are all that is said.
  void check(const Node& root, const std::set<std::string_view>& others, const Node& said, bool accelerated,
             std::vector<Finding>& findings) {
    walk(root, reads_.values(), "", others, said);
    for (auto& [names, finding] : misspelt_) findings.push_back(std::move(finding));
    std::ranges::move(findings_, std::back_inserter(findings));
    if (!accelerated) return;
    std::vector<std::string> rest;
    Span where;
    std::size_t placements = 0;
    for (const Unread& unread : unread_) {
      if (unread.misspelt || has_anchor(values_, unread.value)) continue;
      if (const std::optional<Unread> placement = placement_in(unread.value, unread.path, 0)) {
        if (++placements <= kMostPlacements)
          findings.push_back(problem("helm-placement-unread", placement->value.key_where(),
                                     "`" + placement->path + "` is read by no template of the chart"));
      } else if (!is_empty(unread.value)) {
        if (rest.empty()) where = unread.value.key_where();
        rest.push_back("`" + unread.path + "`");
      }
    }
    if (!rest.empty()) findings.push_back(problem("helm-value-unread", where, others_unread(std::move(rest))));
  }

 private:
  /// A value that no template reads.
  struct Unread {
    std::string path;
    Node value;
    bool misspelt = false;
  };

  static std::string others_unread(std::vector<std::string> paths) {
    const std::size_t all = paths.size();
    paths.resize(std::min(all, kMostNamed));
    const std::string more = all > paths.size() ? " and " + std::to_string(all - paths.size()) + " more" : "";
    return join(paths, ", ") + more + (all == 1 ? " is" : " are") + " read by no template of the chart";
  }

  void walk(const Node& mapping, const ValueReads::Part& part, const std::string& prefix,
            const std::set<std::string_view>& others, const Node& said) {
    std::set<std::string_view> keys;
    std::vector<std::string_view> names;  // of those that nobody reads
    std::vector<std::size_t> places;      // in unread_
    for (std::size_t i = 0; i < mapping.size(); ++i) {
      const std::string_view key = mapping.key(i).text();
      keys.insert(key);
      // SOPS takes its own key out before Helm reads the file.
      if (key.empty() || key == "<<" || others.contains(key) || (prefix.empty() && key == "sops")) continue;
      const Node value = mapping.value(i);
      const auto found = part.parts.find(key);
      if (found == part.parts.end()) {
        if (said[key].exists()) continue;
        names.push_back(key);
        places.push_back(unread_.size());
        unread_.push_back({prefix + std::string(key), value});
      } else if (!found->second->taken && value.is_mapping()) {
        walk(value, *found->second, prefix + std::string(key) + ".", {}, said[key]);
      }
    }
    if (keys.contains("<<")) return;
    if (!files_.empty()) spelt_otherwise(keys, names, part, prefix);
    if (names.empty()) return;
    for (const auto& [name, read] : part.parts) {
      const Span where = first_read(*read);
      if (!where.placed() || keys.contains(name)) continue;
      const std::optional<std::string_view> meant = near_.nearest(name, names);
      if (!meant) continue;
      Unread& unread = unread_[places[static_cast<std::size_t>(std::ranges::find(names, *meant) - names.begin())]];
      if (!read->entries || holds_entries(unread.value)) misspelt(unread, *meant, name, prefix, where);
    }
  }

  /// `start_params` where values.yaml has `startParams`, which others read: nil, whatever is set.
  void spelt_otherwise(const std::set<std::string_view>& keys, const std::vector<std::string_view>& unread,
                       const ValueReads::Part& part, const std::string& prefix) {
    std::map<std::string, std::string_view> letters;  // the first key with them
    for (const std::string_view key : keys) letters.try_emplace(letters_of(key), key);
    for (const auto& [name, read] : part.parts) {
      const Span where = first_read(*read);
      if (!where.placed() || keys.contains(name) || name.find_first_of("_-") == name.npos) continue;
      const auto same = letters.find(letters_of(name));
      if (same == letters.end() || std::ranges::find(unread, same->second) != unread.end()) continue;
      // `.Values.aB | default .Values.a_b` takes both, and some lines may stand between them.
      if (reads_near(where, same->second)) continue;
      findings_.push_back(problem("helm-value-misspelt", where,
                                  "`" + prefix + std::string(name) + "` is read here, and values.yaml has `" + prefix +
                                      std::string(same->second) + "`"));
    }
  }

  static std::string letters_of(std::string_view name) {
    std::string out = to_lower(name);
    std::erase_if(out, [](char c) { return c == '_' || c == '-'; });
    return out;
  }

  /// Whether a name is read in the line of a place, or in some lines before or behind it.
  bool reads_near(Span where, std::string_view name) const {
    constexpr std::size_t kFar = 2000;  // bytes, each way
    const auto file = std::ranges::find(files_, where.file, &ChartFile::file);
    if (file == files_.end()) return false;
    const std::size_t first = where.begin < kFar ? 0 : where.begin - kFar;
    std::string_view before = file->text.substr(first, where.begin - first);
    std::string_view behind = file->text.substr(where.begin, kFar);
    // An old name that is asked for has the new one in its `else`.
    const std::string_view line = before.substr(before.rfind('\n') + 1);  // npos + 1 is 0
    const std::size_t lines = contains(line, "if ") || contains(line, "with ") ? 12 : 3;
    std::size_t begin = before.size();
    for (std::size_t n = 0; n <= lines && begin != before.npos && begin > 0; ++n) begin = before.rfind('\n', begin - 1);
    std::size_t end = 0;
    for (std::size_t n = 0; n <= lines && end != behind.npos; ++n) end = behind.find('\n', end + 1);
    before = before.substr(begin == before.npos ? 0 : begin);
    behind = behind.substr(0, end);
    const std::string read = "." + std::string(name);
    return contains(before, read) || contains(behind, read);
  }

  void misspelt(Unread& unread, std::string_view key, std::string_view read, const std::string& prefix, Span where) {
    unread.misspelt = true;
    const auto [at, first] = misspelt_.try_emplace({std::string(key), std::string(read)});
    Finding& finding = at->second;
    if (first)
      finding = problem(
          "helm-value-misspelt", unread.value.key_where(),
          "`" + unread.path + "` is read by no template of the chart, which read `" + prefix + std::string(read) + "`");
    if (first) finding.fix = spell(unread.value.key_where(), read);
    if (finding.related.size() < kMostNamed)
      finding.related.push_back({where, "read here as `" + prefix + std::string(read) + "`"});
  }

  /// The value if it is one of placement, else the first in it that is.
  static std::optional<Unread> placement_in(const Node& value, const std::string& path, int level) {
    if (is_placement(std::string_view(path).substr(path.rfind('.') + 1)) && !is_empty(value))
      return Unread{path, value};
    if (level == kMostUnreadLevels) return std::nullopt;
    for (std::size_t i = 0; value.is_mapping() && i < value.size(); ++i) {
      const std::string inner = path + "." + std::string(value.key(i).text());
      if (std::optional<Unread> found = placement_in(value.value(i), inner, level + 1)) return found;
    }
    return std::nullopt;
  }

  const ChartFile& values_;
  const ValueReads& reads_;
  std::span<const ChartFile> files_;
  std::vector<Finding> findings_;  ///< of reads
  std::vector<Unread> unread_;
  std::map<std::pair<std::string, std::string>, Finding> misspelt_;  ///< by both names: a block repeats
  NearMisses near_;
};

/// What Chart.yaml, or requirements.yaml of an old one, says of the charts that it brings along.
/// Source: helm.sh/docs/topics/charts (3.19).
struct Dependencies {
  std::set<std::string_view> keys;  ///< under which their values stand
  std::vector<std::string_view> conditions;
};

void add_dependencies(const Node& chart, Dependencies& out) {
  const Node list = chart["dependencies"];
  for (std::size_t i = 0; list.is_sequence() && i < list.size(); ++i) {
    const Node one = list.item(i);
    for (const std::string_view key : {"name", "alias"}) out.keys.insert(one[key].text());
    for (const std::string_view path : split(one["condition"].text(), ',')) out.conditions.push_back(path);
  }
}

bool is_prose(std::string_view path) { return path.ends_with(".md") || path.ends_with(".gotmpl"); }

/// A template reads `.Values.X.Y`, and neither values.yaml nor anybody else sets X: the first of each X.
void check_parents(const std::vector<ChartFile>& files, const Node& values, const ValueReads& reads,
                   const std::set<std::string_view>& others, std::vector<Finding>& findings) {
  std::set<std::string_view> said = others;
  for (const ChartFile& file : files) {
    const std::string_view name = file.path.substr(file.path.rfind('/') + 1);
    if (!file.path.starts_with("templates/") || name.starts_with('_') || is_prose(file.path)) continue;
    for (const ValueStep& step : certain_steps(file.text, file.file)) {
      const auto read = reads.values().parts.find(step.parent);
      // A read of X itself, `if .Values.X`, may be what guards the others.
      const bool guarded = read == reads.values().parts.end() || read->second->taken;
      if (guarded || !(values[step.parent].is_null() || !values[step.parent].exists()) ||
          !said.insert(step.parent).second)
        continue;
      findings.push_back(problem("helm-value-parent-missing", step.where,
                                 "the template reads `" + std::string(step.name) + "` of `" + std::string(step.parent) +
                                     "`, and values.yaml has no `" + std::string(step.parent) + "`"));
    }
  }
}

/// Images that only whoever installs the chart can give, and that nobody tells him of.
void check_images(const std::vector<ChartFile>& files, const Node& values, const std::vector<ChartFile>& given,
                  const ValueToldOf& told, std::vector<Finding>& findings) {
  std::vector<std::string_view> known;
  for (const ChartFile& file : given) known.push_back(file.text);
  const auto tells = [](const ChartFile& file) {
    return !file.path.starts_with("templates/") || file.path.ends_with("NOTES.txt");
  };
  for (const ChartFile& file : files) {
    if (tells(file) && file.path != "values.yaml" && file.path != "Chart.yaml") known.push_back(file.text);
  }
  for (const ChartFile& file : files) {
    if (!tells(file)) check_value_images(file.text, file.file, values, known, told, findings);
  }
}

}  // namespace

void check_chart_values(const std::vector<ChartFile>& files, const std::vector<std::string_view>& subcharts,
                        const std::vector<ChartFile>& given, const ValueToldOf& told, bool within,
                        std::vector<Finding>& findings) {
  const ChartFile* chart_file = find_file(files, "Chart.yaml");
  const ChartFile* values_file = find_file(files, "values.yaml");
  if (chart_file == nullptr || values_file == nullptr) return;
  // What runs may be in templates of another folder: then nobody reads what `helm create` wrote.
  const bool accelerated =
      std::ranges::any_of(files, [](const ChartFile& file) { return names_accelerator(file.text); }) &&
      std::ranges::any_of(
          files, [](const ChartFile& file) { return file.path.starts_with("templates/") && has_pods(file.text); });
  const std::optional<Document> chart = document_of(*chart_file);
  const std::optional<Document> values = document_of(*values_file);
  if (!chart || !values || !values->root().is_mapping() || chart->root()["type"].text() == "library") return;

  ValueReads reads;
  for (const ChartFile& file : files) {
    if (!is_prose(file.path)) reads.add(file.text, file.file);
  }
  if (reads.values().taken || reads.values().parts.empty() || reads.calls_unknown()) return;
  Dependencies dependencies;
  add_dependencies(chart->root(), dependencies);
  std::optional<Document> requirements;
  if (const ChartFile* old = find_file(files, "requirements.yaml")) {
    requirements = document_of(*old);
    if (!requirements) return;
    add_dependencies(requirements->root(), dependencies);
  }
  for (const std::string_view path : dependencies.conditions) reads.add_path(path);
  std::set<std::string_view> others = std::move(dependencies.keys);
  others.insert(subcharts.begin(), subcharts.end());
  for (const std::string_view key : {"global", "tags", "exports"}) others.insert(key);
  ChartValues(*values_file, reads, files).check(values->root(), others, Node(), accelerated, findings);
  for (const ChartFile& file : given) {
    const std::optional<Document> read = document_of(file);
    if (read && read->root().is_mapping())
      ChartValues(file, reads, {}).check(read->root(), others, values->root(), accelerated, findings);
  }
  check_printed_maps(files, values->root(), reads, findings);
  if (within) return;
  check_parents(files, values->root(), reads, others, findings);
  check_images(files, values->root(), given, told, findings);
}

}  // namespace muster
