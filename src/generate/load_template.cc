#include <algorithm>
#include <set>

#include "base/strings.h"
#include "embed/assets.h"
#include "generate/template_def.h"
#include "rulebook/book_reader.h"
#include "syntax/yaml_reader.h"

namespace muster {
namespace {

class TemplateLoader {
 public:
  TemplateLoader(const Node& root, const std::map<std::string, std::string>& files, BookReader& reader)
      : root_(root), files_(files), reader_(reader) {
    fleet_type_ = {TypeKind::Object, nullptr, nullptr, find_collection("fleets")->element, {}};
    workload_type_ = {TypeKind::Object, nullptr, nullptr, find_collection("workloads")->element, {}};
    workloads_type_ = {TypeKind::List, &workload_type_, nullptr, nullptr, {}};
    env_.variables = {{"fleet", fleet_type_},
                      {"workloads", workloads_type_},
                      {"target", Type{TypeKind::Object, nullptr, nullptr, &target_type(), {}}}};
  }

  TemplateDef run() {
    reader_.known_keys(root_, {"id", "since", "doc", "needs", "require", "notes", "files", "sources"});
    TemplateDef out;
    out.id = reader_.text(root_, "id");
    out.doc = reader_.text(root_, "doc");
    const std::vector<std::string> needs = reader_.texts(root_["needs"]);
    out.needs_fleet = std::ranges::find(needs, "fleet") != needs.end();
    out.needs_workloads = std::ranges::find(needs, "workloads") != needs.end();
    out.requirements = messages(root_["require"], "that");
    out.notes = messages(root_["notes"], "when");
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

  std::vector<TemplateMessage> messages(const Node& list, std::string_view condition_key) {
    std::vector<TemplateMessage> out;
    for (std::size_t i = 0; list.is_sequence() && i < list.size(); ++i) {
      const Node node = list.item(i);
      reader_.known_keys(node, {"for", condition_key, "message"});
      std::optional<Loop> loop = open_loop(node["for"]);
      std::optional<Expr> condition = reader_.expression(node[condition_key], env_);
      CompileEnv words = env_;
      words.may_be_absent = true;
      std::optional<TextTemplate> message = reader_.words(node["message"], words);
      close_loop(loop);
      if (condition && message) out.push_back({std::move(loop), std::move(*condition), std::move(*message)});
    }
    return out;
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
      out.text = text->second;
    }
    fill(node, out.root);
    close_loop(out.loop);
    check_markers(node, out);
    return out;
  }

  void fill(const Node& node, TemplateSection& section) {
    const Node values = node["values"];
    for (std::size_t i = 0; values.is_mapping() && i < values.size(); ++i) {
      const Node value = values.value(i);
      const bool word = value["word"].exists();
      const bool comment = value["comment"].exists();
      std::optional<Expr> expr = reader_.expression(word ? value["word"] : comment ? value["comment"] : value, env_);
      if (!expr) continue;
      section.values.emplace(std::string(values.key(i).text()), TemplateValue{word      ? ValueKind::Word
                                                                              : comment ? ValueKind::Comment
                                                                                        : ValueKind::Quoted,
                                                                              std::move(*expr)});
    }
    const Node sections = node["sections"];
    for (std::size_t i = 0; sections.is_sequence() && i < sections.size(); ++i) {
      const Node child = sections.item(i);
      reader_.known_keys(child, {"name", "for", "when", "values", "sections"});
      TemplateSection inner;
      inner.name = reader_.text(child, "name");
      inner.loop = open_loop(child["for"]);
      if (child["when"].exists()) inner.when = reader_.expression(child["when"], env_);
      fill(child, inner);
      close_loop(inner.loop);
      section.sections.push_back(std::move(inner));
    }
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
  const std::map<std::string, std::string>& files_;
  BookReader& reader_;
  Type fleet_type_;
  Type workload_type_;
  Type workloads_type_;
  CompileEnv env_;
};

}  // namespace

Result<TemplateDef> load_template(const std::string& folder, const std::map<std::string, std::string>& files) {
  SourceMap sources;
  BookReader reader(sources);
  const auto text = files.find("template.yaml");
  if (text == files.end()) return Error{Error::Code::Rules, folder + " has no template.yaml"};
  const FileId file = sources.add(folder + "/template.yaml", text->second);
  const std::vector<Span> documents = split_yaml_documents(file, sources.file(file).text());
  Document document;
  std::vector<Finding> findings;
  if (documents.size() != 1 || !read_yaml(sources.file(file).text(), documents.front(), document, findings)) {
    return Error{Error::Code::Rules, folder + "/template.yaml: " +
                                         (findings.empty() ? "expected one YAML document" : findings.front().message)};
  }
  const Node root = document.root();
  TemplateDef def = TemplateLoader(root, files, reader).run();
  if (!reader.good()) return Error{Error::Code::Rules, "the template cannot be used:\n" + reader.problems()};
  return def;
}

Result<std::vector<TemplateDef>> embedded_templates() {
  std::map<std::string, std::map<std::string, std::string>> folders;
  for (const Asset& asset : assets_below("templates/")) {
    const std::size_t slash = asset.path.rfind('/');
    folders[std::string(asset.path.substr(0, slash))][std::string(asset.path.substr(slash + 1))] = asset.text;
  }
  std::vector<TemplateDef> out;
  for (const auto& [folder, files] : folders) {
    Result<TemplateDef> def = load_template(folder, files);
    if (!def) return def.error();
    out.push_back(std::move(*def));
  }
  return out;
}

}  // namespace muster
