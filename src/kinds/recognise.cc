#include "kinds/recognise.h"

#include <algorithm>

#include "base/strings.h"
#include "kinds/registry.h"
#include "slurm/scontrol_dump.h"
#include "slurm/keys.h"
#include "syntax/json_reader.h"
#include "syntax/yaml_reader.h"

namespace muster {
namespace {

constexpr std::size_t kMaxListDepth = 3;  // List within List
constexpr std::uint32_t kMaxConfLines = 300'000;  // four times the nodes that Slurm takes (MAX_SLURM_NODES 65,536)

/// The value of `key:` in column 0, without quotes and comment; empty when the text has none.
std::string_view top_level_value(std::string_view text, std::string_view key) {
  for (std::size_t at = text.find(key); at != text.npos; at = text.find(key, at + 1)) {
    const bool line_start = at == 0 || text[at - 1] == '\n';
    if (!line_start || text.substr(at + key.size(), 1) != ":") continue;
    std::string_view value = text.substr(at + key.size() + 1);
    value = value.substr(0, value.find('\n'));
    value = trim(value.substr(0, value.find(" #")));
    if (value.size() > 1 && (value.front() == '"' || value.front() == '\'')) value = value.substr(1, value.size() - 2);
    return value;
  }
  return {};
}

bool is_our_object_kind(std::string_view name) {
  if (name.ends_with("List") || contains(name, "{{")) return true;
  return std::ranges::any_of(all_kinds(), [&](const Kind& kind) { return kind.object_kind == name; });
}

/// Whether a YAML document may hold something we know, judged by its text alone.
bool may_be_ours(std::string_view text) {
  const std::string_view kind = top_level_value(text, "kind");
  if (!kind.empty()) return is_our_object_kind(kind) && !top_level_value(text, "apiVersion").empty();
  if (!top_level_value(text, "muster").empty()) return true;
  const std::string_view first = trim(text);
  if (first.starts_with('{') && contains(text, "kind") && contains(text, "apiVersion")) return true;
  const bool topology_list = contains(text, "topology:") &&
                             (contains(text, "switches:") || contains(text, "blocks:") || contains(text, "flat:"));
  return topology_list && kind.empty();
}

bool may_be_our_json(std::string_view text) {
  const std::string_view first = trim(text).substr(0, 1);
  if (first != "{" && first != "[") return false;
  if (contains(text, "\"apiVersion\"") && contains(text, "\"kind\"")) {
    return std::ranges::any_of(all_kinds(), [&](const Kind& kind) {
      return !kind.object_kind.empty() && contains(text, "\"" + std::string(kind.object_kind) + "\"");
    });
  }
  return contains(text, "\"muster\"") || (contains(text, "\"topology\"") && (contains(text, "\"switches\"") || contains(text, "\"blocks\"")));
}

class Recogniser {
 public:
  Recogniser(ParsedFile& out, const SourceFile& source) : out_(out), source_(source), text_(source.text()) {}

  void run() {
    if (trim(text_).empty()) return empty_topology();
    if (looks_like_sbatch(text_)) return batch();
    if (file_name() == "topology.yaml" && topology_yaml()) return;
    if (may_be_our_json(text_) && !contains(text_.substr(0, 4096), "\n---")) {
      if (json()) return;
    }
    if (yaml()) return;
    slurm_conf();
    if (out_.artifacts.empty() && file_name() == "topology.conf" && !out_.template_kind && !is_template()) topology_conf();
  }

 private:
  std::string_view file_name() const {
    const std::string_view path = source_.path();
    return path.substr(path.rfind('/') + 1);
  }

  // Files that slurmctld opens by name, whatever they hold. They are ours where a slurm.conf stands beside them.

  void by_name(std::string_view kind, Artifact artifact) {
    artifact.kind = find_kind(kind);
    artifact.file = out_.file;
    out_.by_name = std::move(artifact);
  }

  void empty_topology() {
    if (file_name() == "topology.yaml") by_name("topology-yaml", {});
    if (file_name() == "topology.conf") topology_conf();
  }

