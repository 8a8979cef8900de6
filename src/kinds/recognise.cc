#include "kinds/recognise.h"

#include <algorithm>
#include <tuple>

#include "base/strings.h"
#include "gang/manifest.h"
#include "kinds/check_text.h"
#include "kinds/dump_kinds.h"
#include "kinds/joined_objects.h"
#include "kinds/language.h"
#include "kinds/listed.h"
#include "kinds/recognise_conf.h"
#include "kinds/registry.h"
#include "kinds/template_objects.h"
#include "kinds/text_evidence.h"
#include "kubernetes/api_versions.h"
#include "kubernetes/check_fields.h"
#include "kubernetes/check_object.h"
#include "kubernetes/check_template.h"
#include "kubernetes/check_type.h"
#include "kubernetes/containers.h"
#include "kubernetes/described_kind.h"
#include "kubernetes/field_table.h"
#include "kubernetes/key_uses.h"
#include "kubernetes/manifests.h"
#include "kubernetes/removed_objects.h"
#include "slurm/conf_evidence.h"
#include "syntax/json_reader.h"
#include "syntax/yaml_reader.h"

namespace muster {
namespace {

constexpr std::size_t kMaxListDepth = 20;  // List within List, objects within objects
constexpr std::size_t kMaxTexts = 1000;    // of objects within one object

class Recogniser {
 public:
  Recogniser(ParsedFile& out, const SourceFile& source, const KindTable& kinds)
      : out_(out), source_(source), text_(source.text()), kinds_(kinds) {}
  Recogniser(ParsedDump& out, const SourceFile& source)
      : out_(out.file), dump_(&out), source_(source), text_(source.text()), kinds_(KindTable::shipped()) {}

  void made() { objects_of(out_.documents.back().root(), 0, {}); }

  void run() {
    if (dump_ != nullptr && is_dump()) return;
    if (trim(text_).empty()) return empty_topology();
    const Language language = language_of(source_.path());
    if (language == Language::Prose || language == Language::Program)
      return speaks(-200, std::string(words_of(language)));
    if (language != Language::Data && looks_like_sbatch(text_, is_named_for_sbatch(source_.path()))) return batch();
    if (language == Language::Script)
      return speaks(-200, std::string(words_of(language)) + ", and no line begins with `#SBATCH` below a `#!`");
    if (file_name() == "topology.yaml" && topology_yaml()) return;
    if (documents()) return;
    if (language == Language::Unknown) recognise_conf(source_, kinds_, out_);
  }

 private:
  /// For an inventory. Dumps have whatever name somebody gave them.
  bool is_dump() {
    for (const DumpKind& kind : all_dump_kinds()) {
      if (kind.form != DumpKind::Form::Text || !kind.is_text(text_)) continue;
      dump_->text = &kind;
      return true;
    }
    bool unprobed = !trim(text_).starts_with('{') && !trim(text_).starts_with('[');
    for (const Span& where : split_yaml_documents(out_.file, text_)) {
      const std::string_view piece = text_.substr(where.begin, where.end - where.begin);
      if (!may_hold_dump(piece)) continue;
      if (unprobed && probe_template(text_)) break;
      unprobed = false;
      dumped_document(where, piece);
    }
    return !dump_->things.empty() || dump_->broken;
  }

  void dumped_document(const Span& where, std::string_view piece) {
    Parsed parsed = parse(where, piece);
    for (Document& document : parsed.whole) {
      out_.documents.push_back(std::move(document));
      dumps_of(out_.documents.back().root(), 0, {}, false);
    }
    if (parsed.good || !claims_to_be_dump(piece, parsed.json)) return;
    dump_->broken = true;
    append(parsed.findings);
  }

  void dumps_of(const Node& node, std::size_t depth, ListItemType listed, bool in_list) {
    const std::string_view object_kind = kind_in(node, listed);
    const std::string_view api_version = api_version_in(node, listed);
    const Node items = node["items"];
    if (!object_kind.empty() && !api_version.empty() && items.is_sequence()) {
      const ListItemType below = items_of(object_kind, api_version);
      for (std::size_t i = 0; i < items.size() && depth < kMaxListDepth; ++i)
        dumps_of(items.item(i), depth + 1, below, true);
      return;
    }
    const DumpKind* kind = api_version.empty() ? nullptr : find_dumped_object(api_group(api_version), object_kind);
    for (const DumpKind& one : all_dump_kinds()) {
      if (kind == nullptr && one.form == DumpKind::Form::Tree && one.is_tree(node)) kind = &one;
    }
    if (kind != nullptr) dump_->things.push_back({kind, node, in_list});
  }

