#include "pipeline/coverage.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/strings.h"
#include "gang/pod_template.h"
#include "kinds/registry.h"
#include "kubernetes/field_table.h"
#include "pipeline/excerpts.h"
#include "syntax/json_reader.h"
#include "syntax/yaml_reader.h"

namespace muster {
namespace {

constexpr int kMaxListLevels = 3;           // List within List
constexpr int kMaxObjectLevels = 100;       // a pod template lies some ten levels deep
constexpr std::size_t kMaxSteps = 500'000;  // through one object: aliases repeat
// Prose and programs quote objects; they are not configs.
constexpr std::string_view kNoConfigs[] = {
    ".adoc",     ".c",  ".cc",  ".cpp", ".css", ".go",  ".h",  ".html", ".ipynb", ".java", ".js",  ".lock", ".log",
    ".markdown", ".md", ".mdx", ".py",  ".rs",  ".rst", ".sh", ".svg",  ".tex",   ".ts",   ".tsx", ".txt"};

bool is_config_name(std::string_view path) {
  return std::ranges::none_of(kNoConfigs, [&](std::string_view ending) { return path.ends_with(ending); });
}

/// The value of `key:` in column 0 of a YAML document.
std::string_view top_level_text(std::string_view text, std::string_view key) {
  for (std::size_t at = text.find(key); at != text.npos; at = text.find(key, at + 1)) {
    if ((at != 0 && text[at - 1] != '\n') || text.substr(at + key.size(), 1) != ":") continue;
    std::string_view value = text.substr(at + key.size() + 1);
    value = value.substr(0, value.find('\n'));
    value = trim(value.substr(0, value.find(" #")));
    if (value.size() > 1 && (value.front() == '"' || value.front() == '\'')) value = value.substr(1, value.size() - 2);
    return value;
  }
  return {};
}

/// Looks for resources by their shape: whatever stands under a key such as `resources` or `resourcesPerNode` and names
/// an accelerator, itself or in its limits or requests.
class AcceleratorSearch {
 public:
  bool in(const Node& node, int level = 0) {
    if (level > kMaxObjectLevels || ++steps_ > kMaxSteps) return false;
    for (std::size_t i = 0; node.is_sequence() && i < node.size(); ++i) {
      if (in(node.item(i), level + 1)) return true;
    }
    if (!node.is_mapping()) return false;
    for (std::size_t i = 0; i < node.size(); ++i) {
      const Node value = node.value(i);
      const std::string_view key = node.key(i).text();
      if (contains(key, "esources") && value.is_mapping() && asks(value)) return true;
      if (in(value, level + 1)) return true;
    }
    return false;
  }

 private:
  static bool asks(const Node& resources) {
    for (const std::string_view list : {"limits", "requests"}) {
      const Node amounts = amounts_in(resources, list);
      for (std::size_t i = 0; amounts.is_mapping() && i < amounts.size(); ++i) {
        const bool some = amounts.value(i).is_scalar() && amounts.value(i).text() != "0";
        if (some && is_accelerator(amounts.key(i).text())) return true;
      }
    }
    return false;
  }

  std::size_t steps_ = 0;
};

/// Kustomizations are no objects: what became of them is said of the files.
bool is_kustomization(std::string_view api) { return api.starts_with("kustomize.config.k8s.io/"); }

bool makes_bundle(const Rendered& rendered, FileId file) {
  return std::ranges::find(rendered.bundles, file, &RenderedBundle::made_by) != rendered.bundles.end();
}

/// The objects of one file that became no artifact.
class FileCoverage {
 public:
  FileCoverage(const ParsedFile& parsed, const SourceFile& source)
      : parsed_(parsed), source_(source), text_(source.text()) {}

  std::vector<Stranger> run() {
    const bool objects = contains(text_, "apiVersion") && contains(text_, "kind");
    if (!objects || parsed_.template_kind || parsed_.script || !is_config_name(source_.path())) return {};
    for (const Artifact& artifact : parsed_.artifacts) known_.insert(artifact.object.where().begin);
    for (const Finding& finding : parsed_.findings) settled_.insert(finding.where.begin);
    for (const Document& document : parsed_.documents) {
      settled_.insert(document.where().begin);
      visit(document.root(), 0);
    }
    const std::string_view first = trim(text_).substr(0, 1);
    if (first == "{" || first == "[") {
      if (parsed_.documents.empty() && parsed_.findings.empty()) read_as_json();
    } else {
      for (const Span& where : split_yaml_documents(parsed_.file, text_)) unparsed(where);
    }
    return std::move(strangers_);
  }

