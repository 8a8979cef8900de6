#include <algorithm>
#include <cctype>
#include <set>

#include "admission/policy_facts.h"
#include "base/strings.h"
#include "embed/assets.h"
#include "generate/template_def.h"
#include "rulebook/book_reader.h"
#include "syntax/yaml_reader.h"

namespace muster {
namespace {

constexpr const char* kShared = "templates/shared/definitions.yaml";

class TemplateLoader {
 public:
  TemplateLoader(const Node& root, const Node& shared, const std::string& shared_text,
                 const std::map<std::string, std::string>& shared_files,
                 const std::map<std::string, std::string>& files, BookReader& reader)
      : root_(root),
        shared_(shared),
        shared_text_(shared_text),
        shared_files_(shared_files),
        files_(files),
        reader_(reader) {
    fleet_type_ = {TypeKind::Object, nullptr, nullptr, find_collection("fleets")->element, {}};
    workload_type_ = {TypeKind::Object, nullptr, nullptr, find_collection("workloads")->element, {}};
    workloads_type_ = {TypeKind::List, &workload_type_, nullptr, nullptr, {}};
    policy_type_ = {TypeKind::Object, nullptr, nullptr, &kAdmissionPolicyType, {}};
    policies_type_ = {TypeKind::List, &policy_type_, nullptr, nullptr, {}};
    left_out_type_ = {TypeKind::Object, nullptr, nullptr, &kUnstatedRulesType, {}};
    left_outs_type_ = {TypeKind::List, &left_out_type_, nullptr, nullptr, {}};
    env_.variables = {{"fleet", fleet_type_},
                      {"workloads", workloads_type_},
                      {"target", Type{TypeKind::Object, nullptr, nullptr, &target_type(), {}}},
                      {"named", kBoolType},
                      {"hybrid", kStringType},
                      {"hybrid_needs", kStringListType},
                      {"policies", policies_type_},
                      {"left_out", left_outs_type_}};
  }

  TemplateDef run() {
    reader_.known_keys(root_,
                       {"id", "since", "doc", "needs", "when", "with", "let", "require", "notes", "files", "sources"});
    TemplateDef out;
    reader_.known_keys(shared_, {"let", "require", "sections", "notes"});
    const Node shared = shared_["let"];
    for (const std::size_t i : used_lets()) let(shared.key(i), shared.value(i), out);
    const Node own = root_["let"];
    for (std::size_t i = 0; own.is_mapping() && i < own.size(); ++i) let(own.key(i), own.value(i), out);
    out.id = reader_.text(root_, "id");
    out.doc = reader_.text(root_, "doc");
    const std::vector<std::string> needs = reader_.texts(root_["needs"]);
    out.needs_fleet = std::ranges::find(needs, "fleet") != needs.end();
    out.needs_workloads = std::ranges::find(needs, "workloads") != needs.end();
    out.needs_rules = std::ranges::find(needs, "rules") != needs.end();
    if (root_["when"].exists()) out.called_for = reader_.expression(root_["when"], env_);
    out.with = reader_.texts(root_["with"]);
    messages(root_["require"], "require", "that", out.requirements);
    messages(root_["notes"], "notes", "when", out.notes);
    out.sources = reader_.texts(root_["sources"]);
    const Node files = root_["files"];
    for (std::size_t i = 0; files.is_sequence() && i < files.size(); ++i) out.files.push_back(file(files.item(i)));
    return out;
  }

 private:
  /// `NAME in LIST`; the name can be used until the loop is closed.
  std::optional<Loop> open_loop(const Node& node) {
    if (!node.exists()) return std::nullopt;
    const std::size_t in = node.text().find(" in ");
    if (in == std::string_view::npos) {
      reader_.wrong(node.where(), "expected `NAME in LIST`");
      return std::nullopt;
    }
    std::vector<ExprIssue> issues;
    std::optional<Expr> list = Expr::compile(node.text().substr(in + 4), env_, issues);
    for (const ExprIssue& issue : issues) reader_.wrong(node.where(), issue.message);
    if (!list) return std::nullopt;
    const Type element = list->type().kind == TypeKind::List ? *list->type().element : kDynType;
    const std::string variable(node.text().substr(0, in));
    env_.variables.push_back({variable, element});
    return Loop{variable, std::move(*list)};
  }
  void close_loop(const std::optional<Loop>& loop) {
    if (loop) env_.variables.pop_back();
  }