  std::string_view file_name() const {
    const std::string_view path = source_.path();
    return path.substr(path.rfind('/') + 1);
  }

  /// Files that slurmctld opens by name, whatever they hold. They are ours where a slurm.conf stands beside them.
  void may_be(const Kind& kind, Artifact artifact) {
    artifact.kind = &kind;
    artifact.file = out_.file;
    out_.candidate = std::move(artifact);
  }

  void empty_topology() {
    Artifact artifact;
    if (file_name() == "topology.conf") artifact.lines = &out_.lines;
    if (file_name() == "topology.conf" || file_name() == "topology.yaml")
      may_be(*kinds_.find(kind_opened_as(file_name())), artifact);
  }

  void speaks(int weight, std::string text) { out_.evidence.push_back({weight, std::move(text)}); }
  std::string at_line(const Span& where) const { return "line " + std::to_string(source_.position(where.begin).line); }

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
      const auto odd = good ? unlike_libyaml(text_, documents.front()) : std::nullopt;
      if (odd) std::tie(artifact.trouble_where, artifact.trouble) = *odd;
      const auto syntax = std::ranges::find(findings, "yaml-syntax", &Finding::rule);
      if (!good) artifact.trouble = syntax == findings.end() ? "it cannot be read" : syntax->message;
      if (!good) artifact.trouble_where = syntax == findings.end() ? documents.front() : syntax->where;
      if (!artifact.object["kind"].text().empty() || !artifact.object["muster"].text().empty()) {
        out_.documents.clear();
        return false;
      }
    }
    const Kind* kind =
        artifact.trouble.empty() && artifact.object.exists() ? recognised_by(Format::Own, artifact) : nullptr;
    if (kind != nullptr) {
      add(artifact, *kind);
      append(findings);
    } else {
      if (!artifact.trouble.empty() && claims_to_be_ours(text_, kinds_)) append(findings);
      may_be(*kinds_.find("topology-yaml"), std::move(artifact));
    }
    return true;
  }

  void add(Artifact artifact, const Kind& kind) {
    artifact.kind = &kind;
    artifact.file = out_.file;
    out_.artifacts.push_back(artifact);
  }

  /// A text that would be ours once rendered.
  bool is_template() {
    out_.template_kind = probe_template(text_);
    if (out_.template_kind == TemplateKind::DoubleBraces && has_marks_of_kserve_alone(text_))
      out_.template_kind.reset();
    if (out_.template_kind) speaks(100, "it would be ours once it is rendered");
    if (out_.template_kind == TemplateKind::DoubleBraces) {
      check_template(text_, out_.file, out_.findings);
      note_template({out_.file, 0, static_cast<std::uint32_t>(text_.size())});
    }
    return out_.template_kind.has_value();
  }

  void batch() {
    if (is_template()) return;
    if (has_directive_marks(text_)) {
      out_.template_kind = TemplateKind::Marks;
      return speaks(100, "it would be ours once it is rendered");
    }
    out_.script = read_sbatch(out_.file, text_);
    const bool amiss = out_.script->amiss.size() > (is_named_for_sbatch(source_.path()) ? 0 : 1);
    if (out_.script->directives.empty() && !amiss)
      return speaks(-100, "its `#SBATCH` lines stand in texts for other programs");
    Artifact artifact;
    artifact.script = &*out_.script;
    by_own_eyes(Format::Batch, artifact);
    speaks(out_.artifacts.empty() ? -100 : 100,
           "it begins with `#!` and has " + count_of(out_.script->directives.size(), "`#SBATCH` line"));
  }

  /// The documents of YAML and JSON. True when the file is settled: something of ours, or a template of it.
  bool documents() {
    bool asked = false;
    for (const Span& where : split_yaml_documents(out_.file, text_)) {
      const std::string_view piece = text_.substr(where.begin, where.end - where.begin);
      if (!may_hold_ours(piece, kinds_)) continue;
      // Templates have no tree to look at, so that their lines must do.
      if (!asked && claims_to_be_ours(piece, kinds_)) {
        if (is_template()) return true;
        asked = true;
      }
      document(where, piece);
    }
    find_objects_twice(out_.documents, text_, out_.findings);
    return !out_.artifacts.empty() || !out_.findings.empty();
  }

  /// Documents of YAML, or several of JSON in one.
  struct Parsed {
    std::deque<Document> whole;
    std::optional<Document> rest;  ///< of a broken one what stands before the mistake
    std::vector<Finding> findings;
    bool good = false;
    bool json = false;
  };