  void topology_conf() {
    if (source_.line_count() > kMaxConfLines) return;
    out_.lines = read_slurm_conf(out_.file, text_);
    Artifact artifact;
    artifact.lines = &out_.lines;
    by_name("topology-conf", std::move(artifact));
  }

  /// Slurm reads the first document alone. False where the file is something else that we may know.
  bool topology_yaml() {
    if (is_template()) return true;
    Artifact artifact;
    std::vector<Finding> findings;
    const std::vector<Span> documents = split_yaml_documents(out_.file, text_);
    if (!documents.empty()) {
      out_.documents.emplace_back();
      const bool good = read_yaml(text_, documents.front(), out_.documents.back(), findings);
      if (good) artifact.object = out_.documents.back().root();
      const std::optional<std::pair<Span, std::string>> odd = good ? unlike_libyaml(documents.front()) : std::nullopt;
      if (odd) artifact.trouble_where = odd->first;
      if (odd) artifact.trouble = odd->second;
      const auto syntax = std::ranges::find(findings, "yaml-syntax", &Finding::rule);
      if (!good) artifact.trouble = syntax == findings.end() ? "it cannot be read" : syntax->message;
      if (!good) artifact.trouble_where = syntax == findings.end() ? documents.front() : syntax->where;
      if (!artifact.object["kind"].text().empty() || !artifact.object["muster"].text().empty()) {
        out_.documents.clear();
        return false;
      }
    }
    const Kind* kind = artifact.trouble.empty() && artifact.object.exists() ? recognised_by(Format::Own, artifact) : nullptr;
    if (kind != nullptr) {
      add(artifact, *kind);
      append(findings);
    } else {
      if (!artifact.trouble.empty() && may_be_ours(text_)) append(findings);
      by_name("topology-yaml", std::move(artifact));
    }
    return true;
  }

  /// What our reader takes and Slurm's, libyaml without aliases, does not.
  std::optional<std::pair<Span, std::string>> unlike_libyaml(const Span& document) const {
    const bool flow = trim(text_).starts_with('[') || trim(text_).starts_with('{');
    for (std::size_t at = document.begin; at < document.end;) {
      const std::size_t end = std::min<std::size_t>(text_.find('\n', at), document.end);
      const std::string_view line = text_.substr(at, end - at);
      const std::size_t first = line.find_first_not_of(" \t");
      const Span where{out_.file, static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(end)};
      const bool says_something = first != line.npos && line[first] != '#' && line[first] != '\r';
      if (says_something && !flow && line.substr(0, first).find('\t') != line.npos) return std::pair(where, std::string("a tab stands in the indentation"));
      for (const std::string_view before : {": *", "- *", "[*", ", *"}) {
        const std::size_t star = says_something ? line.find(before) : line.npos;
        if (star != line.npos && line.find('#') > star && line.find_first_of("\"'") > star) return std::pair(where, std::string("Slurm's reader knows no aliases"));
      }
      at = end + 1;
    }
    return std::nullopt;
  }

  void add(Artifact artifact, const Kind& kind) {
    artifact.kind = &kind;
    artifact.file = out_.file;
    out_.artifacts.push_back(artifact);
  }

  /// A text that would be ours once rendered.
  bool is_template() {
    out_.template_kind = probe_template(text_);
    return out_.template_kind.has_value();
  }

  void batch() {
    if (is_template()) return;
    out_.script = read_sbatch(out_.file, text_);
    if (out_.script->directives.empty()) return;  // only in here-documents
    Artifact artifact;
    artifact.script = &*out_.script;
    by_own_eyes(Format::Batch, artifact);
  }

  bool json() {
    Document document;
    std::vector<Finding> findings;
    if (!read_json(out_.file, text_, document, findings)) {
      // YAML may also begin with a brace; and a template explains why the parser stopped.
      if (trim(text_).starts_with('{') && is_template()) return true;
      const bool named_json = source_.path().ends_with(".json");
      if (named_json) out_.findings = std::move(findings);
      return named_json;
    }
    out_.documents.push_back(std::move(document));
    objects_of(out_.documents.back().root(), 0);
    if (!out_.artifacts.empty()) append(findings);
    return true;
  }