  void let(const Node& key, const Node& node, TemplateDef& def) {
    TemplateLet out;
    out.name = key.text();
    Type type = kDynType;
    if (node.is_mapping()) {
      reader_.known_keys(node, {"for", "when", "needs"});
      out.loop = open_loop(node["for"]);
      if (node["when"].exists()) out.when = reader_.expression(node["when"], env_);
      for (std::size_t i = 0; node["needs"].is_sequence() && i < node["needs"].size(); ++i) {
        if (std::optional<Expr> need = reader_.expression(node["needs"].item(i), env_))
          out.needs.push_back(std::move(*need));
      }
      close_loop(out.loop);
      if (!out.loop) return;
      type = out.loop->list.type();
    } else {
      out.value = reader_.expression(node, env_);
      if (!out.value) return;
      type = out.value->type();
    }
    env_.variables.push_back({out.name, type});
    def.lets.push_back(std::move(out));
  }

  static bool mentions(std::string_view text, std::string_view name) {
    const auto joins = [](char c) { return c == '_' || c == '-' || std::isalnum(static_cast<unsigned char>(c)) != 0; };
    for (std::size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
      const std::size_t end = at + name.size();
      if ((at == 0 || !joins(text[at - 1])) && (end == text.size() || !joins(text[end]))) return true;
    }
    return false;
  }

  /// A member of the shared definitions as it is written.
  std::string_view source_of(const Node& mapping, std::size_t i) const {
    const std::size_t begin = mapping.key(i).where().begin;
    std::size_t end = i + 1 < mapping.size() ? mapping.key(i + 1).where().begin : shared_text_.size();
    // The last one ends where the next part of the file begins.
    for (std::size_t line = shared_text_.find('\n', begin); line + 1 < end; line = shared_text_.find('\n', line + 1)) {
      if (std::isalpha(static_cast<unsigned char>(shared_text_[line + 1])) != 0) end = line;
    }
    return std::string_view(shared_text_).substr(begin, end - begin);
  }

  /// Those of the shared names that the template uses: what nobody uses must not leave anything out.
  std::vector<std::size_t> used_lets() {
    std::string text = files_.at("template.yaml");
    for (const std::string_view kind : {"require", "sections", "notes"}) {
      const Node groups = shared_[kind];
      for (std::size_t i = 0; groups.is_mapping() && i < groups.size(); ++i) {
        if (mentions(text, groups.key(i).text())) text += source_of(groups, i);
      }
    }
    const Node all = shared_["let"];
    std::vector<std::size_t> out;
    for (std::size_t i = all.is_mapping() ? all.size() : 0; i-- > 0;) {
      if (!mentions(text, all.key(i).text())) continue;
      text += source_of(all, i);
      out.insert(out.begin(), i);
    }
    return out;
  }

  /// A name among them stands for a group of the shared definitions, which may name others after it.
  void messages(const Node& list, std::string_view kind, std::string_view condition_key,
                std::vector<TemplateMessage>& out, std::size_t before = 0) {
    const Node groups = shared_[kind];
    for (std::size_t i = 0; list.is_sequence() && i < list.size(); ++i) {
      const Node node = list.item(i);
      if (!node.is_scalar()) {
        message(node, condition_key, out);
        continue;
      }
      std::size_t group = before;
      const std::size_t count = groups.is_mapping() ? groups.size() : 0;
      while (group < count && groups.key(group).text() != node.text()) ++group;
      if (group < count) {
        messages(groups.value(group), kind, condition_key, out, group + 1);
      } else {
        reader_.wrong(node.where(), "there is no shared group `" + std::string(node.text()) + "` of " +
                                        (kind == "require" ? "requirements" : "notes"));
      }
    }
  }

  void message(const Node& node, std::string_view condition_key, std::vector<TemplateMessage>& out) {
    reader_.known_keys(node, {"for", condition_key, "message"});
    std::optional<Loop> loop = open_loop(node["for"]);
    std::optional<Expr> condition = reader_.expression(node[condition_key], env_);
    CompileEnv words = env_;
    words.may_be_absent = true;
    std::optional<TextTemplate> message = reader_.words(node["message"], words);
    close_loop(loop);
    if (condition && message) out.push_back({std::move(loop), std::move(*condition), std::move(*message)});
  }