  Parsed parse(const Span& where, std::string_view piece) const {
    Parsed out;
    std::string_view body = trim(piece);
    if (body.starts_with("---")) body = trim(body.substr(3));
    const bool bracket = body.starts_with('{') || body.starts_with('[');
    const auto at = static_cast<std::uint32_t>(body.data() - text_.data());
    out.good = bracket && read_json_documents(text_, {out_.file, at, where.end}, out.whole, out.findings);
    out.json = out.good || (bracket && (out.whole.size() > 1 || source_.path().ends_with(".json")));
    if (!out.json) {  // YAML may begin with a bracket, too
      Parsed yaml;
      yaml.whole.emplace_back();
      yaml.good = read_yaml(text_, where, yaml.whole.back(), yaml.findings);
      // Of a dump that is neither JSON's complaint is the right one: programs print no flow style.
      out.json = bracket && !yaml.good && dump_ != nullptr;
      if (!out.json) out = std::move(yaml);
    }
    if (out.good) return out;
    out.rest = std::move(out.whole.back());
    out.whole.pop_back();
    return out;
  }

  void document(const Span& where, std::string_view piece, bool parted = false) {
    Parsed parsed = parse(where, piece);
    if (!parted && parsed.good && part_objects(where, parsed)) return;
    const std::size_t before = out_.artifacts.size();
    bool object = false;
    for (Document& document : parsed.whole) {
      out_.documents.push_back(std::move(document));
      const Node root = out_.documents.back().root();
      objects_of(root, 0, {});
      object = object || (says_what_it_is(root) && !may_be_template(piece));
    }
    const Span mistake = parsed.findings.empty() ? where : parsed.findings.back().where;
    const bool broken = !parsed.good && is_broken_of_ours(parsed.rest->root(), where, piece, mistake);
    if (!parsed.good && !broken && contains(piece, "{{")) note_template(where);
    if (broken || object || out_.artifacts.size() > before) append(parsed.findings);
  }

  void note_template(const Span& piece) {
    if (!in_template_) in_template_ = objects_of_template(out_.file, text_);
    note_objects_of_template(*in_template_, piece, kinds_, out_);
  }

  /// What stands twice in a template may be two ways to render it.
  bool may_be_template(std::string_view piece) const {
    return bare_name(source_.path()) != file_name() || has_template_marks(piece);
  }

  /// Reads objects that nothing parts as if a `---` did. False where there is one, or they do not stand alone.
  bool part_objects(const Span& where, const Parsed& parsed) {
    if (parsed.json || parsed.whole.size() != 1) return false;
    const std::vector<Node> begins = further_objects(parsed.whole.front().root(), text_);
    const std::string_view all = text_.substr(where.begin, where.end - where.begin);
    if (begins.empty() || may_be_template(all) || contains(all, ": &")) return false;
    Span one = where;
    for (const Node& begin : begins) {
      const Span at = begin.where();
      out_.findings.push_back(
          problem("document-separator-missing", at, "another object begins here, and no `---` stands before it"));
      one.end = at.begin;
      document(one, text_.substr(one.begin, one.end - one.begin), true);
      one = {where.file, at.begin, where.end};
    }
    document(one, text_.substr(one.begin, one.end - one.begin), true);
    return true;
  }

  /// Of a broken document what stands before the mistake, else its lines.
  bool is_broken_of_ours(const Node& root, const Span& where, std::string_view piece, const Span& mistake) {
    const Node kind = root["kind"];
    const bool data = language_of(source_.path()) == Language::Data;
    const bool manifest =
        kind.is_scalar() && root["apiVersion"].is_scalar() &&
        (kind.text().ends_with("List") || kinds_.find_manifest(root["apiVersion"].text(), kind.text()) != nullptr ||
         (data && says_what_it_is(root) && !may_be_template(piece)));
    if (!manifest && !root["muster"].is_scalar() && !claims_to_be_ours(piece, kinds_)) return false;
    if (has_action_at(text_, mistake.begin)) {  // quotes within quotes: YAML once it is rendered
      out_.template_kind = TemplateKind::DoubleBraces;
      speaks(100, at_line(where) + ": it would be ours once it is rendered");
      return false;
    }
    if (waits_for_variables(piece, data && bare_name(source_.path()) == file_name()) || has_blank_to_fill(piece)) {
      out_.template_kind = TemplateKind::Marks;
      speaks(100, at_line(where) + ": it would be ours once its `${...}` are filled in");
      return false;
    }
    if (has_here_document(piece)) {
      speaks(-100, at_line(where) + ": the text of a shell's command");
      return false;
    }
    if (!data && !reads_like_data(piece)) {
      speaks(-100, at_line(where) +
                       ": what speaks of `apiVersion` and `kind` there cannot be read, and most lines "
                       "around it are neither YAML nor JSON");
      return false;
    }
    speaks(100, at_line(where) + ": a document of ours that cannot be read");
    return true;
  }