  /// True when the file is settled: something of ours, or a template of it.
  bool yaml() {
    bool any = false;
    for (const Span& where : split_yaml_documents(out_.file, text_)) {
      const std::string_view piece = text_.substr(where.begin, where.end - where.begin);
      if (!may_be_ours(piece)) continue;
      if (!any && is_template()) return true;
      any = true;
      Document document;
      std::vector<Finding> findings;
      if (read_yaml(text_, where, document, findings)) {
        out_.documents.push_back(std::move(document));
        const std::size_t before = out_.artifacts.size();
        objects_of(out_.documents.back().root(), 0);
        if (out_.artifacts.size() == before) continue;
      }
      append(findings);
    }
    return any;
  }

  void append(std::vector<Finding>& findings) {
    std::ranges::move(findings, std::back_inserter(out_.findings));
  }

  /// An object, the items of a List of objects, or a file of our own.
  void objects_of(const Node& node, std::size_t depth) {
    Artifact artifact;
    artifact.object = node;
    const std::string_view object_kind = node["kind"].text();
    if (!object_kind.empty() && node["apiVersion"].is_scalar()) {
      const Node items = node["items"];
      if (object_kind.ends_with("List") && items.is_sequence() && depth < kMaxListDepth) {
        for (std::size_t i = 0; i < items.size(); ++i) objects_of(items.item(i), depth + 1);
      } else if (const Kind* kind = find_manifest_kind(node["apiVersion"].text(), object_kind)) {
        add(artifact, *kind);
      }
      return;
    }
    by_own_eyes(Format::Own, artifact);
  }

  void slurm_conf() {
    const Kind* named = kind_by_name();
    if ((named == nullptr && !mentions_slurm_key(text_)) || is_scontrol_dump(text_)) return;
    const bool too_long = source_.line_count() > kMaxConfLines;
    out_.lines = read_slurm_conf(out_.file, too_long ? text_.substr(0, source_.line_start(1000)) : text_);
    Artifact artifact;
    artifact.lines = &out_.lines;
    const Kind* kind = recognised_by(Format::SlurmConf, artifact);
    if (kind == nullptr && named != nullptr && all_pairs(out_.lines)) kind = named;
    if (kind == nullptr || is_template()) return;
    if (too_long) {
      out_.findings.push_back(problem("slurm-conf-syntax", {out_.file, 0, source_.line_start(2)}, "more than 300,000 lines: the file is not read"));
      return;
    }
    add(artifact, *kind);
  }

  /// Slurm finds these beside slurm.conf by their names: one of `Key=Value` lines is meant for it, whatever its keys.
  const Kind* kind_by_name() const {
    const std::string_view path = source_.path();
    const std::string_view name = path.substr(path.rfind('/') + 1);
    return name == "gres.conf" ? find_kind("gres-conf") : name == "cgroup.conf" ? find_kind("cgroup-conf") : nullptr;
  }
  static bool all_pairs(const std::vector<ConfLine>& lines) {
    return !lines.empty() && std::ranges::all_of(lines, [](const ConfLine& line) { return !line.pairs.empty() && line.rest.empty(); });
  }

  static const Kind* recognised_by(Format format, const Artifact& artifact) {
    for (const Kind& kind : all_kinds()) {
      if (kind.format == format && kind.recognises(artifact)) return &kind;
    }
    return nullptr;
  }
  void by_own_eyes(Format format, const Artifact& artifact) {
    if (const Kind* kind = recognised_by(format, artifact)) add(artifact, *kind);
  }

  ParsedFile& out_;
  const SourceFile& source_;
  std::string_view text_;
};

}  // namespace

void parse_file(FileId file, const SourceMap& sources, ParsedFile& out) {
  out.file = file;
  Recogniser(out, sources.file(file)).run();
}

}  // namespace muster