  TemplateFile file(const Node& node) {
    reader_.known_keys(node, {"path", "for", "format", "text", "values", "sections"});
    TemplateFile out;
    out.path = reader_.text(node, "path");
    out.loop = open_loop(node["for"]);
    out.path_text = reader_.words(node["path"], env_);
    out.format = reader_.word(node["format"], OutputFormat::Yaml);
    const auto text = files_.find(reader_.text(node, "text"));
    if (text == files_.end()) {
      reader_.wrong(node["text"].where(), "there is no such file in the template's folder");
    } else {
      out.text = with_pieces(node["text"], text->second);
    }
    text_ = out.text;
    fill(node, out.root);
    close_loop(out.loop);
    check_markers(node, out);
    return out;
  }

  void fill(const Node& node, TemplateSection& section) {
    const Node values = node["values"];
    for (std::size_t i = 0; values.is_mapping() && i < values.size(); ++i) {
      const Node value = values.value(i);
      ValueKind kind = ValueKind::Quoted;
      Node expression = value;
      for (const auto& [key, meant] : {std::pair{"word", ValueKind::Word}, std::pair{"comment", ValueKind::Comment},
                                       std::pair{"text", ValueKind::Text}, std::pair{"folded", ValueKind::Folded}}) {
        if (!value[key].exists()) continue;
        kind = meant;
        expression = value[key];
      }
      std::optional<Expr> expr = reader_.expression(expression, env_);
      if (expr) section.values.emplace(std::string(values.key(i).text()), TemplateValue{kind, std::move(*expr)});
    }
    const Node sections = node["sections"];
    for (std::size_t i = 0; sections.is_sequence() && i < sections.size(); ++i) {
      const Node child = sections.item(i);
      if (!child.is_scalar()) {
        add_section(child, section);
        continue;
      }
      const Node group = shared_["sections"][child.text()];
      if (!group.is_sequence())
        reader_.wrong(child.where(), "there is no shared group `" + std::string(child.text()) + "` of sections");
      for (std::size_t k = 0; group.is_sequence() && k < group.size(); ++k) {
        if (text_.find("{{#" + std::string(group.item(k)["name"].text()) + "}}") != text_.npos)
          add_section(group.item(k), section);
      }
    }
  }

  void add_section(const Node& node, TemplateSection& section) {
    reader_.known_keys(node, {"name", "for", "when", "values", "sections"});
    TemplateSection inner;
    inner.name = reader_.text(node, "name");
    inner.loop = open_loop(node["for"]);
    if (node["when"].exists()) inner.when = reader_.expression(node["when"], env_);
    fill(node, inner);
    close_loop(inner.loop);
    section.sections.push_back(std::move(inner));
  }

  /// The text with shared pieces in place of `{{@pod.tpl}}` at the end of a line, as far to the right as that stands.
  std::string with_pieces(const Node& node, std::string_view text, int depth = 0) {
    constexpr int kDeepest = 4;
    std::string out;
    for (const std::string_view line : split(text, '\n')) {
      const std::size_t at = line.find("{{@");
      if (at == line.npos || !line.ends_with("}}")) {
        out += std::string(line) + "\n";
        continue;
      }
      const std::string name(line.substr(at + 3, line.size() - at - 5));
      const auto piece = shared_files_.find(name);
      if (piece == shared_files_.end() || depth == kDeepest) {
        reader_.wrong(node.where(), "there is no shared piece `" + name + "`, or it holds itself");
        continue;
      }
      const std::string before(line.substr(0, at));
      const std::string indent = trim(before).empty() ? before : "";
      const std::string whole = with_pieces(node, piece->second, depth + 1);
      std::string_view rest = whole;
      if (rest.ends_with('\n')) rest.remove_suffix(1);
      std::string lead = before;
      for (const std::string_view each : split(rest, '\n')) {
        out += lead + std::string(each) + "\n";
        lead = indent;
      }
    }
    out.pop_back();
    return out;
  }