  void append(std::vector<Finding>& findings) { std::ranges::move(findings, std::back_inserter(out_.findings)); }

  /// An object, the items of a list (JobList says what its items are), or a file of our own. Source:
  /// k8s.io/apimachinery v0.31.0, pkg/apis/meta/v1/unstructured/helpers.go, detectList.
  void objects_of(const Node& node, std::size_t depth, ListItemType listed, const Node& wrapper = {},
                  const WrapForm* wrap = nullptr) {
    const bool whole = wrap == nullptr || wrap->whole;
    Artifact artifact{.object = node, .wrapper = wrapper, .wrap = wrap};
    const std::string_view object_kind = kind_in(node, listed);
    const std::string_view api_version = api_version_in(node, listed);
    if (object_kind.empty() || api_version.empty()) {
      if (whole) check_type(node, out_.findings);
      return by_own_eyes(Format::Own, artifact);
    }
    const Node items = node[  // OpenShift's Template holds objects, too
        api_group(api_version) == "template.openshift.io" ? "objects" : "items"];
    if (items.is_sequence()) {
      const ListItemType below = items_of(object_kind, api_version);
      for (std::size_t i = 0; depth < kMaxListDepth && i < items.size(); ++i)
        objects_of(items.item(i), depth + 1, below);
      return;
    }
    const std::size_t before = out_.findings.size();
    if (whole) {
      note_fields(node, api_version, object_kind);
      check_home(node, out_.findings);
      check_object(node, api_version, object_kind, out_.findings);
    }
    if (object_kind == "ConfigMap" && api_version == "v1") objects_in_config_map(node["data"], depth);
    read_containers(node, api_version, object_kind, out_.containers, out_.findings);
    say_of_objects(std::span(out_.findings).subspan(before));
    if (out_.findings.size() > before && is_stated_in_part(node, api_version, object_kind)) drop_of_wholes(before);
    read_manifests(node, api_version, object_kind, out_.values, out_.manifests);
    if (whole) read_key_uses(node, api_version, object_kind, out_.named_keys, out_.key_uses);
    if (!node["metadata"]["uid"].exists()) note_removed(node, api_version, object_kind);  // else of a cluster as it was
    if (const Kind* kind = kinds_.find_manifest(api_version, object_kind, &artifact)) {
      artifact.api_version = api_version;
      add(artifact, *kind);
      if (kind->described != nullptr) objects_within(node, kind->described->file(), depth);
      speaks(100, at_line(node.where()) + ": `" + std::string(object_kind) + "` of `" + std::string(api_version) + "`");
    } else {
      speaks(-100, at_line(node.where()) + ": muster does not know `" + std::string(object_kind) + "` of `" +
                       std::string(api_version) + "`");
    }
  }

  void drop_of_wholes(std::size_t from) {
    const auto begin = out_.findings.begin() + static_cast<std::ptrdiff_t>(from);
    const auto is_whole = [](const Finding& one) { return one.about == About::Whole; };
    out_.findings.erase(std::remove_if(begin, out_.findings.end(), is_whole), out_.findings.end());
  }

  /// Objects that stand whole within another.
  void objects_within(const Node& node, const KindFile& file, std::size_t depth) {
    if (depth >= kMaxListDepth) return;
    const std::size_t before = out_.manifests.size();
    for (const WrapForm& form : file.wraps) {
      const auto one = [&](const Node& item) {
        const Node inner = at_path(item, form.at);
        if (form.text)
          object_in_text(inner, depth, node, form);
        else if (inner.is_mapping())
          objects_of(inner, depth + 1, {}, node, &form);
      };
      if (!form.each) one(node);
      const Node list = form.each ? at_path(node, *form.each) : Node{};
      const bool many = list.is_sequence() || list.is_mapping();
      for (std::size_t i = 0; many && i < list.size(); ++i) one(list.is_mapping() ? list.value(i) : list.item(i));
    }
    put_into_space(node["metadata"]["namespace"].text(), out_.manifests, before);
  }

  /// What a program will make objects of. It may still add to them: their fields are not gone through.
  void objects_in_config_map(const Node& data, std::size_t depth) {
    static const WrapForm kPart{.whole = false};
    if (depth >= kMaxListDepth || !data.is_mapping()) return;
    for (std::size_t i = 0; i < data.size(); ++i) object_in_text(data.value(i), depth, {}, kPart);
  }