 private:
  void visit(const Node& node, int level) {
    const Node items = node["items"];
    if (level < kMaxListLevels &&
        (node.is_sequence() || (items.is_sequence() && node["kind"].text().ends_with("List")))) {
      const Node& list = node.is_sequence() ? node : items;
      for (std::size_t i = 0; i < list.size(); ++i) visit(list.item(i), level + 1);
      return;
    }
    const std::string_view api = node["apiVersion"].text();
    const std::string_view kind = node["kind"].text();
    if (api.empty() || kind.empty() || is_kustomization(api) || known_.contains(node.where().begin)) return;
    // Objects that say what a kind may hold speak of resources without asking for any.
    const bool with_gpus = kind != "CustomResourceDefinition" && AcceleratorSearch().in(node);
    const bool checked = !parsed_.documents.empty() && FieldTable::shipped().find(api, kind) != nullptr;
    strangers_.push_back({std::string(api), std::string(kind), with_gpus, checked});
  }

  void read_as_json() {
    Document document;
    std::vector<Finding> ignored;
    if (read_json(parsed_.file, text_, document, ignored)) visit(document.root(), 0);
  }

  /// A document that was parsed, or that somebody complained about.
  bool is_settled(const Span& where) const {
    const auto first = settled_.lower_bound(where.begin);
    return first != settled_.end() && *first < where.end;
  }

  void unparsed(const Span& where) {
    const std::string_view piece = text_.substr(where.begin, where.end - where.begin);
    const std::string_view api = top_level_text(piece, "apiVersion");
    const std::string_view kind = top_level_text(piece, "kind");
    if (api.empty() || kind.empty() || is_kustomization(api) || is_settled(where)) return;
    bool with_gpus = names_accelerator(piece);
    if (with_gpus) {
      Document document;
      std::vector<Finding> ignored;
      // A template of one is taken at its word.
      if (read_yaml(text_, where, document, ignored)) with_gpus = AcceleratorSearch().in(document.root());
    }
    strangers_.push_back({std::string(api), std::string(kind), with_gpus, false});
  }

