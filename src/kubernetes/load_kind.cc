#include <algorithm>
#include <array>

#include "base/check.h"
#include "base/strings.h"
#include "embed/assets.h"
#include "kubernetes/kind_file.h"
#include "source/source_map.h"
#include "syntax/yaml_reader.h"

namespace muster {
namespace {

KeyPath path_of(std::string_view text) {
  KeyPath out;
  if (text.empty()) return out;
  for (const std::string_view step : split(text, '.')) out.emplace_back(step);
  return out;
}

const Type& type_of(KindField::Type type) {
  switch (type) {
    case KindField::Type::Int:
      return kIntType;
    case KindField::Type::Text:
      return kStringType;
    case KindField::Type::Bool:
      return kBoolType;
    case KindField::Type::Any:
      return kDynType;
  }
  return kDynType;
}

void add_variables(const std::vector<KindField>& fields, CompileEnv& env) {
  for (const KindField& field : fields) {
    env.variables.push_back({field.name, type_of(field.type)});
    env.variables.push_back({"has_" + field.name, kBoolType});
  }
}

class Loader {
 public:
  explicit Loader(BookReader& reader) : reader_(reader) {}

  KindFile run(const Node& root) {
    reader_.known_keys(root, {"id",
                              "api",
                              "versions",
                              "kind",
                              "doc",
                              "base",
                              "metadata",
                              "fields",
                              "roles",
                              "instances",
                              "requested",
                              "queue",
                              "highest_tier",
                              "together",
                              "collective",
                              "elastic",
                              "startup",
                              "restarts_whole",
                              "restarts_evicted",
                              "scheduler",
                              "operator",
                              "framework",
                              "labels_from_template",
                              "may_run_operator",
                              "evidence",
                              "sources"});
    KindFile out;
    out.id = reader_.text(root, "id");
    out.group = reader_.text_or(root, "api", "");
    out.versions = join(reader_.texts(root["versions"]), " ");
    out.kind = reader_.text(root, "kind");
    out.doc = reader_.text(root, "doc");
    out.base = path_of(reader_.text_or(root, "base", ""));
    out.metadata = path_of(reader_.text_or(root, "metadata", "metadata"));
    out.fields = read_fields(root["fields"]);
    add_variables(out.fields, env_);
    read_roles(root["roles"], out);
    read_gang(root, out);
    out.framework = reader_.text_or(root, "framework", "");
    out.labels_from_template =
        root["labels_from_template"].exists() && reader_.boolean(root["labels_from_template"]).value_or(false);
    out.may_run_operator =
        root["may_run_operator"].exists() && reader_.boolean(root["may_run_operator"]).value_or(false);
    out.evidence = reader_.texts(root["evidence"]);
    out.sources = reader_.texts(root["sources"]);
    if (out.sources.empty()) reader_.wrong(root.where(), "a kind needs sources");
    return out;
  }

 private:
  std::vector<KindField> read_fields(const Node& fields) {
    std::vector<KindField> out;
    for (std::size_t i = 0; fields.is_mapping() && i < fields.size(); ++i) {
      out.push_back(read_field(std::string(fields.key(i).text()), fields.value(i), out));
    }
    return out;
  }

  KindField read_field(std::string name, const Node& node, const std::vector<KindField>& before) {
    constexpr std::array<std::string_view, 4> kTypes{"int", "text", "bool", "any"};
    reader_.known_keys(node, {"path", "annotation", "label", "type", "default"});
    KindField field;
    field.name = std::move(name);
    if (node["annotation"].exists()) {
      field.from = KindField::From::Annotation;
      field.path = {reader_.text(node, "annotation")};
    } else if (node["label"].exists()) {
      field.from = KindField::From::Label;
      field.path = {reader_.text(node, "label")};
    } else {
      field.path = path_of(reader_.text(node, "path"));
    }
    field.shown = field.path.empty() ? field.name : field.path.back();
    const std::string type = reader_.text(node, "type");
    const auto found = std::ranges::find(kTypes, type);
    if (found == kTypes.end())
      reader_.wrong(node["type"].where(), "`" + type + "` is no type: expected one of " + join(kTypes, ", "));
    else
      field.type = static_cast<KindField::Type>(found - kTypes.begin());
    if (node["default"].exists()) {
      field.fallback = reader_.text(node, "default");
      check_default(field, node["default"], before);
    }
    return field;
  }

  void check_default(const KindField& field, const Node& node, const std::vector<KindField>& before) {
    const std::string& text = *field.fallback;
    const bool other =
        std::ranges::any_of(before, [&](const KindField& one) { return one.name == text && one.type == field.type; });
    const bool literal = field.type == KindField::Type::Int    ? parse_int(text).has_value()
                         : field.type == KindField::Type::Bool ? text == "true" || text == "false"
                                                               : field.type == KindField::Type::Text;
    if (!literal && !other)
      reader_.wrong(node.where(), "`" + text + "` is neither a value of this type nor an earlier field");
  }

  std::optional<Expr> expression(const Node& node, const CompileEnv& env) {
    if (!node.exists()) return std::nullopt;
    return reader_.expression(node, env);
  }

  KindChoice read_choice(const Node& node, const CompileEnv& env,
                         const std::vector<const std::vector<KindField>*>& fields) {
    KindChoice out;
    const Node is = node.is_mapping() ? node["is"] : node;
    if (node.is_mapping()) {
      reader_.known_keys(node, {"when", "is", "unknown"});
      out.when = expression(node["when"], env);
      out.unknown = reader_.text_or(node, "unknown", "");
    }
    if (!out.unknown.empty()) return out;
    out.is = reader_.expression(is, env);
    for (const std::vector<KindField>* list : fields) {
      for (const KindField& field : *list) {
        if (field.name == trim(is.text())) out.bare = field.name;
      }
    }
    return out;
  }