  /// Of a block `|`, whose lines are as they would be in a file. What cannot be read is still to be filled in, or no
  /// object.
  void object_in_text(const Node& node, std::size_t depth, const Node& outer, const WrapForm& wrap) {
    if (!node.is_scalar() || !contains(node.text(), "apiVersion") || !contains(node.text(), "kind")) return;
    const Span block = node.where();
    if (block.file != out_.file || block.end > text_.size()) return;  // made of several files
    const std::string_view text = text_.substr(block.begin, block.end - block.begin);
    if (!text.starts_with('|')) return;
    std::uint32_t begin = block.begin + static_cast<std::uint32_t>(std::min(text.find('\n'), text.size() - 1)) + 1;
    for (std::uint32_t at = begin; at < block.end;) {
      const auto end = static_cast<std::uint32_t>(std::min<std::size_t>(text_.find('\n', at), block.end));
      const bool parting = trim(text_.substr(at, end - at)) == "---";
      if (parting || end + 1 >= block.end) object_in({block.file, begin, parting ? at : block.end}, depth, outer, wrap);
      at = end + 1;
      if (parting) begin = at;
    }
  }

  void object_in(const Span& body, std::size_t depth, const Node& outer, const WrapForm& wrap) {
    if (trim(text_.substr(body.begin, body.end - body.begin)).empty() || ++texts_ > kMaxTexts) return;
    std::vector<Finding> findings;
    Document document;
    if (!read_yaml(text_, body, document, findings) || !findings.empty()) return;
    if (!wrap.whole && is_read_with_config_map(document.root())) return;
    out_.documents.push_back(std::move(document));
    objects_of(out_.documents.back().root(), depth + 1, {}, outer, &wrap);
  }

  /// Of a custom kind a definition elsewhere in the input may know better.
  void note_fields(const Node& node, std::string_view api_version, std::string_view object_kind) {
    const FieldTable& table = FieldTable::shipped();
    if (is_built_in_group(api_group(api_version))) {
      if (object_kind == "CustomResourceDefinition") out_.definitions.push_back(node);
      return check_fields(node, api_version, object_kind, table, out_.findings);
    }
    out_.custom.push_back({node, std::string(api_version), std::string(object_kind), {}});
    check_fields(node, api_version, object_kind, table, out_.custom.back().findings);
    if (!table.find(api_version, object_kind) && table.versions_of(api_group(api_version), object_kind).empty())
      check_version(node, api_version, object_kind, kinds_.versions_of(api_version, object_kind),
                    out_.custom.back().findings);
  }

  void note_removed(const Node& node, std::string_view api_version, std::string_view object_kind) {
    const Node name = node["metadata"]["name"];
    const Node at = node["apiVersion"].exists() ? node["apiVersion"] : node;
    if (auto object = removed_object(api_version, object_kind, at.where())) {
      object->name = defaulted_to(std::string(name.text()), node["kind"].where(), "metadata.name");
      object->id += name.text();
      out_.removed.push_back(std::move(*object));
    }
  }

  const Kind* recognised_by(Format format, const Artifact& artifact) const {
    return kind_recognised_by(kinds_, format, artifact);
  }
  void by_own_eyes(Format format, const Artifact& artifact) {
    if (const Kind* kind = recognised_by(format, artifact)) add(artifact, *kind);
  }

  ParsedFile& out_;
  ParsedDump* dump_ = nullptr;  ///< of an inventory
  const SourceFile& source_;
  std::string_view text_;
  const KindTable& kinds_;
  std::size_t texts_ = 0;
  std::optional<std::vector<TemplateObject>> in_template_;  ///< once it was asked
};

}  // namespace

int weight_of(const std::vector<Evidence>& evidence) {
  int sum = 0;
  for (const Evidence& one : evidence) sum += one.weight;
  return sum;
}

void parse_file(FileId file, const SourceMap& sources, ParsedFile& out, const KindTable& kinds) {
  out.file = file;
  Recogniser(out, sources.file(file), kinds).run();
  recognise_confs_within(sources.file(file), kinds, out);
  check_text(sources.file(file), out);
}

void recognise_made(const SourceMap& sources, ParsedFile& out, const KindTable& kinds) {
  Recogniser(out, sources.file(out.file), kinds).made();
}

void parse_dump(FileId file, const SourceMap& sources, ParsedDump& out) {
  out.file.file = file;
  Recogniser(out, sources.file(file)).run();
}

}  // namespace muster