  const ParsedFile& parsed_;
  const SourceFile& source_;
  std::string_view text_;
  std::set<std::uint32_t> known_;    ///< where artifacts begin
  std::set<std::uint32_t> settled_;  ///< places in documents that need no second look
  std::vector<Stranger> strangers_;
};

/// `Job of batch/v1 (2), ...` for one file.
std::string kinds_in(const std::vector<Stranger>& strangers, bool unknown) {
  std::map<std::string, std::size_t> counts;
  for (const Stranger& stranger : strangers)
    if (stranger.is_unknown() == unknown)
      ++counts[stranger.api + "/" + stranger.kind + (stranger.with_gpus ? " with GPUs" : "")];
  std::vector<std::string> words;
  for (const auto& [name, count] : counts)
    words.push_back(name + (count > 1 ? " (" + with_thousands(count) + ")" : ""));
  return join(words, ", ");
}

void add_all(const std::vector<std::string>& files, std::string_view fate, Coverage& out) {
  for (const std::string& file : files) out.lines.push_back({std::string(fate), file, ""});
}

void add_kustomizations(const Rendered& rendered, const Inputs& inputs, Coverage& out) {
  for (const RenderedBundle& bundle : rendered.bundles) {
    ++(bundle.chart ? out.charts : out.rendered);
    out.read += bundle.made_artifacts();
    std::string detail = count_of(bundle.objects, "object");
    if (bundle.elsewhere > 0) detail += ", without " + std::to_string(bundle.elsewhere) + " of packed charts";
    if (!bundle.missing.empty()) detail += ", without " + bundle.missing.front();
    if (bundle.missing.size() > 1) detail += " and " + count_of(bundle.missing.size() - 1, "more file");
    out.lines.push_back({"rendered", inputs.sources.file(bundle.made_by).path(), std::move(detail)});
  }
  for (const NotRendered& one : rendered.not_rendered) {
    const std::string& path = inputs.sources.file(one.made_by).path();
    out.not_rendered.push_back({path, one.why, one.chart});
    out.lines.push_back({"not rendered", path, one.why});
  }
}

void add_excerpts(const std::map<FileId, std::size_t>& quoted, const Inputs& inputs, Coverage& out) {
  for (const auto& [file, excerpts] : quoted) {
    out.quoted += excerpts;
    out.lines.push_back({"quoted", inputs.sources.file(file).path(),
                         count_of(excerpts, "excerpt") + ", each checked for itself" +
                             (excerpts == kMostExcerpts ? "; no more of one file are" : "")});
  }
}

std::set<FileId> cut_scripts(const Model& model) {
  std::set<FileId> out;
  for (const SbatchJob& job : model.sbatch_jobs) {
    if (!job.script.complete) out.insert(job.where.file);
  }
  return out;
}

/// Where the templates of charts stand that were rendered: `charts/a/templates/`, and those of the charts within.
std::vector<std::string> rendered_templates(const Rendered& rendered, const Inputs& inputs) {
  std::vector<std::string> out;
  for (const RenderedBundle& bundle : rendered.bundles) {
    if (!bundle.chart || bundle.objects == 0) continue;
    const std::string_view folder = folder_of(inputs.sources.file(bundle.made_by).path());
    const std::string begin = folder.empty() ? "" : std::string(folder) + "/";
    out.push_back(begin + "templates/");
    out.push_back(begin + "charts/");
  }
  std::ranges::sort(out);
  return out;
}

/// Whether the path begins with one of them.
bool is_of_rendered(std::string_view path, const std::vector<std::string>& templates) {
  for (std::string_view folder = folder_of(path); !folder.empty(); folder = folder_of(folder)) {
    if (std::ranges::binary_search(templates, std::string(folder) + "/")) return true;
  }
  return false;
}

/// What is unknown of a template, whose objects are read where it is rendered: with GPUs, of a kind that muster does
/// not know there either.
std::vector<Stranger> left_of_rendered(std::vector<Stranger> strangers) {
  std::erase_if(strangers, [](const Stranger& one) {
    return !one.with_gpus || KindTable::shipped().find_manifest(one.api, one.kind) != nullptr;
  });
  return strangers;
}

}  // namespace

void sort_kinds(std::vector<UnknownKind>& kinds) {
  std::ranges::sort(kinds, [](const UnknownKind& a, const UnknownKind& b) {
    return std::tie(b.with_gpus, b.objects, a.api, a.kind) < std::tie(a.with_gpus, a.objects, b.api, b.kind);
  });
}

std::vector<Stranger> strangers_in(const ParsedFile& parsed, const SourceFile& source) {
  return FileCoverage(parsed, source).run();
}

Coverage take_coverage(const std::vector<ParsedFile>& parsed, const std::vector<std::vector<Stranger>>& strangers,
                       const Rendered& rendered, const Inputs& inputs, const Model& model,
                       const std::map<FileId, std::size_t>& quoted) {
  Coverage out;
  add_kustomizations(rendered, inputs, out);
  add_excerpts(quoted, inputs, out);
  std::map<std::pair<std::string, std::string>, UnknownKind> kinds;
  std::map<std::pair<std::string, std::string>, UnknownKind> checked_kinds;
  const std::set<FileId> cut = cut_scripts(model);
  const std::vector<std::string> templates = rendered_templates(rendered, inputs);
  for (std::size_t i = 0; i < parsed.size(); ++i) {
    const std::string& path = inputs.files[i].context.path;
    const ParsedFile& file = parsed[i];
    out.read += file.artifacts.size();
    if (inputs.files[i].reading == Reading::TooLarge) continue;
    if (file.template_kind) {
      const std::string_view part = file.artifacts.empty() ? "" : ", its lines without marks are read";
      out.lines.push_back({"template", path, std::string(name_of(*file.template_kind)).append(part)});
    } else if (!file.artifacts.empty()) {
      const std::string_view part = cut.contains(file.file) ? ", its script not to the end: it is too long" : "";
      out.lines.push_back({"read", path, count_of(file.artifacts.size(), "object").append(part)});
    }
    const bool of_chart = !strangers[i].empty() && is_of_rendered(path, templates);
    const std::vector<Stranger> found = of_chart ? left_of_rendered(strangers[i]) : strangers[i];
    const std::string checked = kinds_in(found, false);
    const std::string unknown = kinds_in(found, true);
    if (!checked.empty()) out.lines.push_back({"fields checked", path, checked});
    if (!unknown.empty()) out.lines.push_back({"unknown kind", path, unknown});
    if (inputs.files[i].reading == Reading::Unreadable) out.lines.push_back({"foreign", path, "it cannot be read"});
    const bool whole = file.rendered && file.artifacts.empty() && found.empty() && !makes_bundle(rendered, file.file);
    if ((of_chart && found.empty()) || whole)
      out.lines.push_back({"rendered", path, "part of a kustomization or chart"});
    const bool foreign = !file.ours() && strangers[i].empty() && !quoted.contains(file.file);
    const std::string_view used = file.slurm_version ? "a dump of scontrol, of which the release counts" : "";
    if (foreign && inputs.files[i].reading == Reading::Whole) out.lines.push_back({"foreign", path, std::string(used)});
    out.templates += file.template_kind ? 1 : 0;
    out.foreign += foreign ? 1 : 0;
    for (const Stranger& stranger : found) {
      UnknownKind& kind = (stranger.is_unknown() ? kinds : checked_kinds)[{stranger.api, stranger.kind}];
      kind.api = stranger.api;
      kind.kind = stranger.kind;
      ++kind.objects;
      kind.with_gpus += stranger.with_gpus ? 1 : 0;
    }
  }
  for (const auto& [name, kind] : kinds) out.unknown_kinds.push_back(kind);
  for (const auto& [name, kind] : checked_kinds) out.checked_kinds.push_back(kind);
  sort_kinds(out.unknown_kinds);
  sort_kinds(out.checked_kinds);
  out.too_large = inputs.too_large.size();
  out.ignored = inputs.ignored.size() + inputs.excluded.size();
  out.foreign += inputs.foreign.size();
  add_all(inputs.too_large, "too large", out);
  add_all(inputs.ignored, "ignored", out);
  add_all(inputs.excluded, "excluded", out);
  add_all(inputs.foreign, "foreign", out);
  std::ranges::stable_sort(out.lines, {}, &CoverageLine::file);
  return out;
}

}  // namespace muster