  KindChoices read_choices(const Node& node, const CompileEnv& env,
                           const std::vector<const std::vector<KindField>*>& fields) {
    KindChoices out;
    if (!node.exists()) return out;
    if (!node.is_sequence()) {
      out.push_back(read_choice(node, env, fields));
      return out;
    }
    for (std::size_t i = 0; i < node.size(); ++i) out.push_back(read_choice(node.item(i), env, fields));
    return out;
  }

  void read_roles(const Node& roles, KindFile& out) {
    if (!roles.is_sequence() || roles.size() == 0) reader_.wrong(roles.where(), "a workload kind has roles");
    for (std::size_t i = 0; roles.is_sequence() && i < roles.size(); ++i)
      out.roles.push_back(read_role(roles.item(i), out));
  }

  RoleForm read_role(const Node& node, KindFile& kind) {
    reader_.known_keys(node, {"for", "at", "fields", "name", "name_path", "unnamed", "pods", "otherwise", "count",
                              "min", "helper", "late", "sums"});
    RoleForm form;
    if (node["for"].exists()) form.each = path_of(reader_.text(node, "for"));
    form.at = path_of(reader_.text_or(node, "at", ""));
    form.fields = read_fields(node["fields"]);
    form.name = reader_.text_or(node, "name", "");
    form.name_path = path_of(reader_.text_or(node, "name_path", ""));
    form.unnamed = reader_.text_or(node, "unnamed", "");
    form.pods = path_of(reader_.text(node, "pods"));
    if (node["otherwise"].exists()) form.otherwise = path_of(reader_.text(node, "otherwise"));
    CompileEnv env;
    env.variables = env_.variables;
    env.variables.push_back({"key", kStringType});
    env.variables.push_back({"index", kIntType});
    add_variables(form.fields, env);
    const std::vector<const std::vector<KindField>*> fields{&kind.fields, &form.fields};
    form.count = read_choices(node["count"], env, fields);
    if (form.count.empty()) reader_.wrong(node.where(), "a role needs a count");
    form.min = read_choices(node["min"], env, fields);
    form.helper = expression(node["helper"], env);
    form.late = expression(node["late"], env);
    const Node sums = node["sums"];
    for (std::size_t i = 0; sums.is_mapping() && i < sums.size(); ++i) {
      const std::string name(sums.key(i).text());
      if (std::optional<Expr> expr = reader_.expression(sums.value(i), env))
        form.sums.emplace_back(name, std::move(*expr));
      if (std::ranges::find(kind.sums, name) == kind.sums.end()) kind.sums.push_back(name);
    }
    return form;
  }

  void read_gang(const Node& root, KindFile& out) {
    env_.variables.push_back({"all", kIntType});
    env_.variables.push_back({"first", kIntType});
    for (const std::string& sum : out.sums) env_.variables.push_back({sum, kIntType});
    const std::vector<const std::vector<KindField>*> fields{&out.fields};
    out.instances = read_choices(root["instances"], env_, fields);
    out.requested = read_choices(root["requested"], env_, fields);
    out.queue = read_choices(root["queue"], env_, fields);
    out.highest_tier = read_choices(root["highest_tier"], env_, fields);
    const Node together = root["together"];
    for (std::size_t i = 0; together.is_mapping() && i < together.size(); ++i) {
      out.together.emplace_back(std::string(together.key(i).text()), read_choices(together.value(i), env_, fields));
    }
    out.collective = expression(root["collective"], env_);
    out.elastic = expression(root["elastic"], env_);
    out.startup = expression(root["startup"], env_);
    out.restarts_whole = expression(root["restarts_whole"], env_);
    out.restarts_evicted = expression(root["restarts_evicted"], env_);
    out.scheduler = expression(root["scheduler"], env_);
    if (const Node setting = root["operator"]; setting.exists()) {
      reader_.known_keys(setting, {"id", "setting", "when", "together"});
      out.operator_setting =
          KindOperator{reader_.text(setting, "id"), reader_.text(setting, "setting"), expression(setting["when"], env_),
                       read_choices(setting["together"], env_, fields)};
    }
  }

  BookReader& reader_;
  CompileEnv env_;
};

}  // namespace

KindFile load_kind(const Node& root, BookReader& reader) { return Loader(reader).run(root); }

const std::vector<KindFile>& shipped_kind_files() {
  static const std::vector<KindFile> kShipped = [] {
    std::vector<KindFile> out;
    for (const Asset& asset : assets_below("rules/kinds/")) {
      SourceMap sources;
      const FileId file = sources.add(std::string(asset.path), std::string(asset.text));
      BookReader reader(sources);
      std::vector<Finding> findings;
      Document document;
      const std::vector<Span> documents = split_yaml_documents(file, sources.file(file).text());
      MUSTER_CHECK(documents.size() == 1 && read_yaml(sources.file(file).text(), documents.front(), document, findings),
                   std::string(asset.path) + " is no YAML document");
      out.push_back(load_kind(document.root(), reader));
      MUSTER_CHECK(reader.good(), reader.problems());
    }
    std::ranges::sort(out, {}, &KindFile::id);
    return out;
  }();
  return kShipped;
}

}  // namespace muster