  static void collect(const TemplateSection& section, std::set<std::string>& names, std::set<std::string>& comments) {
    for (const auto& [name, value] : section.values) {
      names.insert(name);
      if (value.kind == ValueKind::Comment) comments.insert(name);
    }
    for (const TemplateSection& child : section.sections) {
      names.insert("#" + child.name);
      names.insert("/" + child.name);
      collect(child, names, comments);
    }
  }

  /// A misspelt marker would print nothing without a word.
  void check_markers(const Node& node, const TemplateFile& file) {
    std::set<std::string> declared;
    std::set<std::string> comments;
    collect(file.root, declared, comments);
    std::set<std::string> used;
    for (const std::string_view line : split(file.text, '\n')) {
      for (std::size_t at = line.find("{{"); at != line.npos; at = line.find("{{", at + 2)) {
        const std::size_t end = line.find("}}", at);
        const std::string name(line.substr(at + 2, end == line.npos ? line.npos : end - at - 2));
        used.insert(name);
        if (!declared.contains(name)) reader_.wrong(node["text"].where(), "no value sets the marker {{" + name + "}}");
        const bool in_comment = line.substr(0, at).find('#') != line.npos && trim(line).starts_with('#');
        if (comments.contains(name) && !in_comment)
          reader_.wrong(node["text"].where(), "the marker {{" + name + "}} may stand in comments only");
      }
    }
    for (const std::string& name : declared) {
      if (!used.contains(name)) reader_.wrong(node["text"].where(), "no marker {{" + name + "}} uses this value");
    }
  }

  const Node& root_;
  const Node& shared_;
  const std::string& shared_text_;
  const std::map<std::string, std::string>& shared_files_;
  std::string text_;  ///< of the file at hand
  const std::map<std::string, std::string>& files_;
  BookReader& reader_;
  Type fleet_type_;
  Type workload_type_;
  Type workloads_type_;
  Type policy_type_;
  Type policies_type_;
  Type left_out_type_;
  Type left_outs_type_;
  CompileEnv env_;
};

}  // namespace

namespace {

/// One YAML document; the file stays in `sources` for messages about it.
Result<Document> read_template_file(const std::string& path, const std::string& text, SourceMap& sources) {
  const FileId file = sources.add(path, text);
  const std::vector<Span> documents = split_yaml_documents(file, sources.file(file).text());
  Document document;
  std::vector<Finding> findings;
  if (documents.size() != 1 || !read_yaml(sources.file(file).text(), documents.front(), document, findings)) {
    return Error{Error::Code::Rules,
                 path + ": " + (findings.empty() ? "expected one YAML document" : findings.front().message)};
  }
  return document;
}

}  // namespace

Result<TemplateDef> load_template(const std::string& folder, const std::map<std::string, std::string>& files,
                                  const std::map<std::string, std::string>& shared) {
  SourceMap sources;
  BookReader reader(sources);
  const auto text = files.find("template.yaml");
  if (text == files.end()) return Error{Error::Code::Rules, folder + " has no template.yaml"};
  Result<Document> document = read_template_file(folder + "/template.yaml", text->second, sources);
  if (!document) return document.error();
  const auto given = shared.find("definitions.yaml");
  const std::string definitions = given == shared.end() ? "{}" : given->second;
  Result<Document> common = read_template_file(kShared, definitions, sources);
  if (!common) return common.error();
  const Node root = document->root();
  const Node common_root = common->root();
  TemplateDef def = TemplateLoader(root, common_root, definitions, shared, files, reader).run();
  if (!reader.good()) return Error{Error::Code::Rules, "the template cannot be used:\n" + reader.problems()};
  return def;
}

Result<std::vector<TemplateDef>> embedded_templates() {
  std::map<std::string, std::map<std::string, std::string>> folders;
  for (const Asset& asset : assets_below("templates/")) {
    const std::size_t slash = asset.path.rfind('/');
    folders[std::string(asset.path.substr(0, slash))][std::string(asset.path.substr(slash + 1))] = asset.text;
  }
  const std::map<std::string, std::string> shared = folders["templates/shared"];
  folders.erase("templates/shared");
  std::vector<TemplateDef> out;
  for (const auto& [folder, files] : folders) {
    Result<TemplateDef> def = load_template(folder, files, shared);
    if (!def) return def.error();
    out.push_back(std::move(*def));
  }
  return out;
}

}  // namespace muster
